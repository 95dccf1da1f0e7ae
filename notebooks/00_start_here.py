# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#     notebook_metadata_filter: jupytext,kernelspec,-jupytext.text_representation.jupytext_version
#     text_representation:
#       extension: .py
#       format_name: percent
#       format_version: '1.3'
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Start here
#
# A model has scored 569 tumours, 212 of them malignant. Above which score would you operate?
# Click into the cell, press <kbd>Shift</kbd>+<kbd>Enter</kbd>, wait a few seconds, then drag the pink handle.

# %%
from rocviz import ROCExplorer, datasets

data = datasets.load_breast_cancer_scores()
explorer = ROCExplorer(data.y_true, data.y_prob, panels=["scores", "roc"], unfolded=["threshold"])
explorer

# %% [markdown]
# ## Three things to try
#
# First say what you expect, then drag, then look: the sentence above the pictures says in words what they show. You will
# remember the answer best if your guess was wrong. Allow about **25 minutes** for this page.
#
# **1. Drag the threshold to the left.** The model then raises the alarm sooner and finds more of the malignant
# tumours. What does that cost?
#
# <details><summary>What you can see</summary>
#
# It costs false alarms. The pink point climbs along the curve: at first it gains a lot for a few false alarms, later hardly
# anything for many. This trade is the whole **ROC curve**, and the threshold picks one point of it.
#
# </details>

# %% [markdown]
# **2. Make a miss ten times as bad as a false alarm**: open *costs* and move the slider *a miss, in false alarms* to
# 10. Which way will the amber ring go, the best point for these costs? And from which score on should one operate
# then: from 0.5, 0.3, 0.1, or from less?
#
# <details><summary>What you can see</summary>
#
# It goes up and to the right: if misses are costly, it pays to raise the alarm early. The best threshold is below 0.03. The
# curve itself stays. It says what is possible; the costs say what is best.
#
# </details>

# %% [markdown]
# **3. Look at the Brier score beside the curve.** Run the next cell. Then open *calibrate* and choose *sigmoid* in the menu
# *probabilities*: it replaces the model's probabilities by better ones. **Predict:** will the ROC curve change? Will the
# Brier score, which measures how good the probabilities are? And what becomes of both when you then tick *judge on the
# other half*?

# %% jupyter={"outputs_hidden": true}
together = ROCExplorer(data.y_true, data.y_prob, panels=["roc", "brier"])
together

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The curve stays: it is drawn from the order of the scores, and *sigmoid* only bends them. It moves no tumour past
# another. The Brier score falls from 0.145 to 0.138, for it depends on the values. Judged on tumours that were not
# used for the repair, part of the gain is gone.
#
# </details>
#
# Now choose *hull* in the same menu. **Predict:** the hull does more than bend. It gives one and the same probability
# to tumours whose order the data do not support. Are the Brier score and the AUC of *its* probabilities better than those of the
# raw scores, judged by the same tumours? (The picture keeps the curve of the raw scores.)

# %% jupyter={"outputs_hidden": true}
from sklearn.metrics import brier_score_loss, roc_auc_score

from rocviz import calibration_map

y_true, raw = data.y_true, data.y_prob
repaired = {
    "raw": raw,
    "sigmoid": calibration_map(together.result.segments, method="sigmoid")(raw),
    "hull": calibration_map(together.result.segments)(raw),
}
for name, said in repaired.items():
    area, brier = roc_auc_score(y_true, said), brier_score_loss(y_true, said)
    print(f"{name:7}: AUC {area:.4f}, Brier score {brier:.3f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The sigmoid keeps the order, so the AUC stays as it is, and the Brier score falls. The hull has the lowest Brier score of
# the three, and the *highest* AUC: it ties tumours that stand in the wrong order, and a tie is better than an error.
# On the tumours it was fitted to, it cannot lose. Chapter 2 tests it on new ones.
#
# </details>
#
# If you can explain all of this, you know what the first two chapters are about. If not, they are for you.
#
# A click on the title of the small picture makes it the large one; so do the keys 1 and 2. There are more pictures: the
# chapters show one or two at a time, and `ROCExplorer()` without `panels` shows all four.

# %% [markdown]
# ## The course
#
# | | chapter | you will be able to | minutes |
# |---|---|---|---|
# | 01 | [Classification and ranking](01_classification_and_ranking.ipynb) | read a confusion table, a ROC curve and its hull; say what an AUC means | 55 |
# | 02 | [Probabilities and calibration](02_probabilities_and_calibration.ipynb) | read a calibration curve and a Brier score; calibrate; choose a threshold | 60 |
# | 03 | [The temperature of a ranking](03_fermi_dirac.ipynb) | turn an AUC into probabilities; say how sure an AUC is, and how far to trust the interval | 60 |
# | 04 | [When does the crowd beat the best?](04_fidel.ipynb) | combine classifiers by their ranks; say when that helps and when it hurts | 60 |
# | 05 | [When is a doctor sure enough?](05_scoring_lists.ipynb) | walk, write and learn a scoring list; stop when sure | 60 |
# | 06 | [How far to trust a scoring list](06_scoring_lists_from_data.ipynb) | decide when mistakes differ in cost; recognise overfitting and choose a remedy | 60 |
# | 07 | [Who is called positive?](07_decisions.ipynb) | choose the best labels for F1 or any other metric; decide by batch or by threshold | 60 |
# | 08 | [Ranking like a dictionary](08_lexicographic_rankers.ipynb) | rank by an order of attributes; compare it with naive Bayes; make probabilities of any score | 60 |
# | 09 | [First rank, then say how sure](09_probabilities_from_rankings.ipynb) | turn rankings into probabilities; repair certainty from one sample; learn from unlabelled cases | 60 |
# | 10 | [One data set, every idea](10_one_data_set.ipynb) | take real data through all of it, and decide | 60 |
# | 11 | [Fair to whom?](11_fair_to_whom.ipynb) | see what one score does for several groups; keep a promise to them at the least cost | 55 |
#
# Chapters 1 and 2 come first; after them read what you like (chapter 4 wants 3, 6 wants 5, 11 wants 1 and 2, and 10
# looks back at chapters 1 to 9).
#
# Every section has the same parts: a short introduction, a question to **predict**, a picture to **explore**, and an exercise to
# **check** your answer. Below a question you see "•••": there the answer is hidden until you run the cell
# (<kbd>Shift</kbd>+<kbd>Enter</kbd>). The explanation of the answer is folded below it, under *What you can
# see*; open it when you have looked. Do not use *Run All* on your first visit, for it shows everything at once.
# Exercises tell you at once whether you are right. A wrong answer gets a hint, never the solution, and nothing is sent
# anywhere.

# %% [markdown]
# ## Your progress
#
# The cell below shows how many exercises you have solved. Jupyter keeps this in the file `rocviz-progress.json` beside the notebooks.

# %% tags=["nbval-ignore-output"]
from rocviz.exercises import export_progress, progress

progress()

# %% [markdown]
# **On Binder everything you write is lost** when the server stops: after about ten minutes without activity, or when you close the window. Before
# that, save each notebook with *File > Download*, and keep the line that the next cell prints. (Each right answer reminds you.) In a new session, or on your own computer,
# `import_progress("that line")` brings your progress back.

# %% tags=["nbval-ignore-output"]
export_progress()

# %% [markdown]
# ## For lecturers
#
# Larger text and thicker lines, readable from the back row, and a sandbox full of named situations (the menu
# *situation* under *other data*: perfect, random, a concavity, many ties, over-confident, ...):
#
# ```python
# import rocviz
#
# rocviz.set_theme(lecture=True)
# rocviz.ROCExplorer()
# ```
#
# Whatever the mouse can drag has a slider, so the arrow keys work as well. One picture may fill the screen:
# `explorer.panels = ["roc"]`; the others join when their turn comes. `explorer.save("slide.pdf")` makes a figure of the
# pictures on screen.

# %% [markdown]
# ## For researchers
#
# Your own data take one line, `ROCExplorer(y_true, y_score)`: two columns of the same length, labels and scores. Several
# models at once: `ROCExplorer(y_true, {"forest": a, "boosting": b})`. Every control is an attribute to read, set and
# observe, and every number comes back:

# %%
mine = ROCExplorer(data.y_true, data.y_prob)
mine.threshold = 0.25
table = mine.result.table
low, high = table.interval("tpr")

print(mine.sentence)
print(f"AUC {mine.result.segments.auc:.3f}")
print(f"sensitivity {table.tpr:.2f}, 95 % interval {low:.2f} to {high:.2f} (Wilson)")

# %% [markdown]
# **code**, under the pictures, shows the lines of Python that give the numbers on screen, without the explorer.

# %% [markdown]
# ## When something does not work
#
# No picture, or one that does not move? Run its cell. If that does not help, see
# [Troubleshooting](https://github.com/rocviz/rocviz/blob/main/docs/troubleshooting.md).

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
# A test has given a score to 100 people, 40 of them ill: each is a dot, filled if the test raises an alarm. Above what score would you raise it?
# Click into the cell, press <kbd>Shift</kbd>+<kbd>Enter</kbd>, wait a few seconds, then drag the pink handle.

# %%
from rocviz import ROCExplorer, binormal_scores, datasets

people = binormal_scores(100, prevalence=0.4, separation=1.6, over_confidence=0.6, random_state=4)
scored = people.y_true, people.y_prob
names = ("healthy", "ill")
ROCExplorer(*scored, labels=names, panels=["people"], unfolded=["threshold"], show_best=False)

# %% [markdown]
# ## How much time have you got?
#
# | | |
# |---|---|
# | **20 minutes** | the [story of nine minutes](https://rocviz.github.io/rocviz/live/story-start.html), which needs no Python, and the three things below |
# | **90 minutes** | the [lecture](https://rocviz.github.io/rocviz/live/lecture.html), one page with a clock, for a class or for yourself; `rocviz lecture` writes it to a file |
# | **a term** | the course below: fifteen chapters, each with exercises that check your answers |
#
# ## Three things to try
#
# First say what you expect, then drag, then look: the sentence above the picture says in words what it shows. You will
# remember an answer best if your guess was wrong. Allow about **35 minutes** for this page.
#
# **1. Drag the threshold to the left.** Those who are ill stand above the line, those who are healthy below, each at their score.
# Everybody to the right of the pink line raises an alarm. As the line goes to the left, the test finds more of the ill. What does
# that cost?
#
# <details><summary>What you can see</summary>
#
# It costs false alarms: healthy people to the right of the line. Their scores overlap with those of the ill, so there is no
# threshold that finds all the ill and raises no false alarm.
#
# </details>
#
# **2. Watch both at once.** The next cell has the scores that a model gave to 569 tumours, 212 of them malignant, as bars, and a second
# picture, in which a threshold is one point. Its height is the share of the malignant
# tumours that are found; how far it lies to the right is the share of the benign ones that raise a false alarm. **Predict:** which way will
# the point go if you drag the line to the left? Where does it start, and where does it end?

# %% jupyter={"outputs_hidden": true}
data = datasets.load_breast_cancer_scores()
ROCExplorer(
    data.y_true,
    data.y_prob,
    panels=["scores", "roc"],
    unfolded=["threshold"],
    show_hull=False,
    show_band=False,
)

# %% [markdown]
# <details><summary>What you can see</summary>
#
# It starts at the bottom left, where nothing raises an alarm, and ends at the top right, where everything does. On its way it
# climbs along the **ROC curve**: at first a few false alarms buy many finds; later, many buy hardly any. A model that guesses
# would walk along the dotted diagonal.
#
# </details>
#
# **3. Make a miss ten times as bad as a false alarm.** The next picture adds costs. The amber ring marks the point at which the
# mistakes cost least, and the amber line joins all points that cost as much as that one. Move the slider *cost of a miss (in false alarms)* to
# 10. **Predict:** which way will the ring go? And above what score should you operate then: 0.5, 0.3, 0.1, or less?

# %% jupyter={"outputs_hidden": true}
ROCExplorer(
    data.y_true,
    data.y_prob,
    panels=["roc"],
    unfolded=["cost_fn"],
    show_hull=False,
    show_band=False,
)

# %% [markdown]
# <details><summary>What you can see</summary>
#
# It goes up and to the right: if misses are costly, it pays to raise the alarm even at low scores. The best threshold is below 0.03. The
# curve itself stays as it is. It says what is possible; the costs say what is best.
#
# </details>
#
# ## In a hurry? Stop here
#
# **Take home:** a threshold is a point, a ranking is a curve, and only costs say which point of the curve is best.
#
# From here you can go to [chapter 1](01_classification_and_ranking.ipynb), which shows why the area under the curve is a share of pairs, or to
# the table of chapters below. Or go on with a fourth thing, on the probabilities behind the curve.
#
# ## A fourth thing: can you believe the numbers?
#
# **4. Look at the Brier score beside the curve.** The next cell draws the curve with its *hull*, the line around its dents, and with
# a *band* that shows how uncertain it is (chapters 1 and 3 explain them). Beside it stands the **Brier score**, which measures how
# good the probabilities are: lower is better. Run the cell, open *calibrate* and choose *sigmoid* in the menu *probabilities*: it
# replaces the model's probabilities with better ones. **Predict:** will the ROC curve change? Will the Brier score? And what becomes
# of both when you then tick *judge on the other half*?

# %% jupyter={"outputs_hidden": true}
together = ROCExplorer(data.y_true, data.y_prob, panels=["roc", "brier"])
together

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The curve stays: it depends on the order of the scores alone, and *sigmoid* moves no tumour past another. The Brier score falls
# from 0.145 to 0.138, because it depends on the probabilities themselves. Judged on tumours that were not used for the repair,
# part of the gain is gone.
#
# </details>
#
# Now choose *hull* in the same menu. It gives the same probability to neighbouring tumours when the data give no reason to rank one above the
# other. **Predict:** are the Brier score and the AUC of *its* probabilities better than those of the raw scores, judged on the same tumours?
# (The picture keeps the curve of the raw scores.)

# %% jupyter={"outputs_hidden": true}
from sklearn.metrics import brier_score_loss, roc_auc_score

from rocviz import calibration_map

y_true, raw = data.y_true, data.y_prob
repaired = {
    "raw": raw,
    "sigmoid": calibration_map(together.result.segments, method="sigmoid")(raw),
    "hull": calibration_map(together.result.segments)(raw),
}
for name, prob in repaired.items():
    area, brier = roc_auc_score(y_true, prob), brier_score_loss(y_true, prob)
    print(f"{name:7}: AUC {area:.4f}, Brier score {brier:.3f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The sigmoid keeps the order, so the AUC stays as it is, and the Brier score falls. The hull has the lowest Brier score of
# the three, and the *highest* AUC: it ties tumours that are in the wrong order, and a tie is better than an error.
# On the tumours it was fitted to, it cannot lose. Chapter 2 tests it on new ones.
#
# </details>
#
# If you can explain all of this, you know what the first two chapters are about. If not, they are for you.
#
# Click on the title of a small picture to make it the large one, or press the key 1 or 2. The chapters show one or two pictures at
# a time; `ROCExplorer()` without `panels` shows all four.

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
# | 07 | [Who is predicted positive?](07_decisions.ipynb) | choose the best labels for F1 or any other metric; decide by batch or by threshold | 60 |
# | 08 | [Ranking like a dictionary](08_lexicographic_rankers.ipynb) | rank by an order of attributes; compare it with naive Bayes; turn any score into probabilities | 60 |
# | 09 | [First rank, then say how sure](09_probabilities_from_rankings.ipynb) | turn rankings into probabilities; repair certainty from one sample; learn from unlabelled cases | 60 |
# | 10 | [One data set, every idea](10_one_data_set.ipynb) | take real data through all of it, and decide | 60 |
# | 11 | [Fair to whom?](11_fair_to_whom.ipynb) | see what one score does for several groups; keep a promise to them at the lowest cost | 55 |
# | 12 | [Three classes, one triangle](12_three_classes.ipynb) | turn three probabilities into a decision with one point; say what averages over classes hide | 60 |
# | 13 | [What practice asks](13_in_practice.ipynb) | judge models of rare classes; find leaks; plan a study; move a model elsewhere; pass the exam | 50 |
# | 14 | [Three answers, several places](14_three_answers.ipynb) | rule out, rule in and refer the rest; repair a model in another place; say what to expect in the next one | 50 |
#
# Chapters 1 and 2 come first. After them read what you like, but chapter 3 before 4, 5 before 6, and 13 before 14. Chapter 10 looks back at
# chapters 1 to 9, and chapter 13 ends with an exam on all chapters up to it. Where a chapter says that a section may be left out, its minutes
# do not count that section.
#
# Every section has the same parts: a short introduction, a question to **predict**, a picture to **explore**, and an exercise to
# **check** your answer. Below a question you see "•••": the answer stays hidden there until you run the cell
# (<kbd>Shift</kbd>+<kbd>Enter</kbd>). The explanation is folded away below each answer, under *What you can see*. Open it once
# you have looked. Do not use *Run All* on your first visit: it shows everything at once. An exercise tells you at once whether you
# are right. A wrong answer gets a hint, never the solution, and nothing is sent anywhere.

# %% [markdown]
# ## Your progress
#
# The cell below shows how many exercises you have solved. Jupyter keeps this in the file `rocviz-progress.json` beside the notebooks.

# %% tags=["nbval-ignore-output"]
from rocviz.exercises import export_progress, progress

progress()

# %% [markdown]
# **On Binder everything you write is lost** when the server stops: after about ten minutes without activity, or when you close the
# window. Before that, save each notebook with *File > Download*, and copy the line that the next cell prints. (Each right answer
# reminds you.) In a new session, or on your own computer, `import_progress("that line")` restores your progress.

# %% tags=["nbval-ignore-output"]
export_progress()

# %% [markdown]
# ## For lecturers
#
# These two lines give text and lines that can be read from the back row, and a sandbox of named situations (perfect, random, a
# concavity, many ties, over-confident and others, in the menu *situation* under *other data*):
#
# ```python
# import rocviz
#
# rocviz.set_theme(lecture=True)
# rocviz.ROCExplorer()
# ```
#
# Whatever the mouse can drag has a slider as well, which the arrow keys move. Start with one picture,
# `explorer.panels = ["roc"]`, and add the others as you need them. `explorer.save("slide.pdf")` saves the pictures on screen as a
# figure.

# %% [markdown]
# ## For researchers
#
# Your own data take one line, `ROCExplorer(y_true, y_score)`, with labels and scores of the same length. To compare models, write
# `ROCExplorer(y_true, {"forest": a, "boosting": b})`. Every control is an attribute that you can read, set and observe, and every
# number on screen can be read from `result`:

# %%
mine = ROCExplorer(data.y_true, data.y_prob)
mine.threshold = 0.25
table = mine.result.table
low, high = table.interval("tpr")

print(mine.sentence)
print(f"AUC {mine.result.segments.auc:.3f}")
print(f"sensitivity {table.tpr:.2f}, 95 % interval {low:.2f} to {high:.2f} (Wilson)")

# %% [markdown]
# The button **code** below the pictures shows the lines of Python that compute the numbers on screen without the explorer.

# %% [markdown]
# ## When something does not work
#
# If a picture is missing or does not move, run its cell. If that does not help, see
# [Troubleshooting](https://github.com/rocviz/rocviz/blob/main/docs/troubleshooting.md).

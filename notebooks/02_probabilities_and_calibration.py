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
# # Probabilities and calibration
#
# A surgeon reads a report on a tumour: *malignant with probability 99 %*. Should she operate today? It depends
# on whether the number means what it says. Take all tumours to which this model gives 95 % or more. On average it gives
# them 99 %, yet one in eight of them is benign.
#
# The ranking is not to blame, for its AUC is 0.90. The numbers are. This chapter repairs them and then
# chooses a threshold. At the end you can
#
# - read a calibration curve, a Brier score and a log loss, and say what each of them punishes;
# - split a Brier score into what better probabilities would repair and what only a better ranking could;
# - repair probabilities, and judge the repair on data that it has not seen;
# - choose a threshold from costs and prevalence, and say what becomes simple once probabilities are calibrated.
#
# You need [chapter 1](01_classification_and_ranking.ipynb). Allow about **60 minutes**, and another 10 for section 4, which
# may be left out. The appendix can wait for another day.

# %%
from fractions import Fraction

import matplotlib.pyplot as plt
import numpy as np
from sklearn.calibration import CalibratedClassifierCV, CalibrationDisplay
from sklearn.metrics import brier_score_loss, log_loss, make_scorer, roc_auc_score
from sklearn.model_selection import TunedThresholdClassifierCV, cross_val_predict, train_test_split
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.tree import DecisionTreeClassifier

from rocviz import RankedSegments, ROCExplorer, brier_decomposition, calibration_map, roc_band
from rocviz.datasets import load_breast_cancer_scores, load_flach_matsubara
from rocviz.exercises import check

# %% [markdown]
# ## 1. Can you believe the 99 %?
#
# 569 tumours, 212 malignant (our positives). **Naive Bayes** gives each a probability from four measurements.
# Each tumour was scored by a model that had not seen it.
#
# Naive Bayes treats its attributes as independent witnesses (within each class). Here they come in pairs that say nearly
# the same thing twice.
#
# **Predict:** what happens to a judge's verdict when each witness counts twice? You know how many of the tumours with 95 %
# or more are malignant. How many are there among those that get less than 5 %? And among those between 5 % and 50 %?

# %% jupyter={"outputs_hidden": true}
scores = load_breast_cancer_scores()
y_true, y_prob = scores.y_true, scores.y_prob

for low, high in ((0, 0.05), (0.05, 0.5), (0.5, 0.95), (0.95, 1)):
    here = (low <= y_prob) & ((y_prob < high) | (high == 1))
    print(
        f"between {low:.0%} and {high:.0%}: {here.sum():3} tumours,",
        f"mean probability {y_prob[here].mean():.2f}, malignant {y_true[here].mean():.2f}",
    )

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The model is **over-confident**: the direction is right, but it goes too far. Where it predicts below 5 %, it predicts 1 % on average, and 5 %
# are malignant. Between 5 % and 50 % it predicts 20 %, and 39 % are malignant. At both ends, what is observed is less extreme than what is
# predicted.
#
# </details>
#
# Drawn as a picture, such a table is called a **calibration curve** or *reliability diagram*: predicted probability on the x-axis,
# observed frequency on the y-axis. Probabilities that are **calibrated** lie on the diagonal. scikit-learn draws the curve with
# bins, here 5 and 30 of them. rocviz needs no bins: it ties neighbours that are in the wrong order, as the hull does (Dimitriadis,
# Gneiting and Jordan, 2021).
#
# **Predict** on which side of the diagonal the curve runs at the left end, and at the right end.

# %% jupyter={"outputs_hidden": true}
figure, axes = plt.subplots(1, 2, figsize=(9, 4), layout="constrained", sharey=True)
for ax, bins in zip(axes, (5, 30), strict=True):
    CalibrationDisplay.from_predictions(y_true, y_prob, n_bins=bins, ax=ax, name=f"{bins} bins")
    ax.legend(loc="upper left")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The curve runs above the diagonal on the left and below it on the right. With 30 bins it jumps about, because some bins
# hold hardly any tumour.
#
# </details>
#
# Here is the same in rocviz. The size of a circle shows how many tumours it stands for.

# %%
cancer = ROCExplorer(y_true, y_prob, panels=["reliability"], unfolded=["threshold"])
cancer

# %% [markdown]
# ## 2. What probabilities cost
#
# You predict 0.7. If the case turns out positive, you lose $(1 - 0.7)^2$; if it turns out negative, you lose $0.7^2$. The mean of
# these losses is the **Brier score**. Small is good.
#
# **Predict:** a tumour is malignant with probability 0.7. Which number should you predict to lose as little as possible on
# average: 0.7, something safer, or something bolder? Now let the loss be the distance itself, 0.3 or 0.7, rather than its square.
# Would you still predict the same?

# %% jupyter={"outputs_hidden": true}
say = np.array([0.5, 0.6, 0.7, 0.8, 0.9, 1.0])
print("you say         ", say)
print("squared distance", (0.7 * (1 - say) ** 2 + 0.3 * say**2).round(3))
print("distance        ", (0.7 * (1 - say) + 0.3 * say).round(3))

# %% [markdown]
# <details><summary>What you can see</summary>
#
# With the square you lose least if you predict 0.7, which is what you believe. With the plain distance you lose least if you
# predict 1: it rewards exaggeration.
#
# </details>
#
# A loss is called a **proper score** (or *proper scoring rule*) if the true probability has the smallest expected loss. The
# most common proper score is the **log loss**: minus the logarithm of the probability assigned to what actually happened. It
# punishes false certainty without limit.
#
# Now split the Brier score. Go back to the twenty people of chapter 1; those who got the same number are a segment. Let $\hat
# p_i$ be the probability that you predict for segment $i$, $p_i$ the share of positives in it, and $n_i$ its size. Then
#
# $$\text{Brier} = \underbrace{\frac1n \sum_i n_i (\hat p_i - p_i)^2}_{\text{calibration loss}} \;+\;
# \underbrace{\frac1n \sum_i n_i\, p_i (1 - p_i)}_{\text{refinement loss}}$$
#
# The first part measures the gap between predicted probabilities and observed frequencies. Better probabilities repair it. The second measures
# how mixed the segments are. Only a finer or better ranking can repair that.
#
# In each leaf, the probability of the tree of chapter 1 equals the observed share, so its calibration loss is 0. Its leaves hold
# (4, 1), (3, 1), (2, 3) and (1, 5) positives and negatives. What is its refinement loss?

# %%
answer = ...
check("tree_refinement_loss", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# leaves = [(4, 1), (3, 1), (2, 3), (1, 5)]
# answer = sum(p * n / (p + n) for p, n in leaves) / 20  # size times share times other share
# ```
#
# </details>

# %% [markdown]
# **Predict:** here are four models: same people, different rankings or probabilities. The dictionary of chapter 1 has
# the same four groups as the tree, in a worse order; which of the two losses notices? On its hull three of the groups are joined into
# one; which loss rises? Pull all probabilities of the tree half way to 0.5; which loss notices that?

# %% jupyter={"outputs_hidden": true}
X, y = load_flach_matsubara(return_X_y=True)
share = DecisionTreeClassifier(random_state=0).fit(X, y).predict_proba(X)[:, 1]
bayes = BernoulliNB(alpha=1e-12).fit(X, y).predict_proba(X)[:, 1]  # ranks like the dictionary
ranking, ranker = (RankedSegments.from_scores(y, prob) for prob in (share, bayes))
hull = ranker.hull()

rows = {
    "tree": ranking,
    "dictionary, naive Bayes": ranker,
    "dictionary, hull": hull.with_scores(hull.empirical_probability),
    "tree, squeezed to 0.5": ranking.with_scores(0.5 + (ranking.score - 0.5) / 2),
}
print(f"{'':24} AUC  convex  calibration  refinement  Brier")
for what, segments in rows.items():
    parts = brier_decomposition(segments)
    print(
        f"{what:24} {segments.auc:.2f}  {segments.is_convex!s:6}  {parts.calibration_loss:11.4f}"
        f"  {parts.refinement_loss:10.4f} {parts.brier:6.4f}"
        f"  (refinement {Fraction(parts.refinement_loss).limit_denominator(1000)} exactly)"
    )

# %% [markdown]
# <details><summary>What you can see</summary>
#
# - Rows 1 and 2: the refinement losses are equal, 43/240. This loss adds up over segments and does not ask which
#   of them comes first. The wrong order shows in the AUC, and here in the calibration loss.
# - Rows 2 and 3: on the hull the calibration loss is 0, and the refinement loss has risen to 17/84. This rise is
#   the price of the wrong order.
# - Row 4: the order, the curve and the AUC stay as they are. The calibration loss rises from 0 to 0.018.
#
# </details>
#
# <details><summary>For those who read the paper: Theorems 2 and 3 of Flach and Matsubara</summary>
#
# Theorem 2: without calibration loss the curve is convex, since the probabilities fall along the ranking, and then so do
# the shares of positives. The converse is false: row 4 has a convex curve and a calibration loss. Theorem 3: give each segment of a
# convex curve its own share of positives; the AUC stays, and the Brier score falls by the whole calibration loss
# (row 4 becomes row 1). The text says in passing that the score "will always decrease". Without calibration loss it
# stays the same, and the theorem itself says so.
#
# </details>

# %% [markdown]
# ## 3. Probabilities from the hull
#
# Give each segment of the *hull* its share of positives. Among all probabilities that respect the ranking none has
# a lower Brier score on these data; they are the solution of **isotonic regression** (Fawcett and Niculescu-Mizil,
# 2007).
#
# A segment may be small, and then its share is a matter of chance. **Laplace's correction** adds one positive and one
# negative to each segment before dividing. Flach and Matsubara call a lexicographic ranking with these corrected
# probabilities *LexProb*: a ranking gets probabilities without ever having had a score.
#
# The hull of the dictionary has two segments, with 9 positives and 5 negatives and with 1 and 5. What probability
# does each get, **with** Laplace's correction? Answer with two numbers in square brackets, best segment first.

# %%
answer = ...
check("hull_probabilities", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# answer = [(9 + 1) / (14 + 2), (1 + 1) / (6 + 2)]
# ```
#
# </details>

# %% jupyter={"outputs_hidden": true}
for p, n in zip(hull.pos, hull.neg, strict=True):
    print(f"segment ({p:.0f}, {n:.0f}): {p:.0f}/{p + n:.0f}, corrected {p + 1:.0f}/{p + n + 2:.0f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# Laplace's correction pulls both shares towards one half, that of the smaller segment further: from 9/14 to 10/16, and
# from 1/6 to 2/8.
#
# </details>
#
# Now look at the calibration curve of the same ranking, with a circle for each group.
#
# **Predict:** do the circles climb from left to right? Then open *calibrate* and choose *hull* in the menu
# *probabilities*. How many circles are left, and where?

# %% jupyter={"outputs_hidden": true}
reliability = ROCExplorer(
    y, bayes, threshold=0.4, reliability_by="score", show_band=False, panels=["roc", "reliability"]
)
reliability

# %% [markdown]
# <details><summary>What you can see</summary>
#
# They do not climb all the way: the last one falls back. Naive Bayes predicts 0.65 there; the observed share is 0.4. That fall is
# the dent of the ROC curve. The hull leaves two circles, at 9/14 and 1/6, both on the diagonal. The picture keeps the black curve
# of the original scores; the ROC curve of the *calibrated* scores is the green hull, because calibrating by the hull ties scores.
#
# </details>

# %% [markdown]
# ## 4. Splitting the score of a real model
#
# *This section may be left out: nothing after it needs it.*
#
# First a question without arithmetic. Raise all 569 probabilities to the third power: 0.9 becomes 0.729, 0.1 becomes
# 0.001. What changes: `"AUC"`, `"Brier score"`, `"both"` or `"neither"`?

# %%
answer = ...
check("cubed_probabilities", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# answer = "Brier score"  # the order stays, the values do not
# ```
#
# </details>

# %% [markdown]
# Now split the Brier score of the model.
#
# **Predict:** nearly every tumour has a score of its own, so nearly every segment holds one tumour. How mixed is a
# segment of one? What will the refinement loss be?

# %% jupyter={"outputs_hidden": true}
for decimals in (1, 2, 3, None):
    p = y_prob if decimals is None else np.round(y_prob, decimals)
    parts = brier_decomposition(y_true, p)
    print(
        f"{'not rounded' if decimals is None else f'{decimals} decimals':11}  Brier {parts.brier:.3f} =",
        f"calibration {parts.calibration_loss:.3f} + refinement {parts.refinement_loss:.3f}",
        f"| miscalibration {parts.miscalibration:.3f}",
    )

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The Brier score hardly depends on the rounding, but the split does. With unique scores every segment is pure, the
# refinement loss is 0, and *all* of the loss is called calibration loss. The sum is right, but the split says nothing,
# because each tumour is compared with itself. Following single cases in this way is called **overfitting**. The last column
# does better: it stays between 0.023 and 0.025 for two decimals and more.
#
# </details>
#
# The remedy is the hull. It joins neighbouring segments that are in the wrong order, and the Brier score is compared with that of
# the hull's probabilities:
#
# $$\text{Brier} = \text{miscalibration} - \text{discrimination} + \text{uncertainty}$$
#
# **Uncertainty** is the score for always predicting the overall share, $\pi (1 - \pi)$. **Discrimination** is what the ranking
# gains over that. **Miscalibration** is what wrong probabilities lose again: the difference between the Brier score and that of
# the hull. It is the last column of the table.
#
# Your turn: take the cubed probabilities, `y_prob ** 3`. What is *their* miscalibration?
# (`brier_decomposition(y_true, ...)`.)

# %%
answer = ...
check("cubed_miscalibration", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# from rocviz import brier_decomposition
# from rocviz.datasets import load_breast_cancer_scores
#
# scores = load_breast_cancer_scores()
# answer = brier_decomposition(scores.y_true, scores.y_prob**3).miscalibration
# ```
#
# </details>

# %% [markdown]
# <details><summary>For those who know Murphy's split</summary>
#
# Murphy (1973) writes refinement loss = uncertainty − resolution. Taken score by score, the resolution overfits
# in the same way. Compare `resolution` with `discrimination`.
#
# </details>

# %% [markdown]
# ## 5. Repair it, and judge the repair honestly
#
# Several curves can turn the scores into better probabilities: the hull (isotonic regression), the hull with
# Laplace's correction, a sigmoid (Platt, 1999), a beta curve (Kull, Silva Filho and Flach, 2017). Each of them
# learns from data.
#
# **Predict:** all are fitted to the 569 tumours and judged by the same 569. Which must win? And if they are fitted
# to one half and judged by the other? (In the picture, switch *judge on the other half*, under *calibrate*, off
# and on.)

# %% jupyter={"outputs_hidden": true}
repaired = ROCExplorer(y_true, y_prob, calibration="hull", panels=["reliability", "brier"])
repaired

# %% jupyter={"outputs_hidden": true}
print(f"{'Brier score':15} same data  other half")
for how in ("raw", "hull", "hull + Laplace", "isotonic", "beta", "sigmoid"):
    repaired.update(calibration=how, held_out=False)
    same = repaired.result.calibrated.after.brier
    repaired.update(calibration=how, held_out=True)
    other = repaired.result.calibrated.after.brier
    print(f"{how:15} {same:9.3f} {other:11.3f}")

repaired.update(calibration="hull", held_out=True)

# %% [markdown]
# <details><summary>What you can see</summary>
#
# On the same data the hull must win: it has the lowest Brier score of all probabilities that respect the ranking.
# (*Isotonic* differs from *hull* only between the scores it was fitted to.) This is a fact about fitting and not
# about tumours. With *judge on the other half* off, every circle lies on the diagonal. With it on, the circles leave the
# diagonal, and hull, isotonic and beta are within 0.004 of each other.
#
# </details>
#
# A single split into halves is a matter of luck. The next cell makes 100 of them; it takes a few seconds.
#
# **Predict:** on the same data the hull takes 0.025 off the Brier score. How much does it take off on the other half, on average? What
# happens there to the *AUC*, which rose on the same data because ties replaced errors (chapter 1)? And to the log loss, if the hull
# predicts 0 % or 100 % and is wrong?

# %% jupyter={"outputs_hidden": true}
gains, areas, logs = [], [], []
for seed in range(100):
    fit, test = train_test_split(np.arange(569), test_size=0.5, stratify=y_true, random_state=seed)
    half = RankedSegments.from_scores(y_true[fit], y_prob[fit])
    raw = y_prob[test]
    mended, laplace = (np.asarray(calibration_map(half, m=m)(raw)) for m in (0, 2))
    gains.append([brier_score_loss(y_true[test], p) for p in (raw, mended, laplace)])
    areas.append([roc_auc_score(y_true[test], p) for p in (raw, mended, laplace)])
    logs.append([log_loss(y_true[test], p) for p in (raw, mended, laplace)])

print("means over 100 splits, judged on the other half")
print("             raw    hull   hull + Laplace   hull minus raw   hull + Laplace minus raw")
for what, each in {"Brier score": gains, "log loss": logs, "AUC": areas}.items():
    change = np.array(each)[:, 1:] - np.array(each)[:, :1]
    print(
        "{:11}  {:.3f}  {:.3f}  {:.3f}        ".format(what, *np.mean(each, axis=0)),
        *(
            f"  {mean:+.3f} ± {sd:.3f}"
            for mean, sd in zip(change.mean(0), change.std(0, ddof=1), strict=True)
        ),
    )
print("± is the standard deviation from split to split")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# On new tumours a little more than half of the gain is left: part of it had been memorised, and the hull had only half of the
# tumours to learn from. The gain varies a great deal from split to split, so a single split proves little. The AUC *falls* on
# average: a tie that replaces an error on one half may replace a right order on the other. And the log loss is worse on average
# than without any repair, in some splits far worse: the hull predicts 0 % and 100 % at its ends and is sometimes wrong there.
# (scikit-learn counts such an error as 36, where the log loss is infinite.) Laplace's correction cures that. **Never judge a
# repair on the data it was made from.**
#
# </details>
#
# scikit-learn's own tool is `CalibratedClassifierCV`. It fits the model on some folds and the curve on the others.

# %%
features = scores.data
for what, model in {
    "naive Bayes": GaussianNB(),
    "sigmoid": CalibratedClassifierCV(GaussianNB(), method="sigmoid", cv=5),
    "isotonic": CalibratedClassifierCV(GaussianNB(), method="isotonic", cv=5),
}.items():
    p = cross_val_predict(model, features, y_true, cv=5, method="predict_proba")[:, 1]
    print(
        f"{what:11} Brier score {brier_score_loss(y_true, p):.3f}, AUC {roc_auc_score(y_true, p):.3f}"
    )

# %% [markdown]
# ## 6. Choosing a threshold: costs and prevalence
#
# Which threshold is best? It depends on two things that the model cannot know:
#
# - **costs**: how many false alarms is one miss worth?
# - **prevalence in use**: how common are positives where the model is *used*? In this data set 37 % of the tumours are malignant.
#   In screening it may be 1 %.
#
# Points of equal cost lie on straight lines of slope $\frac{1 - \pi}{\pi} \cdot \frac{\text{cost of a false alarm}}{\text{cost of
# a miss}}$. Push such a line up and to the left until it only just touches the hull. The best point is there (the amber ring). A
# corner **of the hull** is always among the best points; a point in a dent never is.
#
# **Predict:** keep the costs and make positives rarer. Does the curve change? Does the ring move up or down? Then
# open *costs* and drag *cost of a miss (in false alarms)* and *prevalence in use*.

# %% jupyter={"outputs_hidden": true}
costs = ROCExplorer(
    y_true,
    y_prob,
    cost_fn=10,
    deployment_prevalence=0.1,
    metric="cost",
    panels=["roc", "scores"],
)
costs

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The curve stays: each rate looks at one class only. The ring moves down and to the left. When positives are rare,
# most alarms are false, so you should raise one only where you are sure.
#
# </details>

# %%
cancer_ranking = cancer.result.segments
for miss, prevalence in ((1, None), (10, None), (1, 0.1), (10, 0.1), (100, 0.01)):
    best = cancer_ranking.optimal_point(cost_fp=1, cost_fn=miss, prevalence=prevalence)
    rare = "as in the data" if prevalence is None else f"{prevalence:.0%} positive"
    print(
        f"a miss costs {miss:3}, {rare:14}: threshold {best.threshold:.3f},",
        f"find {best.tpr:.0%}, false alarms {best.fpr:.0%}",
    )

# %% [markdown]
# The last two lines agree: in the last one misses are ten times as costly and positives about ten times as rare. So the
# slope is about the same, and only the slope matters.
#
# Your turn: 5 % are malignant, and a miss costs as much as five false alarms. Above what score do you raise the alarm? Answer with a number,
# or with what `cancer_ranking.optimal_point(...)` returns.

# %%
answer = ...
check("cancer_threshold", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# from rocviz import RankedSegments
# from rocviz.datasets import load_breast_cancer_scores
#
# scores = load_breast_cancer_scores()
# cancer_ranking = RankedSegments.from_scores(scores.y_true, scores.y_prob)
# answer = cancer_ranking.optimal_point(cost_fp=1, cost_fn=5, prevalence=0.05)
# ```
#
# </details>

# %% [markdown]
# Now sections 2 to 5 pay off. If probabilities are **calibrated** (for the prevalence in use), you need no curve. Raising the
# alarm costs $1 - q$ on average; staying silent costs $c\,q$ if a miss costs as much as $c$ false alarms. So raise it if the
# probability is at least
#
# $$q = \frac{1}{1 + c}$$
#
# **Predict:** a miss costs ten false alarms. The threshold is 1/11, for the raw scores and for the hull's probabilities.
# Which is cheaper? (Costs are measured on the tumours the hull was fitted to, which favours the hull.)

# %% jupyter={"outputs_hidden": true}
hull_said = np.asarray(calibration_map(cancer_ranking)(y_prob))
for what, p in {"raw scores": y_prob, "hull": hull_said}.items():
    alarm = p >= 1 / 11
    cost = (alarm & (y_true == 0)).sum() + 10 * (~alarm & (y_true == 1)).sum()
    print(f"{what:10} threshold 1/11: {alarm.sum()} alarms, cost {cost}")
best = cancer_ranking.optimal_point(cost_fp=1, cost_fn=10)
print(f"the best threshold there is: at {best.threshold:.3f}, cost {best.fp + 10 * best.fn:.0f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The hull's probabilities with a threshold of 1/11 cost 209, as little as any threshold. The raw scores are too sure of themselves:
# at 1/11 they miss more malignant tumours and cost 337.
#
# </details>
#
# scikit-learn looks for such a threshold by cross-validation, so that it is not chosen and judged on the same data:

# %%
low_cost = make_scorer(
    lambda y, alarm: -np.sum(alarm & (y == 0)) - 10 * np.sum((alarm == 0) & (y == 1))
)
tuned = TunedThresholdClassifierCV(GaussianNB(), scoring=low_cost, cv=5).fit(features, y_true)
print(f"TunedThresholdClassifierCV: threshold {tuned.best_threshold_:.3f}")

# %% [markdown]
# ## What to take home
#
# - Calibrated means that of the cases that get 70 %, seven in ten are positive. A calibration curve shows it.
# - Brier score and log loss are proper scores: it is best to say what you believe.
# - Brier score = calibration loss + refinement loss. If nearly all scores are unique, compare with the hull instead.
# - Calibrating by the hull gives the lowest Brier score *on the same data*. Judge it on data it has not seen; correct
#   small segments.
# - The threshold follows from costs and prevalence. With calibrated probabilities it is 1 / (1 + the cost of a miss in false alarms).
# - With scikit-learn: `CalibrationDisplay`, `brier_score_loss`, `log_loss`, `CalibratedClassifierCV`,
#   `TunedThresholdClassifierCV`.
#
# Next: [chapter 3](03_fermi_dirac.ipynb), which makes probabilities out of an AUC and two counts. Further reading:
# Dimitriadis, Gneiting and Jordan (2021) on the split by the hull. Back to the [start](00_start_here.ipynb).

# %% [markdown]
# ## Appendix: how sure are the numbers themselves?
#
# This takes another five minutes. At threshold 0.5 the model finds 147 of the 212 malignant tumours. With 212 others the number
# would have been different. A **confidence interval** says how far off such a proportion may be (Brown, Cai and DasGupta, 2001).
#
# The grey **band** around a ROC curve promises more. An interval is meant for one point, chosen beforehand. The band is meant to contain the
# *whole* true curve at once, in 95 of 100 data sets.
#
# **Predict:** which is wider at a given place, the interval or the band?

# %% jupyter={"outputs_hidden": true}
table = cancer_ranking.at_threshold(0.5)
for method in ("wilson", "clopper-pearson", "jeffreys"):
    low, high = table.interval("tpr", method=method)
    print(f"found {table.tpr:.3f}, interval {low:.3f} to {high:.3f} ({method})")
for method in ("bootstrap", "kolmogorov-smirnov"):
    band = roc_band(cancer_ranking, method=method)
    low, high = (np.interp(table.fpr, band.fpr, side) for side in (band.lower, band.upper))
    print(f"band at {table.fpr:.2f} false alarms: {low:.2f} to {high:.2f} ({method})")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The band is wider, for two reasons: it has to hold everywhere at once, and the false positive rate, too, is only an estimate. The three
# intervals differ little. Clopper and Pearson's reaches its nominal coverage for every proportion, and is a little wider in return. The
# *bootstrap* draws samples from the tumours again and again; Kolmogorov's band makes no such approximation (Campbell, 1994) and is wider
# still.
#
# </details>

# %% [markdown]
# ## Sources
#
# The [bibliography](https://rocviz.github.io/rocviz/bibliography.html) says where each was published.
#
# - Flach and Matsubara (2008). *On classification, ranking, and probability estimation.* The
#   twenty people, the split of the Brier score, LexProb.
# - Fawcett and Niculescu-Mizil (2007). *PAV and the ROC convex hull.* The hull is isotonic
#   regression.
# - Provost and Fawcett (2001). *Robust classification for imprecise environments.* Costs,
#   prevalence and the hull.
# - Murphy (1973). *A new vector partition of the probability score.*
# - Dimitriadis, Gneiting and Jordan (2021). *Stable reliability diagrams for probabilistic
#   classifiers.* The split against the hull.
# - Platt (1999). *Probabilistic outputs for support vector machines.*
# - Kull, Silva Filho and Flach (2017). *Beta calibration.*
# - Brown, Cai and DasGupta (2001). *Interval estimation for a binomial proportion.*
# - Campbell (1994). *Advances in statistical methodology for the evaluation of diagnostic and
#   laboratory tests.* Bands.

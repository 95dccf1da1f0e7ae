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
# # Who is predicted positive?
#
# Ines looks after an archive of scanned forms. A researcher asks her for all forms with a handwritten **8** in one field, and her list
# will be judged by **F1**, the harmonic mean of *precision* (the share of the list that is right) and *recall* (the share of all 8s that
# is found). Her model's probabilities have been calibrated, so she puts every form on the list whose probability is above one half.
# Her list is **empty**: she finds not a single 8, and F1 is 0. From the same probabilities another rule makes a list with an
# F1 of 0.38. Which forms should be on the list?
#
# A threshold of one half is best for accuracy, and for few other metrics. At the end of this chapter you can
#
# - say for which metrics each sample can be decided by itself, and what a *batch* is;
# - find the best labels of a batch for any metric, and say what a ranking contributes to that;
# - choose between deciding by batch and by a fixed threshold, with our tools and with scikit-learn's;
# - say what wrong probabilities do to the result, and how to repair it.
#
# Allow about **60 minutes**, and another 10 for section 4, which may be left out. The appendix shows in 25 minutes when a ranking is not
# enough. You need chapters 1 ([ranking](01_classification_and_ranking.ipynb)) and 2
# ([probabilities](02_probabilities_and_calibration.ipynb)). The ideas are those of Natarajan et al. (2015).

# %%
import inspect
from time import perf_counter

import matplotlib.pyplot as plt
import numpy as np
from scipy.special import expit
from sklearn.datasets import load_digits
from sklearn.metrics import accuracy_score, f1_score
from sklearn.model_selection import (
    TunedThresholdClassifierCV,
    cross_val_predict,
    train_test_split,
)
from sklearn.naive_bayes import GaussianNB
from tqdm.auto import tqdm

from rocviz import (
    DecisionDisplay,
    DecisionExplorer,
    EmpiricalUtilityClassifier,
    expected_utility,
    optimal_decision,
)
from rocviz.core.decisions import (
    LinearFractional,
    is_monotonic,
    parse_formula,
    plug_in_utilities,
    prefix_utilities,
    utility_distribution,
)
from rocviz.core.decisions.reference import algorithm_1, algorithm_2, exhaustive_decision
from rocviz.estimators.decisions import compare_decisions, consistency_experiment
from rocviz.exercises import check
from rocviz.theme import get_theme

# %% [markdown]
# ## 1. One sample or all of them?
#
# Here are two small test sets of equal size, labelled by the same model.
#
# **Predict:** put both together. Is the accuracy of the whole the mean of the two accuracies? Is
# the F1 of the whole the mean of the two F1 scores?

# %% jupyter={"outputs_hidden": true}
y_one, said_one = [1, 1, 0, 0, 0], [1, 0, 0, 0, 0]
y_two, said_two = [1, 0, 0, 0, 0], [1, 1, 1, 0, 0]

for metric in (accuracy_score, f1_score):
    one, two = metric(y_one, said_one), metric(y_two, said_two)
    both = metric(y_one + y_two, said_one + said_two)
    name = metric.__name__
    print(f"{name}: {one:.3f} and {two:.3f}, mean {(one + two) / 2:.3f}; of all {both:.3f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The accuracy of the whole is the mean of both accuracies. The F1 of the whole is 0.571, and the mean of the two F1 scores is 0.583.
#
# </details>
#
# Accuracy is an **average over samples**: each sample contributes its own 0 or 1. So each sample can be decided
# by itself, and the others do not matter. F1 is a **ratio of sums**,
#
# $$F_1 = \frac{2\,TP}{\text{predicted positive} + \text{actually positive}},$$
#
# and what one sample adds to it is divided by something to which all others contribute. So the best label of a sample may depend on
# the others.
#
# Therefore we decide on a whole **batch** at once. Its outcomes are unknown, but each sample has a probability,
# so each labelling has an **expected F1**. Find it by hand for a batch of two samples that are
# positive with probabilities 0.8 and 0.3, independently. Only the first is predicted positive. What is
# the expected F1?

# %%
answer = ...
check("first_of_two", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# from rocviz import expected_utility
#
# # by hand: 0.8 * 0.7 * 1 + 0.8 * 0.3 * 2 / 3
# answer = expected_utility([1, 0], [0.8, 0.3], "f1")
# ```
#
# </details>

# %% [markdown]
# `expected_utility` does the same for a batch of any size, and `utility_distribution` gives all
# values that the metric may turn out to have, with their probabilities. (Nothing is simulated.)
#
# Now one sample is positive with probability 0.3, and it is decided together with six others.
#
# **Predict:** the other six are improbable at first and become more and more probable. Is our sample predicted positive for F1 when they are
# improbable? And when they are probable?

# %% jupyter={"outputs_hidden": true}
print("neighbours     accuracy      F1")
for q in (0.05, 0.2, 0.5, 0.7, 0.9):
    best = [optimal_decision([0.3] + [q] * 6, metric).labels[0] for metric in ("accuracy", "f1")]
    print(f"six of {q:.2f}   ", *(f"{'positive' if label else 'negative':11}" for label in best))

# %% [markdown]
# <details><summary>What you can see</summary>
#
# For accuracy the answer never changes, since 0.3 is below one half. For F1 the same sample is predicted positive when the others are
# improbable, and negative when they are probable. Where the others are likely to give a high F1 already, a doubtful sample can lower it
# more than raise it.
#
# </details>
#
# Now an extreme case: the batch is a single sample, positive with probability 0.02. Where F1 is 0/0, it counts as 0. Should
# the sample be predicted positive: `"yes"`, `"no"` or `"it does not matter"`?

# %%
answer = ...
check("alone", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# If the sample is negative, F1 is 0 with either label. If it is positive, only one label gives more than 0.
#
# ```python
# from rocviz import optimal_decision
#
# answer = "yes" if optimal_decision([0.02], "f1").n_predicted_positive else "no"
# ```
#
# </details>

# %% [markdown]
# ## 2. What a ranking is good for
#
# A batch of 10 samples has $2^{10}=1024$ labellings. A batch of 100 has $2^{100}$, a number with 31 digits.
# Must we try them all?
#
# Suppose that some labels are positive for $B$ and negative for $A$, although $A$ is more probable. **Swap the
# two.** The number of samples predicted positive stays the same, and so does the number that are positive. If $A$ and $B$ turn out
# alike, nothing changes. If one turns out positive and the other negative, the positive one is more often $A$. So
# on average the swap gives more true positives among equally many predicted positive. If more true positives never lower the
# metric, the swap never lowers its expectation. Repeat this until nothing is left to swap: then the samples predicted positive are the **top
# $k$** of the ranking.
#
# This is the **probability ranking principle**. Its condition is that the metric is **TP
# monotonic**: it never falls when true positives rise while the numbers of predicted and actual positives stay
# the same. The ranking says *which* samples come first. The probabilities are needed only to say *how many* of them to predict positive.
#
# The paper checks the principle by brute force, and so do we. We draw ten points in the plane from a Gaussian, and a random direction $w$.
# A point $x$ is positive with probability $\sigma(w\cdot x)$. For each of four metrics we try **all 1024 labellings**. *Balanced accuracy* is
# called AM here, for the arithmetic mean of TPR and TNR. G-TP/PR is the geometric mean of recall and precision.
#
# **Predict:** for how many of the four metrics does a straight line separate the points that are
# best predicted positive from the others? And is it the same line for all?

# %% jupyter={"outputs_hidden": true}
METRICS = {"AM": "am", "Jaccard": "jaccard", "F1": "f1", "G-TP/PR": "g_tp_pr"}


def ten_points(seed):
    rng = np.random.default_rng(seed)
    points, direction = rng.normal(size=(10, 2)), rng.normal(size=2)
    return points, direction, expit(points @ direction)


points, direction, y_prob = ten_points(1400)  # a draw whose numbers do not overlap
theme = get_theme()
plain = {"facecolor": "white", "edgecolor": "none", "pad": 0}
along = direction / np.linalg.norm(direction)
fig, panels = plt.subplots(1, 4, figsize=(11, 3.3), layout="constrained", sharex=True, sharey=True)
for ax, (name, metric) in zip(panels, METRICS.items(), strict=True):
    chosen = exhaustive_decision(y_prob, metric).labels == 1
    for group, colour, marker in ((chosen, "positive", "o"), (~chosen, "negative", "s")):
        ax.scatter(*points[group].T, s=70, color=theme.colour(colour), marker=marker)
    height = points @ along
    middle = (height[chosen].min() + height[~chosen].max()) / 2
    ends = middle * along + np.outer((-6, 6), (-along[1], along[0]))
    ax.plot(*ends.T, "--", color=theme.colour("muted"), zorder=0)
    ax.set(title=f"{name}: {chosen.sum()} of 10", xlim=(-3, 3), ylim=(-3, 3), aspect="equal")
    ax.set(xticks=[-2, 0, 2], yticks=[-2, 0, 2], xlabel="first coordinate")
    for x, p in zip(points, y_prob, strict=True):
        ax.annotate(f"{p:.2f}"[1:], x, (5, 4), textcoords="offset points", fontsize=8, bbox=plain)
panels[0].set_ylabel("second coordinate")
plt.show()

# %% [markdown]
# <details><summary>What you can see</summary>
#
# Round orange points are best predicted positive, blue squares are not. For all four metrics a line perpendicular
# to $w$ separates them, which is a threshold on the probability. **Where the line runs depends on the metric.**
#
# </details>
#
# One draw proves little. Here are ten:

# %%
for name, metric in METRICS.items():
    prefixes, sizes = 0, []
    for seed in range(10):
        _, _, y_prob = ten_points(seed)
        best = exhaustive_decision(y_prob, metric).labels
        k = best.sum()
        prefixes += set(np.flatnonzero(best)) == set(np.argsort(-y_prob)[:k])
        sizes.append(k)
    print(f"{name:8}: the top k in {prefixes} of 10 draws, k from {min(sizes)} to {max(sizes)}")

# %% [markdown]
# Now take a batch of 20 samples with different probabilities, and a metric that is TP monotonic. How
# many labellings must be compared to find the best?

# %%
answer = ...
check("how_many_thresholds", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# from rocviz.core.decisions import prefix_utilities
#
# answer = prefix_utilities([0.5] * 20, "f1").size  # k = 0, 1, ..., 20
# ```
#
# </details>

# %% [markdown]
# ## 3. What each threshold is worth
#
# Let $U_k$ be the expected metric if the $k$ most probable samples are predicted positive. Plotted over $k$ it is a curve, and
# `optimal_decision` finds the $k$ where it is highest, $k^*$.
#
# **Predict:** in a batch of forty samples, eight or nine are positive on average. For which of four metrics are the most samples predicted
# positive? Is the threshold of any of them a probability of one half?

# %% jupyter={"outputs_hidden": true}
y_prob = np.random.default_rng(2).beta(0.5, 1.6, 40)
print(f"{y_prob.sum():.1f} positives expected, {(y_prob > 0.5).sum()} probabilities above 1/2")
for metric in ("accuracy", "f1", "g_tp_pr", "am"):
    decision = optimal_decision(y_prob, metric)
    at_half = expected_utility(y_prob > 0.5, y_prob, metric)
    print(
        f"{metric:8}: k* = {decision.n_predicted_positive:2}, down to a probability of {decision.threshold:.2f},",
        f"worth {decision.utility:.3f}; threshold 1/2 gives {at_half:.3f}",
    )

curves = DecisionDisplay.from_predictions(y_prob, ["f1", "am", "accuracy"], kind="utilities")
# %% [markdown]
# <details><summary>What you can see</summary>
#
# For accuracy the threshold is one half: it is an average, so each sample that is more probably positive than not should be predicted positive. None of the
# other three metrics has it there. Balanced accuracy and G-TP/PR predict most samples positive, down to a probability of 0.22.
#
# </details>
#
# The dashed curves put the *expected counts* into the formula of the metric, instead of taking the expectation of the metric. This shortcut
# is a common mistake in the exercise with two samples.
#
# Now drag $k$ yourself, in either picture. **Predict** first, for F1: the curve is flat near its top. How much do you lose by predicting three
# samples too many positive?

# %% jupyter={"outputs_hidden": true}
explorer = DecisionExplorer(y_prob=y_prob, panels=["probabilities", "utilities"], unfolded=["k"])
explorer

# %% [markdown]
# The expected F1 is a mean over all outcomes that this batch may have. **Predict:** what is the standard deviation of F1 over these outcomes?
# The next cell shows them in the explorer above, in a second picture.

# %%
explorer.panels = ["utilities", "outcomes"]

# %% jupyter={"outputs_hidden": true}
best = optimal_decision(y_prob, "f1")
loss = best.utility - best.utilities[best.n_predicted_positive + 3]
law = utility_distribution(best.labels, y_prob, "f1")
print(f"three too many cost {loss:.4f}")
print(f"F1 has mean {law.mean:.3f} and standard deviation {law.std:.3f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# Chance moves F1 much more than three labels do: its standard deviation is 0.13, and three labels too many cost 0.002. The best
# labels are best *on average*. In a single batch they may give a low F1.
#
# </details>
#
# ### The threshold for F1 in a large batch
#
# If one more sample of probability $\eta$ is predicted positive, the expected numerator of F1 grows by $2\eta$ and its
# denominator by 1. This raises a ratio $F$ if $2\eta>F$. So in a large batch the best threshold is
# **half of the best F1** (Lipton, Elkan and Naryanaswamy, 2014).
#
# **Predict:** the best possible F1 is 0.6. Should a sample with probability 0.4 be predicted positive?

# %% jupyter={"outputs_hidden": true}
for n in (40, 1000, 100_000):
    y_prob = np.random.default_rng(2).beta(0.5, 1.6, n)
    best = optimal_decision(y_prob, "f1")
    print(f"n = {n:6}: best F1 {best.utility:.4f}, threshold {best.threshold:.4f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# It should be predicted positive: 0.4 is above 0.3. And since no F1 is above 1, **the best threshold for F1 in a large
# batch is never above one half**. For a hard problem it is far below.
#
# </details>

# %% [markdown]
# ## 4. Do you have to look at every threshold?
#
# *This section may be left out: nothing after it needs it.*
#
# Do you have to compute the whole curve? You could start at $k=0$, raise $k$ as long as the curve goes up, and stop when it goes down.
#
# **Predict:** one sample is certainly positive, and each of five others is positive with probability 0.3. What
# does the curve for F1 look like?

# %% jupyter={"outputs_hidden": true}
print("five: ", prefix_utilities([1] + [0.3] * 5, "f1").round(5))
print("eight:", prefix_utilities([1] + [0.3] * 8, "f1").round(5))

# %% [markdown]
# <details><summary>What you can see</summary>
#
# With five doubtful samples the curve goes down and, at its very end, **up** again, by 0.00006. With eight, its right end is its highest
# point. There are two good choices. One is to predict only the certain sample positive and to hope that few of the others are positive. The
# other is to predict all of them positive and to accept the false alarms. A choice in between has false alarms and still misses most positives.
#
# </details>
#
# In the explorer above, open *other data* and choose the situation *two peaks*. Then drag the improbable
# samples upwards in *who is predicted positive* until only one peak is left.
#
# How much can it cost to stop at the first peak? One sample is certainly positive, and **fourteen** have a probability of 0.25 each. A search
# raises $k$ from 0 and stops before the first step down. How much lower than the best expected F1 is the expected F1 where it stops?

# %%
answer = ...
check("climber", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# import numpy as np
# from rocviz.core.decisions import prefix_utilities
#
# curve = prefix_utilities([1] + [0.25] * 14, "f1")
# stop = np.flatnonzero(np.diff(curve) <= 0)[0]
# answer = curve.max() - curve[stop]
# ```
#
# </details>

# %% [markdown]
# ## 5. A batch or a threshold?
#
# There are two approaches:
#
# - **decision-theoretic** (DTA): take each batch by itself and find its own $k^*$, as the chapter has done so far. The estimator
#   is `DecisionTheoreticClassifier`.
# - **empirical utility maximisation** (EUM): find the threshold that gives the best metric on labelled data, and keep it. The estimator
#   is `EmpiricalUtilityClassifier`, and scikit-learn's is `TunedThresholdClassifierCV`. It needs only a ranking, no probabilities.
#
# A fixed threshold does not know whether a batch of ten has three probable samples or none. Suppose that the probabilities are **right**, and
# draw batches from a beta distribution with 30 % or 5 % positives. We compare deciding by batch with two thresholds: the best one for an
# endless stream, and the best one for batches *of this size* (chosen on 200 other batches). For each batch we compute the expected F1, so the
# standard errors concern only which batches are drawn. (The cell takes a few seconds; a bar shows how far it is.)
#
# **Predict:** where is deciding by batch furthest ahead: with large batches or small ones, with common
# positives or rare ones? Where does it make no difference?


# %% jupyter={"outputs_hidden": true}
def expected_f1(batches, thresholds):
    """Return the mean expected F1 of each threshold, and of the best threshold of each batch."""
    fixed, by_batch = [], []
    for batch in batches:
        curve = prefix_utilities(batch, "f1")
        n_predicted_positive = (batch >= np.reshape(thresholds, (-1, 1))).sum(axis=1)
        fixed.append(curve[n_predicted_positive])
        by_batch.append(curve.max())
    return np.transpose(fixed), np.array(by_batch)


print("                      expected F1 of the threshold for        by batch, minus")
print("positives  batch     endless stream   this size   by batch    the threshold for this size")
for share in (0.3, 0.05):
    shape = (2 * share, 2 * (1 - share))
    endless = np.sort(np.random.default_rng(0).beta(*shape, 100_000))[::-1]
    stream = endless[plug_in_utilities(endless, "f1").argmax() - 1]
    grid = np.append(0, np.quantile(endless, np.linspace(0.2, 0.999, 40)))
    for size in tqdm((10, 20, 50, 200), desc=f"{share:.0%} positive", leave=False):
        learned, _ = expected_f1(np.random.default_rng(99).beta(*shape, (200, size)), grid)
        thresholds = [stream, grid[learned.mean(axis=1).argmax()]]
        fixed, by_batch = expected_f1(
            np.random.default_rng(1).beta(*shape, (200, size)), thresholds
        )
        gain = by_batch - fixed[1]
        print(
            f"{share:9.0%}  {size:5}  {fixed[0].mean():17.3f}  {fixed[1].mean():10.3f}  {by_batch.mean():9.3f}",
            f"   {gain.mean():.4f} ± {gain.std(ddof=1) / np.sqrt(gain.size):.4f}",
        )

# %% [markdown]
# <details><summary>What you can see</summary>
#
# Deciding by batch gains most **in small batches with few positives**: 0.03 in ten samples with 5 % positives. (Against the threshold for an
# endless stream the gain is 0.06, but half of that comes from a threshold that does not fit batches of ten.) With 50 samples and more the
# gain is about 0.01 or less, since a large batch looks like the stream. In the limit both are the same, as Ye et al. (2012) showed. The gain
# is never negative, since the threshold's labels are among those that the batch rule compares.
#
# </details>
#
# On real data the gain is smaller than its standard error ([Which labels are
# best?](https://github.com/rocviz/rocviz/blob/main/docs/decisions.md)).

# %% [markdown]
# ## 6. When the probabilities are wrong
#
# Deciding by batch relies on every probability. What if they are wrong?
#
# In the explorer, *over-confidence* (under *probabilities*) multiplies the log-odds that the model reports. Above 1, the model is
# **over-confident**: its probabilities are too close to 0 and 1. The order stays.
#
# **Predict:** the log-odds are three times too large. For F1, will too many samples be predicted positive, or too
# few? Is the F1 that the model then expects too high or too low?

# %% jupyter={"outputs_hidden": true}
sure = DecisionExplorer(preset="overconfident", panels=["probabilities", "utilities"])
sure

# %% jupyter={"outputs_hidden": true}
for sure.over_confidence in (0.5, 1.0, 2.0, 3.0, 5.0):
    result = sure.result
    print(
        f"log-odds times {sure.over_confidence}: {result.n_predicted_positive:2} predicted positive,",
        f"believes {result.decision.utility:.3f}, gets {result.true_utilities[result.n_predicted_positive]:.3f}",
    )
sure.over_confidence = 3.0

# %% [markdown]
# <details><summary>What you can see</summary>
#
# An over-confident model takes probable samples for certain and doubtful ones for hopeless, so it predicts too few positive. The larger
# the factor, the higher the F1 that it expects, and the lower (or equal) the F1 that it gets. An **under-confident** model (0.5) errs in the
# other direction: it predicts too many positive, and expects a lower F1 than a calibrated model.
#
# </details>
#
# Now with numbers. Ten samples have probabilities .7, .6, .4, .4, .3, .3, .2, .2, .1, .1. A model
# reports their log-odds three times too large. A user believes it and picks the best labels for
# F1. What is the expected F1 of these labels by the true probabilities?

# %%
answer = ...
check("tripled", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# import numpy as np
# from rocviz import expected_utility, optimal_decision
# from scipy.special import expit, logit
#
# true = np.array([0.7, 0.6, 0.4, 0.4, 0.3, 0.3, 0.2, 0.2, 0.1, 0.1])
# labels = optimal_decision(expit(3 * logit(true)), "f1").labels
# answer = expected_utility(labels, true, "f1")
# ```
#
# </details>

# %% [markdown]
# Back to Ines. Her model is naive Bayes on the pixels of handwritten digits, and it says how probable an 8 is. Neighbouring pixels carry the
# same evidence, which naive Bayes counts several times (chapter 2, section 1).
#
# One image in ten shows an 8. Guess how many of the 1797 images get more than 99 % from naive Bayes, and how many of those really show an 8.

# %% jupyter={"outputs_hidden": true}
X, digit = load_digits(return_X_y=True)
is_eight = digit == 8
p = cross_val_predict(GaussianNB(), X, is_eight, cv=5, method="predict_proba")[:, 1]
print(
    f"{(p > 0.99).sum()} of {len(p)} images get more than 0.99, and {is_eight[p > 0.99].mean():.0%} of them are an 8"
)
print(f"{is_eight.sum()} images are an 8")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# Naive Bayes is nearly certain of half of all images, and fewer than one in five of these show an 8.
#
# </details>
#
# `compare_decisions` splits the data 20 times and decides by batch (`dta`), by the threshold that was best on the training samples
# (`eum`), and at one half (`half`), each with the probabilities as they are (`raw`) and with those calibrated by the **hull** (`hull`).
#
# **Predict:** the table has six numbers for F1. The lowest was given at the start of this chapter. Which combination does it belong to? Which
# of the others will be nearly equal?

# %% jupyter={"outputs_hidden": true}
done = compare_decisions(
    GaussianNB(), X, is_eight, metrics=["f1", "am"], n_repeats=20, random_state=0
)
table = done.to_frame().pivot(index=["metric", "probabilities"], columns="method", values="mean")
print(table.loc[["f1", "am"]].reindex(["raw", "hull"], level=1).round(3))

gain, error = done.difference("dta", "eum")
for i, metric in enumerate(done.metrics):
    for j, kind in enumerate(done.probabilities):
        print(f"{metric:2}, {kind:4}: dta - eum = {gain[i, j]:+.3f} ± {error[i, j]:.3f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# - **Raw**: deciding by batch gives the same F1 as one half. The probabilities are nearly all 0 or 1, so both rules make nearly the same
#   list. The chosen threshold is ahead, since it depends only on the order.
# - **Hull**: deciding by batch is as good as the chosen threshold. The ranking is the same.
# - **One half** with calibrated probabilities finds no 8 at all, in any split: no image is more probably an 8 than not. This is Ines' empty
#   list. The calibration is right, and the threshold is wrong for F1.
#
# </details>
#
# **If probabilities are wrong, calibrate them, then decide by batch.** If that is not possible, use a threshold that was chosen on labelled
# data. Probabilities that are about right need no repair: on twelve imbalanced data sets the hull adds
# a tenth of F1 to naive Bayes, and nothing to logistic regression or a forest.
#
# scikit-learn's `TunedThresholdClassifierCV` chooses a threshold by cross-validation, as our `EmpiricalUtilityClassifier` does. **Predict:**
# which threshold does it choose for Ines' naive Bayes?

# %% jupyter={"outputs_hidden": true}
X_learn, X_new, y_learn, y_new = train_test_split(
    X, is_eight, test_size=0.5, stratify=is_eight, random_state=0
)
theirs = TunedThresholdClassifierCV(GaussianNB(), scoring="f1").fit(X_learn, y_learn)
ours = EmpiricalUtilityClassifier(GaussianNB(), metric="f1").fit(X_learn, y_learn)
half = GaussianNB().fit(X_learn, y_learn)
for name, rule in {"scikit-learn's": theirs, "ours": ours, "one half": half}.items():
    print(f"{name:14} F1 on new images {f1_score(y_new, rule.predict(X_new)):.3f}")
print(f"thresholds {theirs.best_threshold_:.4f} and {ours.threshold_:.4f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# To four decimals the threshold is 1: half of all images get more than 0.99, so only the very highest probabilities are worth a place on the
# list. Both estimators find the same list.
#
# </details>

# %% [markdown]
# ## What to take home
#
# - For accuracy, each sample can be decided by itself. For F1, Jaccard and balanced accuracy it cannot: the best label of a sample depends on
#   the others in its batch. So say what the batch is.
# - If more true positives never lower the metric, the best labels are the top $k$ of the ranking. Compare all of $k=0,\ldots,n$, since the
#   curve may have two peaks.
# - Each metric has its own threshold. For F1 in a large batch it is half of the best F1, so it is never above one half.
# - Deciding by batch gains something in small batches with few positives. In large batches a fixed threshold is just as good.
# - Deciding by batch relies on the probabilities. Calibrate them if they are wrong. If you cannot, use a threshold chosen on labelled data.
#
# Further reading: the appendix, on metrics for which a ranking is not enough; *Which labels are best?* in the
# [documentation](https://github.com/rocviz/rocviz/blob/main/docs/decisions.md); Lipton, Elkan and Naryanaswamy (2014) on the threshold for
# F1; and scikit-learn's user guide on *Tuning the decision threshold*.
#
# Next: [chapter 8](08_lexicographic_rankers.ipynb), where one attribute after the other decides. Back to
# the [start](00_start_here.ipynb).

# %% [markdown]
# ## Appendix
#
# Nothing in the chapter needs these sections.

# %% [markdown]
# ### When a ranking is not enough
#
# The ranking principle needs a TP monotonic metric. It is easy to design a metric that is not, without noticing. Many metrics are
# **linear-fractional**,
#
# $$\Phi(u, v, p) = \frac{c_0 + c_1 u + c_2 v + c_3 p}{d_0 + d_1 u + d_2 v + d_3 p} = \frac{N}{D},$$
#
# where $u$, $v$ and $p$ are the true, predicted and actual positives, each divided by $n$. Accuracy, F1 and
# Jaccard are of this kind. The condition that is printed for the ranking principle is $c_1>d_1$.
#
# Take $c=(1.9, 2, 1.5, 0)$ and $d=(0.8, 1.3, -0.7, -0.7)$. Here $c_1=2>1.3=d_1$. Three samples have
# probabilities .923, .815 and .257.
#
# **Predict:** which are best predicted positive?

# %% jupyter={"outputs_hidden": true}
ratio = LinearFractional(c=(1.9, 2, 1.5, 0), d=(0.8, 1.3, -0.7, -0.7))
odd = [0.923, 0.815, 0.257]
search = exhaustive_decision(odd, ratio)
for labels, utility in zip(search.all_labels, search.utilities, strict=True):
    print(labels, f"{utility:6.2f}", "<- best" if (labels == search.labels).all() else "")
print(f"best prefix of the ranking: {prefix_utilities(odd, ratio).max():.2f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# It is best to predict **only the least probable sample** positive: this gives 17.04 on average. The best prefix of the ranking gives 10.11.
#
# </details>
#
# The slope of $N/D$ in $u$ has the sign of $c_1D-d_1N$. So what must hold is
#
# $$c_1 D > d_1 N$$
#
# for all confusion tables that can occur. (With $N=D$, where the metric is 1, this becomes $c_1>d_1$.) Where the metric is above
# $c_1/d_1=1.54$, more true positives lower it, and here its values go up to 29. `is_monotonic` goes through all tables and shows the
# worst step:

# %%
print(is_monotonic(ratio, n=3))
u, v, p = np.array([0, 1 / 3]), 2 / 3, 1 / 3
top, bottom = 1.9 + 2 * u + 1.5 * v, 0.8 + 1.3 * u - 0.7 * v - 0.7 * p
print("c1 D:", (2 * bottom).round(2), " d1 N:", (1.3 * top).round(2))
print("F1:  ", is_monotonic("f1"))

# %% [markdown]
# A TP monotonic metric need not be a sensible one. $2\,TP+FP$ rewards false alarms, so nobody should use it, but at fixed $v$ more true
# positives never lower it. A sensible metric has to pass another test as well (Definition 10 of the paper): at a given $p$, neither a higher
# TPR nor a higher TNR may lower it. **Predict:** does $2\,TP+FP$ pass this test? And is the *squared error of counts*, $-(p-v)^2$, which does
# not depend on the true positives at all, TP monotonic?

# %% jupyter={"outputs_hidden": true}
odd = parse_formula("2*u + (v - u)")
for name, metric in (("F1", "f1"), ("2 TP + FP", odd), ("SEC", "sec")):
    print(f"{name}: TP monotonic {bool(is_monotonic(metric))}.", is_monotonic(metric, by="tpr_tnr"))

# %% [markdown]
# <details><summary>What you can see</summary>
#
# $2\,TP+FP$ does not pass the test: another true negative may lower it. The squared error of counts (SEC) is TP monotonic, because all
# labellings with equally many predicted positive are equally good for it, and the top of the ranking is one of them.
#
# </details>
#
# Every metric that passes the second test is TP monotonic: if there is one more true positive among equally many predicted positive, there is
# one false alarm less.
#
# You can type a metric as a formula; `parse_formula` reads it without running it as code. **Predict** which of these four are TP monotonic,
# then try one of your own:

# %% jupyter={"outputs_hidden": true}
for text in (
    "u / (p + v - u)",
    "2*u + (v - u)",
    "v - u + 2*u*u*p",
    "min(u/p, 1 - (v - u)/(1 - p))",
):
    print(
        f"{text:35} {'TP monotonic' if is_monotonic(parse_formula(text)) else 'not TP monotonic'}"
    )

# %% [markdown]
# In the explorer of section 6 open *other data* and choose the situation *best labels are not a prefix*. Then move the
# probabilities: with up to twelve samples it tries all labellings while you drag. Then type a formula of your
# own into *in u, v and p*, below the metric.
#
# This is the last exercise. Of three metrics the **first** is $u+v$, the **second** $\frac{1+2u}{1+u}$ and the
# **third** $\frac{3+2u}{1+u}$. All have $c_1>d_1$. For one of them the best labels need not be the
# most probable samples. Is it the `"first"`, the `"second"` or the `"third"`? (Look at $c_1D$ and $d_1N$ before you
# compute.)

# %%
answer = ...
check("which_breaks", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# from rocviz.core.decisions import LinearFractional, is_monotonic
#
# metrics = {
#     "first": LinearFractional(c=(0, 1, 1), d=(1, 0, 0)),
#     "second": LinearFractional(c=(1, 2, 0), d=(1, 1, 0)),
#     "third": LinearFractional(c=(3, 2, 0), d=(1, 1, 0)),
# }
# answer = next(name for name, metric in metrics.items() if not is_monotonic(metric))
# ```
#
# </details>

# %% [markdown]
# ### Predicting no sample positive
#
# The curve of section 3 begins at $k=0$. **Predict:** three samples have the probabilities 0.2, 0.1 and 0.3, and the metric is accuracy. For
# which $k$ is the curve highest?

# %% jupyter={"outputs_hidden": true}
print("U_0, U_1, ... for accuracy:", prefix_utilities([0.2, 0.1, 0.3], "accuracy").round(3))

# %% [markdown]
# <details><summary>What you can see</summary>
#
# It is highest at $k=0$: no sample should be predicted positive.
#
# </details>
#
# <details><summary>For those who read the paper</summary>
#
# Its algorithms begin at $k=1$, so they always predict at least one sample positive. In this batch, with accuracy as the metric, that is a
# mistake.
#
# </details>

# %% [markdown]
# ### Which metrics have curves with two peaks?
#
# We draw a thousand small batches and count the curves that go up again
# after they went down.
#
# **Predict:** which of these metrics will have some: F1, Jaccard, G-TP/PR, AM, G-Mean?


# %% jupyter={"outputs_hidden": true}
def has_two_peaks(utilities):
    steps = np.diff(utilities)
    up = np.sign(steps[np.abs(steps) > 1e-12])
    return bool((np.diff(up) > 0).any())


rng = np.random.default_rng(0)
batches = [rng.beta(0.3, 0.5, rng.integers(3, 13)).round(1) for _ in range(1000)]
for metric in ("f1", "jaccard", "g_tp_pr", "am", "g_mean"):
    n_two_peaks = sum(has_two_peaks(prefix_utilities(batch, metric)) for batch in batches)
    print(f"{metric:8}: {n_two_peaks:2} of 1000")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# Such curves are rare, but F1, Jaccard and G-TP/PR have some. The curves of AM and G-Mean, which are made of the rates of both classes, have
# a single peak in all thousand batches. For AM this can be proved (below); for G-Mean we know of no proof. rocviz looks at every $k$, for
# every metric.
#
# </details>
#
# <details><summary>Why AM has a single peak</summary>
#
# In any outcome with $P$ positives and $N$ negatives, one more sample that is predicted positive adds $\frac{1}{2P}$ to AM if it is positive
# and subtracts $\frac{1}{2N}$ if it is negative. The expectation of this step is largest for the most probable sample and falls along
# the ranking, whatever has been predicted positive before. A curve whose steps become smaller and smaller has a single peak.
#
# </details>

# %% [markdown]
# ### When the right model has few samples
#
# What if the probabilities are *nearly* right, because the right model learned them from few samples? As the training set grows, the labels
# that are chosen by expectation become as good as the best ones (Natarajan et al. (2015), Theorem 13). **Predict** two columns: how much F1
# do they lose with 50, 200 and 800 training samples? And how much does a threshold of one half lose?

# %% jupyter={"outputs_hidden": true}
learned = consistency_experiment("f1", n_train=[50, 200, 800], n_repeats=15, random_state=0)
for n, loss, error in zip(learned.n_train, learned.mean, learned.standard_error, strict=True):
    print(
        f"{n:4} samples: by expectation {loss[0]:.4f} ± {error[0]:.4f},",
        f"at one half {loss[1]:.4f} ± {error[1]:.4f}",
    )

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The first loss goes to zero: with four times as many samples it is about a quarter or less. The second stays, since no amount of data makes
# one half the right threshold for F1.
#
# </details>

# %% [markdown]
# ### How all thresholds are computed
#
# How does one compute $U_k$? With $k$ predicted positive, the metric depends on two numbers only:
# the number of positives among the first $k$ (hits), and among the rest (misses). Both are sums of independent
# Bernoulli variables with different probabilities, and the distribution of such a sum is computed by adding one variable at a time. Then one
# goes through all pairs of hits and misses. This is **Algorithm 1** of Natarajan et al. (`first[k]` is the distribution of the hits,
# `rest[n - k]` that of the misses):


# %% jupyter={"outputs_hidden": true}
def show(function):
    """Print the code of a function without its description."""
    head, _, body = inspect.getsource(function).split('"""')
    print(head.rstrip() + body.rstrip())


show(algorithm_1)

# %% [markdown]
# **Predict:** how much longer does it take for twice as many samples?

# %% jupyter={"outputs_hidden": true}
for n in (10, 100, 1000, 2000, 100_000):
    pairs = sum((k + 1) * (n - k + 1) for k in range(n + 1))
    print(f"n = {n:6}: {pairs:19,} pairs of hits and misses over all thresholds")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# It takes eight times as long: the number of steps grows like $n^3$.
#
# </details>
#
# For ratios such as F1 and Jaccard the paper has a
# faster method. F1 is the hits times $2/(k+\text{hits}+\text{misses})$, and the denominator is a whole
# number. So one keeps a table which holds, for each value of the denominator without misses, the mean of one over the
# denominator with them. From one $k$ to the next, one sample joins the misses or leaves them, and one line of code
# updates the whole table. This is **Algorithm 2**, of order $n^2$:

# %%
show(algorithm_2)

# %% [markdown]
# rocviz uses a third method. For any positive number, $\frac{1}{x} = \int_0^\infty e^{-xs}\,ds$. Let $x$ be
# the denominator of F1. It is a sum of independent terms, so the mean of $e^{-xs}$ is
# a **product** with one factor per sample. One running product for each node $s$ of the integral serves all thresholds, and about
# a hundred nodes are enough for the precision of floating-point numbers.
#
# **Predict:** do the three agree? To how many digits?

# %% jupyter={"outputs_hidden": true}
y_prob = np.random.default_rng(0).beta(0.5, 1.6, 500)
took, curves = {}, {}
for name, method in {
    "Algorithm 1": algorithm_1,
    "Algorithm 2": algorithm_2,
    "rocviz": prefix_utilities,
}.items():
    start = perf_counter()
    curves[name] = method(y_prob, "f1")
    took[name] = perf_counter() - start
for name in ("Algorithm 1", "Algorithm 2"):
    print(
        f"{name} and rocviz agree to 12 decimals:",
        np.allclose(curves[name], curves["rocviz"], rtol=0, atol=1e-12),
    )
print("rocviz is faster than Algorithm 1:", took["rocviz"] < took["Algorithm 1"])

y_prob = np.random.default_rng(0).beta(0.5, 1.6, 100_000)
for metric in ("f1", "jaccard", "am", "g_tp_pr"):
    print(
        f"100,000 samples, {metric}: k* = {optimal_decision(y_prob, metric).n_predicted_positive:,}"
    )

# %% [markdown]
# <details><summary>What you can see</summary>
#
# All three agree to 12 decimals. A hundred thousand samples take a fraction of a second; print `took` to compare on your computer.
# Algorithm 2 would have to update its table a hundred thousand times, and the list above shows the pairs that Algorithm 1 would visit.
# (G-Mean, H-Mean and formulas of your own have no such integral. They are
# summed over windows that hold all of the probability but a part in $10^{15}$.)
#
# F1 and Jaccard agree on $k^*$ here. The reason is that for every single outcome the Jaccard index is
# $F/(2-F)$, and in such a large batch all outcomes are nearly alike. In small batches they may differ: in the picture of section 2 the one
# predicts 7 samples positive and the other 6.
#
# </details>

# %% [markdown]
# ## Sources
#
# Full references are in the [bibliography](https://rocviz.github.io/rocviz/bibliography.html).
#
# - Natarajan et al. (2015). *Optimal decision-theoretic classification using non-decomposable
#   performance metrics.* The ranking principle, both algorithms, the experiment with ten points
#   and the condition that the appendix corrects.
# - Ye et al. (2012). *Optimizing F-measures: a tale of two approaches.* Deciding by batch and by
#   threshold, and that they meet in the limit.
# - Lipton, Elkan and Naryanaswamy (2014). *Optimal thresholding of classifiers to maximize F1
#   measure.* The threshold that is half of the best F1.
# - Koyejo et al. (2014). *Consistent binary classification with generalized performance metrics.*
#   The threshold on labelled data.

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
# # Who is called positive?
#
# A model has done its work: each sample has a probability. Now somebody must say yes or no to each,
# and will be judged. Not by how many answers are right, but by F1, by balanced accuracy, by a
# metric of their own. Probability above one half, is that not the rule? It is, for accuracy. For
# hardly anything else.
#
# At the end of this chapter you can
#
# - say why F1 cannot be decided sample by sample, and what a *batch* has to do with it;
# - find the best labels of a batch for any metric, and say why a ranking nearly suffices;
# - choose between deciding by batch and by a fixed threshold;
# - spot the two things that ruin it all: wrong probabilities, and a metric that does not rank.
#
# You need chapters 1 ([ranking](01_classification_and_ranking.ipynb)) and 2
# ([probabilities](02_probabilities_and_calibration.ipynb)). The paper behind this chapter is by
# Natarajan et al. (2015).

# %%
import inspect
from time import perf_counter

import matplotlib.pyplot as plt
import numpy as np
from scipy.special import expit
from sklearn.datasets import load_digits
from sklearn.metrics import accuracy_score, f1_score
from sklearn.naive_bayes import GaussianNB

from rocviz import (
    DecisionDisplay,
    DecisionExplorer,
    LinearFractional,
    compare_decisions,
    consistency_experiment,
    expected_utility,
    is_tp_monotonic,
    is_tpr_tnr_monotonic,
    optimal_decision,
    parse_formula,
    plug_in_utilities,
    prefix_utilities,
    utility_distribution,
)
from rocviz.core.decisions.reference import algorithm_1, algorithm_2, exhaustive_decision
from rocviz.exercises import check
from rocviz.theme import get_theme

# %% [markdown]
# ## 1. F1 is not an average
#
# Two small test sets of equal size, labelled by the same model.
#
# **Predict:** put both together. Is the accuracy of the whole the mean of the two accuracies? Is
# the F1 of the whole the mean of the two F1s?

# %% jupyter={"outputs_hidden": true}
y_one, said_one = [1, 1, 0, 0, 0], [1, 0, 0, 0, 0]
y_two, said_two = [1, 0, 0, 0, 0], [1, 1, 1, 0, 0]

for metric in (accuracy_score, f1_score):
    one, two = metric(y_one, said_one), metric(y_two, said_two)
    both = metric(y_one + y_two, said_one + said_two)
    name = metric.__name__
    print(f"{name}: {one:.3f} and {two:.3f}, mean {(one + two) / 2:.3f}; of all {both:.3f}")

# %% [markdown]
# Accuracy is an **average over samples**: each brings its own 0 or 1. So each sample can be decided
# by itself, and its neighbours do not matter. F1 is a **ratio of sums**,
#
# $$F_1 = \frac{2\,TP}{\text{called positive} + \text{actually positive}},$$
#
# and whatever one sample adds is divided by something to which all others contribute. What a label
# is worth depends on the company.
#
# So we decide on a whole **batch** at once. Its outcomes are unknown, but each has a probability,
# and so each labelling has an **expected F1**. You can find it by hand for a batch of two. They are
# positive with probability 0.8 and 0.3, independently; only the first is called positive. What is
# the expected F1?

# %%
answer = ...
check("first_of_two", answer)

# %% [markdown]
# `expected_utility` does the same for a batch of any size, and `utility_distribution` gives all
# values that the metric may turn out to have, with their probabilities. (Nothing is simulated.)
#
# Now the company. One sample is positive with probability 0.3, and it has six neighbours.
#
# **Predict:** the neighbours become more and more probable. Is our sample called positive for F1
# when they are improbable? When they are probable?

# %% jupyter={"outputs_hidden": true}
print("neighbours     accuracy      F1")
for q in (0.05, 0.2, 0.5, 0.7, 0.9):
    said = [optimal_decision([0.3] + [q] * 6, metric).labels[0] for metric in ("accuracy", "f1")]
    print(f"six of {q:.2f}   ", *(f"{'positive' if label else 'negative':11}" for label in said))

# %% [markdown]
# For accuracy the answer never changes: 0.3 is below one half. For F1 the same sample is called
# positive in poor company and negative in good. What it could add is compared with what is already
# there.
#
# Take that to the extreme: **no** company. The batch is a single sample, which is positive with
# probability 0.02. Where F1 is 0/0 it counts as 0. Should the sample be called positive: `"yes"`,
# `"no"` or `"it does not matter"`?

# %%
answer = ...
check("alone", answer)

# %% [markdown]
# ## 2. A ranking is nearly enough
#
# A batch of 10 has $2^{10}=1024$ labellings. A batch of 100 has $2^{100}$, a number of 31 digits.
# Must we try them all?
#
# Suppose the labels call $B$ positive and leave out $A$, though $A$ is more probable. **Swap the
# two.** As many are called positive as before, and as many are positive. If $A$ and $B$ turn out
# alike, nothing changes. If one of them is positive and the other is not, it is more often $A$. So
# on average the swap brings more true positives, at the same price. If true positives never hurt,
# neither does the swap. Go on until nothing is left to swap: then the called ones are the **top
# $k$** of the ranking.
#
# That is the **probability ranking principle**. Its condition has a name: the metric is **TP
# monotonic**, that is, with the numbers of predicted and of actual positives fixed it never falls
# when true positives rise. The ranking says *who* comes first. The probabilities are needed only to
# say *how many*.
#
# The paper checks it by brute force, and so do we. Ten points in the plane, drawn from a Gaussian.
# A random direction $w$; a point $x$ is positive with probability $\sigma(w\cdot x)$. Four metrics,
# and for each **all 1024 labellings**. Balanced accuracy is called AM here, for arithmetic mean of
# TPR and TNR; G-TP/PR is the geometric mean of recall and precision.
#
# **Predict:** for how many of the four metrics can a straight line separate the points that are
# best called positive from the others? And is it the same line?

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
    called = exhaustive_decision(y_prob, metric).labels == 1
    for group, colour, marker in ((called, "positive", "o"), (~called, "negative", "s")):
        ax.scatter(*points[group].T, s=70, color=theme.colour(colour), marker=marker)
    height = points @ along
    cut = (height[called].min() + height[~called].max()) / 2
    ends = cut * along + np.outer((-6, 6), (-along[1], along[0]))
    ax.plot(*ends.T, "--", color=theme.colour("muted"))
    ax.set(title=f"{name}: {called.sum()} of 10", xlim=(-3, 3), ylim=(-3, 3), aspect="equal")
    ax.set(xticks=[-2, 0, 2], yticks=[-2, 0, 2])
    for x, p in zip(points, y_prob, strict=True):
        ax.annotate(f"{p:.2f}"[1:], x, (5, 4), textcoords="offset points", fontsize=8, bbox=plain)
plt.show()

# %% [markdown]
# Round and orange: best called positive. Square and blue: not. All four can be separated by a line
# across the direction, that is, by a threshold on the probability. **Where the line runs depends on
# the metric.**
#
# One draw proves little. Twenty-five draws:

# %%
for name, metric in METRICS.items():
    prefixes, sizes = 0, []
    for seed in range(25):
        _, _, y_prob = ten_points(seed)
        best = exhaustive_decision(y_prob, metric).labels
        k = best.sum()
        prefixes += set(np.flatnonzero(best)) == set(np.argsort(-y_prob)[:k])
        sizes.append(k)
    print(f"{name:8}: the top k in {prefixes} of 25 draws, k from {min(sizes)} to {max(sizes)}")

# %% [markdown]
# So: a batch of 20 samples with different probabilities, and a metric that is TP monotonic. How
# many labellings must be compared to find the best?

# %%
answer = ...
check("how_many_cuts", answer)

# %% [markdown]
# ## 3. What every cut is worth
#
# Let $U_k$ be the expected metric if the $k$ most probable samples are called positive. The whole
# problem is a curve with $n+1$ points, and we want its top, $k^*$. `optimal_decision` finds it.
#
# **Predict:** forty samples, eight or nine of them positive on average. Four metrics. Which of them
# calls most samples positive? Does any of them cut at one half?

# %% jupyter={"outputs_hidden": true}
y_prob = np.random.default_rng(2).beta(0.5, 1.6, 40)
print(f"{y_prob.sum():.1f} positives expected, {(y_prob > 0.5).sum()} probabilities above 1/2")
for metric in ("accuracy", "f1", "g_tp_pr", "am"):
    decision = optimal_decision(y_prob, metric)
    at_half = expected_utility(y_prob > 0.5, y_prob, metric)
    print(
        f"{metric:8}: k* = {decision.n_called:2}, down to a probability of {decision.threshold:.2f},",
        f"worth {decision.utility:.3f}; threshold 1/2 gives {at_half:.3f}",
    )

curves = DecisionDisplay.from_predictions(y_prob, ["f1", "am", "accuracy"], kind="utilities")
# %% [markdown]
# Accuracy cuts at one half: it is an average, and a sample that is more probably positive than not
# is better called so. No other does.
#
# The dashed curves put *expected counts* into the formula, instead of taking the expectation of the
# formula. You have met that shortcut, and its error, in the exercise with two samples.
#
# Now by hand. **Predict** first, for F1: the top of the curve is flat. If you call three too many,
# how much do you lose? And how far do the values of F1 spread that this very batch may turn out to
# have? Drag $k$ in either picture. Then let the others join and look at *what may happen*.

# %% jupyter={"outputs_hidden": true}
explorer = DecisionExplorer(y_prob=y_prob, panels=["probabilities", "utilities"])
explorer

# %% jupyter={"outputs_hidden": true}
every = DecisionExplorer(y_prob=y_prob)
every

# %% jupyter={"outputs_hidden": true}
best = optimal_decision(y_prob, "f1")
loss = best.utility - best.utilities[best.n_called + 3]
law = utility_distribution(best.labels, y_prob, "f1")
print(f"three too many cost {loss:.4f}")
print(f"F1 will be {law.mean:.3f}, give or take {law.std:.3f}")

# %% [markdown]
# Luck moves F1 much more than three labels do. The best labels are best *on average*; they promise
# nothing about the one time they are used.
#
# ### Half of what you can reach
#
# One more sample of probability $\eta$ adds $2\eta$ to the numerator of F1 and 1 to its
# denominator. That raises a ratio $F$ if $2\eta>F$. So in a large batch the best threshold is
# **half of the best F1** (Lipton, Elkan and Naryanaswamy, 2014).
#
# **Predict:** the best possible F1 is 0.6. Should a sample with probability 0.4 be called positive?

# %% jupyter={"outputs_hidden": true}
for n in (40, 1000, 100_000):
    y_prob = np.random.default_rng(2).beta(0.5, 1.6, n)
    best = optimal_decision(y_prob, "f1")
    print(f"n = {n:6}: best F1 {best.utility:.4f}, threshold {best.threshold:.4f}")

# %% [markdown]
# It should: 0.4 is above 0.3. And since no F1 is above 1, **the best threshold for F1 in a large
# batch is never above one half**. For a hard problem it is far below.
#
# ### Nobody at all
#
# The curve begins at $k=0$. The paper's algorithms begin at 1, and so they must call somebody
# positive. For accuracy and improbable samples that is a mistake:

# %%
print("U_0, U_1, ... for accuracy:", prefix_utilities([0.2, 0.1, 0.3], "accuracy").round(3))

# %% [markdown]
# ## 4. Two hills
#
# Who needs the whole curve? Start at $k=0$, raise $k$ as long as it goes up, stop when it goes
# down.
#
# **Predict:** one sample is certainly positive, five others are with probability 0.3 each. What
# does the curve for F1 look like?

# %% jupyter={"outputs_hidden": true}
print("five: ", prefix_utilities([1] + [0.3] * 5, "f1").round(5))
print("eight:", prefix_utilities([1] + [0.3] * 8, "f1").round(5))

# %% [markdown]
# With five doubtful ones the curve goes down, down, and at its end **up** again, by a hair. With
# eight, the far end is the top. There are two good plans. Call the certain one only, and hope that
# few of the others are positive. Or call them all, and pay for the false alarms. A little of both
# pays for false alarms and misses most positives as well.
#
# In the explorer above, open *other data* and choose the situation *two peaks*. Then drag the improbable
# ones up and down in *who is called positive*. When do the hills vanish?
#
# How bad can it be to climb? One certain positive, **fourteen** samples with 0.25 each. Somebody
# climbs from $k=0$ and stops before the first step down. How much lower than the best is the F1
# where they stop?

# %%
answer = ...
check("climber", answer)

# %% [markdown]
# Is every metric like that? We draw a thousand small batches and count the curves that go up again
# after they went down.
#
# **Predict:** which of these metrics will have some: F1, Jaccard, G-TP/PR, AM, G-Mean?


# %% jupyter={"outputs_hidden": true}
def has_two_hills(utilities):
    steps = np.diff(utilities)
    up = np.sign(steps[np.abs(steps) > 1e-12])
    return bool((np.diff(up) > 0).any())


rng = np.random.default_rng(0)
batches = [rng.beta(0.3, 0.5, rng.integers(3, 13)).round(1) for _ in range(1000)]
for metric in ("f1", "jaccard", "g_tp_pr", "am", "g_mean"):
    found = sum(has_two_hills(prefix_utilities(batch, metric)) for batch in batches)
    print(f"{metric:8}: {found:2} of 1000")

# %% [markdown]
# Rare, but there for the first three. AM and G-Mean, made of the rates of both classes, show one
# hill each. Here, that is: a thousand draws are no proof. So rocviz looks at every $k$, for every
# metric.

# %% [markdown]
# ## 5. All cuts, exactly, in no time
#
# How does one compute $U_k$? With $k$ called positive, the metric depends on two numbers only:
# positives among the first $k$ (hits), and among the rest (misses). Both are sums of independent
# coins with different probabilities, and the law of such a sum grows coin by coin. Then one goes
# through all pairs of hits and misses. This is the paper's **Algorithm 1** (`first[k]` is the law
# of the hits, `rest[n - k]` that of the misses):


# %%
def show(function):
    """Print the code of a function without its description."""
    head, _, body = inspect.getsource(function).split('"""')
    print(head.rstrip() + body.rstrip())


show(algorithm_1)

# %% [markdown]
# **Predict:** twice as many samples. How much longer does it take?

# %% jupyter={"outputs_hidden": true}
for n in (10, 100, 1000, 2000, 100_000):
    pairs = sum((k + 1) * (n - k + 1) for k in range(n + 1))
    print(f"n = {n:6}: {pairs:19,} pairs of hits and misses over all cuts")

# %% [markdown]
# Eight times: it is a method of order $n^3$. For ratios such as F1 and Jaccard the paper has a
# faster one. F1 is hits times $2/(k+\text{hits}+\text{misses})$, and the denominator is a whole
# number. So keep a table: for each denominator without misses, the mean over the misses of one over
# the whole. From one $k$ to the next, one sample leaves the misses or enters them, and one line
# brings the whole table up to date. This is **Algorithm 2**, of order $n^2$:

# %%
show(algorithm_2)

# %% [markdown]
# rocviz takes a third way. For any positive number, $\frac{1}{x} = \int_0^\infty e^{-xs}\,ds$. Put
# the denominator of F1 there for $x$. It is a sum of independent terms, so the mean of $e^{-xs}$ is
# a **product**, one factor per sample. One running product per node $s$ serves all cuts, and about
# a hundred nodes give all digits. Nothing is lost but rounding.
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
    print(f"100,000 samples, {metric}: k* = {optimal_decision(y_prob, metric).n_called:,}")

# %% [markdown]
# A hundred thousand samples take a fraction of a second; print `took` to compare on your computer.
# Algorithm 2 would have to update its table a hundred thousand times, and what Algorithm 1 would do
# is in the list above. (G-Mean, H-Mean and formulas of your own have no such integral. They are
# summed over windows that hold all of the probability but a part in $10^{15}$.)
#
# F1 and Jaccard agree on $k^*$ here. That is no accident: of any one outcome the Jaccard index is
# $F/(2-F)$, and in so large a batch all outcomes are nearly alike. In small batches they may
# differ, as in section 2.

# %% [markdown]
# ## 6. A batch or a threshold?
#
# Two schools:
#
# - **decision-theoretic** (DTA): look at the batch, find its own $k^*$. That is this chapter so
#   far, and `DecisionTheoreticClassifier` as an estimator;
# - **empirical utility maximisation** (EUM): on labelled data, find the threshold with the best
#   metric; use it for ever. `EmpiricalUtilityClassifier`. It looks at the ranking only and needs no
#   probabilities.
#
# EUM's threshold is right for an endless stream. A batch of ten is not an endless stream: perhaps
# it has three probable samples, perhaps none.
#
# Let the probabilities be **right**. Batches are drawn from a beta law with 30 % or 5 % positives;
# the rival is the best of all fixed thresholds. We compute what either is expected to give, so the
# only luck is in which batches come.
#
# **Predict:** where is deciding by batch ahead most, with large batches or small ones, with common
# positives or rare ones? Where can one forget about it?

# %% jupyter={"outputs_hidden": true}
print("positives  batch  fixed threshold  by batch   gain")
for share in (0.3, 0.05):
    shape = (2 * share, 2 * (1 - share))
    endless = np.sort(np.random.default_rng(0).beta(*shape, 100_000))[::-1]
    threshold = endless[plug_in_utilities(endless, "f1").argmax() - 1]
    for size in (10, 20, 50, 100, 1000):
        pairs = [
            (
                expected_utility(batch >= threshold, batch, "f1"),
                optimal_decision(batch, "f1").utility,
            )
            for batch in np.random.default_rng(1).beta(*shape, (200, size))
        ]
        fixed, by_batch = np.transpose(pairs)
        gain = by_batch - fixed
        error = gain.std(ddof=1) / np.sqrt(gain.size)
        print(
            f"{share:9.0%}  {size:5}  {fixed.mean():15.3f}  {by_batch.mean():8.3f}",
            f"  {gain.mean():.4f} ± {error:.4f}",
        )

# %% [markdown]
# **Small batches with few positives**: there the gain is worth having, 0.06 in ten samples with 5
# %. With fifty positives in the batch it is gone: a large batch always looks like the stream. (In
# the limit both are the same, as Ye et al. (2012) showed.) And it is never negative: who knows
# the probabilities and the batch can always copy the threshold.
#
# On real data the gain is harder to see, since errors are larger than it is. The page [Which labels
# are best?](https://github.com/rocviz/rocviz/blob/main/docs/decisions.md) has the tables.

# %% [markdown]
# ## 7. Believing the wrong numbers
#
# Deciding by batch believes the probabilities, every one. What if they are wrong?
#
# In the explorer, *sharpen log-odds* (under *probabilities*) multiplies the log-odds before anybody
# sees them: above 1, the model is over-confident. The order of the samples stays, so a fixed threshold on the ranking would not
# mind.
#
# **Predict:** the model exaggerates three times. For F1, will too many be called positive, or too
# few? What is believed about the result, and what is true?

# %% jupyter={"outputs_hidden": true}
sure = DecisionExplorer(preset="overconfident")
sure

# %% jupyter={"outputs_hidden": true}
for sure.sharpen in (0.5, 1.0, 2.0, 3.0, 5.0):
    seen = sure.result
    print(
        f"log-odds times {sure.sharpen}: calls {seen.n_called:2},",
        f"believes {seen.decision.utility:.3f}, gets {seen.paid[seen.n_called]:.3f}",
    )
sure.sharpen = 3.0

# %% [markdown]
# Who exaggerates believes that the probable ones are certain and the doubtful ones hopeless. So too
# few are called. The believed F1 goes up, the true one goes down: **the worse the probabilities,
# the better one thinks of oneself.** A timid model (0.5) errs the other way and calls too many.
#
# Now with numbers. Ten samples have probabilities .7, .6, .4, .4, .3, .3, .2, .2, .1, .1. A model
# reports their log-odds three times too large. Somebody believes it and picks the best labels for
# F1. What is their expected F1 in truth?

# %%
answer = ...
check("tripled", answer)

# %% [markdown]
# A real liar: naive Bayes on the pixels of handwritten digits, asked whether it sees an 8. Pixels
# repeat each other, naive Bayes counts each as news (chapter 2, section 1), and nearly all its
# probabilities are 0 or 1.
#
# `compare_decisions` splits the data again and again and decides in three ways: by batch (`dta`),
# by the threshold that was best on the training samples (`eum`), at one half (`half`). Each with
# the probabilities as they are (`raw`), and after the **hull** of the ROC curve has turned them
# into what they are worth.
#
# **Predict:** six numbers for F1. Which is the lowest? Which ones are alike?

# %% jupyter={"outputs_hidden": true}
X, digit = load_digits(return_X_y=True)
done = compare_decisions(
    GaussianNB(), X, digit == 8, metrics=["f1", "am"], n_splits=20, random_state=0
)
table = done.to_frame().pivot(index=["metric", "probabilities"], columns="method", values="mean")
print(table.loc[["f1", "am"]].reindex(["raw", "hull"], level=1).round(3))

gain, error = done.difference("dta", "eum")
for i, metric in enumerate(done.metrics):
    for j, kind in enumerate(done.probabilities):
        print(f"{metric:2}, {kind:4}: dta - eum = {gain[i, j]:+.3f} ± {error[i, j]:.3f}")

# %% [markdown]
# - Raw: deciding by batch is no better than one half. It believes the zeros and ones, so there is
#   nothing to decide. The threshold is well ahead: it uses only the order.
# - Hull: the gap is gone. The same ranking, honest numbers.
# - And one half with honest numbers finds **no 8 at all**, not in any split. Calibrated, not one
#   image is more probably an 8 than not. That is no fault of calibration. It is the fault of one
#   half.
#
# So: **calibrate first, then decide by batch.** Where probabilities cannot be trusted, take the
# threshold.

# %% [markdown]
# And if the probabilities are *nearly* right, since they were learned by the right model from a few
# samples? The paper's Theorem 13 says: as the training set grows, the labels chosen by expectation become
# as good as the best ones. **Predict** two columns: what do they lose with 50, 200, 800 training samples?
# And what does a threshold of one half lose?

# %% jupyter={"outputs_hidden": true}
learned = consistency_experiment("f1", n_train=[50, 200, 800], n_repeats=15, random_state=0)
for n, loss, error in zip(learned.n_train, learned.mean, learned.standard_error, strict=True):
    print(
        f"{n:4} samples: by expectation {loss[0]:.4f} ± {error[0]:.4f},",
        f"at one half {loss[1]:.4f} ± {error[1]:.4f}",
    )

# %% [markdown]
# The first column goes to nothing: four times the samples, about a quarter of the loss. The second stays.
# One half is the wrong threshold for F1, and no amount of data makes it right.

# %% [markdown]
# ## 8. When a ranking is not enough
#
# The ranking principle needs a TP monotonic metric. Who would want another? Somebody who designs a
# metric, and does not notice. Many metrics are **linear-fractional**,
#
# $$\Phi(u, v, p) = \frac{c_0 + c_1 u + c_2 v + c_3 p}{d_0 + d_1 u + d_2 v + d_3 p} = \frac{N}{D},$$
#
# with $u$, $v$, $p$ the true, predicted and actual positives, each divided by $n$. Accuracy, F1 and
# Jaccard are. The paper gives a simple condition: they rank if $c_1>d_1$.
#
# Take $c=(1.9, 2, 1.5, 0)$ and $d=(0.8, 1.3, -0.7, -0.7)$. Here $c_1=2>1.3=d_1$. Three samples have
# probability .923, .815 and .257.
#
# **Predict:** which are best called positive?

# %% jupyter={"outputs_hidden": true}
ratio = LinearFractional(c=(1.9, 2, 1.5, 0), d=(0.8, 1.3, -0.7, -0.7))
odd = [0.923, 0.815, 0.257]
found = exhaustive_decision(odd, ratio)
for labels, utility in zip(found.all_labels, found.utilities, strict=True):
    print(labels, f"{utility:6.2f}", "<- best" if (labels == found.labels).all() else "")
print(f"best prefix of the ranking: {prefix_utilities(odd, ratio).max():.2f}")

# %% [markdown]
# **The least probable sample, and nothing else**: 17.04 on average. The best prefix gets 10.11.
# What went wrong?
#
# The slope of $N/D$ in $u$ has the sign of $c_1D-d_1N$. So what must hold is
#
# $$c_1 D > d_1 N$$
#
# for all confusion tables that can occur. The paper's $c_1>d_1$ is this with $N=D$, where the
# metric is 1. But where the metric is above $c_1/d_1=1.54$, hits hurt, and here it goes up to 29.
# `is_tp_monotonic` goes through all tables and shows the worst step:

# %%
print(is_tp_monotonic(ratio, n=3))
u, v, p = np.array([0, 1 / 3]), 2 / 3, 1 / 3
top, bottom = 1.9 + 2 * u + 1.5 * v, 0.8 + 1.3 * u - 0.7 * v - 0.7 * p
print("c1 D:", (2 * bottom).round(2), " d1 N:", (1.3 * top).round(2))
print("F1:  ", is_tp_monotonic("f1"))

# %% [markdown]
# Other ways to be odd: $2\,TP+FP$ counts false alarms as merits, so it is no metric anybody should
# use. But it ranks: at fixed $v$ more hits never hurt. Sensible and TP monotonic are two things.
# The paper asks for more of a sensible metric (Definition 10): at a given $p$ neither a higher TPR nor a
# higher TNR may lower it. **Predict:** what does $2\,TP+FP$ say to that? And the *squared error of
# counts*, $-(p-v)^2$, which does not look at hits at all: does it rank?

# %% jupyter={"outputs_hidden": true}
odd = parse_formula("2*u + (v - u)")
for name, metric in (("F1", "f1"), ("2 TP + FP", odd), ("SEC", "sec")):
    print(f"{name}: ranks {bool(is_tp_monotonic(metric))}.", is_tpr_tnr_monotonic(metric))

# %% [markdown]
# Every metric of which the second is true ranks, since one more hit among as many called positive is one
# false alarm less. SEC ranks for another reason: all labellings with as many positives are equally good
# to it, and the top of the ranking is one of them.
#
# You can type a metric as a formula; `parse_formula` reads it without running it. Try one of your
# own. **Predict** before you ask:

# %% jupyter={"outputs_hidden": true}
for text in (
    "u / (p + v - u)",
    "2*u + (v - u)",
    "v - u + 2*u*u*p",
    "min(u/p, 1 - (v - u)/(1 - p))",
):
    print(f"{text:35} {'ranks' if is_tp_monotonic(parse_formula(text)) else 'does not rank'}")

# %% [markdown]
# In any of these explorers open *other data* and choose the situation *no prefix*. Then move the
# probabilities: up to twelve samples it tries all labellings as you drag. Then type a formula of your
# own into *in u, v and p*, below the metric.
#
# Last exercise. Three metrics: the **first** is $u+v$, the **second** $\frac{1+2u}{1+u}$, the
# **third** $\frac{3+2u}{1+u}$. All have $c_1>d_1$. For which one need the best labels not be the
# most probable samples: `"first"`, `"second"` or `"third"`? (Look at $c_1D$ and $d_1N$ before you
# compute.)

# %%
answer = ...
check("which_breaks", answer)

# %% [markdown]
# ## What to take home
#
# - Accuracy can be decided sample by sample. F1, Jaccard, balanced accuracy cannot: the label of a
#   sample depends on its batch. Say what the batch is.
# - If more true positives never hurt, the best labels are the top $k$ of the ranking. Compare
#   $k=0,\ldots,n$, all of them: the curve may have two hills.
# - Each metric has its own threshold. For F1 in a large batch it is half of the best F1. It is
#   hardly ever one half.
# - Deciding by batch pays for small batches with few positives. In large ones a fixed threshold is
#   as good.
# - It believes the probabilities. Calibrate first; if you cannot, use a threshold chosen on
#   labelled data.
# - A metric of your own: ask `is_tp_monotonic`.
#
# On to [chapter 8](08_lexicographic_rankers.ipynb), where one attribute after the other decides. Back to
# the [start](00_start_here.ipynb).
#
# ## Sources
#
# Where each was published stands in the [bibliography](https://github.com/rocviz/rocviz/blob/main/CITATION.cff).
#
# - Natarajan et al. (2015). *Optimal decision-theoretic classification using non-decomposable
#   performance metrics.* The ranking principle, both algorithms, the experiment with ten points
#   and the condition of section 8.
# - Ye et al. (2012). *Optimizing F-measures: a tale of two approaches.* Deciding by batch and by
#   threshold, and that they meet in the limit.
# - Lipton, Elkan and Naryanaswamy (2014). *Optimal thresholding of classifiers to maximize F1
#   measure.* The threshold that is half of the best F1.
# - Koyejo et al. (2014). *Consistent binary classification with generalized performance metrics.*
#   The threshold on labelled data.

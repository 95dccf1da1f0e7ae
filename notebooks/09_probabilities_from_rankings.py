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
# # First rank, then say how sure
#
# Leila examines insurance claims. She starts with the most suspicious one, so she trained a model on nothing but the *order* of sixty claims
# that had been examined already. It orders well. Now the lawyers want to know **how probable** a fraud is, and the usual tool
# turns the order into probabilities. Of **one new claim in nine** it says that it is *certainly* fraud or *certainly* none, although no claim
# is ever more certain than 93 %.
#
# Menon et al. (2012) proposed to do one job after the other: **learn to rank, then turn the ranking into probabilities**. At the end of
# this chapter you can
#
# - train a ranker on pairs, and say what a pair costs;
# - turn any ranking into probabilities by hand, and say what this needs and what it does not;
# - say when ranking first helps, when it does not, and which of the two steps matters;
# - repair the certainty that rests on a single sample, and refute a published theorem;
# - get probabilities when only some positives are known.
#
# It takes 60 minutes, and the appendix another 15. You need AUC and hull ([chapter 1](01_classification_and_ranking.ipynb)) and the Brier
# score ([chapter 2](02_probabilities_and_calibration.ipynb)).

# %%
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import log_loss, roc_auc_score

from rocviz import (
    CombinedRegressionRanking,
    RankedSegments,
    RankingBoundDisplay,
    RankingExperimentDisplay,
    RankingLossExplorer,
    RankIsotonicClassifier,
    compare_ranking_methods,
    isotonic_loss,
    pairwise_loss,
    printed_ranking_bound,
    ranking_bound,
    ranking_bound_examples,
    simple_ranking_bound,
    simulate_capped_link,
    synthetic_ranking_experiment,
    worst_ranking,
)
from rocviz.exercises import check

# %% [markdown]
# ## 1. What a pair costs
#
# AUC is the share of pairs, one positive and one negative each, that stand in the right order. So train on pairs: for each, take the difference
# $d$ of the positive's score and the negative's. A pair with $d < 0$ is an error.
#
# The number of errors cannot be minimised by following a slope: a small step of the weights changes no count. So one uses a smooth
# **loss** that lies above the error.
#
# **Predict:** a pair is right, but only just: $d = 0.1$. Should it cost something?

# %% jupyter={"outputs_hidden": true}
d = np.linspace(-2.5, 2.5, 501)
figure, axes = plt.subplots(figsize=(7.6, 4.6), layout="constrained")
axes.plot(d, d < 0, color="#1B1F24", lw=2.5)
axes.plot(d, np.maximum(0, 1 - d) ** 2, color="#E69F00", lw=2.5, ls="--")
axes.plot(d, np.log1p(np.exp(-d)) / np.log(2), color="#CC79A7", lw=2.5, ls="-.")
axes.text(-2.4, 1.15, "error", color="#1B1F24", size=13)
axes.text(-0.62, 3.2, "squared hinge", color="#8A5F00", size=13)
axes.text(-2.4, 2.05, "logistic / ln 2", color="#A3457A", size=13)
axes.set(xlabel="d, positive's score minus negative's", ylabel="cost of the pair", ylim=(-0.1, 4))
axes.spines[["top", "right"]].set_visible(False)

# %% [markdown]
# Both curves lie above the step, so a small mean loss means an AUC near one. (The logistic loss $\ln(1 + e^{-d})$ does so once it is divided
# by $\ln 2$.) A pair that is only just right costs something as well. With the squared hinge it costs nothing from a distance of 1 on; with
# the logistic loss every pair costs something, but less and less.
#
# **Predict:** 80 positives and 120 negatives, a fifth of the pairs in the wrong order. Which of the two mean losses is larger? Is it above 0.2?

# %% jupyter={"outputs_hidden": true}
rng = np.random.default_rng(0)
y = np.arange(200) < 80
score = y + rng.normal(size=200)
hinge, _ = pairwise_loss(y, score, loss="squared_hinge")
logistic, _ = pairwise_loss(y, score, loss="logistic")
wrong = 1 - roc_auc_score(y, score)
print(f"{y.sum() * (~y).sum()} pairs, in the wrong order {wrong:.3f}")
print(f"squared hinge {hinge:.3f}, logistic / ln 2 {logistic / np.log(2):.3f}")

# %% [markdown]
# Now by hand. Two positives have the scores 2.0 and 0.5, two negatives 1.5 and -1.0. What is the squared
# hinge loss, the mean over all pairs?

# %%
answer = ...
check("hinge_by_pairs", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# import numpy as np
#
# d = np.subtract.outer([2.0, 0.5], [1.5, -1.0])
# answer = (np.maximum(1 - d, 0) ** 2).mean()
# ```
#
# </details>

# %% [markdown]
# A million samples have up to 250 billion pairs. `pairwise_loss` does not visit them one by one: it sorts the scores and keeps running
# sums.

# %% [markdown]
# ## 2. From a ranking to probabilities
#
# A ranker's scores are no probabilities. **Isotonic regression** makes probabilities of them: the rising steps with the least squared error to the
# labels. To find them, pool neighbours that stand in the wrong order, and repeat until none are left. You know the result from
# chapter 2: it is the **hull** of the ROC curve. (scikit-learn has `IsotonicRegression`.)
#
# Eight samples in increasing order of score: negative, **positive, positive, negative, positive,
# negative**, positive, positive. Which probability does isotonic regression give to the fourth?

# %%
answer = ...
check("pooled_by_hand", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# from sklearn.isotonic import IsotonicRegression
#
# answer = IsotonicRegression().fit_transform(range(8), [0, 1, 1, 0, 1, 0, 1, 1])[3]
# ```
#
# </details>

# %% [markdown]
# Isotonic regression looks at nothing but the order. Replace all scores $s$ by $e^s$, of training and of
# new samples, and fit again, with straight lines between training scores. What may change: the
# `"AUC"`, the `"probabilities of training samples"` or the `"probabilities of new samples"`?

# %%
answer = ...
check("stretched", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# import numpy as np
# from sklearn.isotonic import IsotonicRegression
#
# s, new = np.arange(8.0), np.arange(7) + 0.5
# labels = [0, 1, 1, 0, 1, 0, 1, 1]
# plain = IsotonicRegression().fit(s, labels)
# stretched = IsotonicRegression().fit(np.exp(s), labels)
# assert np.allclose(plain.predict(s), stretched.predict(np.exp(s)))  # training samples
# if not np.allclose(plain.predict(new), stretched.predict(np.exp(new))):
#     answer = "probabilities of new samples"
# ```
#
# </details>

# %% [markdown]
# These steps have the least squared error. **Predict:** somebody measures the log loss instead, or a cost in which false alarms weigh more. Should
# they fit other steps?
#
# We try 2000 other rising fits on the 200 samples from above, some of them very near to the isotonic one.

# %% jupyter={"outputs_hidden": true}
fit = IsotonicRegression().fit_transform(score, y)
order = np.argsort(score)


def threshold_loss(y, p, cost=0.8):
    """Cost of calling positive what has a probability above the threshold."""
    return np.mean(np.where(p > cost, cost * (1 - y), (1 - cost) * y))


losses = {
    "squared": lambda p: np.mean((p - y) ** 2),
    "log": lambda p: log_loss(y, p),
    "cost of alarms, threshold 0.8": lambda p: threshold_loss(y, p),
}
others = []
for _ in range(2000):
    near = fit[order] + rng.normal(scale=0.3 * rng.random(), size=200)
    other = np.empty(200)
    other[order] = np.sort(np.clip(near, 0.001, 0.999))
    others.append(other)
for name, loss in losses.items():
    best = min(loss(other) for other in others)
    print(f"{name}: isotonic {loss(fit):.4f}, best of 2000 others {best:.4f}")

# %% [markdown]
# No. **One fit is best for every proper loss**, that is, for every loss whose expectation is smallest when the true probability is reported. The
# Brier score and the log loss are proper. So a ranker has only to rank; the shape of the link from score to probability
# is found by the fit, as long as the link rises.
#
# This holds on *these* samples. New ones are another matter, see section 5.

# %% [markdown]
# ## 3. When no sigmoid fits
#
# Points in the plane. On one side of a line, the probability of being positive is $a$; on the other
# it is $1 - a$. The link from score to probability is a *step*. The best ranking is simple: by the distance to the line. But logistic
# regression can only fit a sigmoid.
#
# **Predict:** $a = 1/8$, and 1000 samples to learn from. Does logistic regression find the right
# *direction*? Where are its probabilities furthest off: near the line, or far from it?

# %% jupyter={"outputs_hidden": true}
step = RankingLossExplorer(a=0.125, panels=["links", "errors"])
step

# %% jupyter={"outputs_hidden": true}
truth = simulate_capped_link(1000, 0.125, random_state=0)


def degrees_off(model):
    w = model.coef_[0]
    return np.degrees(np.arccos(w @ truth.direction / np.linalg.norm(w)))


plain = CombinedRegressionRanking(mix=1.0).fit(truth.X, truth.y_true)  # logistic regression
ranker = RankIsotonicClassifier(calibration="isotonic").fit(truth.X, truth.y_true)
new = simulate_capped_link(10_000, 0.125, random_state=1)
distance = new.X @ new.direction
for name, model in {"logistic": plain, "rank + isotonic": ranker}.items():
    p = model.predict_proba(new.X)[:, 1]
    near = np.abs(distance) < 0.5
    error = (p - new.true_prob) ** 2
    print(
        f"{name}: {degrees_off(model):.1f} degrees off, mean squared error {error.mean():.4f}",
        f"(near the line {error[near].mean():.4f}, far {error[~near].mean():.4f})",
    )

# %% [markdown]
# The direction is right to about a degree: **logistic regression ranks well, but its probabilities are wrong**. Near the line they are too close
# to one half, and far away too close to 0 and 1.
#
# Now drag $a$ in either picture, or the slider *floor a of the truth*. **Predict:** at which end do
# logistic and isotonic agree, at $a = 1/2$ or at $a$ near 0? Then choose *a sigmoid: logistic regression is right*
# under *other data*. Which of the two has the larger error now?

# %% jupyter={"outputs_hidden": true}
for step.a in (2.0**-9, 0.125, 0.5):
    said = ", ".join(f"{name} {error:.4f}" for name, error in step.result.errors.items())
    print(f"step, a = {step.a:.3f}: {said}")
step.preset = "a sigmoid: logistic regression is right"
said = ", ".join(f"{name} {error:.4f}" for name, error in step.result.errors.items())
print(f"sigmoid: {said}")
step.preset = "the paper's step"

# %% [markdown]
# ## 4. Which of the two steps matters?
#
# The method has two steps: rank on pairs, then fit isotonic regression. Which of them helps? There is a way in between: train logistic
# regression, keep only the order of its scores, and fit isotonic regression to that.
#
# **Predict:** which has the smaller error to the true probability, isotonic regression on the scores of logistic regression or on those
# of the ranker? Is the difference large? (The cell takes a few seconds.)

# %% jupyter={"outputs_hidden": true}
three = ["logistic", "logistic + isotonic", "rank + isotonic"]
done = synthetic_ranking_experiment(n_repeats=20, methods=three, random_state=0)
shown = RankingExperimentDisplay(done).plot()


# %% jupyter={"outputs_hidden": true}
def thousandths(done):
    for a, errors, spread in zip(done.a, done.error, done.standard_error, strict=True):
        said = zip(done.methods, 1000 * errors, 1000 * spread, strict=True)
        print(f"a = 1/{1 / a:<4.0f}", "; ".join(f"{m} {e:5.1f} ± {s:.1f}" for m, e, s in said))


thousandths(done)

# %% [markdown]
# - **Isotonic regression matters most.** Except at $a = 1/2$ it takes away most of the error of logistic regression, whichever model ranked.
# - Ranking first is a little *worse* here. Few of the pairs tell where the line is: most have both points far from it.
# - At $a = 1/2$ there is nothing to learn, and the freedom of isotonic regression costs something.
#
# The paper finds ranking first slightly *better*. **Predict:** what happens with a strong penalty on the weights, 0.1 instead of 0.0001?

# %% jupyter={"outputs_hidden": true}
for loss in ("logistic", "squared_hinge"):
    print(f"penalty 0.1, {loss} loss of a pair")
    strong = synthetic_ranking_experiment(
        [2**-9, 2**-7], n_repeats=20, methods=three, alpha=0.1, loss=loss, random_state=0
    )
    thousandths(strong)

# %% [markdown]
# Now plain logistic regression is far off: the penalty makes its sigmoid flat. Isotonic regression does not depend on that, since a flat
# sigmoid keeps the order. And ranking first is level or a little ahead, more so with the squared hinge. With 100 repetitions (see the
# [documentation](https://github.com/rocviz/rocviz/blob/main/docs/ranking_loss.md)) the error at $a = 1/128$ is 5.5 thousandths for logistic +
# isotonic, and 5.4 and 4.7 for the two losses of a pair; with the weak penalty it is 3.0 and 5.4.
#
# So **calibrate. Whether you rank first matters little, and what it gains depends on the penalty.** In your own work compare both.

# %% [markdown]
# ## 5. Certainty from a single sample
#
# Suppose the highest training score belongs to one positive. Isotonic regression says 1 there, and it says 1 of every larger score to come. This is
# what happened to Leila.
#
# **Predict:** with 60 training samples, and a true probability that is never above 0.93, which share of new samples is called "certainly positive" or
# "certainly negative"?

# %% jupyter={"outputs_hidden": true}
gap = RankingLossExplorer(panels=["links", "samples"])
gap.preset = "the gap at the top"
gap

# %% jupyter={"outputs_hidden": true}
few, many = (
    simulate_capped_link(n, gap.a, link=gap.link, random_state=seed)
    for n, seed in ((gap.n_samples, gap.seed), (10_000, 1))
)
print(
    f"true probabilities of new samples: {many.true_prob.min():.2f} to {many.true_prob.max():.2f}"
)
for calibration in ("isotonic", "laplace-hull"):
    model = RankIsotonicClassifier(calibration=calibration).fit(few.X, few.y_true)
    p = model.predict_proba(many.X)[:, 1]
    top = model.segments_.hull()
    print(
        f"{calibration}: from {p.min():.2f} to {p.max():.2f},",
        f"certain of {np.mean((p == 0) | (p == 1)):.1%},",
        f"squared error to the truth {np.mean((p - many.true_prob) ** 2):.4f},",
        f"log loss {log_loss(many.y_true, p):.2f}",
    )
print(f"samples on the top step: {top.n[0]:.0f}")

# %% [markdown]
# (The log loss of a certainty that is wrong is infinite; scikit-learn replaces 0 and 1 by numbers very near to them.)
#
# You know the repair: Laplace's correction of chapter 2, one positive and one negative more in each step. But it moves a small step further than a
# large one, so two steps may change their order. Then they are pooled, with the samples that were added. Under *other data*, choose the
# situation *the gap, repaired*. (Where there are plenty of samples the correction changes nothing; the appendix tries it.)
#
# Steps of an isotonic fit, highest first: one positive; 8 positives and 2 negatives; 9 negatives. What
# does `calibration="laplace-hull"` say above the highest score?

# %%
answer = ...
check("top_pulled", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# # (1 + 1) / (1 + 2) is below (8 + 1) / (10 + 2), so both steps are pooled
# answer = (1 + 1 + 8 + 1) / (1 + 2 + 10 + 2)
# ```
#
# </details>

# %% [markdown]
# ## 6. A theorem that is false as printed
#
# A good ranking can be calibrated well. How well? The paper gives a theorem: with AUC $A$ and a share
# $\pi$ of positives, the squared loss after isotonic regression, on the same data, is at most
#
# $$\frac{1}{2} \sqrt{\pi (1 - \pi)(1 - A)}$$
#
# **Predict:** is it true? Try four samples: in increasing order of score their labels are 1, 0, 1, 0.
# Pool them in your head. What is the squared loss?

# %% jupyter={"outputs_hidden": true}
four = RankedSegments.from_scores([1, 0, 1, 0], [1, 2, 3, 4])
print(f"AUC {four.auc}, loss {isotonic_loss(four)}")
print(f"printed bound {printed_ranking_bound(four.auc, 0.5):.4f}")

# %% [markdown]
# The loss is 0.25 and the "bound" 0.2165, so the theorem is **false as printed**. One may object that this ranking is worse than a coin, and
# nobody would use it. So look for a better counterexample: a ranking of at most
# eight samples with an AUC of **at least one half**. Give its labels in increasing order of score.
# Any right one will do.

# %%
answer = ...
check("refuted", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# from itertools import product
# from rocviz import RankedSegments, isotonic_loss, printed_ranking_bound
#
#
# def refutes(labels):
#     if len(set(labels)) < 2:
#         return False
#     ranking = RankedSegments.from_scores(labels, range(len(labels)))
#     printed = printed_ranking_bound(ranking.auc, ranking.prevalence)
#     return ranking.auc >= 0.5 and isotonic_loss(ranking) > printed + 1e-9
#
#
# answer = next(labels for labels in product((0, 1), repeat=5) if refutes(labels))
# ```
#
# </details>

# %% [markdown]
# What went wrong? The proof assumes that all pairs in the wrong order come from one block: some positives all below some negatives. Errors that are
# spread evenly lose more. The worst of all (for equal classes, at AUC 5/6) is a *calibrated* model whose probabilities take every value from 0
# to 1 equally often. With $\sqrt{2/3}$ in place of $\frac{1}{2}$ the bound holds, and this
# model reaches it.

# %% jupyter={"outputs_hidden": true}
for example in ranking_bound_examples():
    print(
        f"{example.name}: AUC {example.auc:.4f}, loss {example.loss:.4f},",
        f"printed {example.printed_bound:.4f}, largest {example.bound:.4f}",
    )
bounds = RankingBoundDisplay().plot()

# %% [markdown]
# The dotted curve is the formula with $\sqrt{2/3}$. It is a bound everywhere, but not the best one: for a
# low AUC it promises less than predicting the prevalence would, which loses $\pi(1 - \pi)$. The solid
# curve is the **largest loss there is**, for every AUC (the page *Accurate probabilities from a ranking
# loss* of the documentation proves it). From the ring on to the right, both are one.
#
# Counterexamples are not exotic. **Predict:** two classes of normal scores, one standard deviation apart. Is the loss above the printed bound or
# below?

# %% jupyter={"outputs_hidden": true}
y_half = np.arange(400) < 200
ordinary = RankedSegments.from_scores(y_half, y_half + rng.normal(size=400))
print(f"AUC {ordinary.auc:.3f}, loss {isotonic_loss(ordinary):.3f}")
print(f"printed {printed_ranking_bound(ordinary.auc, 0.5):.3f}")
print(
    f"largest {ranking_bound(ordinary.auc, 0.5):.3f}, simple {simple_ranking_bound(ordinary.auc, 0.5):.3f}"
)

# %% [markdown]
# Above. An ordinary classifier is enough to refute the printed bound.
#
# A theorem in a good paper can be wrong, and **a few lines of code find out**: try all small cases before you rely on it. The idea survives: as
# $A$ tends to 1, the loss tends to 0, but only like a square root.

# %% [markdown]
# ## 7. Real data
#
# The tumours of chapter 2, thirty measurements each, malignant being positive. There are two settings (a third follows below), with 20 random
# splits each.
#
# **Predict** for each: which has the smallest error, `logistic`, `logistic + isotonic` or `rank + isotonic`? By how many standard errors? (The
# cell takes some seconds.)

# %% jupyter={"outputs_hidden": true}
X, benign = load_breast_cancer(return_X_y=True)
malignant = 1 - benign
four_methods = [*three, "combined"]


def compare(**how):
    done = compare_ranking_methods(
        X, malignant, methods=four_methods, n_repeats=20, alpha=1e-3, random_state=0, **how
    )
    print(f"{done.setting}: {done.test_prevalence:.0%} of the test samples are positive")
    for k, method in enumerate(done.methods):
        print(
            f"  {method:20} squared error {1000 * done.mse[k]:5.1f} ± {1000 * done.mse_error[k]:.1f}",
            f"thousandths, AUC {done.auc[k]:.4f} ± {done.auc_error[k]:.4f}",
        )
    return done


complete = compare()
rare = compare(setting="imbalanced")
print(f"({round(0.05 / 0.95 * benign.sum())} positives in all)")
# %% [markdown]
# Logistic regression is as good as any (`combined` trains on labels and on pairs at once; see the appendix). **Where a sigmoid fits, isotonic regression
# has nothing to repair and costs a little.** With 5 % positives each of its steps rests on a handful of tumours, and the differences are smaller than
# their standard errors. This does not contradict section 3, whose data were made so that no sigmoid fits.

# %% [markdown]
# ## 8. Positives without a label
#
# Leila knows *some* frauds, those that were found. All other claims are **unlabelled**: most are honest, some are frauds that nobody found. A
# classifier can learn to tell labelled from unlabelled. What it learns is $g$, the probability of a *label*.
#
# If the labelled are a random part $c$ of the positives, then $g = c \, p$ (Elkan and Noto, 2008). So
# $p = g / c$; and $c$ can be measured as the mean of $g$ over labelled samples that were held out.
#
# **Predict:** what does the correction change: the AUC, the squared error, or both?

# %% jupyter={"outputs_hidden": true}
for correction in ("none", "all"):
    print("g as it is" if correction == "none" else "g / c")
    hidden = compare(setting="positive-unlabelled", correction=correction)
n_pos = malignant.sum()
n_labelled = round(0.3 * n_pos)
true_c = n_labelled / (n_labelled + 0.8 * (n_pos - n_labelled))
print(f"c is {true_c:.3f}; estimates {hidden.label_frequency.min():.3f}", end=" ")
print(f"to {hidden.label_frequency.max():.3f}")

# %% [markdown]
# The AUC stays, since dividing by a constant keeps the order; the error is about halved. But the estimate of $c$ is too small: it is right only
# if every positive is *certain*, and these classes overlap.
#
# $g / c$ is for a case of which nothing is known. If you know that it has no label, this is evidence against it. A quarter of the positives are
# labelled, $c = 0.25$. A classifier says $g = 0.2$ of a case, which turns out to be unlabelled. With which probability is it
# positive?

# %%
answer = ...
check("unlabelled_case", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# # of 100 such cases 20 have a label, so 80 are positive, and 60 of the 80 unlabelled ones are
# answer = 60 / 80
# ```
#
# </details>

# %% [markdown]
# `correction="unlabelled"` does this, and the test samples here are all unlabelled. **Predict:** does the formula that is made for them do
# better?

# %% jupyter={"outputs_hidden": true}
fitting = compare(setting="positive-unlabelled", correction="unlabelled")

# %% [markdown]
# Not here: it depends more strongly on $c$, and the estimate of $c$ is too small. The right formula with a wrong number may do worse than the wrong
# formula. Leila's order depends on none of this: to know *which claim to look at first*, no $c$ is needed.

# %% [markdown]
# ## What to take home
#
# - Squared hinge and logistic loss lie above 1 − AUC, so they can be minimised in its place. With the squared hinge a pair costs nothing once it is
#   right by a margin; with the logistic loss it always costs something.
# - Isotonic regression looks at the order only, and its fit is the best for every proper loss on its own samples.
# - Where the link is no sigmoid, logistic regression may rank well and give wrong probabilities. Isotonic regression on *its* scores repairs most
#   of that; ranking first adds something under strong penalties only. Where a sigmoid fits, logistic regression alone is enough.
# - A single sample at the top makes no certainty: use `calibration="laplace-hull"`.
# - A good AUC promises a small loss, at most $\sqrt{\frac{2}{3} \pi (1 - \pi)(1 - A)}$. The printed $\frac{1}{2}$ is false.
# - With unlabelled positives the probability is $g / c$; the estimate of $c$ is too small where classes overlap, and cases known to be unlabelled
#   need another formula.
#
# Where to read on: the page *Accurate probabilities from a ranking loss* of the
# [documentation](https://github.com/rocviz/rocviz/blob/main/docs/ranking_loss.md).
#
# ## The whole course, on one page
#
# A model decides, orders, or says how sure it is. Every chapter was a way from one of these to another.
#
# | from | to | how | chapter |
# |---|---|---|---|
# | scores | ranking | ROC curve, its hull | [1](01_classification_and_ranking.ipynb) |
# | scores | probabilities | the hull's slopes, the Brier score taken apart | [2](02_probabilities_and_calibration.ipynb) |
# | an AUC | probabilities | the law that assumes nothing else | [3](03_fermi_dirac.ipynb) |
# | many rankings | one | add up the evidence of ranks | [4](04_fidel.ipynb) |
# | a few questions | a probability, and when to stop | points and totals | [5](05_scoring_lists.ipynb), [6](06_scoring_lists_from_data.ipynb) |
# | probabilities | decisions | the top $k$ of the batch, for the metric that counts | [7](07_decisions.ipynb) |
# | an order of attributes | ranking, probabilities | like a dictionary, then the hull | [8](08_lexicographic_rankers.ipynb) |
# | pairs | ranking, probabilities | rank first, then isotonic regression | 9 |
# | all of these | a decision | one data set, and the reader decides | [10](10_one_data_set.ipynb) |
#
# Four things came back again and again:
#
# - **Order and size are different things.** Stretching scores changes no ranking, and it changes every probability.
# - **Calibrate on samples you do not judge by**, and correct small counts.
# - **Say how sure you are of a number**: give an interval or a standard error, and try another seed.
# - **Recompute what is printed.** Formulas, tables and theorems of good papers had slips in them:
#   [what we found](https://github.com/rocviz/rocviz/blob/main/docs/what_we_found.md).
#
# On to [chapter 10](10_one_data_set.ipynb), where you decide. Back to the [start](00_start_here.ipynb).

# %% [markdown]
# ## Appendix
#
# Nothing in the chapter needs these sections.

# %% [markdown]
# ### Both losses at once
#
# Sculley (2010) mixes: a share $\mu$ of the regression loss, the rest of the pairwise one, in one
# linear model. No isotonic regression follows. `CombinedRegressionRanking` does that.
#
# **Predict:** on the step of section 3, which mixture is nearest to the truth: all regression
# ($\mu = 1$), half and half, or all pairs ($\mu = 0$)? And does one come near to isotonic
# regression?

# %% jupyter={"outputs_hidden": true}
for mix in (1.0, 0.75, 0.5, 0.25, 0.0):
    model = CombinedRegressionRanking(mix).fit(truth.X, truth.y_true)
    error = np.mean((model.predict_proba(new.X)[:, 1] - new.true_prob) ** 2)
    print(f"mix {mix:.2f}: {degrees_off(model):.2f} degrees off, squared error {error:.4f}")
error = np.mean((ranker.predict_proba(new.X)[:, 1] - new.true_prob) ** 2)
print(f"rank + isotonic: squared error {error:.4f}")

# %% [markdown]
# They are all alike. Whatever the mixture, the link is *one sigmoid*, which does not fit here. The mixture changes the direction a little, and how
# steep the sigmoid is.

# %% [markdown]
# ### What the repair costs
#
# The repair of section 5 assumes that certainty is rare. **Predict:** where labels *are* nearly certain, $a = 1/512$, and samples plenty, does it hurt?

# %% jupyter={"outputs_hidden": true}
for calibration in ("isotonic", "laplace-hull"):
    print(calibration)
    thousandths(
        synthetic_ranking_experiment(
            [2**-9], n_repeats=20, methods=three[1:], calibration=calibration, random_state=0
        )
    )

# %% [markdown]
# Hardly. Two samples more in a step of hundreds are nothing.

# %% [markdown]
# ### The largest loss there is
#
# **Predict:** with 20 % positives and AUC 0.8, can the loss come within a thousandth of the solid curve of section 6?

# %% jupyter={"outputs_hidden": true}
worst = worst_ranking(0.8, 0.2)
print(f"AUC {worst.auc:.4f}, loss {isotonic_loss(worst):.4f}")
print(f"largest {ranking_bound(0.8, 0.2):.4f}, simple {simple_ranking_bound(0.8, 0.2):.4f}")

# %% [markdown]
# It can: `worst_ranking` constructs it.
#
# ### For those who read the paper
#
# Its equation 4 counts a pair as right when the positive scores *at least* as high. **Predict** the AUC of a ranking that ties all samples, counted
# that way. What would a bound say that is 0 at AUC 1?

# %% jupyter={"outputs_hidden": true}
tied, labels = np.zeros(10), np.arange(10) < 5
print("AUC, ties right:", (tied[labels][:, None] >= tied[~labels]).mean())
print("AUC, ties one half:", RankedSegments.from_scores(labels, tied).auc)
print("loss:", isotonic_loss(RankedSegments.from_scores(labels, tied)))

# %% [markdown]
# ## Sources
#
# Where each was published stands in the [bibliography](https://github.com/rocviz/rocviz/blob/main/CITATION.cff).
#
# - Menon et al. (2012). *Predicting accurate probabilities with a ranking loss.* The method, the
#   step, the bound that section 7 corrects, and the setting with unlabelled positives.
# - Sculley (2010). *Combined regression and ranking.*
# - Elkan and Noto (2008). *Learning classifiers from only positive and unlabeled data.*
# - Flach and Matsubara (2008). *On classification, ranking, and probability estimation.* The
#   hull, and the correction.
# - Zadrozny and Elkan (2002). *Transforming classifier scores into accurate multiclass
#   probability estimates.* Isotonic regression on the scores of a classifier.

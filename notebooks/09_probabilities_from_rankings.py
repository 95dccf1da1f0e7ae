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
# A model has two jobs. It should put positives above negatives, and it should say with which
# probability a sample is positive. Logistic regression does both at once, with one curve. What if
# the curve is wrong? Menon et al. (2012) do one job after the other: **learn to rank, then turn
# the ranking into probabilities**.
#
# At the end you can
#
# - train a ranker on pairs, and say what a pair costs;
# - turn any ranking into probabilities by hand, and say what this needs and what it does not;
# - say when ranking first helps, when it does not, and who does the work;
# - repair the certainty that comes from a single sample, and refute a published theorem;
# - get probabilities when only some positives are known.
#
# You need AUC and hull ([chapter 1](01_classification_and_ranking.ipynb)) and the Brier score ([chapter
# 2](02_probabilities_and_calibration.ipynb)). This
# is the last chapter; the end looks back at all of them.

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
# AUC is the share of pairs, one positive and one negative each, that stand in the right order. So
# train on pairs: for each, take the difference $d$ of the positive's score and the negative's. A
# pair with $d < 0$ is an error.
#
# Errors cannot be trained on: a small step of the weights changes no count, so there is no slope to
# follow. One takes a smooth price that lies above the error.
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
# Both curves lie above the steps, so a small mean cost means an AUC near one. (The logistic loss
# $\ln(1 + e^{-d})$ does so once it is divided by $\ln 2$.) And both ask a pair for some *distance*:
# who is only just right may be wrong next time.

# %%
rng = np.random.default_rng(0)
y = np.arange(200) < 80
score = y + rng.normal(size=200)
hinge, _ = pairwise_loss(y, score, loss="squared_hinge")
logistic, _ = pairwise_loss(y, score, loss="logistic")
wrong = 1 - roc_auc_score(y, score)
print(f"{y.sum() * (~y).sum()} pairs, in the wrong order {wrong:.3f}")
print(f"squared hinge {hinge:.3f}, logistic / ln 2 {logistic / np.log(2):.3f}")

# %% [markdown]
# By hand: two positives have the scores 2.0 and 0.5, two negatives 1.5 and -1.0. What is the squared
# hinge loss, the mean over all pairs?

# %%
answer = ...
check("hinge_by_pairs", answer)

# %% [markdown]
# A million samples have up to 250 billion pairs. `pairwise_loss` counts each one and visits
# none: it sorts, and keeps running sums.

# %% [markdown]
# ## 2. From a ranking to probabilities
#
# A ranker's scores are no probabilities. **Isotonic regression** makes some: the rising steps with
# the least squared error to the labels. Pool neighbours that stand in the wrong order; look again.
# You know the result from chapter 2: it is the **hull** of the ROC curve.
#
# Eight samples in increasing order of score: negative, **positive, positive, negative, positive,
# negative**, positive, positive. Which probability does isotonic regression give to the fourth?

# %%
answer = ...
check("pooled_by_hand", answer)

# %% [markdown]
# It looks at nothing but the order. **Predict:** replace all scores $s$ by $e^s$, of training and of
# new samples, and fit again, with straight lines between training scores. What may change: the
# `"AUC"`, the `"probabilities of training samples"` or the `"probabilities of new samples"`?

# %%
answer = ...
check("stretched", answer)

# %% [markdown]
# Steps that are best by squared error: are they best by other measures? **Predict:** somebody minds
# the log loss. Or a loss for which false alarms are what hurts. Should they fit other steps?
#
# We try 2000 other fits that rise, on the 200 samples from above, some of them very near to the
# isotonic one.

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
# No. **One fit is best for every proper loss**, that is every loss that an honest probability
# minimises. Therefore rankers have one job only, to rank; what the link from score to probability
# looks like, the fit finds out by itself, as long as it rises.
#
# Best on *these* samples, that is. New ones are another matter, see section 5.

# %% [markdown]
# ## 3. When no sigmoid fits
#
# Points in the plane. On one side of a line, the probability of being positive is $a$; on the other
# it is $1 - a$. Labels are noisy, and the link from score to probability is a *step*. The best
# ranking is simple: by the distance to the line. But logistic regression has only sigmoids.
#
# **Predict:** $a = 1/8$, and 1000 samples to learn from. Does logistic regression find the right
# *direction*? Where are its probabilities furthest off: near the line, or far from it? (Two more
# pictures join in section 5.)

# %% jupyter={"outputs_hidden": true}
step = RankingLossExplorer(a=0.125, panels=["links", "errors"])
step

# %% jupyter={"outputs_hidden": true}
truth = simulate_capped_link(1000, 0.125, random_state=0)


def degrees_off(model):
    w = model.coef_[0]
    return np.degrees(np.arccos(w @ truth.direction / np.linalg.norm(w)))


plain = CombinedRegressionRanking(mix=1.0).fit(truth.X, truth.y_true)  # logistic regression
ranker = RankIsotonicClassifier().fit(truth.X, truth.y_true)
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
# The direction is right to about a degree: **logistic regression ranks well and says the wrong
# numbers**. Near the line it is too timid, and far away it is too sure.
#
# Now drag $a$ in either picture, or the slider *floor a of the truth*. **Predict:** at which end do
# logistic and isotonic agree, at $a = 1/2$ or at $a$ near 0? Then choose *a sigmoid: logistic regression is right*
# under *other data*. Who pays now?

# %% jupyter={"outputs_hidden": true}
for step.a in (2.0**-9, 0.125, 0.5):
    said = ", ".join(f"{name} {error:.4f}" for name, error in step.result.errors.items())
    print(f"step, a = {step.a:.3f}: {said}")
step.preset = "a sigmoid: logistic regression is right"
said = ", ".join(f"{name} {error:.4f}" for name, error in step.result.errors.items())
print(f"sigmoid: {said}")
step.preset = "the paper's step"

# %% [markdown]
# ## 4. Who does the work?
#
# The method has two parts: rank first, and isotonic regression. Which of them helps? There is a way
# in between: train logistic regression, throw its probabilities away, keep its *scores*, and put
# isotonic regression on those.
#
# **Predict:** who has the smaller error to the true probability: isotonic regression on the scores of
# logistic regression, or on those of the ranker? Is the difference large?

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
# - **Isotonic regression does most of the work.** In between, it takes away most of the error of
#   logistic regression, whoever ranked.
# - Ranking first comes out a little *behind* here. Among all pairs, few tell where the line is:
#   most have both points far from it.
# - At $a = 1/2$ there is nothing to learn, and freedom costs something.
#
# The paper finds ranking first slightly *ahead*. Were they wrong? **Predict:** what happens with a
# strong penalty on the weights, 0.1 in place of 0.0001?

# %% jupyter={"outputs_hidden": true}
for loss in ("logistic", "squared_hinge"):
    print(f"penalty 0.1, {loss} loss of a pair")
    strong = synthetic_ranking_experiment(
        [2**-9, 2**-7], n_repeats=20, methods=three, alpha=0.1, loss=loss, random_state=0
    )
    thousandths(strong)

# %% [markdown]
# Now plain logistic regression is far off: its sigmoid has been pressed flat. Isotonic regression
# does not care, since flat or steep is not order. And ranking first is level or a little ahead, more
# so with the squared hinge. With 100 repetitions (see the
# [documentation](https://github.com/rocviz/rocviz/blob/main/docs/ranking_loss.md)) it is 5.5 for
# logistic + isotonic at $a = 1/128$, and 5.4 and 4.7 for both losses of a pair; with the weak penalty
# 3.0 and 5.4, the other way round.
#
# So, honestly: **calibrate; whether you rank first matters little, and its gain depends on the
# penalty.** In your own work compare both.

# %% [markdown]
# ## 5. The gap at the top
#
# Suppose the highest training score belongs to one positive. Isotonic regression says 1 there. And for
# every larger score to come, also 1. One sample, and it is certain for ever.
#
# **Predict:** with 60 training samples, and a true probability that never gets near 1, which share
# of new samples is told "certainly positive" or "certainly negative"? (From here on there are four
# pictures; *what an AUC allows* is for section 7.)

# %% jupyter={"outputs_hidden": true}
gap = RankingLossExplorer()
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
# (The log loss of being certain and wrong is infinite; scikit-learn replaces 0 and 1 by numbers very
# near to them.)
#
# The repair is one you know: Laplace's correction of chapter 2, one positive and one negative more in
# each step. But a small step is pulled further than a large one, so two steps may change order. Then
# they are pooled, with the samples that were added. Under *other data*, choose the
# situation *the gap, repaired*.
#
# Steps of an isotonic fit, highest first: one positive; 8 positives and 2 negatives; 9 negatives. What
# does `calibration="laplace-hull"` say above the highest score?

# %%
answer = ...
check("top_pulled", answer)

# %% [markdown]
# Not free of charge: the repair believes that certainty is rare. **Predict:** where labels *are*
# nearly certain, $a = 1/512$, and samples plenty, does it hurt?

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
# ## 6. Both losses at once
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
# They are all alike. Whatever the mixture, the link is *one sigmoid*, and that was the trouble. The
# mixture changes the direction a little, and how steep the sigmoid is. Whether that helps on real
# data is for section 8.

# %% [markdown]
# ## 7. A theorem, and what became of it
#
# Who ranks well can be calibrated well. How well? The paper gives a theorem: with AUC $A$ and a share
# $\pi$ of positives, the squared loss after isotonic regression, on the same data, is at most
#
# $$\frac{1}{2} \sqrt{\pi (1 - \pi)(1 - A)}$$
#
# **Predict:** is it true? Try four samples: in increasing order of score their labels are 1, 0, 1, 0.
# Pool them in your head. What is the loss?

# %% jupyter={"outputs_hidden": true}
four = RankedSegments.from_scores([1, 0, 1, 0], [1, 2, 3, 4])
print(f"AUC {four.auc}, loss {isotonic_loss(four)}")
print(f"printed bound {printed_ranking_bound(four.auc, 0.5):.4f}")

# %% [markdown]
# A loss of 0.25 against a "bound" of 0.2165: **false as printed**. One may say that this ranking is worse
# than a coin, and nobody would use it. So look for a better counterexample: a ranking of at most
# eight samples with an AUC of **at least one half**. Give its labels in increasing order of score.
# Any right one will do.

# %%
answer = ...
check("refuted", answer)

# %% [markdown]
# What went wrong? The proof takes it that all pairs in the wrong order come from one block: some
# positives all below some negatives. One can lose more by spreading errors evenly. The worst of all
# (for equal classes, at AUC 5/6) is a *calibrated* model whose probabilities take every value from 0
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
# **Predict:** with 20 % positives and AUC 0.8, can the loss come within a thousandth of the solid curve?

# %% jupyter={"outputs_hidden": true}
worst = worst_ranking(0.8, 0.2)
print(f"AUC {worst.auc:.4f}, loss {isotonic_loss(worst):.4f}")
print(f"largest {ranking_bound(0.8, 0.2):.4f}, simple {simple_ranking_bound(0.8, 0.2):.4f}")

# %% [markdown]
# It can: someone has to be the worst, and here it is. One more trap: the paper's equation 4 counts a pair
# as right when the positive scores *at least* as high. **Predict** the AUC of a ranking that ties
# everybody, counted that way. What would a bound say that is 0 at AUC 1?

# %% jupyter={"outputs_hidden": true}
tied, labels = np.zeros(10), np.arange(10) < 5
print("AUC, ties right:", (tied[labels][:, None] >= tied[~labels]).mean())
print("AUC, ties one half:", RankedSegments.from_scores(labels, tied).auc)
print("loss:", isotonic_loss(RankedSegments.from_scores(labels, tied)))

# %% [markdown]
# Counterexamples are not always exotic. **Predict:** two classes of normal scores, one standard
# deviation apart. Above the printed curve or below?

# %% jupyter={"outputs_hidden": true}
y_half = np.arange(400) < 200
ordinary = RankedSegments.from_scores(y_half, y_half + rng.normal(size=400))
print(f"AUC {ordinary.auc:.3f}, loss {isotonic_loss(ordinary):.3f}")
print(f"printed {printed_ranking_bound(ordinary.auc, 0.5):.3f}")
print(
    f"largest {ranking_bound(ordinary.auc, 0.5):.3f}, simple {simple_ranking_bound(ordinary.auc, 0.5):.3f}"
)

# %% [markdown]
# Above. An ordinary classifier is enough to refute it.
#
# Two things to keep. A theorem in a good paper can be wrong, and **a few lines of code find out**: go
# through all small cases before you believe. And the idea survives: as $A$ tends to 1, the loss tends
# to 0. Only, slowly, with a square root.

# %% [markdown]
# ## 8. Real data
#
# The tumours of chapter 2, thirty measurements each, malignant being positive. Three settings, 20
# random splits each.
#
# **Predict** for each: who wins, `logistic`, `logistic + isotonic` or `rank + isotonic`? By how many
# standard errors?

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
# Logistic regression, and the mixture, are as good as any. **Where a sigmoid fits, freedom has
# nothing to repair and costs a little.** With 5 % positives each isotonic step rests on a
# handful, and differences drown in the standard errors. It is no contradiction to section 3: there we
# had built a world without sigmoids.

# %% [markdown]
# ### Positives without a label
#
# Often one knows *some* positives and nothing else: patients who were diagnosed, papers somebody has
# marked. All others are **unlabelled**, positive or not. Train a classifier to tell labelled from
# unlabelled. It learns $g$, the probability of a *label*.
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
# The AUC stays, as dividing by a constant keeps the order; the error is about halved. But $c$ comes out too
# small: its estimate is right only if every positive is *certain*, and these classes overlap.
#
# And mind *whom* you ask about: $g / c$ is for a case of which nothing is known. If you know that it
# has no label, that is news. A quarter of the positives are labelled, $c = 0.25$. A classifier says
# $g = 0.2$ of a case, which turns out to be unlabelled. With which probability is it positive?

# %%
answer = ...
check("unlabelled_case", answer)

# %% [markdown]
# `correction="unlabelled"` does this, and the test samples here are all unlabelled. **Predict:** does
# the formula that fits do better?

# %% jupyter={"outputs_hidden": true}
fitting = compare(setting="positive-unlabelled", correction="unlabelled")

# %% [markdown]
# Not here: it divides by $c$ in a place where too small a $c$ hurts more. The right formula with a wrong
# number may lose to the wrong formula. Ranks suffer from none of this: if you only need to know
# *whom to look at first*, no $c$ is needed at all.

# %% [markdown]
# ## What to take home
#
# - A pair costs something unless it is right by a margin. Squared hinge and logistic loss lie above
#   1 - AUC, and all pairs can be counted without visiting them.
# - Isotonic regression looks at the order only, and its fit is the best for every proper loss.
# - Where the link is no sigmoid, logistic regression may rank well and say wrong numbers. Isotonic
#   regression on *its* scores repairs most of that; ranking first adds something under strong
#   penalties only. Where a sigmoid fits, leave it alone.
# - One sample at the top is no certainty. `calibration="laplace-hull"`.
# - A good AUC promises a small loss, by $\sqrt{\frac{2}{3} \pi (1 - \pi)(1 - A)}$. The printed
#   $\frac{1}{2}$ is false.
# - With positives unlabelled: $g / c$, a $c$ that is too small where classes overlap, and another
#   formula for those known to be unlabelled.
#
# ## The whole course, on one page
#
# **Classification, ranking and probability are three questions to one model**, and every chapter was
# a way from one to another.
#
# | from | to | how | chapter |
# |---|---|---|---|
# | scores | ranking | ROC curve, its hull | [1](01_classification_and_ranking.ipynb) |
# | scores | probabilities | the hull's slopes, the Brier score taken apart | [2](02_probabilities_and_calibration.ipynb) |
# | an AUC | probabilities | the law that adds no other knowledge | [3](03_fermi_dirac.ipynb) |
# | many rankings | one | add up the evidence of ranks | [4](04_fidel.ipynb) |
# | a few questions | a probability, and when to stop | points and totals | [5](05_scoring_lists.ipynb), [6](06_scoring_lists_from_data.ipynb) |
# | probabilities | decisions | the top $k$ of the batch, for the metric that counts | [7](07_decisions.ipynb) |
# | an order of attributes | ranking, probabilities | like a dictionary, then the hull | [8](08_lexicographic_rankers.ipynb) |
# | pairs | ranking, probabilities | rank first, then isotonic regression | 9 |
#
# Four things came back again and again:
#
# - **Order and size are different things.** Stretching scores changes no ranking; calibrating hardly
#   changes one either, and changes every number.
# - **Calibrate on samples you do not judge by**, and correct small counts.
# - **Say how sure you are of the number itself**: an interval, a standard error, another seed.
# - **Recompute what is printed.** Formulas, tables and theorems of good papers had slips in them:
#   [what we found](https://github.com/rocviz/rocviz/blob/main/docs/what_we_found.md).
#
# That was the course. Take data of your own: every explorer opens on them in one line. Back to the
# [start](00_start_here.ipynb).
#
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

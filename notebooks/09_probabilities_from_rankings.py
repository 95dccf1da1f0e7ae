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
# Leila examines insurance claims. She starts with the most suspicious ones, so she has trained a model only to *rank* sixty claims
# that had been examined already. It ranks well. Now she must decide which claims go to the lawyers, and they want to know **how probable**
# fraud is. The usual tool, isotonic regression, turns her ranking into probabilities. It takes about **one new claim in nine**
# for *certainly* fraudulent or *certainly* honest, although every true probability lies between 9 % and 93 %. What should she tell the
# lawyers?
#
# Menon et al. (2012) proposed to take two steps: **learn to rank, then turn the ranking into probabilities**. At the end of
# this chapter you can
#
# - train a ranker on pairs, and say which loss a pair contributes;
# - turn any ranking into probabilities by hand, and say what this uses of the scores;
# - say when ranking first helps, and which of the two steps matters more;
# - correct a certainty that rests on a single sample;
# - check a published theorem by trying small cases;
# - estimate probabilities when only some positives are known.
#
# Allow about **60 minutes**, and another 10 for section 8, which may be left out; the appendix takes 20. You need AUC and hull ([chapter
# 1](01_classification_and_ranking.ipynb)) and the Brier score ([chapter 2](02_probabilities_and_calibration.ipynb)).

# %%
from functools import partial

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import log_loss, roc_auc_score
from tqdm.auto import tqdm

from rocviz import (
    CombinedRegressionRanking,
    RankedSegments,
    RankingBoundDisplay,
    RankingExperimentDisplay,
    RankingLossExplorer,
    RankIsotonicClassifier,
    pairwise_loss,
)
from rocviz.core.ranking_loss import (
    isotonic_loss,
    ranking_bound,
    ranking_bound_examples,
    simulate_capped_link,
    worst_ranking,
)
from rocviz.estimators.ranking_loss import compare_ranking_methods, synthetic_ranking_experiment
from rocviz.exercises import check

# %% [markdown]
# ## 1. The loss of a pair
#
# The AUC is the share of pairs, one positive and one negative each, that are in the right order. So you can train on pairs. For each pair,
# let $d$ be the positive's score minus the negative's. A pair with $d < 0$ is an error.
#
# Gradient descent cannot minimise the number of errors, since a small change of the weights changes no count. So we use a smooth
# **loss** that lies above the error.
#
# **Predict:** a pair is in the right order, but only just: $d = 0.1$. Should its loss be zero?

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
# <details><summary>What you can see</summary>
#
# Both curves lie above the step, so a small mean loss means an AUC near one. (The logistic loss $\ln(1 + e^{-d})$ does so after division
# by $\ln 2$.) A pair that is only just right has a loss above zero. The squared hinge loss is zero once $d$ reaches 1. The logistic loss
# is never zero, but it falls towards zero.
#
# </details>
#
# **Predict:** there are 80 positives and 120 negatives, and a fifth of the pairs are in the wrong order. Which of the two mean losses is
# larger? Are both above 0.2?

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
# <details><summary>What you can see</summary>
#
# Both losses are well above 0.2, because even correctly ordered pairs incur a loss if the margin is small. The squared hinge is larger,
# because pairs that are far wrong have a squared loss.
#
# </details>
#
# Now compute one by hand. Two positives have the scores 2.0 and 0.5, two negatives 1.5 and -1.0. What is the squared
# hinge loss, as the mean over all pairs?

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
# A ranker's scores are not probabilities. **Isotonic regression** turns them into probabilities: it finds the rising steps with the least
# squared error to the labels. To find them by hand, pool neighbours that are in the wrong order until none are left. You
# know the result from chapter 2: it is the **hull** of the ROC curve. (scikit-learn has `IsotonicRegression`, and this section uses it.)
#
# Eight samples in increasing order of score: negative, **positive, positive, negative, positive,
# negative**, positive, positive. **Predict:** what probability does isotonic regression give to the fourth?

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
# Isotonic regression uses only the order of the scores. Suppose that every score $s$, of training and of new samples, is replaced by
# $e^s$, and the model is fitted again, with linear interpolation between training scores. What may change: the
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
# Of all rising fits, isotonic regression has the least squared error. It is also the best of them for every other **proper loss**, that is,
# for every loss whose expectation is smallest if the true probability is reported (the appendix tries 2000 other fits). The Brier score and
# the log loss are proper. So a ranker only has to rank: the fit finds the shape of the link from score to probability, as long as the link
# rises. All this holds on the samples that were fitted. Section 5 looks at new ones.

# %% [markdown]
# ## 3. When no sigmoid fits
#
# Let the samples be points in the plane. On one side of a line, the probability of being positive is $a$; on the other
# side it is $1 - a$. So the link from score to probability is a *step*. The best ranking is by the distance from the line. But logistic
# regression can only fit a sigmoid.
#
# **Predict:** let $a = 1/8$, with 1000 samples to learn from. Does logistic regression find the right
# *direction*? Where are the errors of its probabilities largest: near the line, or far from it?

# %% jupyter={"outputs_hidden": true}
step = RankingLossExplorer(a=0.125, panels=["links", "errors"], unfolded=["a"])
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
# <details><summary>What you can see</summary>
#
# The direction is right to about a degree: **logistic regression ranks well, but its probabilities are wrong**. Near the line they are too
# close to one half, and far away they are too close to 0 and 1. The error near the line is ten times as large as far from it.
#
# </details>
#
# Now drag the upright line across the large picture: on its left is the fit of ranking first, on its right that of logistic regression, each
# with its distance from the truth shaded. Then drag $a$ in either picture, or the slider *floor a of the truth*. **Predict:** logistic
# regression is the better of the two at one end, either $a = 1/2$ or $a$ near 0. At which? Then choose *a sigmoid: logistic regression is right*
# under *other data*. Which method has the larger error now, logistic regression alone or with isotonic regression?

# %% jupyter={"outputs_hidden": true}
for step.a in (2.0**-9, 0.125, 0.5):
    errors = ", ".join(f"{name} {error:.4f}" for name, error in step.result.errors.items())
    print(f"step, a = {step.a:.3f}: {errors}")
step.preset = "a sigmoid: logistic regression is right"
errors = ", ".join(f"{name} {error:.4f}" for name, error in step.result.errors.items())
print(f"sigmoid: {errors}")
step.preset = "the paper's step"

# %% [markdown]
# <details><summary>What you can see</summary>
#
# At $a = 1/2$ every sample has the same probability, and logistic regression with its two weights comes closest to it. The isotonic steps
# follow chance as well. The same happens where the truth is a sigmoid: logistic regression has the right shape, and its error is a tenth of
# that of the steps.
#
# </details>

# %% [markdown]
# ## 4. Which of the two steps matters?
#
# The method has two steps: rank on pairs, then fit isotonic regression. Which of them helps? You can also take only the second: train
# logistic regression, keep only the order of its scores, and fit isotonic regression to that.
#
# **Predict:** which has the smaller error to the true probability, isotonic regression on the scores of logistic regression or on those
# of the ranker? Is the difference large? (The cell takes a few seconds; a bar shows how far it is.)

# %% jupyter={"outputs_hidden": true}
three = ["logistic", "logistic + isotonic", "rank + isotonic"]
bar = partial(tqdm, leave=False)
done = synthetic_ranking_experiment(n_repeats=10, methods=three, random_state=0, progress=bar)
shown = RankingExperimentDisplay(done).plot()


# %% jupyter={"outputs_hidden": true}
def thousandths(done):
    for a, errors, spread in zip(done.a, done.error, done.standard_error, strict=True):
        rows = zip(done.methods, 1000 * errors, 1000 * spread, strict=True)
        print(f"a = 1/{1 / a:<4.0f}", "; ".join(f"{m} {e:5.1f} ± {s:.1f}" for m, e, s in rows))


thousandths(done)

# %% [markdown]
# <details><summary>What you can see</summary>
#
# - **Isotonic regression matters most.** Except at $a = 1/2$ it removes most of the error of logistic regression, whichever model ranked.
# - Ranking first is a little *worse* here. Few of the pairs show where the line is, since in most of them both points are far from it.
# - At $a = 1/2$ there is nothing to learn, and isotonic regression follows chance.
#
# </details>
#
# Menon et al. find ranking first slightly *better*. **Predict:** what happens with a strong penalty on the weights, 0.1 instead of 0.0001?

# %% jupyter={"outputs_hidden": true}
for loss in ("logistic", "squared_hinge"):
    print(f"penalty 0.1, {loss} loss of a pair")
    strong = synthetic_ranking_experiment(
        [2**-9, 2**-7],
        n_repeats=20,
        methods=three,
        alpha=0.1,
        loss=loss,
        random_state=0,
        progress=bar,
    )
    thousandths(strong)

# %% [markdown]
# <details><summary>What you can see</summary>
#
# Now logistic regression alone has a large error: the penalty makes its sigmoid flat. Isotonic regression does not mind, since a flat
# sigmoid keeps the order. And ranking first is as good or a little better, more so with the squared hinge. With 100 repetitions (see the
# [documentation](https://github.com/rocviz/rocviz/blob/main/docs/ranking_loss.md)) the error at $a = 1/128$ is 5.5 thousandths for logistic +
# isotonic; for ranking first it is 5.4 with the logistic loss of a pair and 4.7 with the squared hinge. With the weak penalty the error is
# 3.0 for logistic + isotonic and 5.4 for ranking first.
#
# So **calibrating matters. Whether you rank first matters little, and what it gains depends on the penalty.** In your own work compare both.
#
# </details>

# %% [markdown]
# ## 5. Certainty from a single sample
#
# Suppose that the highest training score belongs to one positive. Isotonic regression gives it the probability 1, and it gives 1 to every
# larger score that comes later. This is what happened to Leila.
#
# The correction is Laplace's, which you know from chapter 2: each step gets one more positive and one more negative. But a small step moves
# further than a large one, so the correction may overturn the order of two steps. Then they are pooled, together with the added samples
# (`calibration="laplace-hull"`).
#
# **Predict:** what does the correction change more on new samples, the squared error to the true probability or the log loss?

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
# <details><summary>What you can see</summary>
#
# Without the correction 11 % of the new samples are taken for certain, and the top step rests on a single sample. With it, no sample is.
# The squared error falls to a quarter, and the log loss to less than a half. (The log loss of a certainty that is wrong is infinite.
# scikit-learn replaces 0 and 1 by numbers very close to them, so it prints 1.59.)
#
# Leila should give the lawyers the corrected probabilities. They are never above 73 %, because sixty claims do not support more.
#
# </details>
#
# In the explorer, choose the situation *the gap, repaired* under *other data*. (With plenty of samples the correction changes nearly nothing;
# the appendix tries it.)
#
# The steps of an isotonic fit are, highest first: one positive; 8 positives and 2 negatives; 9 negatives. What probability
# does `calibration="laplace-hull"` give above the highest score?

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
# ## 6. A theorem, and small cases
#
# A good ranking can be calibrated well. How well? Menon et al. print a theorem: with AUC $A$ and a share
# $\pi$ of positives, the squared loss after isotonic regression, on the same data, is at most
#
# $$\frac{1}{2} \sqrt{\pi (1 - \pi)(1 - A)}$$
#
# **Predict:** is this true? Try four samples: in increasing order of score their labels are 1, 0, 1, 0.
# Pool them in your head. What is the squared loss?

# %% jupyter={"outputs_hidden": true}
four = RankedSegments.from_scores([1, 0, 1, 0], [1, 2, 3, 4])
print(f"AUC {four.auc}, loss {isotonic_loss(four)}")
print(f"printed bound {ranking_bound(four.auc, 0.5, method='printed'):.4f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The loss is 0.25 and the "bound" 0.2165, so the theorem is **false as printed**.
#
# </details>
#
# You may object that this ranking is worse than a coin, so nobody would use it. Look for a better counterexample: a
# ranking of at most eight samples with an AUC of **at least one half** whose loss is above the formula. Give its labels in increasing order
# of score. Any such ranking is a right answer.

# %%
answer = ...
check("refuted", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# from itertools import product
# from rocviz import RankedSegments
# from rocviz.core.ranking_loss import isotonic_loss, ranking_bound
#
#
# def refutes(labels):
#     if len(set(labels)) < 2:
#         return False
#     ranking = RankedSegments.from_scores(labels, range(len(labels)))
#     printed = ranking_bound(ranking.auc, ranking.prevalence, method="printed")
#     return ranking.auc >= 0.5 and isotonic_loss(ranking) > printed + 1e-9
#
#
# answer = next(labels for labels in product((0, 1), repeat=5) if refutes(labels))
# ```
#
# </details>

# %% [markdown]
# <details><summary>Why such rankings exist</summary>
#
# The proof assumes that all pairs in the wrong order come from one block, in which some positives are all below some negatives. If the errors
# are spread evenly, the loss is larger. It is largest (for equal classes, at AUC 5/6) for a *calibrated* model whose probabilities take every
# value from 0 to 1 equally often. With $\sqrt{2/3}$ in place of $\frac{1}{2}$ the bound holds, and this model reaches it.
#
# </details>
#
# **Predict:** by what factor must the formula be enlarged to hold for both of these examples? The second is a model whose
# probabilities take every value from 0 to 1 equally often.

# %% jupyter={"outputs_hidden": true}
for example in ranking_bound_examples():
    print(
        f"{example.name}: AUC {example.auc:.4f}, loss {example.loss:.4f},",
        f"printed {example.printed_bound:.4f}, largest {example.bound:.4f}",
    )
bounds = RankingBoundDisplay().plot()

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The dotted curve is the formula with $\sqrt{2/3}$ in place of $\frac{1}{2}$, so the factor is 1.63. It is a bound everywhere, but not the
# best one: for a low AUC it lies above $\pi(1 - \pi)$, which is the loss if one predicts the prevalence for every sample. The solid curve is
# the **largest possible loss**, for every AUC (the page *Probabilities from a ranking* of the documentation proves it). To the right of the
# ring both curves are the same.
#
# </details>
#
# A theorem in a good paper can be wrong, and **a few lines of code can show it**: try all small cases before you rely on it. The idea behind
# the theorem is right: as $A$ tends to 1, the loss tends to 0, but only like $\sqrt{1 - A}$. (The documentation has the same bound for what
# practice asks: how far calibrated scores may be from the *true* probabilities, given how much AUC the scorer misses.)

# %% [markdown]
# ## 7. Real data
#
# Here are the tumours of chapter 2 again, with thirty measurements each; malignant is positive. There are two settings (section 8 has a
# third), with 10 random splits each: the data as they are, and data with so few malignant tumours left that 5 % are positive.
#
# **Predict** for each setting: which has the smallest error, `logistic`, `logistic + isotonic` or `rank + isotonic`? By how many standard
# errors? (The cell takes a few seconds; a bar shows how far it is. All methods see the same splits, so their differences are taken split by
# split, and their standard errors allow for the tumours that splits share.)

# %% jupyter={"outputs_hidden": true}
X, benign = load_breast_cancer(return_X_y=True)
malignant = 1 - benign
four_methods = [*three, "combined"]


def compare(**how):
    done = compare_ranking_methods(
        X,
        malignant,
        methods=four_methods,
        n_repeats=10,
        alpha=1e-3,
        random_state=0,
        progress=bar,
        **how,
    )
    print(f"{done.setting}: {done.test_prevalence:.0%} of the test samples are positive")
    for k, method in enumerate(done.methods):
        more, error = done.difference(method, "logistic")
        less = f", minus logistic {1000 * more:+5.2f} ± {1000 * error:.2f}" if k else ""
        print(
            f"  {method:20} AUC {done.auc[k]:.4f},",
            f"squared error {1000 * done.mse[k]:4.1f} thousandths{less}",
        )
    return done


complete = compare()
rare = compare(setting="imbalanced")
print(f"({round(0.05 / 0.95 * benign.sum())} positives in all)")
# %% [markdown]
# <details><summary>What you can see</summary>
#
# Logistic regression is as good as any of the others (`combined` trains on labels and on pairs at once; see the appendix). **Where a sigmoid
# fits, isotonic regression has nothing to repair.** On these splits it adds a little to the error, but none of the six differences is larger
# than its standard error. (That of a difference is smaller than those of the two errors, since a hard split is hard for both methods.) With 5
# % positives each step rests on a handful of tumours. None of this contradicts section 3, whose data were made so that no sigmoid fits.
#
# </details>

# %% [markdown]
# ## 8. Positives without a label
#
# *This section may be left out: nothing after it needs it.*
#
# Leila knows *some* frauds, those that were found. All other claims are **unlabelled**: most are honest, and some are frauds that nobody
# found. A classifier can learn to tell labelled from unlabelled claims; what it estimates is $g$, the probability of a *label*.
#
# If the labelled samples are a random share $c$ of the positives, then $g = c \, p$ (Elkan and Noto, 2008). So
# $p = g / c$, and $c$ can be estimated by the mean of $g$ over labelled samples that were held out.
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
# <details><summary>What you can see</summary>
#
# The AUC stays, since dividing by a constant keeps the order. The squared error is about halved. But the estimate of $c$ is too small: it is
# right only if every positive is recognised with certainty ($p = 1$), and these classes overlap.
#
# </details>
#
# $g / c$ is meant for a case that may or may not have a label. If you know that it has none, that is evidence against a positive.
# Suppose that a quarter of the positives are labelled, $c = 0.25$. A classifier says $g = 0.2$ for a case, and it turns out to be unlabelled.
# What is the probability that it is positive?

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
# If $c$ is estimated badly, the right formula is not always better; the appendix has an example. Leila's order depends on none of this. To
# know *which claim to examine first*, she needs no $c$.

# %% [markdown]
# ## What to take home
#
# - Squared hinge and logistic loss (divided by $\ln 2$) lie above 1 − AUC, so they can be minimised in its place. The squared hinge loss of a
#   pair is zero as soon as the pair is right by a margin of 1; the logistic loss is never zero.
# - Isotonic regression uses the order only. Of all rising fits its own is the best for every proper loss, on its own samples.
# - Where the link is not a sigmoid, logistic regression may rank well and give wrong probabilities. Isotonic regression on *its* scores
#   repairs most of that; ranking first helped only under strong penalties. Where a sigmoid fits, logistic regression alone is enough.
# - Isotonic regression gives the probability 1 to every sample that scores above a single positive at the top. `calibration="laplace-hull"`
#   corrects this.
# - If the AUC is near 1, the loss after isotonic regression is small: at most $\sqrt{\frac{2}{3} \pi (1 - \pi)(1 - A)}$. The theorem with
#   $\frac{1}{2}$ is false.
# - With unlabelled positives the probability is $g / c$. The estimate of $c$ is too small where classes overlap, and cases known to be
#   unlabelled need another formula.
#
# Further reading: the page *Probabilities from a ranking* of the
# [documentation](https://github.com/rocviz/rocviz/blob/main/docs/ranking_loss.md), and scikit-learn's user guide on *Isotonic regression* and
# on *Probability calibration*.
#
# Next: [chapter 10](10_one_data_set.ipynb), where you decide. Back to the [start](00_start_here.ipynb).

# %% [markdown]
# ## Appendix
#
# Nothing in the chapter needs these sections.

# %% [markdown]
# ### Other losses, and other rising fits
#
# The steps of isotonic regression have the least squared error. **Predict:** suppose we measure the log loss instead, or a cost in which
# false alarms weigh more. Would other steps be better for that? We try 2000 other rising fits on the 200 samples of section 1, some of them
# very close to the isotonic one.

# %% jupyter={"outputs_hidden": true}
fit = IsotonicRegression().fit_transform(score, y)
order = np.argsort(score)


def threshold_loss(y, p, cost=0.8):
    """Cost of predicting positive what has a probability above the threshold."""
    return np.mean(np.where(p > cost, cost * (1 - y), (1 - cost) * y))


losses = {
    "squared": lambda p: np.mean((p - y) ** 2),
    "log": lambda p: -np.mean(np.log(np.where(y == 1, p, 1 - p))),
    "cost of alarms, threshold 0.8": lambda p: threshold_loss(y, p),
}
others = []
for _ in tqdm(range(2000), desc="other fits", leave=False):
    near = fit[order] + rng.normal(scale=0.3 * rng.random(), size=200)
    other = np.empty(200)
    other[order] = np.sort(np.clip(near, 0.001, 0.999))
    others.append(other)
for name, loss in losses.items():
    best = min(loss(other) for other in others)
    print(f"{name}: isotonic {loss(fit):.4f}, best of 2000 others {best:.4f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# None of the other fits is better, for any of the three losses, as section 2 said of every proper loss.
#
# </details>

# %% [markdown]
# ### An ordinary classifier and the printed bound
#
# Do such examples have to be constructed? **Predict:** two classes have normal scores, one standard deviation apart. Is the loss above the
# printed bound or below it?

# %% jupyter={"outputs_hidden": true}
y_half = np.arange(400) < 200
ordinary = RankedSegments.from_scores(y_half, y_half + rng.normal(size=400))
print(f"AUC {ordinary.auc:.3f}, loss {isotonic_loss(ordinary):.3f}")
print(f"printed {ranking_bound(ordinary.auc, 0.5, method='printed'):.3f}")
print(
    f"largest {ranking_bound(ordinary.auc, 0.5):.3f}, simple {ranking_bound(ordinary.auc, 0.5, method='simple'):.3f}"
)

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The loss is 0.180 and the printed bound 0.115: an ordinary classifier is enough to refute it.
#
# </details>

# %% [markdown]
# ### Cases that are known to be unlabelled
#
# `correction="unlabelled"` computes what the exercise of section 8 asks for, and the test samples there are all unlabelled. **Predict:** is
# the squared error of this formula, which is made for unlabelled samples, smaller than that of $g / c$?

# %% jupyter={"outputs_hidden": true}
fitting = compare(setting="positive-unlabelled", correction="unlabelled")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# It is not smaller here: the formula depends more strongly on $c$, and the estimate of $c$ is too small. The right formula with a wrong
# number may be worse than the wrong formula.
#
# </details>

# %% [markdown]
# ### Both losses at once
#
# Sculley (2010) trains one linear model on a mixture of both losses, a share $\mu$ of the regression loss and the rest of the pairwise loss.
# No isotonic regression follows. `CombinedRegressionRanking` does this.
#
# **Predict:** on the step of section 3, which mixture is closest to the truth: all regression
# ($\mu = 1$), half and half, or all pairs ($\mu = 0$)? And does any of them come close to isotonic
# regression?

# %% jupyter={"outputs_hidden": true}
for mix in (1.0, 0.75, 0.5, 0.25, 0.0):
    model = CombinedRegressionRanking(mix).fit(truth.X, truth.y_true)
    error = np.mean((model.predict_proba(new.X)[:, 1] - new.true_prob) ** 2)
    print(f"mix {mix:.2f}: {degrees_off(model):.2f} degrees off, squared error {error:.4f}")
error = np.mean((ranker.predict_proba(new.X)[:, 1] - new.true_prob) ** 2)
print(f"rank + isotonic: squared error {error:.4f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# All mixtures have about the same error. Whatever the mixture, the link is *one sigmoid*, which does not fit here. The mixture changes the
# direction a little, and how steep the sigmoid is.
#
# </details>

# %% [markdown]
# ### The correction where labels are certain
#
# The correction of section 5 pulls probabilities away from 0 and 1. **Predict:** if the labels *are* nearly certain, $a = 1/512$, and there
# are 1000 samples, does it increase the error?

# %% jupyter={"outputs_hidden": true}
for calibration in ("isotonic", "laplace-hull"):
    print(calibration)
    thousandths(
        synthetic_ranking_experiment(
            [2**-9], n_repeats=10, methods=three[1:], calibration=calibration, random_state=0
        )
    )

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The errors differ by a tenth of a thousandth at most. Two more samples in a step of hundreds change nearly nothing.
#
# </details>

# %% [markdown]
# ### The largest loss there is
#
# **Predict:** with 20 % positives and AUC 0.8, can the loss come within a thousandth of the solid curve of section 6?

# %% jupyter={"outputs_hidden": true}
worst = worst_ranking(0.8, 0.2)
print(f"AUC {worst.auc:.4f}, loss {isotonic_loss(worst):.4f}")
print(
    f"largest {ranking_bound(0.8, 0.2):.4f}, simple {ranking_bound(0.8, 0.2, method='simple'):.4f}"
)

# %% [markdown]
# <details><summary>What you can see</summary>
#
# It can: `worst_ranking` constructs a ranking with this loss.
#
# </details>
#
# ### For those who read the paper
#
# Equation 4 of Menon et al. counts a pair as right if the positive's score is *at least* as high. **Predict:** counted in this way, what is
# the AUC of a ranking that ties all samples? A bound that is 0 at AUC 1 would say that such a ranking has no loss; what is its loss?

# %% jupyter={"outputs_hidden": true}
tied, labels = np.zeros(10), np.arange(10) < 5
print("AUC, ties right:", (tied[labels][:, None] >= tied[~labels]).mean())
print("AUC, ties one half:", RankedSegments.from_scores(labels, tied).auc)
print("loss:", isotonic_loss(RankedSegments.from_scores(labels, tied)))

# %% [markdown]
# ## Sources
#
# Full references are in the [bibliography](https://rocviz.github.io/rocviz/bibliography.html).
#
# - Menon et al. (2012). *Predicting accurate probabilities with a ranking loss.* The method, the
#   step, the bound that section 6 corrects, and the setting with unlabelled positives.
# - Sculley (2010). *Combined regression and ranking.*
# - Elkan and Noto (2008). *Learning classifiers from only positive and unlabeled data.*
# - Flach and Matsubara (2008). *On classification, ranking, and probability estimation.* The
#   hull, and the correction.
# - Zadrozny and Elkan (2002). *Transforming classifier scores into accurate multiclass
#   probability estimates.* Isotonic regression on the scores of a classifier.

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
# # The temperature of a ranking
#
# You are reviewing a paper. According to its abstract, a test ranks a hundred patients; 40 of them are ill, and the AUC is 0.8. The
# data are not public. The authors want to operate on the patients at ranks 1 to 17. How likely is the 17th to be
# ill? Two counts and an AUC are not enough to know. But there is one answer that assumes nothing beyond them.
# Physicists found it in 1926, for electrons.
#
# How good can it be? For the 569 tumours of chapter 2 we shall throw away all probabilities of the model and keep the
# order and **three numbers**. The probabilities that this law makes of them turn out *better* than the model's own.
#
# At the end of this chapter you can
#
# - turn an AUC and two counts into a probability for every rank, and say when not to believe it;
# - give an interval for an AUC, and say which kind of interval to use;
# - test by simulation whether an interval keeps its promise.
#
# You need to know what an AUC is ([chapter 1](01_classification_and_ranking.ipynb)), what a Brier score is ([chapter
# 2](02_probabilities_and_calibration.ipynb)) and what a logarithm is. You need no physics. The idea is that of
# Kim et al. (2021). Allow about **60 minutes**, and another 10 for section 5, which may be left out. The appendix can
# wait for another day.

# %%
from collections import Counter
from itertools import combinations

import numpy as np
from scipy.linalg import null_space
from scipy.stats import rankdata
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss
from sklearn.model_selection import train_test_split

from rocviz import (
    FermiDirac,
    FermiDiracExplorer,
    RankedSegments,
    auc_interval,
    calibration_map,
    simulate_coverage,
)
from rocviz.datasets import load_breast_cancer_scores
from rocviz.exercises import check

# %% [markdown]
# ## 1. A ladder
#
# Picture a ranking as a ladder. Rank 1, the best place, is the **lowest** rung. Some rungs hold a positive, the
# others a negative. A rung holds one item and no more. In physics, particles that never share a place are called
# **fermions**, and a rung is an **energy level**. That is all the physics there is. We borrow the words because
# they come with pictures.
#
# | on the ladder | in a ranking |
# |---|---|
# | level | rank |
# | fermion | positive item |
# | number of fermions | number of positives |
# | total energy | sum of the positives' ranks |
#
# (Ranks come *before* and *after* each other: rank 3 comes before rank 4.)
#
# Take seven rungs and three positives. The perfect ranking has them on rungs 1, 2 and 3. The energy is then 6, and
# it cannot be lower. Let one positive climb one rung, past a negative: the energy rises by 1, and one pair of items
# is now in the wrong order. So **the energy beyond the lowest one counts the wrong pairs**. There are 3 × 4 pairs,
# and the AUC is the share of the right ones.
#
# **Predict**, by counting rungs: what is the AUC with positives on rungs 1, 3 and 4?

# %%
answer = ...
check("ladder_auc", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# answer = 1 - ((1 + 3 + 4) - (1 + 2 + 3)) / (3 * 4)  # two pairs of twelve are wrong
# ```
#
# </details>

# %% [markdown]
# **Predict:** in how many ways can three positives sit on seven rungs so that no pair is wrong? In how many so that
# half of the pairs are? Which is the most common energy?

# %% jupyter={"outputs_hidden": true}
ways = Counter(sum(rungs) - 6 for rungs in combinations(range(1, 8), 3))
for wrong, count in sorted(ways.items()):
    print(f"{wrong:2} pairs wrong, AUC {1 - wrong / 12:.2f}: {count} {'*' * count}")
print(sum(ways.values()), "ways in all")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# There is one way to have no pair wrong, and one way to have all wrong. There are five ways to have half of the pairs
# wrong, and this energy, 12, is the most common one. The closer an AUC is to 1/2, the more rankings have it.
#
# </details>

# %% [markdown]
# ## 2. The answer that assumes nothing more
#
# Now think of many test sets, each with seven items. On average three of the seven are positive, and on average the
# energy is 8. (With exactly three positives that is an AUC of 5/6.) At each rung, how often is there a positive?
#
# Call these shares $P(1 \mid r)$. We know two sums:
#
# - the shares add up to 3, the number of positives on average;
# - multiplied by the rungs they add up to 8, the energy, which is the AUC in other units.
#
# These are two equations for seven unknowns, so many answers fit. All but one of them claim more than we were told.
# To find that one, ask how much each answer *leaves open*: go from rung to rung, and count how many yes-or-no
# questions you need on average to learn its label. The sum of these numbers is the **entropy** of the rungs. A rung
# with $P = 1/2$ costs a whole question, one with $P = 0.99$ hardly any. The answer with the **largest entropy** leaves
# open whatever can be left open. It is
#
# $$P(1 \mid r) = \frac{1}{1 + e^{(r - \mu)/T}}$$
#
# with two numbers $\mu$ and $T$ that make both sums right. This is the **Fermi-Dirac law**.
#
# **Predict:** we change its shares at random, a thousand times, but keep both sums. How many of the thousand have a
# larger entropy? And do the odds $P / (1 - P)$ of the law fall from rung to rung by equal steps, by
# equal factors, or neither?


# %% jupyter={"outputs_hidden": true}
def questions(p):
    return -np.sum(p * np.log2(p) + (1 - p) * np.log2(1 - p), axis=-1)


law = FermiDirac.from_auc(5 / 6, n_pos=3, n_neg=4)
rungs = np.arange(1, 8)
keeps_both_sums = null_space([np.ones(7), rungs])

rng = np.random.default_rng(0)
others = law.probability() + 0.05 * rng.standard_normal((3000, 5)) @ keeps_both_sums.T
others = others[((others > 0) & (others < 1)).all(axis=1)][:1000]

print("the law:", law.probability().round(3))
print(f"  adds up to {law.probability().sum():.3f}, energy {rungs @ law.probability():.3f}")
print("another:", others[0].round(3))
print(f"  adds up to {others[0].sum():.3f}, energy {rungs @ others[0]:.3f}")
print(f"questions left open by the law: {questions(law.probability()):.4f}")
print(f"by {len(others)} others: at most {questions(others).max():.4f}")

odds = law.probability() / (1 - law.probability())
print("odds of the law:", odds.round(3))
print("rung by rung:   ", (odds[1:] / odds[:-1]).round(3))
print(f"exp(-1 / T):     {np.exp(-1 / law.temperature):.3f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# None of them does. And **the odds fall by the same factor from each rank to the next**. That is the whole law. After
# $T$ ranks the odds have fallen by the factor $e \approx 2.7$.
#
# </details>
#
# The law is not the truth about a classifier. It is the best guess for someone who knows the AUC and the counts and nothing
# else; the abstract of a paper is enough. Section 4 compares it with data, and section 8 shows where it fails.
#
# <details><summary>For those who wonder about "on average"</summary>
#
# If every test set has *exactly* three positives, the labels depend on each other, and the answer with the largest
# entropy is a little different. Its odds fall by the factors .495, .466, .430, .469, .496, .512 from rung to rung. The probabilities differ
# by 0.012 at most. Physicists call the two the *canonical* and the *grand canonical* ensemble.
#
# </details>
#
# Back to the reviewer's question, an AUC of 0.8 with 40 of 100 positive. **Predict** the probability at rank 17, and
# at rank 83.

# %% jupyter={"outputs_hidden": true}
abstract = FermiDirac.from_auc(0.8, n_pos=40, n_neg=60)
for r in (1, 17, 40, 83, 100):
    print(f"rank {r:3}: {abstract.probability(r):.2f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# At rank 17 it is 0.72, so by the law more than one in four of the patients at this rank would be operated on without being ill.
# At rank 83 it is 0.12.
#
# </details>

# %% [markdown]
# ## 3. Heating and cooling
#
# $T$ is the **temperature**. When it is cold, fermions sit on the lowest rungs. Heat shakes them up the ladder.
#
# **Predict:** what is the AUC of a ranking at temperature 0? At a very high temperature? And what would a temperature
# *below* zero mean? Then drag the large handle on the curve, or press *heat*. Each dot is an item, each column ten rungs, with the
# positives at the bottom; the curve is the law.

# %% jupyter={"outputs_hidden": true}
ladder = FermiDiracExplorer(
    auc=0.8, prevalence=0.4, n_samples=100, panels=["levels"], unfolded=["temperature"]
)
ladder

# %% jupyter={"outputs_hidden": true}
print("   T/N    AUC   P at ranks 1, 20, 40, 60, 100")
for warmth in (0, 0.02, 0.05, 0.1, 0.2, 0.5, 2, np.inf, -0.5, -0.1):
    at = FermiDirac.from_temperature(warmth * 100, n_pos=40, n_neg=60)
    print(
        f"{warmth:6} {at.auc:6.3f}  ", *(f"{p:.3f}" for p in at.probability([1, 20, 40, 60, 100]))
    )

# %% [markdown]
# <details><summary>What you can see</summary>
#
# At temperature 0 the positives are on the lowest rungs, and the AUC is 1. The hotter it is, the less it matters which
# rung you look at; at an infinite temperature the AUC is 1/2. A classifier that is worse than random puts positives on
# *high* rungs. Its odds rise along the ranking, so $T$ is negative. Ordered by their AUC, the temperatures go from 0 up
# to infinity, and from minus infinity up to 0 again.
#
# </details>
#
# A temperature in ranks depends on how many items there are. Divided by that number, $N$, it can be compared between
# data sets. The table and the explorer count this way: "0.2 $N$" means that the odds fall by the factor $e$ along a
# fifth of the ranking.

# %% [markdown]
# ## 4. The temperature of a real model
#
# 569 tumours, 212 of them malignant, naive Bayes: the model of chapter 2. All the law needs is the AUC and the two counts.
#
# **Predict:** the AUC is 0.897. Look at the table above (there 40 % are positive, here 37 %). Between which two of
# its temperatures must this model be? The exercise asks for the temperature itself in units of $N$, that is, the
# temperature in ranks divided by 569.

# %% jupyter={"outputs_hidden": true}
scores = load_breast_cancer_scores()
y_true, y_prob = scores.y_true, scores.y_prob
cancer = FermiDirac.from_scores(y_true, y_prob)
print(f"{cancer.n_pos} malignant, {cancer.n_neg} benign, AUC {cancer.auc:.4f}")

# %%
answer = ...
check("cancer_temperature", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# from rocviz import FermiDirac
# from rocviz.datasets import load_breast_cancer_scores
#
# scores = load_breast_cancer_scores()
# answer = FermiDirac.from_scores(scores.y_true, scores.y_prob).temperature / 569
# ```
#
# </details>

# %% [markdown]
# Does the law hold? It was given only three numbers. Ask it for the share of malignant tumours in each
# tenth of the ranking. (In chapter 2 this was called a calibration curve, here with ten bins.)
#
# **Predict:** where will it be wrong, if anywhere: at the ends or in the middle?

# %% jupyter={"outputs_hidden": true}
rank = rankdata(-y_prob)  # rank 1 has the highest score; equal scores share the mean rank
for k, tenth in enumerate(np.array_split(np.argsort(rank), 10), start=1):
    print(
        f"tenth {k:2}: {len(tenth)} tumours,",
        f"the law says {cancer.probability(rank[tenth]).mean():.2f},",
        f"it is {y_true[tenth].mean():.2f}",
    )

# %% [markdown]
# <details><summary>What you can see</summary>
#
# It is close in most places, but 0.08 off in the second tenth and 0.12 in the sixth. In the first tenth of this ranking
# more tumours are malignant than the law says, and in the next two fewer. So the odds do not fall evenly, which an AUC
# cannot show.
#
# </details>
#
# **Predict:** naive Bayes has a Brier score of 0.145, the hull (on the same data) 0.120. The law knows the order and three
# numbers. How much of the way from 0.145 to 0.120 does it go?

# %% jupyter={"outputs_hidden": true}
predicted = {
    "naive Bayes": y_prob,
    "Fermi-Dirac": cancer.probability(rank),
    "hull": np.asarray(calibration_map(y_true, y_prob)(y_prob)),
}
for what, p in predicted.items():
    print(f"{what}: Brier score {brier_score_loss(y_true, p):.3f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# It reaches 0.128, which is two thirds of the way. But law and hull have both seen the labels by which they are judged. The
# hull fits fifteen numbers to them, one for each of its segments; the law fits one, the temperature, and knows the two
# counts.
#
# </details>
#
# So judge all three on tumours that they have not seen. Half of the tumours give the law its three numbers and the hull its segments; a
# tumour of the other half takes the place among them that its score gives it.
#
# **Predict:** is the law still better than naive Bayes? Is the hull, with Laplace's correction, still better than the law?

# %% jupyter={"outputs_hidden": true}
losses = []
for seed in range(100):
    fit, new = train_test_split(np.arange(569), test_size=0.5, stratify=y_true, random_state=seed)
    half = RankedSegments.from_scores(y_true[fit], y_prob[fit])
    known = np.sort(-y_prob[fit])
    ends = [np.searchsorted(known, -y_prob[new], side) for side in ("left", "right")]
    by_law = FermiDirac.from_scores(y_true[fit], y_prob[fit]).probability(
        np.mean(ends, axis=0) + 0.5
    )
    by_model = y_prob[new], by_law, np.asarray(calibration_map(half, m=2)(y_prob[new]))
    losses.append([brier_score_loss(y_true[new], p) for p in by_model])
losses = np.array(losses)
print("Brier scores on the other half, mean of 100 splits")
for what, mean in zip(
    ("naive Bayes", "Fermi-Dirac", "hull + Laplace"), losses.mean(0), strict=True
):
    print(f"{what}: {mean:.3f}")
print(f"splits in which the law is better than naive Bayes: {np.sum(losses[:, 1] < losses[:, 0])}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# On new tumours the law is better than naive Bayes in every one of the 100 splits, .128 against .143 on average, and about as good as the
# hull.
#
# </details>

# %% [markdown]
# ## 5. Logistic regression by another name
#
# *This section may be left out: nothing after it needs it.*
#
# "The odds fall by the same factor from rank to rank" means: the logarithm of the odds is a straight line in the
# rank. You know a model with straight log odds.
#
# **Predict:** fit a logistic regression (without penalty) of the class on the rank. How close does its slope come to
# $-1/T$?

# %% jupyter={"outputs_hidden": true}
steps = (rank[:, None] - rank.mean()) / rank.std()  # a solver likes numbers near 1
logistic = LogisticRegression(C=np.inf, solver="newton-cholesky", tol=1e-12).fit(steps, y_true)
slope = logistic.coef_[0, 0] / rank.std()
intercept = logistic.intercept_[0] - slope * rank.mean()

print(f"logistic regression: log odds = {intercept:.6f} + {slope:.8f} * rank")
print(f"Fermi-Dirac: -1 / T = {-cancer.beta:.8f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# They agree to the last digit, and they must: logistic regression chooses its two numbers so that the sum of the
# probabilities and the sum of rank times probability come out as in the data. These are the two sums of section 2.
#
# </details>
#
# The curve itself is not new. What is new is that it **needs no data**: two counts and an AUC are enough.
#
# Your turn: at which rank does the law say **90 %** malignant? (Work with `intercept` and `slope`; the rank need not be a whole number.)

# %%
answer = ...
check("nine_in_ten", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# import numpy as np
#
# intercept, slope = 2.747012, -0.01318130
# answer = (np.log(0.9 / 0.1) - intercept) / slope
# ```
#
# </details>

# %% [markdown]
# ## 6. Two marks on the ladder
#
# At the rank $\mu$, the **chemical potential**, positive and negative are equally likely. *Before* it, that is, at smaller ranks, an item is
# more likely positive than negative. There is
# another mark, $r^*$. Before it, an item is more likely positive **than it was before it was ranked**. Where positives
# are as common as negatives, the two marks are the same.
#
# For the tumours $\mu$ is at rank 208 and $r^*$ at rank 248. One tumour has rank 230. First: is it more likely
# malignant than benign? Second: is it more likely malignant than a tumour about which nothing is known? Answer `"both"`,
# `"only the first"`, `"only the second"` or `"neither"`.

# %%
answer = ...
check("between_marks", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# answer = "only the second"  # 230 comes after 208 and before 248
# ```
#
# </details>

# %% [markdown]
# **Predict:** keep the AUC at 0.9 and make positives rarer. What happens to the two marks in a ranking of 1000?

# %% jupyter={"outputs_hidden": true}
print("positives  temperature/N      mu       r*")
for n_pos in (500, 370, 100, 10):
    at = FermiDirac.from_auc(0.9, n_pos, 1000 - n_pos)
    print(
        f"{n_pos:9} {at.temperature / 1000:14.3f}",
        f"{at.chemical_potential:7.1f} {at.threshold_rank:8.1f}",
    )

# %% [markdown]
# <details><summary>What you can see</summary>
#
# Both marks move towards the top of the list, and $\mu$ moves further. With ten positives in a thousand, $\mu$ is
# *negative*: no item at all is more likely positive than negative, not even the first. (If misses are costly, you act all
# the same; see chapter 2, section 6.) $r^*$ stays on the ladder.
#
# </details>
#
# $r^*$ is also the rank after which the law expects the best **balanced accuracy**, the mean of sensitivity and
# specificity.
#
# **Predict:** the law puts $r^*$ of the tumours at 248. Where is the best threshold in the data?

# %% jupyter={"outputs_hidden": true}
tumour_ranking = RankedSegments.from_scores(y_true, y_prob)
balanced = (tumour_ranking.tpr + 1 - tumour_ranking.fpr) / 2
best = balanced.argmax()
n_predicted_positive = tumour_ranking.cumulative_pos + tumour_ranking.cumulative_neg

print(
    f"best in the data: after rank {n_predicted_positive[best]:.0f}, balanced accuracy {balanced[best]:.3f}"
)
nearest = np.abs(n_predicted_positive - cancer.threshold_rank).argmin()
print(
    f"at r*:            after rank {n_predicted_positive[nearest]:.0f}, balanced accuracy {balanced[nearest]:.3f}"
)
print(f"the law expects:  {cancer.balanced_accuracy(cancer.threshold_rank):.3f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The best threshold in the data is after rank 265. The law is off by 17 ranks of 569, and a threshold at its $r^*$ loses 0.014 of
# balanced accuracy. The law expects a little more than these data show.
#
# </details>

# %% [markdown]
# ## 7. How sure is the AUC?
#
# 0.8966 is the AUC on these 569 tumours. On 569 others it would be different. How far off may it be? To say so, one needs
# the **variance** of the AUC, and most ways to compute it start with the same sum. It asks how strongly pairs
# that share an item are correlated: how often do two random positives both rank above the same negative, and how often does
# one positive rank above two random negatives? The methods differ in where they take this from:
#
# | method | takes it from |
# |---|---|
# | DeLong, DeLong and Clarke-Pearson (1988) | the data: where does each item stand among the other class? |
# | logit-DeLong | the same; but the interval is symmetric in $\log \frac{AUC}{1 - AUC}$ |
# | Hanley and McNeil (1982) | two exponential densities with this AUC |
# | Fermi-Dirac (Kim et al., 2021) | the law of this chapter with this AUC |
# | bootstrap | nothing: it draws samples from the tumours again and again, and watches the AUC vary |
#
# **Predict:** which will be widest? Which cannot lie symmetrically around 0.8966?

# %% jupyter={"outputs_hidden": true}
methods = ("delong", "logit-delong", "hanley-mcneil", "fermi-dirac", "bootstrap")
for method in methods:
    interval = auc_interval(y_true, y_prob, method=method, random_state=0)
    print(
        f"{method:14} {interval.lower:.4f} to {interval.upper:.4f}",
        f"  to the left {interval.auc - interval.lower:.4f}, to the right {interval.upper - interval.auc:.4f}",
    )

# %% [markdown]
# <details><summary>What you can see</summary>
#
# Hanley and McNeil's is the widest. The logit-DeLong interval reaches further to the left than to the right, and
# so does the bootstrap's, a little. All are close together, because the case is easy: there are many tumours of both
# classes, and the AUC is well below 1.
#
# </details>
#
# Your turn. These are intervals of 95 %. Where does the logit-DeLong interval of **90 %** begin?

# %%
answer = ...
check("cancer_lower_end", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# from rocviz import auc_interval
# from rocviz.datasets import load_breast_cancer_scores
#
# scores = load_breast_cancer_scores()
# interval = auc_interval(scores.y_true, scores.y_prob, method="logit-delong", confidence=0.9)
# answer = interval.lower
# ```
#
# </details>

# %% [markdown]
# ## 8. Do they keep their promise?
#
# "95 %" is a promise: of the data sets one could have had, 95 in 100 give an interval that holds the true AUC. A
# promise can be tested: draw data sets from two normal densities, whose true AUC is known, compute all intervals, and count.
#
# **Predict:** a thousand items, but only 20 positives, and a true AUC of 0.99. Which of the four quick methods misses
# the truth most often?

# %%
answer = ...
check("rare_positives", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# from rocviz import simulate_coverage
#
# simulated = simulate_coverage(1000, 0.02, 0.99, n_repeats=100, random_state=1)
# answer = simulated.methods[simulated.coverage.argmin()]
# ```
#
# </details>

# %% [markdown]
# Now live, 400 data sets per line; the cell takes a few seconds. With so few, a share of 0.95 is known to about ± 0.02.
# **Predict:** in the first line the classes are balanced; is there any difference at all? And in the second,
# with 20 positives in 200?

# %% jupyter={"outputs_hidden": true}
quick = ("delong", "fermi-dirac", "hanley-mcneil", "logit-delong")
settings = ((100, 0.5, 0.8), (200, 0.1, 0.95), (1000, 0.05, 0.9), (1000, 0.02, 0.99))

print("   N, share, AUC   ", "  ".join(f"{method:>13}" for method in quick))
for n, share, area in settings:
    simulated = simulate_coverage(n, share, area, methods=quick, n_repeats=400, random_state=1)
    kept = "  ".join(f"{c:13.3f}" for c in simulated.coverage)
    print(f"{n:5}, {share:4}, {area:5}  {kept}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# In the first line the four differ by less than the chance error. In the second and in the last all but Hanley and McNeil
# miss far too often.
#
# Here is the same with 20,000 data sets per line (good to ± 0.003 near 0.95, ± 0.007 near 0.6), as it stands on the page [How sure is an
# AUC?](https://github.com/rocviz/rocviz/blob/main/docs/auc_intervals.md) of the documentation. Set `n_repeats=20_000` to repeat it.
#
# | N, share of positives, AUC | DeLong | Fermi-Dirac | Hanley-McNeil | logit-DeLong |
# |---|---|---|---|---|
# | 100, 0.5, 0.80 | .940 | .940 | .944 | .955 |
# | 200, 0.1, 0.95 | .852 | .818 | .976 | .909 |
# | 1000, 0.05, 0.90 | .925 | .848 | .988 | .938 |
# | 1000, 0.02, 0.99 | .722 | .593 | .987 | .810 |
#
# - **Balanced classes**: all are within 0.01 of what they promise.
# - **Rare positives**: the Fermi-Dirac interval falls far short of its promise. In the last line it misses four times in ten.
# - **Hanley and McNeil's** interval holds more often than it promises. That is not a virtue: it is wider than necessary.
# - **Logit-DeLong** is the best all-rounder, so it is what `auc_interval` uses unless told otherwise. With 20 positives
#   and an AUC near 1 it does not keep its promise either. Twenty positives carry little information.
#
# (The appendix shows why the law fails where positives are rare.)
#
# </details>

# %% [markdown]
# ## What to take home
#
# - If you know only an AUC and two counts, let the odds fall by the same factor from rank to rank. That is the
#   Fermi-Dirac law, the distribution of largest entropy, and a logistic regression on ranks.
# - Its temperature says how far a ranking is from perfect: 0 is perfect, infinite is random, below zero is worse than
#   random.
# - At $\mu$, positive and negative are equally likely. At $r^*$, an item is as likely positive as before it was ranked.
#   The marks differ when the classes differ in size.
# - Considering how little they use, the law's probabilities are good. Do not trust its intervals where one class
#   is rare: use logit-DeLong, and distrust any interval with few positives.
# - With scikit-learn: `LogisticRegression` on the ranks; it has no interval for an AUC.
#
# Next: [chapter 4](04_fidel.ipynb), where several classifiers add up what their ranks say. Further reading: Kim et al. (2021)
# on the law, Jaynes (1957) on why one should take the largest entropy. Back to the [start](00_start_here.ipynb).

# %% [markdown]
# ## Appendix: two shortcuts, and a simulation of your own
#
# This takes another ten to fifteen minutes. There are two ways to an AUC that need no curve, only ranks. Both hold for *any* ranking, whether
# or not it follows the law:
#
# $$\mathrm{AUC} = \frac{\text{mean rank of the negatives} - \text{mean rank of the positives}}{N}
# + \frac{1}{2} = 2 \cdot (\text{mean of the balanced accuracy over all thresholds}) - \frac{1}{2}$$
#
# The thresholds come after rank 1, after rank 2, and so on to the last. Even a perfect ranking has bad thresholds, so no mean
# balanced accuracy exceeds 3/4.
#
# **Predict** the mean balanced accuracy of naive Bayes on the tumours over all thresholds; its AUC is 0.8966, and AUC = 2 ×
# (mean balanced accuracy) − 1/2 holds for any ranking.

# %%
answer = ...
check("cancer_mean_bac", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# answer = (0.8966 + 1 / 2) / 2
# ```
#
# </details>

# %% jupyter={"outputs_hidden": true}
apart = rank[y_true == 0].mean() - rank[y_true == 1].mean()
at_every_rank = np.interp(
    np.arange(1, 570), n_predicted_positive, balanced
)  # inside a tie: part of it, drawn by lot
print(f"AUC by pairs                {tumour_ranking.auc:.12f}")
print(f"    by mean ranks           {apart / 569 + 0.5:.12f}")
print(f"    by balanced accuracies  {2 * at_every_rank.mean() - 0.5:.12f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# All three ways give the same number, to all twelve digits shown.
#
# </details>
#
# Why does the law's interval fail where positives are rare? Ask it for its ROC curve. **Predict:** take an AUC of 0.9 twice, with half
# of the items positive and with one in twenty. A *real* classifier's curve stays when negatives are added or removed,
# because each of its rates looks at one class only. Does the law's?

# %% jupyter={"outputs_hidden": true}
print("true positive rate at false positive rates 0.01, 0.05, 0.2")
for share in (0.5, 0.05):
    fpr, tpr = FermiDirac.rescaled(0.9, prevalence=share).roc_curve()
    print(f"  law, {share:4.0%} positive:", np.interp([0.01, 0.05, 0.2], fpr, tpr).round(3))

print("standard deviation of the AUC, N = 1000")
for n_pos in (500, 50):
    rng = np.random.default_rng(0)
    z = rng.standard_normal((1000, 1000))
    z[:, :n_pos] += 1.8124  # two normal densities with an AUC of 0.9
    sums = rankdata(z, axis=1)[:, :n_pos].sum(axis=1)
    areas = (sums - n_pos * (n_pos + 1) / 2) / (n_pos * (1000 - n_pos))
    expected = FermiDirac.from_auc(0.9, n_pos, 1000 - n_pos).auc_variance() ** 0.5
    print(f"  {n_pos:3} positives: law {expected:.4f}, simulated {areas.std():.4f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The law's curve moves with the share of positives. Where they are rare it spreads them too evenly over the first ranks
# and finds too little variance: with 50 positives, its standard deviation is a fifth too small.
#
# </details>
#
# Here is an explorer to simulate with. Open *AUC* to choose other settings, then *interval*, and press *simulate coverage*. **Predict** first:
# with an AUC of 0.95, how rare must positives become before the Fermi-Dirac interval holds in fewer than 90 of 100?

# %% jupyter={"outputs_hidden": true}
rare = FermiDiracExplorer(auc=0.95, prevalence=0.05, n_samples=400, panels=["intervals", "levels"])
rare

# %% jupyter={"outputs_hidden": true}
for share in (0.3, 0.15, 0.05):
    simulated = simulate_coverage(
        400, share, 0.95, methods=("fermi-dirac", "logit-delong"), n_repeats=600, random_state=1
    )
    law_kept, logit_kept = simulated.coverage
    print(f"{share:4.0%} positive: Fermi-Dirac {law_kept:.2f}, logit-DeLong {logit_kept:.2f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# With 400 items it happens at about 15 % positives already, that is, with 60 of them. With 5 % the Fermi-Dirac interval holds in
# 77 of 100. The logit-DeLong interval keeps its promise longer, but falls short of it, too, when only 20 are positive.
#
# </details>

# %% [markdown] jp-MarkdownHeadingCollapsed=true
# ## For those who read the paper: two published numbers
#
# The example in Figure 1 of Kim et al. (2021) has 50 positives, 50 negatives and a classifier of AUC 0.9. Its caption
# prints $1/T = 0.0759$ and $\mu = 50$. **Predict:** rounding, or something else?

# %% jupyter={"outputs_hidden": true}
example = FermiDirac.from_auc(0.9, n_pos=50, n_neg=50)
print(f"AUC 0.9 has 1/T = {example.beta:.7f} and mu = {example.chemical_potential}")
print(f"1/T = 0.0759 has AUC {FermiDirac.from_parameters(0.0759, 50.5, n_samples=100).auc:.5f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# It is something else, and no mistake: the caption says that the two numbers were *fitted*. The value for an AUC of exactly
# 0.9 is 0.0756127, and the printed one belongs to an AUC of 0.9006. Presumably the fit was to simulated test sets,
# whose average AUC misses 0.9 by about so much. And $\mu$ is 50.5, between ranks 50 and 51. (50 is right if the threshold is
# the ranking into 100 intervals and counts from their edge.)
#
# </details>
#
# The other number is in the code that came with the paper. For cold rankings there is a formula, $N/T \approx \pi /
# \sqrt{6 \rho (1 - \rho)(1 - \mathrm{AUC})}$, where $\rho$ is the share of positives. The code has one that is smaller
# by the factor $2/\pi$. It uses it as a starting value of a search only, so its results are not wrong; but do not take
# the formula from there:

# %%
print(" 1 - AUC   exact N/T   formula   times 2/pi")
for lacking in (0.1, 0.01, 0.001, 0.0001):
    exact = FermiDirac.rescaled(1 - lacking, prevalence=0.5)
    formula = np.pi / np.sqrt(6 * 0.5 * 0.5 * lacking)
    print(f"{lacking:8} {exact.beta:11.3f} {formula:9.3f} {formula * 2 / np.pi:12.3f}")

# %% [markdown]
# The paper compares the law's standard deviation of the AUC with DeLong's over many settings and finds them nearly the
# same, less so for extreme shares. That is right *over all settings* (section 8 looked at the extreme ones). An interval
# has to be right in yours.

# %% [markdown]
# ## Sources
#
# The [bibliography](https://rocviz.github.io/rocviz/bibliography.html) says where each was published.
#
# - Kim et al. (2021). *The Fermi-Dirac distribution provides a calibrated probabilistic output
#   for binary classifiers.* The law, the threshold, the shortcuts and the variance.
# - DeLong, DeLong and Clarke-Pearson (1988). *Comparing the areas under two or more correlated
#   receiver operating characteristic curves: a nonparametric approach.*
# - Hanley and McNeil (1982). *The meaning and use of the area under a receiver operating
#   characteristic (ROC) curve.*
# - Pepe (2003). *The statistical evaluation of medical tests for classification and prediction.*
#   The logit scale.
# - Jaynes (1957). *Information theory and statistical mechanics.* Why the answer that leaves most
#   open is the one to give.

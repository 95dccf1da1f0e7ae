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
# Somebody ranks a hundred items and tells you two things: 40 are positive, and the AUC is 0.8.
# How likely is the item at rank 17 to be positive? Two numbers are not enough to know. But there
# is one answer that adds nothing of its own to them. Physicists found it in 1926, for electrons.
#
# You need no physics. You need to know what an AUC is
# ([chapter 1](01_classification_and_ranking.ipynb)) and what a logarithm is. The idea is
# that of Kim et al. (2021). The numbers are computed afresh, and section 5 says where they differ
# from published ones, and why.

# %%
from collections import Counter
from itertools import combinations

import numpy as np
from scipy.linalg import null_space
from scipy.stats import rankdata
from sklearn.linear_model import LogisticRegression

from rocviz import (
    FermiDirac,
    FermiDiracExplorer,
    RankedSegments,
    auc_interval,
    brier_decomposition,
    simulate_coverage,
)
from rocviz.datasets import load_breast_cancer_scores
from rocviz.exercises import check

# %% [markdown]
# ## 1. A ladder
#
# Picture a ranking as a ladder: rank 1 is the lowest rung. Some rungs are taken by a positive, the
# others by a negative. A rung holds one item and no more. In physics, particles that never share a
# place are called **fermions**, and a rung is an **energy level**. That is all the physics there
# is. We borrow the words because they come with pictures.
#
# | on the ladder | in a ranking |
# |---|---|
# | level | rank |
# | fermion | positive item |
# | number of fermions | number of positives |
# | total energy | sum of the positives' ranks |
#
# Seven rungs, three positives. The perfect ranking has them on rungs 1, 2 and 3: the energy is 6,
# and it cannot be lower. Let one positive climb one rung, past a negative: the energy rises by 1,
# and one pair of items is now in the wrong order. So **the energy above the lowest counts the
# wrong pairs**. There are 3 × 4 pairs, and the AUC is the share of the right ones.
#
# **Predict**, by counting rungs: what is the AUC with positives on rungs 1, 3 and 4?

# %%
answer = ...
check("ladder_auc", answer)

# %% [markdown]
# **Predict:** in how many ways can three positives sit on seven rungs so that no pair is wrong? In
# how many so that half of the pairs are? Which is the most common energy?

# %% jupyter={"outputs_hidden": true}
ways = Counter(sum(rungs) - 6 for rungs in combinations(range(1, 8), 3))
for wrong, count in sorted(ways.items()):
    print(f"{wrong:2} pairs wrong, AUC {1 - wrong / 12:.2f}: {count} {'*' * count}")
print(sum(ways.values()), "ways in all")

# %% [markdown]
# One way to be perfect, one to be perfectly wrong, many to be mediocre. A ranking with a middling
# AUC can look in many ways. That is what the next section is about.

# %% [markdown]
# ## 2. The answer that adds nothing
#
# Now think of many test sets, each with three positives among seven items, ranked by the same
# classifier. The AUC is 5/6 on average. At each rung, how often is there a positive?
#
# Call these shares $P(1 \mid r)$. What we know of them is two sums:
#
# - they add up to 3, the number of positives;
# - multiplied by the rungs they add up to the energy, which is the AUC in other units.
#
# Seven unknowns, two equations. Many answers fit. Each of them claims something, and all but one
# claim more than we were told. To see which, ask how much each *leaves open*: how many yes-or-no
# questions you would still have to ask, on average, to learn all labels. That number is the
# **entropy**. A rung with $P = 1/2$ costs a whole question, one with $P = 0.99$ hardly any. The
# answer with the **largest entropy** leaves open whatever can be left open. It is
#
# $$P(1 \mid r) = \frac{1}{1 + e^{(r - \mu)/T}}$$
#
# with two numbers $\mu$ and $T$ that make both sums right. This is the **Fermi-Dirac law**.
#
# **Predict:** we change its shares at random, a thousand times, but keep both sums. How many of
# the thousand have a larger entropy?


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

# %% [markdown]
# None. You can also see *what* the law claims: look at the odds, $P / (1 - P)$, from rung to rung.
#
# **Predict:** do they fall by equal steps, by equal factors, or neither?

# %% jupyter={"outputs_hidden": true}
odds = law.probability() / (1 - law.probability())
print("odds:          ", odds.round(3))
print("rung by rung:  ", (odds[1:] / odds[:-1]).round(3))
print(f"exp(-1 / T):    {np.exp(-1 / law.temperature):.3f}")

# %% [markdown]
# **The odds fall by the same factor from each rank to the next.** That is the whole law. Nothing
# in the AUC would tell us that one step is special, so none is. After $T$ ranks the odds have
# fallen by the factor $e \approx 2.7$.
#
# It is not the truth about a classifier. It is what to say as long as one knows the AUC and the
# counts and nothing else. Section 4 holds it against data, and section 9 shows where it fails.

# %% [markdown]
# ## 3. Heating and cooling
#
# $T$ is the **temperature**. When it is cold, fermions sit as low as they can. Heat shakes them up
# the ladder.
#
# **Predict:** which AUC has a ranking at temperature 0? At a very high one? And what would a
# temperature *below* zero be?
#
# <details><summary>Answer</summary>
#
# Cold: each positive is on the lowest rungs, AUC 1. Hot: any rung is as good as any other, AUC
# 1/2. There is nothing beyond that but to prefer *high* rungs, a classifier that is worse than
# random. Its odds rise along the ranking, so $T$ is negative. The way from cold to below zero
# leads through infinity, not through zero.
#
# </details>

# %% [markdown]
# The dots under the curve are the rungs of one ranking, filled where the item is positive; the
# curve above them is the law. Drag the slider *temperature*, or press *heat*: it goes from perfect
# through random to worse than random. Then open *AUC* and drag the AUC instead. It is the same
# control in other units.

# %% jupyter={"outputs_hidden": true}
ladder = FermiDiracExplorer(auc=0.8, prevalence=0.4, n_samples=100, panels=["levels", "coldness"])
ladder

# %% jupyter={"outputs_hidden": true}
print("   T/N    AUC   P at ranks 1, 20, 40, 60, 100")
for warmth in (0, 0.02, 0.05, 0.1, 0.2, 0.5, 2, np.inf, -0.5, -0.1):
    at = FermiDirac.from_temperature(warmth * 100, n_pos=40, n_neg=60)
    print(
        f"{warmth:6} {at.auc:6.3f}  ", *(f"{p:.3f}" for p in at.probability([1, 20, 40, 60, 100]))
    )

# %% [markdown]
# (A temperature in ranks depends on how many items there are. Divided by that number, $N$, it can
# be compared between data sets. The explorer counts this way, too.)
#
# *How cold it is* shows $N/T$ for each AUC. Where $T$ passes through infinity, $N/T$ passes through
# zero. A third picture joins now, the ROC curve. **Predict** where it is when the heating ends. Then
# press *heat* once more.

# %% jupyter={"outputs_hidden": true}
heated = FermiDiracExplorer(
    auc=0.8, prevalence=0.4, n_samples=100, panels=["levels", "roc", "coldness"]
)
heated

# %% [markdown]
# ## 4. The temperature of a real model
#
# 569 tumours, 212 malignant, naive Bayes: the model of chapter 2. All the law needs are the AUC
# and the two counts.
#
# **Predict:** the AUC is 0.897. Look at the table above (there, 40 % are positive; here 37 %).
# Between which two temperatures must this model be? Then find out.

# %% jupyter={"outputs_hidden": true}
scores = load_breast_cancer_scores()
y_true, y_prob = scores.y_true, scores.y_prob
cancer = FermiDirac.from_scores(y_true, y_prob)
cancer

# %%
answer = ...
check("cancer_temperature", answer)

# %% [markdown]
# Does the law hold? It has seen nothing but three numbers. Let us ask it for the share of
# malignant tumours in each tenth of the ranking.
#
# **Predict:** where will it be off, if anywhere: at the ends or in the middle?

# %% jupyter={"outputs_hidden": true}
rank = rankdata(-y_prob)  # rank 1 has the highest score; equal scores share the mean rank
for k, tenth in enumerate(np.array_split(np.argsort(rank), 10), start=1):
    print(
        f"tenth {k:2}: {len(tenth)} tumours,",
        f"the law says {cancer.probability(rank[tenth]).mean():.2f},",
        f"it is {y_true[tenth].mean():.2f}",
    )

# %% [markdown]
# Close in most places, 0.08 off near the top, and 0.12 in the sixth tenth. The first tenth of this
# ranking is *purer* than the law says, the next two are less so: the odds do not fall evenly. One
# AUC cannot know that.
#
# Still, the law turns ranks into probabilities. Chapter 2 repaired the model's own probabilities
# with a hull.
#
# **Predict:** naive Bayes has a Brier score of 0.145, the hull (on the same data) 0.120. And the
# law, which knows three numbers?

# %% jupyter={"outputs_hidden": true}
for what, said in {"naive Bayes": y_prob, "Fermi-Dirac": cancer.probability(rank)}.items():
    print(f"{what}: Brier score {brier_decomposition(y_true, said).brier:.3f}")

# %% [markdown]
# More than half of the way. It throws the model's own probabilities away and keeps the order.
# (Law and hull both saw the labels they are judged by. The hull fits dozens of numbers to them,
# the law one: the AUC.)

# %%
tumours = FermiDiracExplorer(y_true, y_prob, panels=["levels", "roc"])
tumours

# %%
print(
    f"temperature {tumours.temperature:.3f} N, chemical potential {tumours.chemical_potential:.1f}"
)

# %% [markdown]
# ## 5. Logistic regression by another name
#
# "The odds fall by the same factor from rank to rank" means: the logarithm of the odds is a
# straight line in the rank. A model with straight log odds has another name.
#
# **Predict:** fit a logistic regression (without penalty) of the class on the rank. How close does
# its slope come to $-1/T$?

# %% jupyter={"outputs_hidden": true}
steps = (rank[:, None] - rank.mean()) / rank.std()  # a solver likes numbers near 1
logistic = LogisticRegression(C=np.inf, solver="newton-cholesky", tol=1e-12).fit(steps, y_true)
slope = logistic.coef_[0, 0] / rank.std()
intercept = logistic.intercept_[0] - slope * rank.mean()

print(f"logistic regression: log odds = {intercept:.6f} + {slope:.8f} * rank")
print(f"Fermi-Dirac: -1 / T = {-cancer.beta:.8f}")

# %% [markdown]
# They agree to the last digit, and they must: logistic regression chooses its two numbers so that
# the sum of the probabilities and the sum of rank times probability come out as in the data. These
# are the two sums of section 2.
#
# Where does that line cross zero? That rank is $\mu$, the **chemical potential**: there, positive
# and negative are equally likely.

# %%
answer = ...
check("logistic_potential", answer)

# %% [markdown]
# So what is new? Not the curve. It is that the curve **needs no data**: an AUC and two counts from
# a paper's abstract will do. And that one can ask what follows from it (sections 6 to 9).
#
# ### Two published numbers
#
# The example in the paper's Figure 1 has 50 positives, 50 negatives and a classifier of AUC 0.9. Its
# caption prints $1/T = 0.0759$ and $\mu = 50$.
#
# **Predict:** rounding, or something else?

# %% jupyter={"outputs_hidden": true}
example = FermiDirac.from_auc(0.9, n_pos=50, n_neg=50)
print(f"AUC 0.9 has 1/T = {example.beta:.7f} and mu = {example.chemical_potential}")
print(f"1/T = 0.0759 has AUC {FermiDirac.from_parameters(0.0759, 50.5, n_samples=100).auc:.5f}")

# %% [markdown]
# Something else, and no mistake: the caption says that the two numbers were *fitted to a
# simulation*. The value for exactly 0.9 is 0.0756127; the printed one belongs to an AUC of 0.9006.
# An average over many simulated test sets misses 0.9 by about so much. And $\mu$ is 50.5, between
# ranks 50 and 51. (50 is right if one cuts the ranking into 100 intervals and counts from their
# edge.)
#
# The other number is in the code that came with the paper. For cold rankings there is a formula,
# $N/T \approx \pi / \sqrt{6 \rho (1 - \rho)(1 - \mathrm{AUC})}$, where $\rho$ is the share of
# positives. The code has one that is smaller by the factor $2/\pi$. It uses it as a starting value
# of a search only, so its results are not wrong; but do not take the formula from there:

# %%
print(" 1 - AUC   exact N/T   formula   times 2/pi")
for lacking in (0.1, 0.01, 0.001, 0.0001):
    exact = FermiDirac.rescaled(one_minus_auc=lacking, prevalence=0.5)
    formula = np.pi / np.sqrt(6 * 0.5 * 0.5 * lacking)
    print(f"{lacking:8} {exact.beta:11.3f} {formula:9.3f} {formula * 2 / np.pi:12.3f}")

# %% [markdown]
# ## 6. Two marks on the ladder
#
# $\mu$ is one mark: above it, an item is more likely positive than negative. There is another,
# $r^*$: above it, an item is more likely positive **than before it was ranked**. Where positives
# are as common as negatives, the two are the same.
#
# For the tumours $\mu$ is at rank 208 and $r^*$ at rank 248. One tumour has rank 230. First: is it
# more likely malignant than benign? Second: is it more likely malignant than a tumour of which
# nothing is known? Answer `"both"`, `"only the first"`, `"only the second"` or `"neither"`.

# %%
answer = ...
check("between_marks", answer)

# %% [markdown]
# **Predict:** keep the AUC at 0.9 and make positives rarer. What becomes of the two marks in a
# ranking of 1000?

# %% jupyter={"outputs_hidden": true}
print("positives  temperature/N      mu       r*")
for n_pos in (500, 370, 100, 10):
    at = FermiDirac.from_auc(0.9, n_pos, 1000 - n_pos)
    print(
        f"{n_pos:9} {at.temperature / 1000:14.3f}",
        f"{at.chemical_potential:7.1f} {at.threshold_rank:8.1f}",
    )

# %% [markdown]
# With ten positives in a thousand, $\mu$ is *below zero*: it lies off the ladder. Not even the
# first item is more likely positive than negative. (Where misses are dear one acts nevertheless;
# see chapter 2, section 6.) $r^*$ stays on the ladder. It is also the rank at which the law
# expects the best **balanced accuracy**, the mean of the share of positives found and the share of
# negatives spared.
#
# **Predict:** the law puts $r^*$ of the tumours at 248. Where is the best cut in the data?

# %% jupyter={"outputs_hidden": true}
tumour_ranking = RankedSegments.from_scores(y_true, y_prob)
balanced = (tumour_ranking.tpr + 1 - tumour_ranking.fpr) / 2
cut = balanced.argmax()
called = tumour_ranking.cumulative_pos + tumour_ranking.cumulative_neg

print(f"best in the data: after rank {called[cut]:.0f}, balanced accuracy {balanced[cut]:.3f}")
nearest = np.abs(called - cancer.threshold_rank).argmin()
print(
    f"at r*:            after rank {called[nearest]:.0f}, balanced accuracy {balanced[nearest]:.3f}"
)
print(f"the law expects:  {cancer.balanced_accuracy(cancer.threshold_rank):.3f}")

# %% [markdown]
# ## 7. Two shortcuts
#
# Thinking in ranks gives two ways to an AUC that need no curve. Both are exact for *any* ranking,
# whether or not it follows the law:
#
# $$\mathrm{AUC} = \frac{\text{mean rank of the negatives} - \text{mean rank of the positives}}{N}
# + \frac{1}{2}$$
#
# $$\mathrm{AUC} = 2 \cdot (\text{mean of the balanced accuracy over all cuts}) - \frac{1}{2}$$
#
# The cuts come after rank 1, after rank 2, and so on to the last.
#
# **Predict** the mean balanced accuracy of naive Bayes on the tumours; its AUC is 0.8966.

# %%
answer = ...
check("cancer_mean_bac", answer)

# %% [markdown]
# And an upper limit: what is the mean balanced accuracy of a *perfect* ranking? (This cell shows
# all the answers of this section.)

# %% jupyter={"outputs_hidden": true}
apart = rank[y_true == 0].mean() - rank[y_true == 1].mean()
cuts = np.interp(np.arange(1, 570), called, balanced)  # inside a tie: part of it, drawn by lot
print(f"AUC by pairs                {tumour_ranking.auc:.12f}")
print(f"    by mean ranks           {apart / 569 + 0.5:.12f}")
print(f"    by balanced accuracies  {2 * cuts.mean() - 0.5:.12f}")
print(f"mean balanced accuracy: here {cuts.mean():.3f}, of a perfect ranking {(1 + 0.5) / 2}")

# %% [markdown]
# No ranking has a mean balanced accuracy above 3/4, for even a perfect one has bad cuts.

# %% [markdown]
# ## 8. How sure is the AUC?
#
# 0.8966 is the AUC on these 569 tumours. On another 569 it would be another number. How far off
# may it be? One needs the **variance** of the AUC, and all ways to it start with the same sum. It
# asks how alike pairs are that share an item: how likely are *two* positives above the same
# negative, and one positive above *two* negatives? The ways differ in where they look that up:
#
# | method | looks it up |
# |---|---|
# | DeLong, DeLong and Clarke-Pearson (1988) | in the data: where does each item stand among the other class? |
# | logit-DeLong | the same; but the interval is symmetric in $\log \frac{AUC}{1 - AUC}$ |
# | Hanley and McNeil (1982) | in two exponential densities with this AUC |
# | Fermi-Dirac (Kim et al., 2021) | in the law of this chapter with this AUC |
# | bootstrap | nowhere: it draws tumours again and again and looks how the AUC varies |
#
# **Predict:** which will be widest? Which cannot lie symmetrically around 0.8966?

# %% jupyter={"outputs_hidden": true}
methods = ("delong", "logit-delong", "hanley-mcneil", "fermi-dirac", "bootstrap")
for method in methods:
    found = auc_interval(y_true, y_prob, method=method, random_state=0)
    print(
        f"{method:14} {found.lower:.4f} to {found.upper:.4f}",
        f"  below {found.auc - found.lower:.4f}, above {found.upper - found.auc:.4f}",
    )

# %% [markdown]
# Close together, for here things are easy: many tumours of both classes and an AUC well below 1.
# As a picture, beside the levels of section 4:

# %%
intervals = FermiDiracExplorer(y_true, y_prob, panels=["levels", "intervals"])
intervals

# %% [markdown]
# Your turn. These are intervals of 95 %. Where does the logit-DeLong interval of **90 %** begin?

# %%
answer = ...
check("cancer_lower_end", answer)

# %% [markdown]
# ## 9. Do they keep their promise?
#
# "95 %" is a promise: of the data sets one could have had, 95 in 100 give an interval that holds
# the true AUC. A promise can be tested. Draw data sets from two normal densities, whose true AUC
# is known; make all intervals; count.
#
# **Predict:** a thousand items, but just 20 positives, and a true AUC of 0.99. Of the four quick
# methods, which misses the truth most often?

# %%
answer = ...
check("rare_positives", answer)

# %% [markdown]
# Now live, 200 data sets per line (this cell shows the answer). With so few, a count of 0.95 is
# good to about ± 0.03.

# %% jupyter={"outputs_hidden": true}
quick = ("delong", "fermi-dirac", "hanley-mcneil", "logit-delong")
settings = ((100, 0.5, 0.8), (200, 0.1, 0.95), (1000, 0.05, 0.9), (1000, 0.02, 0.99))

print("   N, share, AUC   ", "  ".join(f"{method:>13}" for method in quick))
for n, share, area in settings:
    found = simulate_coverage(n, share, area, methods=quick, n_repeats=200, random_state=0)
    kept = "  ".join(f"{c:13.3f}" for c in found.coverage)
    print(f"{n:5}, {share:4}, {area:5}  {kept}")

# %% [markdown]
# The same from an earlier simulation of ours with 1500 data sets per line (good to ± 0.01 near
# 0.95, ± 0.025 near 0.6). Set `n_repeats=1500` above to repeat it:
#
# | N, share of positives, AUC | DeLong | Fermi-Dirac | Hanley-McNeil | logit-DeLong |
# |---|---|---|---|---|
# | 100, 0.5, 0.80 | .924 | .927 | .932 | .941 |
# | 200, 0.1, 0.95 | .838 | .799 | .972 | .901 |
# | 1000, 0.05, 0.90 | .925 | .850 | .992 | .940 |
# | 1000, 0.02, 0.99 | .728 | .599 | .989 | .823 |
#
# Read it line by line.
#
# - **Line 1**, balanced classes: all do well. (In the live line three of them look worse than they
#   are. All methods met the same 200 data sets, and these happened to be unkind.)
# - **Rare positives**: the Fermi-Dirac interval breaks its promise badly. In the last line it
#   misses four times in ten.
# - **Hanley and McNeil** hold more often than they promise. That is not a virtue: their intervals
#   are wider than they need be.
# - **Logit-DeLong** is the best all-rounder, so it is what `auc_interval` does unless told
#   otherwise. With 20 positives and an AUC near 1 it does not keep its promise either. Twenty
#   positives are twenty.
#
# Why does the law fail where positives are rare? Ask it for its ROC curve.
#
# **Predict:** the same AUC of 0.9, with half of the items positive or with one in twenty. Throw
# negatives in or out: does a *real* classifier's ROC curve change? Does the law's?

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
# A real curve stays: each of its rates looks at one class. The law's curve moves with the share of
# positives. Where they are rare it spreads them too evenly over the top of the ranking and finds
# too little variance: with 50 positives, its standard deviation is a fifth too small. The paper
# compares the law's standard deviation with DeLong's over many settings and finds them nearly the
# same, less so for extreme shares. That is what is seen *over all settings*. An interval has to be
# right in yours.

# %% [markdown]
# Now with all four pictures. Open *AUC* to choose other settings, then *interval*, and press
# *simulate coverage*. With an AUC of 0.95, how rare may positives be until the Fermi-Dirac interval
# holds in fewer than 90 of 100? **Predict**, then try.

# %% jupyter={"outputs_hidden": true}
rare = FermiDiracExplorer(auc=0.95, prevalence=0.05, n_samples=400)
rare

# %% jupyter={"outputs_hidden": true}
rare.to_frame().round(3)

# %% [markdown]
# ## What to take home
#
# - Knowing an AUC and two counts, the least committed guess lets the odds fall by the same factor
#   from rank to rank. That is the Fermi-Dirac law, and logistic regression on ranks.
# - Its temperature says how far a ranking is from perfect: 0 perfect, infinite random, below zero
#   worse than random.
# - $\mu$ is where positive and negative are equally likely, $r^*$ where ranking has taught us
#   nothing. They differ when classes do, and $\mu$ may be off the ladder.
# - Probabilities from the law are fair and cheap. Intervals from it are not to be trusted where
#   one class is rare.
# - Use logit-DeLong for an AUC's interval, and distrust any near 1 with few positives.
#
# On to [chapter 4](04_fidel.ipynb), where several classifiers add up what their ranks say. Back to
# the [start](00_start_here.ipynb).
#
# ## Sources
#
# Where each was published stands in the [bibliography](https://github.com/rocviz/rocviz/blob/main/CITATION.cff).
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

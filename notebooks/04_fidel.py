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
# # When does the crowd beat the best?
#
# A hospital has five programs that rank X-rays. The best of them has an AUC of 0.75; the worst is hardly better than
# tossing a coin. The head of the department may buy one or all. Should she pay for the best and forget the rest?
#
# All five together reach **0.83**, if they err independently. But later in this chapter five real models look at one tumour, and the same
# rule of adding up gives it a probability of less than two in a **million** of being malignant. It is malignant.
#
# The rule is **FiDEL** (Kim et al., 2021). All it needs of each classifier is the AUC and the ranks. At the end
# of this chapter you can
#
# - add up the evidence of several rankings, and turn the sum into a probability;
# - say when a crowd beats its best member, when the mean rank is better than FiDEL, and when neither helps;
# - recognise shared errors, and say what they do to probabilities.
#
# You need [chapter 3](03_fermi_dirac.ipynb) and the calibration of [chapter 2](02_probabilities_and_calibration.ipynb).
# Allow about **60 minutes**, and another 5 for section 7, which may be left out. Two cells take a few seconds and show a bar.

# %%
import warnings
from functools import partial

import numpy as np
from scipy.special import expit
from sklearn.ensemble import StackingClassifier, VotingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from tqdm.auto import tqdm

from rocviz import (
    EnsembleExplorer,
    FermiDirac,
    FiDELClassifier,
    brier_decomposition,
    fidel_combine,
    simulate_classifiers,
)
from rocviz.core.ensembles import DependentErrorsWarning, ensemble_experiment
from rocviz.datasets import load_breast_cancer_scores
from rocviz.estimators.ensembles import compare_strategies

warnings.simplefilter("ignore", DependentErrorsWarning)  # of what section 5 is about

from rocviz.exercises import check

# %% [markdown]
# ## 1. What a rank is worth
#
# By the Fermi-Dirac law of chapter 3, the odds of a positive fall by the same factor from rank to rank. So a
# rank is a fixed amount of **evidence**. Compare how likely it is for a positive and for a negative, and take the logarithm:
#
# $$\ln \frac{P(r \mid \text{positive})}{P(r \mid \text{negative})} = \beta \, (r^* - r), \qquad
# \beta = 1 / T$$
#
# This **log-likelihood ratio** is 0 at $r^*$, positive for smaller ranks and negative for larger ones. A cold
# classifier (small $T$, high AUC) has a large $\beta$: each of its ranks says a lot. A rank of a hot one says little.
#
# **Predict:** one classifier has an AUC of 0.8, another 0.6. How many ranks of the second are worth one rank of the first?

# %% jupyter={"outputs_hidden": true}
for area in (0.9, 0.8, 0.7, 0.6, 0.5, 0.3):
    law = FermiDirac.from_auc(area, n_pos=40, n_neg=60)
    print(
        f"AUC {area}: one rank is worth {law.beta:+.4f},",
        f"r* is {law.threshold_rank:.1f}, rank 1 says {law.log_likelihood_ratio(1):+.2f}",
    )

# %% [markdown]
# <details><summary>What you can see</summary>
#
# Between three and four. A rank from a classifier that is no better than a coin (AUC 0.5) is worth nothing.
#
# </details>
#
# If two classifiers err **independently of each other, within each class**, the likelihoods
# multiply, so their logarithms add up:
#
# $$\ell = \beta_1 (r^*_1 - r_1) + \beta_2 (r^*_2 - r_2) + \ldots$$
#
# That sum is FiDEL. Your turn: of a hundred validation items, 40 are positive. One classifier has
# an AUC of 0.8 and gives a new item rank 30. Another has 0.6 and gives it rank 85. What is $\ell$?
# (`FermiDirac.from_auc(...)` has a `log_likelihood_ratio`.)

# %%
answer = ...
check("two_witnesses", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# from rocviz import FermiDirac
#
# sharp, blunt = FermiDirac.from_auc(0.8, 40, 60), FermiDirac.from_auc(0.6, 40, 60)
# answer = sharp.log_likelihood_ratio(30) + blunt.log_likelihood_ratio(85)
# ```
#
# </details>

# %% [markdown]
# **Predict:** a classifier with an AUC of **0.3** on the validation data puts a new item *last*.
# What does that do to the item's score: `"raises"`, `"lowers"` or `"leaves"` it?

# %%
answer = ...
check("reversed_witness", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# from rocviz import FermiDirac
#
# evidence = FermiDirac.from_auc(0.3, 40, 60).log_likelihood_ratio(100)
# answer = "raises" if evidence > 0 else "lowers"
# ```
#
# </details>

# %% [markdown]
# ## 2. One item, five judges
#
# We simulate five classifiers that err independently, with true AUCs from 0.55 to 0.75. On 500
# validation items we measure how good each is. Then come new items.
#
# **Predict:** all five together reach 0.83, as the opening said. Leave the best one out: what AUC do the other four reach,
# none of which is better than 0.70?

# %% jupyter={"outputs_hidden": true}
areas = [0.55, 0.6, 0.65, 0.7, 0.75]
y_val, s_val = simulate_classifiers(500, areas, random_state=1)
y_new, s_new = simulate_classifiers(5000, areas, random_state=2)

crowd = fidel_combine(y_val, s_val, s_new, calibration=None)
crowd.ensemble.to_frame().round(3)

# %% jupyter={"outputs_hidden": true}
print("single classifiers:", *(f"{roc_auc_score(y_new, s_new[:, k]):.3f}" for k in range(5)))
print(f"all five, FiDEL:    {roc_auc_score(y_new, crowd.score):.3f}")
four = fidel_combine(y_val, s_val[:, :4], s_new[:, :4], calibration=None)
print(f"without the best:   {roc_auc_score(y_new, four.score):.3f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# Without the best, the four weak ones still reach 0.74, nearly as much as the best alone. They err independently of each
# other, so their evidence adds up.
#
# </details>
#
# Now look at single items. Each classifier makes a contribution, positive or negative. Choose an
# item with the slider *rank of the item*. Click on a classifier's circle to leave it out, and click there again to put it
# back; the list under *more* does the same.
#
# **Predict:** which classifier has the longest bars most of the time? (The explorer draws five other classifiers of this kind.)

# %% jupyter={"outputs_hidden": true}
judges = EnsembleExplorer(
    n_classifiers=5, correlation=0.0, panels=["item", "classifiers"], unfolded=["item"]
)
judges

# %% jupyter={"outputs_hidden": true}
for item in (0, 3):
    print(f"item {item}, {'positive' if y_new[item] else 'negative'}")
    for k, contribution in enumerate(crowd.contributions[item]):
        print(f"  classifier {k + 1}, rank {crowd.ranks[item, k]:5.1f}: {contribution:+.2f}")
    print(f"  sum {crowd.log_likelihood_ratio[item]:+.2f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# Most of the time it is classifier 5, whose ranks are worth most. In the first of the two items, which is positive, its
# −0.90 outweighs three others that speak for positive.
#
# </details>
#
# The ranks are the items' places *among the validation items*, so a new item can come alone. (The paper's
# experiments rank new items among each other, `rank_context="batch"`.)

# %% [markdown]
# ## 3. From evidence to probability
#
# $\ell$ says what the ranks have taught us, but not how common positives were before. A
# probability needs both:
#
# $$P(\text{positive}) = \sigma \left( \ell + \ln \frac{\rho}{1 - \rho} \right), \qquad \sigma(z) =
# \frac{1}{1 + e^{-z}}$$
#
# with $\rho$ the share of positives. The second term is the **prior**.
#
# <details><summary>For those who read the paper</summary>
#
# The code that came with the paper leaves the prior term out. `fidel_combine` has it.
#
# </details>
#
# Take the item of the two witnesses once more (40 positives and 60 negatives). What is
# the probability that it is positive?

# %%
answer = ...
check("prior_term", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# import numpy as np
# from scipy.special import expit
#
# from rocviz import FermiDirac
#
# sharp, blunt = FermiDirac.from_auc(0.8, 40, 60), FermiDirac.from_auc(0.6, 40, 60)
# evidence = sharp.log_likelihood_ratio(30) + blunt.log_likelihood_ratio(85)
# answer = expit(evidence + np.log(40 / 60))
# ```
#
# </details>

# %% [markdown]
# **Predict:** 40 % of the new items are positive. What is the mean of their probabilities, with
# the prior term and without?

# %% jupyter={"outputs_hidden": true}
without = expit(crowd.log_likelihood_ratio)
for what, prob in {"with prior": crowd.probability, "without": without}.items():
    brier = brier_decomposition(y_new, prob).brier
    print(f"{what:10}: mean probability {prob.mean():.3f}, Brier score {brier:.4f}")


# %% jupyter={"outputs_hidden": true}
def reliability(prob, y):
    for low, high in ((0, 0.05), (0.05, 0.2), (0.2, 0.5), (0.5, 0.8), (0.8, 1)):
        here = (low <= prob) & (prob < high)
        print(
            f"  {low:4.0%} to {high:4.0%}: {here.sum():4} items,",
            f"predicted {prob[here].mean():.2f}, observed {y[here].mean():.2f}",
        )


reliability(crowd.probability, y_new)

# %% [markdown]
# <details><summary>What you can see</summary>
#
# With the prior term the mean is 0.39, close to the 40 % that are positive. Without it the mean is 0.46. Five mediocre
# classifiers, none of which gave a probability, together give **calibrated** ones. But their errors are
# independent here, because we made them so.
#
# </details>
#
# (The prior moves all items by the same amount, so it does not matter for a ranking.)

# %% [markdown]
# ## 4. Who knows the weights?
#
# Before there was FiDEL there was the **wisdom of crowds**, WoC: take the mean rank. (In elections the same rule is
# called the *Borda count*.) It needs no labels, and every classifier counts alike. A third way goes beyond the paper:
# **correlation-aware** weights also take into account which classifiers repeat each other's errors.
#
# We compare them on new items. In the tables `best` is the classifier that looked best on the validation
# items, and `mean base` the mean AUC of all single classifiers.
#
# **Predict:** errors are independent, AUCs are spread evenly from 0.55 to 0.75, and there are three, five or seven
# classifiers. Does the mean rank beat the best? Does FiDEL beat the mean rank?


# %% jupyter={"outputs_hidden": true}
bar = partial(tqdm, leave=False)


def compare(correlation, **setting):
    heads, largest = True, 0.0
    setting |= {"n_repeats": 30, "random_state": 0, "progress": bar}
    for c in correlation:
        done = ensemble_experiment(correlation=[c], **setting)
        if heads:
            print("  c  M ", " ".join(f"{method:>17}" for method in done.methods))
        for m, means in zip(done.n_classifiers, done.auc, strict=True):
            print(f"{c:3.1f} {m:2} ", " ".join(f"{mean:17.3f}" for mean in means), flush=True)
        heads, largest = False, max(largest, done.standard_error.max())
    print(f"standard errors: at most {largest:.3f}")


compare(n_classifiers=[3, 5, 7], correlation=[0.0])

# %% [markdown]
# <details><summary>What you can see</summary>
#
# FiDEL beats the best with three classifiers already. The mean rank needs five: with three, the weak classifiers have too
# much say. FiDEL beats the mean rank with all three numbers of classifiers.
#
# </details>
#
# Is FiDEL always better? **Predict** before you read on: five independent classifiers are
# **equally good**, each with an AUC of 0.65, and there are only **50** validation items. Which has
# the higher AUC on new items: `"the mean rank"` or `"FiDEL"`?

# %%
answer = ...
check("equal_and_few", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# answer = "the mean rank"  # the next cell computes it
# ```
#
# </details>

# %% jupyter={"outputs_hidden": true}
for n_validation in (50, 100, 500):
    print(f"{n_validation} validation items, all AUCs 0.65")
    compare(n_classifiers=[5], correlation=[0.0], auc_range=(0.65, 0.65), n_validation=n_validation)

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The paper reports that FiDEL is better than the mean rank at every correlation it tried. It tried
# classifiers that differ. **Where they do not, FiDEL has nothing to gain**: equal weights are
# right, and measuring them only adds noise. With 500 validation items the loss is
# 0.003; with 50 it is 0.027.
#
# </details>

# %% [markdown]
# ## 5. Copies
#
# FiDEL treats its classifiers as independent witnesses. What if they are not?
#
# Again 40 positives and 60 negatives. A classifier with an AUC of 0.8 gives an item rank 10. By
# mistake it is entered three times. What probability does FiDEL give the item?
#
# **Predict:** more, less, or the same as for one copy? Then compute.

# %%
answer = ...
check("same_witness_thrice", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# import numpy as np
# from scipy.special import expit
#
# from rocviz import FermiDirac
#
# once = FermiDirac.from_auc(0.8, 40, 60).log_likelihood_ratio(10)
# answer = expit(3 * once + np.log(40 / 60))
# ```
#
# </details>

# %% [markdown]
# Real classifiers are not copies, but they learn from the same data and stumble over the same
# items. Let $c$ be the correlation of their scores **within each class** (across classes we want them to agree). Here it is 0.4.
#
# **Predict:** what happens to the calibrated probabilities of section 3?

# %% jupyter={"outputs_hidden": true}
y_val, s_val = simulate_classifiers(500, areas, correlation=0.4, random_state=1)
y_new, s_new = simulate_classifiers(5000, areas, correlation=0.4, random_state=2)

for method in ("fidel", "correlation-aware"):
    combined = fidel_combine(y_val, s_val, s_new, method=method, calibration=None)
    print(f"{method}, AUC {roc_auc_score(y_new, combined.score):.3f}")
    reliability(combined.probability, y_new)

# %% [markdown]
# <details><summary>What you can see</summary>
#
# FiDEL has become **over-confident**: where it predicts 3 %, one in nine is positive. It counts shared evidence more than once.
# You met such a judge in chapter 2, section 1: naive Bayes, on attributes that say the same thing twice. FiDEL *is* a naive Bayes
# on ranks. Correlation-aware weights keep the probabilities calibrated.
#
# </details>
#
# With `calibration=None` these are the probabilities as the paper defines them. By default `fidel_combine` fits a slope to the
# evidence of the validation items, which takes back what was counted more than once, and warns you how much that was
# (this notebook silences the warning).

# %% [markdown]
# ## 6. How much correlation can a crowd bear?
#
# The paper says: FiDEL beats the best single classifier up to a correlation of 0.4.
#
# **Predict:** three classifiers, AUCs spread from 0.55 to 0.75, $c = 0.4$. Which is ahead on new
# items: `"the best classifier"`, `"the mean rank"` or `"FiDEL"`?

# %%
answer = ...
check("three_against_one", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# answer = "the best classifier"  # the table below computes it
# ```
#
# </details>

# %% [markdown]
# First try it by hand, with two new pictures: the crowd compared with its best member, and the correlations of their errors.
# Open *other data* and drag *correlation of errors* from 0 upwards. At what value does the crowd lose its lead over its best member? Then
# open *how many* and change the number of classifiers. (This is a single random sample: *new sample*, under *other data*, draws another, and
# *compare smaller crowds* averages over resamples.)

# %% jupyter={"outputs_hidden": true}
shared = EnsembleExplorer(n_classifiers=7, correlation=0.4, panels=["crowd", "correlation"])
shared

# %% jupyter={"outputs_hidden": true}
for c in (0.0, 0.2, 0.4, 0.6):
    shared.correlation = c
    auc = shared.result.auc
    print(f"one draw, c = {c}: best {auc['best']:.3f}, FiDEL {auc['fidel']:.3f}")
shared.correlation = 0.4

# %% [markdown]
# <details><summary>What you can see</summary>
#
# In this draw the crowd is far ahead at a correlation of 0, and still ahead at 0.2. At 0.4 the explorer's sentence says that
# these data show no difference, and at 0.6 the crowd is behind.
#
# </details>
#
# Now 30 draws for each setting, 500 validation and 500 new items, 40 % positive. The cell takes a second or two.
#
# **Predict:** seven classifiers at $c = 0.4$: is the crowd ahead, level or behind?

# %% jupyter={"outputs_hidden": true}
compare(n_classifiers=[3, 5, 7], correlation=[0.0, 0.2, 0.4, 0.6])

# %% [markdown]
# <details><summary>What you can see</summary>
#
# At $c = 0.4$ seven classifiers are level with the best. Here is the same with 1000 draws (best single / WoC / FiDEL; standard errors
# below 0.001), as the page [When does a crowd help?](https://github.com/rocviz/rocviz/blob/main/docs/fidel.md) of the documentation has it:
#
# | $c$ | M = 3 | M = 5 | M = 7 |
# |---|---|---|---|
# | 0 | .751 / .746 / .780 | .747 / .803 / .830 | .743 / .843 / .867 |
# | 0.2 | .750 / .714 / .757 | .749 / .739 / .778 | .745 / .753 / .791 |
# | 0.4 | .749 / .691 / .738 | .747 / .703 / .743 | .745 / .710 / .747 |
# | 0.6 | .750 / .674 / .723 | .750 / .682 / .721 | .749 / .686 / .722 |
#
# So, with these AUCs:
#
# | claim | holds | does not hold |
# |---|---|---|
# | FiDEL beats the best single classifier | with three or more classifiers up to $c = 0.2$ | at $c = 0.4$ with 3; it takes about 7 to draw level. At 0.6 with none of these sizes |
# | FiDEL is at least as good as the mean rank | where AUCs are spread | where they are equal and validation items few (section 4) |
# | the mean rank beats the best | with five or more at $c = 0$, with seven at $c = 0.2$ | at $c = 0.4$ and 0.6 |
# | $\ell$ gives calibrated probabilities | for independent errors, with the prior term | for correlated ones (section 5) |
#
# </details>
#
# <details><summary>For those who read the paper: "up to 0.4"</summary>
#
# The authors' simulation has up to 25 classifiers, and there the first claim does hold at $c = 0.4$:
# with ten FiDEL is ahead by 0.007, with 25 by 0.019, on new items and with a standard error of 0.002
# ([the paper's experiments, again](https://github.com/rocviz/rocviz/blob/main/docs/reproduction.md)). At
# 0.6 it is behind with any number.
#
# </details>
#
# And the head of the department? If she knows that the five programs err independently, she should buy all five. If they were
# trained on the same images, she should measure their correlation within the classes first: at 0.4 and above, five of them do no
# better than the best alone.

# %% [markdown]
# ## 7. Weights that know who repeats whom
#
# *This section may be left out: nothing after it needs it.*
#
# Correlation-aware weights are $C^{-1} (\mathrm{AUC} - \frac12)$, where $C$ is the matrix of rank
# correlations within the classes. Since these are only estimated, they are multiplied by a factor a little below 1, which
# is called **shrinkage** (Schäfer and Strimmer, 2005).
#
# In the table of section 6 the last column, with these weights, is ahead of FiDEL in every line with correlation, and it is *higher* at 0.6
# than at 0.4. **Predict:** does it need many validation items for that?

# %% jupyter={"outputs_hidden": true}
for n_validation in (50, 500):
    print(f"{n_validation} validation items")
    compare(n_classifiers=[7], correlation=[0.4], n_validation=n_validation)

# %% [markdown]
# <details><summary>What you can see</summary>
#
# It does: with 500 validation items the gain over FiDEL is 0.04; with 50 it cannot be told from nothing. What all classifiers share
# is noise, and a weak classifier consists of little else. So it can be *subtracted*: a weak classifier gets a
# negative weight and removes noise from the strong ones. This needs correlations that can be measured and are alike in both
# classes, as they are here by construction.
#
# </details>

# %% [markdown]
# ## 8. Two ways to train, on real data
#
# How do you get classifiers that err independently? The paper's advice is to train each on its own part
# of the data (**disjoint**) rather than all on the same data (**shared**). On its two large data sets
# that lowers the correlation.
#
# We try it on the tumours of chapter 2, with four measurements each, and five classifiers. The cell takes a second
# or two.
#
# **Predict:** on disjoint parts, each classifier learns from a fifth of the data. What does this do to the
# correlation? To the single AUCs? To the crowd's?

# %% jupyter={"outputs_hidden": true}
scores = load_breast_cancer_scores()
X, y = scores.data, scores.y_true

base = [
    ("bayes", GaussianNB()),
    ("neighbours", make_pipeline(StandardScaler(), KNeighborsClassifier(9))),
    ("tree", DecisionTreeClassifier(max_depth=3, random_state=0)),
    ("logistic", make_pipeline(StandardScaler(), LogisticRegression(solver="newton-cholesky"))),
    ("stump", DecisionTreeClassifier(max_depth=1, random_state=0)),
]

how = {"test_size": 0.4, "validation_size": 0.3, "random_state": 0, "progress": bar}
done = compare_strategies(base, X, y, n_repeats=20, **how)

print(f"{'':11} learns from  correlation  mean base   best    WoC  FiDEL   FiDEL minus best")
shared_error = np.sqrt(1 / 20 + done.n_test / done.n_known)  # splits share tumours
for k, strategy in enumerate(done.strategies):
    best, mean, woc, fidel, _ = done.auc[k]
    gap = done.areas[:, k, 3] - done.areas[:, k, 0]
    print(f"{strategy:11} {done.n_train[k]:11.0f} {done.correlation[k]:12.2f}", end=" ")
    print(f"{mean:10.3f} {best:6.3f} {woc:6.3f} {fidel:6.3f}", end="   ")
    print(f"{gap.mean():+.3f} ± {gap.std(ddof=1) * shared_error:.3f}")
for method in ("mean base", "fidel"):
    for one, other in (("disjoint", "same share"), ("shared", "disjoint")):
        gain, error = done.difference(one, other, method=method)
        print(f"{method:9}: {one:8} minus {other:10} {gain:+.3f} ± {error:.3f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# - First two lines: each classifier learns from the same amount of data, its own or shared. **Disjoint parts lower the
#   correlation**, as the paper says.
# - First and last: the same data set, dealt out or shared. With shared data each classifier learns from five times as much, and the
#   correlation rises. **The crowds end up alike**: FiDEL differs by less than its standard error. Disjoint parts cost the crowd nothing
#   here, which is good to know where data cannot be pooled, as between hospitals.
# - FiDEL does not beat the best single classifier by more than its error either. After section 6 nobody should have hoped for more from
#   five classifiers with a correlation above 0.6.
#
# (± is the standard error of the mean difference over 20 splits. It allows for the tumours that the splits share; without that it would be
# about a quarter as large, and some of these differences would look like findings.)
#
# </details>

# %% [markdown]
# Take one of these ensembles apart. `FiDELClassifier` is an estimator like any other of scikit-learn; it sets the
# validation items aside by itself. Beside it stand two of scikit-learn's own: `VotingClassifier`
# takes the mean of the probabilities, `StackingClassifier` learns how to weigh them. **Predict:** which classifier has the
# lowest temperature? Which two are most alike?

# %% jupyter={"outputs_hidden": true}
X_fit, X_test, y_fit, y_test = train_test_split(X, y, test_size=0.4, stratify=y, random_state=0)
model = FiDELClassifier(base, strategy="disjoint", validation_size=0.3, random_state=0)
model.fit(X_fit, y_fit)
print(model.ensemble_.to_frame().round(3).to_string(index=False))
print("rank correlation within the classes")
print(model.ensemble_.correlation.round(2))
print("AUC on the other tumours")
for name, crowd in {
    "FiDEL": model,
    "voting": VotingClassifier(base, voting="soft").fit(X_fit, y_fit),
    "stacking": StackingClassifier(base).fit(X_fit, y_fit),
}.items():
    print(f"  {name:8} {roc_auc_score(y_test, crowd.predict_proba(X_test)[:, 1]):.3f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The logistic regression has the lowest temperature; it and the nearest neighbours are most alike, with a correlation of
# 0.90. On these 228 tumours scikit-learn's two ways are a little ahead of FiDEL. This is a single split; the table above shows how little
# that means.
#
# </details>
#
# Here is the same ensemble in the explorer. You can change the strategy (*trained on*, under
# *combine by*), leave classifiers out, and see what each of them says about any tumour.

# %%
tumours = EnsembleExplorer.from_estimators(base, X, y, panels=["item", "crowd"])
tumours

# %%
for strategy in ("disjoint", "shared"):
    tumours.strategy = strategy
    result = tumours.result
    item = result.item
    print(
        f"{strategy}: mean correlation {result.crowd.mean_correlation:.2f},",
        f"best {result.auc['best']:.3f}, FiDEL {result.auc['fidel']:.3f}",
    )
    print(
        f"  item {tumours.item}, {'malignant' if result.item_is_positive else 'benign'}:", end=" "
    )
    print("contributions", item.contributions[0].round(1), end=", ")
    print(f"P(malignant) {item.probability[0]:.1e}")

# %% [markdown]
# This is one split into halves. With *disjoint* the crowd is behind its best member, with *shared* it is ahead. Both
# differences are chance: by the last line of the table, a difference between two AUCs varies from split to split by
# more than all the effects of this section. That is why the table averages.
#
# And look at the item that is shown when the explorer opens. This tumour is malignant, and all five say benign. Trained on disjoint
# parts they leave it a probability of one in 15 000; trained on the same data, of one or two in a million. FiDEL counts
# five witnesses, but they have seen the same data and make the same error. Section 5 showed this in a simulation,
# and here it concerns a patient: **where errors are shared, rank by FiDEL if you like, but calibrate before you believe
# its probabilities**.

# %% [markdown]
# ## What to take home
#
# - A rank is evidence, $\beta (r^* - r)$. FiDEL adds up the evidence of all classifiers, as if it were independent. One with
#   an AUC below 1/2 counts reversed, and one with 1/2 not at all.
# - For a probability, add the prior.
# - Independence **within the classes** is what makes a crowd better. Errors that are shared make it over-confident.
# - With a correlation of 0.4 and AUCs from 0.55 to 0.75, it takes about seven classifiers to draw level with the best; with
#   other AUCs it takes another number. If the correlations can be measured, use them.
# - If the classifiers are equally good and labels are few, take the mean rank (the Borda count).
# - If all of them give probabilities, try their plain mean first (`VotingClassifier` with `voting="soft"`): it needs no validation items. Take
#   FiDEL where only ranks or AUCs are known. Correlation-aware weights and stacking (`StackingClassifier`) need many validation items
#   ([a comparison](https://github.com/rocviz/rocviz/blob/main/docs/fidel.md)).
#
# Next: [chapter 5](05_scoring_lists.ipynb), where a doctor stops asking when she is sure. Further reading: Kim et al.
# (2021). Back to the [start](00_start_here.ipynb).
#
# ## Sources
#
# The [bibliography](https://rocviz.github.io/rocviz/bibliography.html) says where each was published.
#
# - Kim et al. (2021). *The Fermi-Dirac distribution provides a calibrated probabilistic output
#   for binary classifiers.* FiDEL, the simulation with correlated classifiers and both ways to
#   train.
# - DeLong, DeLong and Clarke-Pearson (1988). *Comparing the areas under two or more correlated
#   receiver operating characteristic curves: a nonparametric approach.* The test by which the
#   explorer compares the crowd with its best member.
# - Schäfer and Strimmer (2005). *A shrinkage approach to large-scale covariance matrix
#   estimation.* How far correlations are drawn towards independence.

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
# # Ranking like a dictionary
#
# Dr. Hanna works where there is no computer. She measures the cell nuclei of a tumour and must decide which of her patients should be
# operated on first. She would like a rule that fits into one sentence: *compare the perimeter; if that does not decide, compare the next
# measurement; and so on.* This is how a dictionary orders its words. How much worse is such a rule than a flexible model? On tumours that
# were kept aside it ranks with an AUC of **0.98**. A decision tree of five levels, which may combine the same thirty measurements as it
# likes, has **0.92**, and the best model of this chapter has **0.995**. So a rule for the wall need not be the worst choice. What does it
# give away?
#
# At the end of this chapter you can
#
# - rank by an order of attributes, without any tree, and learn such an order from counts (LexRank);
# - say when naive Bayes and an order of attributes rank alike;
# - turn such an order, or any other score, into probabilities (LexProb and `HullCalibrator`), and judge them on
#   data they have not seen, beside scikit-learn's own calibration.
#
# Allow about **60 minutes**, and another 5 for section 3, which may be left out; the appendix takes 30. You need ROC curves and their hull
# ([chapter 1](01_classification_and_ranking.ipynb)). The ideas are those of Flach and Matsubara (2008).

# %%
from itertools import pairwise, permutations, product

import numpy as np
from scipy.special import expit
from scipy.stats import t
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, roc_auc_score
from sklearn.model_selection import (
    StratifiedKFold,
    cross_val_predict,
    cross_validate,
    train_test_split,
)
from sklearn.naive_bayes import BernoulliNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from tqdm.auto import tqdm

from rocviz import (
    HullCalibratedClassifier,
    HullCalibrator,
    LexicographicDisplay,
    LexicographicExplorer,
    LexProb,
    LexRank,
    RankedSegments,
    lex_order,
)
from rocviz.core.lexicographic import lexicographic_rank
from rocviz.datasets import load_flach_matsubara
from rocviz.exercises import check

# %% [markdown]
# ## 1. Choosing a flight
#
# Many people choose a flight in the way a dictionary orders its words. It should be direct. If that does not decide, it should be cheap; then
# it should include a bag; then wifi. This is all there is to a **lexicographic ranker**: an **order** of attributes, and a **preferred
# value** of each. The first attribute in which two flights differ decides.
#
# | flight | direct | cheap | bag | wifi |
# |---|---|---|---|---|
# | Albatross | yes | no | no | no |
# | Bluebird | no | yes | yes | yes |
# | Crane | yes | no | no | yes |
# | Dove | no | yes | yes | no |
#
# **Predict:** which flight comes first, and which last? Bluebird fulfils three wishes, Albatross one. Which of
# the two ranks higher?

# %% jupyter={"outputs_hidden": true}
names = ["Albatross", "Bluebird", "Crane", "Dove"]
flights = np.array([[1, 0, 0, 0], [0, 1, 1, 1], [1, 0, 0, 1], [0, 1, 1, 0]])


def show(order):
    ranks = lexicographic_rank(flights, order=order, preferred=[1, 1, 1, 1])
    for i in np.argsort(ranks):
        pattern = "".join(str(flights[i, j]) for j in order)
        print(f"  {ranks[i]}. {names[i]:10} {pattern} = {int(pattern, 2)}")


print("direct, cheap, bag, wifi")
show([0, 1, 2, 3])
print("cheap, direct, bag, wifi")
show([1, 0, 2, 3])

# %% [markdown]
# <details><summary>What you can see</summary>
#
# Crane comes first and Dove last. Albatross ranks higher than Bluebird, because **an order does not add up**: no number of later wishes makes
# up for an earlier one. If the first two attributes change places, the flights with a low price come first.
#
# </details>
#
# The column on the right contains the idea of this chapter. Write 1 for each wish that is
# fulfilled and 0 for each that is not, the most important first, and read the result as a binary number. The ranking is the order of these
# numbers. (You could also draw a tree; see the appendix.)
#
# Think of all 16 possible patterns. How many of them are better than that of a flight with bag and wifi and
# nothing else?

# %%
answer = ...
check("better_flights", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# answer = sum(pattern > 0b0011 for pattern in range(16))  # direct, cheap, bag, wifi
# ```
#
# </details>

# %% [markdown]
# ## 2. LexRank: two choices
#
# How do you find an order from data with positives and negatives? **LexRank** makes two choices, and both need only
# counts.
#
# 1. **Which value is preferred?** The one that positives have more often than negatives. The
#    *likelihood ratio* says how much more often:
#    $\mathrm{LR}(v) = P(A = v \mid +) \, / \, P(A = v \mid -)$.
# 2. **Which attribute comes first?** The one with the largest *odds ratio*, which compares the
#    preferred value with the other: $\mathrm{OR} = \mathrm{LR}(\text{preferred}) \, / \,
#    \mathrm{LR}(\text{other})$.
#
# An attribute with an odds ratio of 1 carries no evidence and is left out.
#
# Here are the twenty instances of chapter 1: ten positives, ten negatives. Of the positives 5 have
# A1 = 1 and 4 have A2 = 1; of the negatives 4 and 6. **Predict:** which attribute comes first, and which
# value of it is preferred?

# %% jupyter={"outputs_hidden": true}
X, y = load_flach_matsubara(return_X_y=True)
order = lex_order(X, y, smoothing=0)
order.to_frame(["A1", "A2"]).round(3)

# %% [markdown]
# <details><summary>What you can see</summary>
#
# A2 comes first, and 0 is its preferred value: its odds ratio is 9/4, that of A1 is 3/2. (`tpr` and `fpr` are the shares of positives and of
# negatives that have the preferred value.)
#
# </details>
#
# A count may be zero, and then a ratio is infinite. So LexRank adds one to each count (`smoothing=1`, Laplace's correction).
#
# The odds ratio may surprise you. Among 40 positives and 60 negatives,
#
# | | positives | negatives |
# |---|---|---|
# | smokes | 24 | 12 |
# | coughs | 8 | 1 |
#
# Which comes first by LexRank, `"smokes"` or `"coughs"`, or are their odds ratios `"equal"`?

# %%
answer = ...
check("rare_value", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# smokes = (25 / 13) / (17 / 49)  # one added to each count
# coughs = (9 / 2) / (33 / 60)
# answer = "smokes" if smokes > coughs else "coughs"
# ```
#
# </details>

# %% [markdown]
# What does smoothing do? **Predict:** which of the two odds ratios falls further when more is added to each count?

# %% jupyter={"outputs_hidden": true}
people = np.zeros((100, 2), dtype=int)
sick = np.arange(100) < 40
people[:24, 0] = people[40:52, 0] = people[:8, 1] = people[40:41, 1] = 1

for smoothing in (0, 1, 10):
    order = lex_order(people, sick, smoothing=smoothing)
    print(f"smoothing {smoothing}:", end="")
    for j, ratio in zip(order.order, order.odds_ratio, strict=True):
        print(f"  {('smokes', 'coughs')[j]} {ratio:.1f}", end="")
    print()

for j, name in enumerate(("smokes", "coughs")):
    print(f"{name} alone: AUC {roc_auc_score(sick, people[:, j]):.2f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The odds ratio of *coughs* falls further. **An odds ratio does not say on how many samples it rests.** A value that is rare but hardly ever
# wrong comes before one that ranks better by itself. With `smoothing=10` the rare value would need more evidence to come first.
#
# </details>
#
# This works here because the classes are of similar size. Where they are not, smoothing may do the opposite; the appendix has an example.

# %% [markdown]
# ## 3. Odds ratios in ROC space
#
# *This section may be left out: nothing after it needs it.*
#
# An attribute with its preferred value is a classifier. So it is one **point** in ROC space: the
# share of negatives and the share of positives that have the value. The further the point is from
# the diagonal, the better; but LexRank does not measure *distance*. It takes
#
# $$\mathrm{OR} = \frac{t \, (1 - f)}{f \, (1 - t)}$$
#
# (the odds of $t$ over the odds of $f$) for a point with true positive rate $t$ and false positive rate $f$. Points with the same odds ratio
# lie on one curve, an **isometric**. It starts at (0, 0), ends at (1, 1), and bulges in between.
#
# **Predict:** the point of *smokes* (without smoothing) is (0.2, 0.6). Another attribute on the same isometric has
# $f = 0.5$. If it were equally far above the diagonal, its $t$ would be 0.9. Is $t$ larger or smaller than that? Work it out.

# %%
answer = ...
check("same_isometric", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# odds_ratio = (0.6 / 0.4) / (0.2 / 0.8)
# odds = odds_ratio * 0.5 / 0.5
# answer = odds / (1 + odds)
# ```
#
# </details>

# %% [markdown]
# What happens to the point if you prefer the *other* value? The shares become $1 - f$ and
# $1 - t$, so the point is reflected in the centre of the square, and the odds ratio is inverted. So one of
# the two values always lies above the diagonal, unless the point lies on it. You can try this in the next explorer.

# %% [markdown]
# ## 4. Eight rankers
#
# Two attributes can be ordered in two ways, and each has two values to prefer. That makes eight
# rankers. Drag a card to change the order, and press the value to prefer.
#
# **Predict** first: is there an order, with preferred values, whose ROC curve is convex (in analysis one would say *concave*: it
# bulges up everywhere)? Then try all eight; *rankers tried* keeps count.

# %% jupyter={"outputs_hidden": true}
eight = LexicographicExplorer(
    preset="twenty instances", panels=["tree", "roc"], unfolded=["attributes"]
)
eight

# %% [markdown]
# Now take an order that makes little sense, **A2 = 1 first, then A1 = 1**. Its leaves are, from left
# to right,
#
# | | A2 = 1, A1 = 1 | A2 = 1, A1 = 0 | A2 = 0, A1 = 1 | A2 = 0, A1 = 0 |
# |---|---|---|---|---|
# | positives, negatives | 3, 1 | 1, 5 | 2, 3 | 4, 1 |
#
# Join neighbours until the shares of positives fall from left to right; the result is the hull. Then give
# each segment the probability $(n^+ + 1) / (n + 2)$. What probabilities do the four leaves get? Use pencil and paper, then look at
# the picture. (Give four numbers, from the left: `[..., ..., ..., ...]`.)

# %%
answer = ...
check("joined_leaves", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# # (3, 1) stays; (1, 5), (2, 3) and (4, 1) are joined
# joined = (1 + 2 + 4 + 1) / (1 + 2 + 4 + 5 + 3 + 1 + 2)
# answer = [(3 + 1) / (3 + 1 + 2), joined, joined, joined]
# ```
#
# </details>

# %% [markdown]
# Here are all eight. **Predict:** do two orders with different AUCs always have different hulls?

# %% jupyter={"outputs_hidden": true}
for first, second in permutations(range(2)):
    for preferred in product((0, 1), repeat=2):
        ranking = lex_order(X, y, order=[first, second], preferred=preferred).segments(X, y)
        hull = ranking.hull()
        joined = ", ".join(f"({p:.0f}, {n:.0f})" for p, n in zip(hull.pos, hull.neg, strict=True))
        print(
            f"A{first + 1} = {preferred[first]}, then A{second + 1} = {preferred[second]}:",
            f"AUC {ranking.auc:.2f}, {'convex' if ranking.is_convex else 'not convex'},",
            f"hull {joined}",
        )
print(f"a decision tree: AUC {eight.result.decision_tree.auc:.2f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# None of the curves is convex. The two best leaves, (4, 1) and (3, 1), differ in *both* attributes, and no order of two attributes puts such
# leaves first and second. The tree on the same attributes has an AUC of 0.79, because it may put its leaves into any order.
#
# Orders with different AUCs may have the same hull. Compare A2 = 0, A1 = 1 in either order: the AUCs are 0.62 and 0.61, the hulls are the
# same, and so are the probabilities. The hull ties the leaves that it joins, so their order before does not matter any more.
#
# </details>

# %% [markdown]
# ## 5. An order is a naive Bayes model
#
# **Naive Bayes** multiplies likelihood ratios. In logarithms, a sample gets $\ln \mathrm{OR}$ points
# for each preferred value it has, and the sum of its points is its score. Naive Bayes uses the same numbers as LexRank, but it *adds* them
# where LexRank *compares* one attribute after the other.
#
# With two attributes the two rank alike: a sample with both preferred values comes first, one with neither comes last, and of the other two
# the one with the larger odds ratio comes first. (If both odds ratios are equal, naive Bayes has a tie. The appendix goes through all
# tables with one or two samples of each class in each cell.)
#
# With more attributes they may differ. Each order ranks like *some* naive Bayes model, for example one with log odds ratios 8, 4, 2, 1, where
# each weight is larger than all later ones together. Its sums are the binary numbers of section 1.
#
# **Predict:** let the log odds ratios be 3, 2 and 2. Which pattern comes after another in the order, but before it in naive Bayes?


# %% jupyter={"outputs_hidden": true}
def compare(weights):
    patterns = np.array(list(product((1, 0), repeat=len(weights))))
    print(f"log odds ratios {weights}")
    print("  order:      ", *("".join(map(str, each)) for each in patterns))
    print("  naive Bayes:", *(f"{sum_:>{len(weights)}}" for sum_ in patterns @ weights))


compare([8, 4, 2, 1])
compare([3, 2, 2])

# %% [markdown]
# <details><summary>What you can see</summary>
#
# In the second table the points do not fall all the way: 100 has three points, and 011, which comes after it, has four. Two weaker attributes
# together outweigh the strongest, and no order can express that. So **every order ranks like some naive Bayes model, but not
# every naive Bayes model ranks like an order**.
#
# </details>
#
# Four attributes have log odds ratios w, 5, 3 and 1. What is the smallest
# whole number w for which naive Bayes ranks like the order, without ties?

# %%
answer = ...
check("smallest_weight", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# answer = 5 + 3 + 1 + 1  # more than all later ones together
# ```
#
# </details>

# %% [markdown]
# How much AUC does an order lose? Suppose that the attributes are independent within each class, so that naive
# Bayes is right and no model ranks better.
#
# **Predict:** there may be three attributes, each half as strong as the one before, or five of about equal strength.
# In which case does the order lose more?


# %% jupyter={"outputs_hidden": true}
def compare_auc(weights):
    weights = np.array(weights)
    patterns = np.array(list(product((0, 1), repeat=weights.size)))
    right = expit(weights / 2)  # how often each tells the truth, about either class
    n_pos = np.where(patterns, right, 1 - right).prod(axis=1)
    n_neg = n_pos[::-1]
    who = np.repeat([1, 0], len(patterns))
    weight = np.concatenate([n_pos, n_neg])
    rank = lexicographic_rank(patterns, order=range(weights.size), preferred=[1] * weights.size)
    for score in (-rank, (patterns @ weights).round(9)):
        score = np.tile(score, 2)
        yield RankedSegments.from_scores(who, score, sample_weight=weight).auc


for weights in ([4, 2, 1], [3, 2, 2], [2, 1.9, 1.8, 1.7, 1.6], [1] * 9):
    order_auc, bayes_auc = compare_auc(weights)
    print(f"{weights}: order {order_auc:.3f}, naive Bayes {bayes_auc:.3f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# If each attribute is twice as strong as the next, the order is as good as naive Bayes. With five equally strong attributes it loses 0.05,
# with nine 0.12: the first attribute in which two samples differ decides, however many later ones contradict it. (The appendix looks for a
# better order and does not find one.)
#
# </details>

# %% [markdown]
# ## 6. From an order to probabilities
#
# You did this with pencil and paper in section 4. The steps of **LexProb** are:
#
# 1. rank by LexRank;
# 2. draw the ROC curve of the training data;
# 3. take its convex hull;
# 4. tie what the hull joins;
# 5. give each hull segment its share of positives, with Laplace's correction.
#
# **Predict**, for LexRank's own order of the twenty instances: how many different probabilities does
# LexProb give, and which?

# %% jupyter={"outputs_hidden": true}
X_frame, y_frame = load_flach_matsubara(return_X_y=True, as_frame=True)
twenty = LexProb().fit(X_frame, y_frame)
print(twenty.tree_text())
for p, n in zip(twenty.hull_.pos, twenty.hull_.neg, strict=True):
    print(f"hull segment ({p:.0f}, {n:.0f}): {p + 1:.0f}/{p + n + 2:.0f} = {(p + 1) / (p + n + 2)}")

# %% jupyter={"outputs_hidden": true}
display = LexicographicDisplay.from_estimator(twenty, X_frame, y_frame)

# %% [markdown]
# <details><summary>What you can see</summary>
#
# There are two probabilities. Three leaves became one segment, (9, 5), since the best of them came second. The patients with A2 = 1
# and A1 = 0 get 2/8, all others 10/16.
#
# </details>
#
# Now take a **new pattern**, one that did not occur in the training data. In the order it lies *between* two patterns that did. If both
# belong to the same hull segment, the new pattern gets the probability of this segment. If they belong to two segments, it gets that of the
# lower one.
#
# Four patterns were seen, best first: 111 (6 positives, 1 negative), 110 (3 and 1), 010 (2 and 4), 000 (0
# and 5). What probability does the new pattern 100 get?

# %%
answer = ...
check("unseen_pattern", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# # it lies between 110 and 010, and gets what the lower segment has
# answer = (2 + 1) / (2 + 4 + 2)
# ```
#
# </details>

# %% [markdown]
# ## 7. Tumours, by one order of thirty measurements
#
# 569 tumours, 212 malignant, 30 measurements each. An order needs yes-or-no attributes, so LexRank cuts each
# measurement at one threshold, the one that leaves the least *entropy* of the classes. Then it counts. Guess which measurement comes first.

# %% jupyter={"outputs_hidden": true}
data = load_breast_cancer(as_frame=True)
X_all, y_all = data.data, 1 - data.target  # 1 is malignant
X_train, X_test, y_train, y_test = train_test_split(
    X_all, y_all, test_size=0.4, stratify=y_all, random_state=0
)
model = LexProb().fit(X_train, y_train)
columns = ["attribute", "preferred", "odds_ratio"]
print(model.inspect()[columns].head(6).round(1).to_string(index=False))

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The perimeter of the largest nuclei comes first, with an odds ratio of nearly 300.
#
# </details>
#
# Dr. Hanna can read this model aloud. But four of the first six attributes measure how *large* the cell nuclei are, and the other two measure
# dents in their outlines. How much new evidence does each of them bring?
#
# **Predict:** in how many of the 228 test tumours does the second attribute differ from the first? And which of the two does the third agree
# with where they differ?

# %% jupyter={"outputs_hidden": true}
bits = model.binarize(X_test)
agree = bits[:, model.order_.order] == model.order_.preferred
for k in range(1, 6):
    print(
        f"attribute {k + 1} differs from the first in {(agree[:, k] != agree[:, 0]).sum():2} tumours"
    )
open_question = agree[:, 0] != agree[:, 1]
sides = (agree[:, 2] == agree[:, 0])[open_question]
print(
    f"where the first two differ, the third sides with the first in {sides.sum()} of {sides.size}"
)

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The first two attributes differ in 40 tumours, and there the third nearly always agrees with the first: it measures the same thing. This
# does no harm to an order, which looks at the first attribute and stops there if that decides. Naive Bayes counts the same evidence several
# times, and its probabilities become **over-confident**.
#
# </details>

# %% [markdown]
# **How much worse is an order?** We cross-validate with five folds. In each fold everything is learned from the training part only:
# thresholds, order, hull. We compare the order with naive Bayes on the *same* yes-or-no attributes, and with two decision trees, logistic
# regression and a forest on the measurements themselves. Naive Bayes can be calibrated as well, by the hull or by
# scikit-learn's `CalibratedClassifierCV`, so these are two more rows. (The cell takes a few seconds; a bar shows how far it is.)
#
# All models see the same folds, so differences are taken fold by fold: they are **paired**. The folds share most of their training data, so
# the standard error of a mean over five folds is larger than the spread divided by $\sqrt 5$; the cell uses the correction of Nadeau and
# Bengio (2003).
#
# **Predict:** two of the AUCs you know from the opening. Is naive Bayes better or worse than the order? And which model has the best Brier
# score?


# %% jupyter={"outputs_hidden": true}
class Attributes(TransformerMixin, BaseEstimator):
    """The yes-or-no attributes that LexRank makes."""

    def fit(self, X, y):
        self.ranker_ = LexRank().fit(X, y)
        return self

    def transform(self, X):
        return self.ranker_.binarize(X)


bayes = make_pipeline(Attributes(), BernoulliNB())
models = {
    "LexProb": LexProb(),
    "LexRank, cross-fit": HullCalibratedClassifier(LexRank()),
    "naive Bayes": bayes,
    "naive Bayes, hull": HullCalibratedClassifier(bayes),
    "naive Bayes, sklearn": CalibratedClassifierCV(bayes, method="isotonic"),
    "tree, leaves of 20": DecisionTreeClassifier(min_samples_leaf=20, random_state=0),
    "tree of depth 5": DecisionTreeClassifier(max_depth=5, random_state=0),
    "logistic, scaled": make_pipeline(StandardScaler(), LogisticRegression()),
    "forest": RandomForestClassifier(random_state=0),
}
folds = StratifiedKFold(5, shuffle=True, random_state=0)
scoring = {"auc": "roc_auc", "brier": "neg_brier_score"}
results = {
    name: cross_validate(one, X_all, y_all, cv=folds, scoring=scoring)
    for name, one in tqdm(models.items(), desc="models", leave=False)
}
shared = np.sqrt(1 / 5 + 1 / 4)  # five folds, and a fold has a quarter of the size of the rest
limits = t.ppf(1 - 0.025 / np.array([1, 8]), df=4)  # in standard errors, for 1 and for 8 tests
print(f"{'held-out folds':21}  AUC  LexProb minus it   Brier  LexProb minus it")
for name, one in results.items():
    print(f"{name:20}", end="")
    for sign, metric in ((1, "test_auc"), (-1, "test_brier")):
        less = sign * (results["LexProb"][metric] - one[metric])
        print(f"  {sign * one[metric].mean():.3f}", end="")
        error = shared * less.std(ddof=1)
        stars = "*" * sum(abs(less.mean()) > limits * error)
        text = "" if name == "LexProb" else f"{less.mean():+.3f} ± {error:.3f} {stars}"
        print(f"  {text:18}", end="")
    print()
print("±: standard error; * beyond chance if this were the only comparison,")
print("** even as one of eight (95 %, Bonferroni)")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# On these data an order of yes-or-no questions comes close to naive Bayes, which asks the same questions. It does not come close to the
# best models:
#
# - **The whole measurements** tell more than yes or no: logistic regression and the forest, which use them, rank and estimate best.
# - **Ranking**: naive Bayes is a little better, as one expects from section 5, but the difference is smaller than
#   its standard error. LexProb is ahead of both trees, and behind logistic regression and the forest; with five folds none of these four
#   differences is beyond chance. On other data an order can be much worse: with 60
#   weak attributes of sonar echoes its AUC is .75, that of naive Bayes .89
#   ([ten data sets](https://github.com/rocviz/rocviz/blob/main/docs/reproduction.md)).
# - **Probabilities**: LexProb and plain naive Bayes have about the same Brier score. Calibrated by the hull or by scikit-learn, naive Bayes
#   is better than both on average, if not in every fold: it had the better ranking, and only its probabilities were wrong, since these
#   measurements carry the same evidence many times over.
# - **Cross-fitting**, the rule of chapter 2, does not help the order. The appendix shows why.
#
# Two differences are beyond chance, those of the Brier scores of logistic regression and of the forest, and that of logistic regression even
# as one of eight. Five folds say little about smaller differences.
#
# </details>
#
# A calibrated model should be compared with other models after they, too, were calibrated: **compare like with like**. The advantage of the
# order is that Dr. Hanna can read it.

# %% [markdown]
# ## 8. Any score can be calibrated
#
# Steps 2 to 5 of LexProb do not depend on where the ranking comes from. `HullCalibrator` takes columns of scores of any kind and returns
# columns of probabilities. (For classifiers scikit-learn has `CalibratedClassifierCV`, and ours is `HullCalibratedClassifier`.) A single
# measurement is a score, too.
#
# **Predict:** which of the four columns below gives the best probabilities for the test tumours? One of
# them ranks malignant tumours *lower* than benign ones. What probabilities will it get?

# %% jupyter={"outputs_hidden": true}
some = ["worst radius", "mean texture", "worst smoothness", "mean fractal dimension"]
calibrator = HullCalibrator().fit(X_train[some], y_train)
probability = calibrator.transform(X_test[some])

for name, column in zip(some, probability.T, strict=True):
    print(
        f"{name:22} AUC {roc_auc_score(y_test, X_test[name]):.3f},",
        f"Brier score {brier_score_loss(y_test, column):.3f},",
        f"{np.unique(column).size} probabilities from {column.min():.2f} to {column.max():.2f}",
    )
always = np.full(len(y_test), y_train.mean())
print(f"always the share of malignant ones: Brier score {brier_score_loss(y_test, always):.3f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The radius by itself gives the best probabilities. The last column ranks worse than a coin. The hull cannot reverse a ranking; it can only
# tie. The differences that it finds at both ends are chance, and on new tumours they are *worse* than giving every tumour the same
# probability. Change the sign of such a column, or leave it out.
#
# </details>
#
# One rule of chapter 2 remains: a model's scores on its own training data are too good to calibrate with. For a
# classifier use `HullCalibratedClassifier`, which cross-fits. Columns that were not fitted to the labels, as here, can be calibrated on all
# data.

# %% [markdown]
# ## What to take home
#
# - A lexicographic ranker is an order of attributes with preferred values. It sorts bit patterns and needs no tree.
# - LexRank prefers values with a likelihood ratio above 1 and orders attributes by their odds ratio. Both come from counts. Be careful with
#   rare values at the top, most of all where the classes have unequal size.
# - Every order ranks like a naive Bayes model whose weights are each larger than all later ones together. If several attributes are equally
#   strong, naive Bayes ranks better than any order.
# - The hull turns any ranking into probabilities, also for patterns that were never seen. It repairs probabilities, not the ranking.
# - Compare a calibrated model with a calibrated model, on data that neither has seen.
#
# Further reading: Flach (2003) on the geometry of ROC space, scikit-learn's user guide on *Probability calibration*, and the page
# *An order instead of scores* of the [documentation](https://github.com/rocviz/rocviz/blob/main/docs/lexicographic.md).
#
# Next: [chapter 9](09_probabilities_from_rankings.ipynb), where a ranking is learned from pairs. Back to
# the [start](00_start_here.ipynb).

# %% [markdown]
# ## Appendix
#
# Nothing in the chapter needs these sections.

# %% [markdown]
# ### A bit pattern instead of a tree
#
# You can also picture the ranker as a tree. Each level asks for one attribute, the same one everywhere,
# and the preferred value goes to the left. The leaves from left to right are the
# ranking. For four attributes this picture is easy to read.
#
# **Predict:** how many leaves does the tree for 20 attributes have? For 200? And how many bytes does the
# bit pattern of one row take?

# %% jupyter={"outputs_hidden": true}
for d in (2, 4, 20, 200):
    print(f"{d:3} attributes: {float(2**d):.3g} leaves, or {-(-d // 8)} bytes a row")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The tree for 200 attributes has more leaves than there are atoms in the sun (about $10^{57}$), so nobody can build it.
#
# </details>
#
# Patterns are strings of bytes, which are quickly sorted. Here are ten thousand rows with 200 attributes. Python's own comparison of lists
# puts them into the same order:

# %%
rng = np.random.default_rng(0)
many = (rng.random((10_000, 200)) < 0.1).astype(int)
ranks = lexicographic_rank(many, order=range(200), preferred=[1] * 200)
by_python = sorted(many.tolist(), reverse=True)
print("same order:", many[np.argsort(ranks)].tolist() == by_python)

decided = [1 + next(j for j in range(200) if a[j] != b[j]) for a, b in pairwise(by_python)]
print(f"neighbours differ first in attribute {np.median(decided):.0f} (median),", end=" ")
print(f"at the latest in {max(decided)}")

# %% [markdown]
# Even neighbours in the ranking differ at an early attribute. The last 118 attributes of this order never decide.

# %% [markdown]
# ### Two attributes
#
# **Predict:** two attributes have log odds ratios of 0.8 and 0.4. Write down the four sums. Does naive Bayes rank differently from LexRank
# here? Can it ever do so with two attributes?

# %% jupyter={"outputs_hidden": true}
cells = np.array(list(product((0, 1), repeat=2)))
X_each, y_each = np.repeat(cells, 2, axis=0), np.tile([1, 0], 4)

same = tied = different = 0
for counts in tqdm(product((1, 2), repeat=8), total=2**8, desc="tables", leave=False):
    order = lex_order(X_each, y_each, sample_weight=counts)
    if len(order) < 2:
        continue  # an attribute that says nothing
    points = (cells[:, order.order] == order.preferred) @ np.log(order.odds_ratio)
    downwards = points[np.argsort(order.rank(cells))]
    steps = np.diff(downwards).round(9)
    if (steps > 0).any():
        different += 1
    elif (steps == 0).any():
        tied += 1
    else:
        same += 1
print(f"tables with one or two of each class in each cell: {same} same order,")
print(f"{tied} with a tie in naive Bayes, {different} in another order")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# Naive Bayes never ranks two patterns the other way round. If both odds ratios are equal, it ties the two patterns in the
# middle, and LexRank must put one of them first.
#
# </details>

# %% [markdown]
# ### Five equally strong attributes
#
# Section 5 compared an order with naive Bayes on five attributes of nearly equal strength. Here are samples with such attributes, and the
# attributes as points in ROC space. **Predict:** will another order be much better than LexRank's? Try some.

# %% jupyter={"outputs_hidden": true}
rng = np.random.default_rng(6)
y_committee = rng.permutation(np.repeat([0, 1], 1000))
truthful = rng.random((2000, 5)) < expit(np.array([2, 1.9, 1.8, 1.7, 1.6]) / 2)
X_committee = np.where(truthful, y_committee[:, None], 1 - y_committee[:, None])

committee = LexicographicExplorer(X_committee, y_committee, panels=["attributes", "roc"])
committee

# %% jupyter={"outputs_hidden": true}
every = [
    lex_order(X_committee, y_committee, order=each).segments(X_committee, y_committee).auc
    for each in permutations(range(5))
]
print(f"{len(every)} orders: AUC from {min(every):.3f} to {max(every):.3f},", end=" ")
print(f"LexRank's own {committee.result.own.auc:.3f}")
print(f"naive Bayes {committee.result.naive_bayes.auc:.3f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The AUC of the best order is further below that of naive Bayes than it is above that of the worst order. (The decision tree in the
# picture is ahead of naive Bayes only because it **overfits**: it has a leaf for each of the 32 patterns and is judged on the same samples.)
#
# </details>

# %% [markdown]
# ### Patterns that were not seen before
#
# **Predict:** what share of the test tumours has a pattern of 30 answers, yes or no, that
# did not occur in training?

# %% jupyter={"outputs_hidden": true}
known = {row.tobytes() for row in model.binarize(X_train)}
new = np.array([row.tobytes() not in known for row in bits])
prob = model.predict_proba(X_test)[:, 1]
for what, here in (("seen patterns", ~new), ("new patterns", new)):
    print(
        f"{what:13}: {here.sum():3} tumours, mean probability {prob[here].mean():.2f},",
        f"malignant {y_test[here].mean():.2f},",
        f"Brier score {brier_score_loss(y_test[here], prob[here]):.3f}",
    )
print(f"{len(model.hull_)} hull segments")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# Three quarters of the patterns are new. Each of them gets a probability, since it falls into one of seven wide hull segments. The tumours
# with a pattern that was seen before are the easy cases: their Brier score is close to 0. For the new patterns the mean probability is 0.04
# above the share of malignant tumours.
#
# </details>

# %% [markdown]
# ### Smoothing with classes of unequal size
#
# Smoothing adds as many samples to the positives as to the negatives, so it pulls every share towards one half.
# **Predict:** a value is found in 1 % of 100 positives and in 1 % of 10,000 negatives, so it carries no evidence.
# What odds ratio does it get with smoothing?

# %% jupyter={"outputs_hidden": true}
sizes = [100, 10_000]
for shares in ([0.01, 0.01], [0.02, 0.01]):
    y_rare = np.repeat([1, 0], sizes)
    has_value = np.concatenate(
        [np.arange(size) < share * size for share, size in zip(shares, sizes, strict=True)]
    )
    print("{:.0%} of the positives and {:.0%} of the negatives:".format(*shares), end="")
    for smoothing in (0, 1, 10):
        order = lex_order(has_value[:, None], y_rare, smoothing=smoothing)
        print(f"  {order.odds_ratio[0] if len(order) else 1:.2f} (smoothing {smoothing})", end="")
    print()

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The odds ratio rises from 1 to 2 and to 9. With classes of unequal size, smoothing pushes values that are rare in the *rare class* **up**.
# In such data use little smoothing, and look at the counts of the attributes at the top.
#
# </details>

# %% [markdown]
# ### All patterns of three attributes
#
# Section 6 asked for the probability of one new pattern. Here are all eight patterns by LexProb. **Predict:** how many different
# probabilities are there?

# %% jupyter={"outputs_hidden": true}
seen_counts = {(1, 1, 1): (6, 1), (1, 1, 0): (3, 1), (0, 1, 0): (2, 4), (0, 0, 0): (0, 5)}
X_seen = [pattern for pattern, (p, n) in seen_counts.items() for _ in range(p + n)]
y_seen = [label for p, n in seen_counts.values() for label in [1] * p + [0] * n]
four = LexProb().fit(X_seen, y_seen)
print("order:", *four.inspect()["attribute"])
for pattern in product((1, 0), repeat=3):
    prob = four.predict_proba([pattern])[0, 1]
    print(*pattern, f" {prob:.3f}", "" if pattern in seen_counts else "(new)")

# %% [markdown]
# ### The order of the tumours
#
# Here is the whole model of section 7. Only the first five levels of its tree are drawn, and most leaves are empty. Move an attribute from
# further down to the top and see how the AUC changes.

# %%
tumours = LexicographicExplorer.from_estimator(model, X_train, y_train)
tumours.panels = ["tree", "roc"]
tumours

# %% [markdown]
# ### Why cross-fitting does not help an order
#
# Cross-fitting learns five orders, each from other tumours, and puts the places of all of them on one scale. **Predict:** does place 1000
# mean the same in two different orders? Is the AUC of all places pooled higher or lower than within a fold?

# %% jupyter={"outputs_hidden": true}
place = cross_val_predict(LexRank(), X_all, y_all, cv=folds, method="decision_function")
each = [roc_auc_score(y_all.iloc[i], place[i]) for _, i in folds.split(X_all, y_all)]
print(f"AUC within each of five folds: {np.mean(each):.3f} (mean)")
print(f"AUC of all places pooled: {roc_auc_score(y_all, place):.3f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# It is lower: a place in one order and the same place in another do not mean the same. Cross-fitting needs scores that can be compared from
# fold to fold, such as probabilities.
#
# </details>

# %% [markdown]
# ## Sources
#
# Full references are in the [bibliography](https://rocviz.github.io/rocviz/bibliography.html).
#
# - Flach and Matsubara (2008). *On classification, ranking, and probability estimation.* LexRank,
#   LexProb, the twenty instances, the relation to naive Bayes.
# - Nadeau and Bengio (2003). *Inference for the generalization error.* Errors of cross-validation.
# - Flach (2003). *The geometry of ROC space: understanding machine learning metrics through ROC
#   isometrics.* Isometrics, that of the odds ratio among others.
# - Fawcett and Niculescu-Mizil (2007). *PAV and the ROC convex hull.* Why the hull gives
#   calibrated probabilities.
# - Fayyad and Irani (1992). *On the handling of continuous-valued attributes in decision tree
#   generation.* Thresholds by entropy.
# - Street, Wolberg and Mangasarian (1993). *Nuclear feature extraction for breast tumor
#   diagnosis.* The tumours.

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
# A dictionary has no scores. It compares first letters, and only if they are equal does it look
# at the second. Many people choose a flight like that, or a phone. Can a machine learn to rank in
# this way? And can one get probabilities out of a ranking that never had a score?
#
# At the end you will be able to
#
# - rank by an order of attributes, without any tree, and learn such an order from counts (LexRank);
# - say when this ranks like naive Bayes and when it cannot;
# - turn it, or any other score, into probabilities (LexProb and `HullCalibrator`), and judge them on
#   data they have not seen.
#
# You need ROC curves and their hull ([chapter 1](01_classification_and_ranking.ipynb)). The
# ideas are those of Flach and Matsubara (2008).

# %%
from itertools import pairwise, permutations, product

import numpy as np
from scipy.special import expit
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import brier_score_loss, roc_auc_score
from sklearn.model_selection import (
    RepeatedStratifiedKFold,
    StratifiedKFold,
    cross_val_predict,
    cross_validate,
    train_test_split,
)
from sklearn.naive_bayes import BernoulliNB
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from rocviz import (
    HullCalibratedClassifier,
    HullCalibrator,
    LexicographicDisplay,
    LexicographicExplorer,
    LexProb,
    LexRank,
    RankedSegments,
    lex_order,
    lexicographic_rank,
)
from rocviz.datasets import load_flach_matsubara
from rocviz.exercises import check

# %% [markdown]
# ## 1. Choosing a flight
#
# You want your flight to be direct. If that does not decide, it should be cheap; then have a bag
# included; then wifi. That is all a **lexicographic ranker** is: an **order** of attributes, and a
# **preferred value** of each. The first attribute in which two flights differ decides.
#
# | flight | direct | cheap | bag | wifi |
# |---|---|---|---|---|
# | Albatross | yes | no | no | no |
# | Bluebird | no | yes | yes | yes |
# | Crane | yes | no | no | yes |
# | Dove | no | yes | yes | no |
#
# **Predict:** who comes first, and who last? Bluebird fulfils three wishes, Albatross one. Which of
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
# Albatross ranks higher. **An order does not add up**: no number of later wishes makes up for an
# earlier one. Change places of the first two attributes, and the birds change places, too.
#
# The column on the right is the whole trick of this chapter. Write 1 for each wish that is
# fulfilled, the most important first. Read it as a binary number. The ranking is the order of these
# numbers.
#
# Your turn: how many of all possible patterns are better than that of a flight with bag and wifi and
# nothing else?

# %%
answer = ...
check("better_flights", answer)

# %% [markdown]
# ## 2. A bit pattern instead of a tree
#
# You can also picture the ranker as a tree. Each level asks one attribute, the same one everywhere,
# and the preferred value goes to the left. Read the leaves from left to right, and you have the
# ranking. It is a fine picture for four attributes.
#
# **Predict:** how many leaves has the tree for 20 attributes? For 200? And how many bytes is the
# bit pattern of one row?

# %% jupyter={"outputs_hidden": true}
for d in (2, 4, 20, 200):
    print(f"{d:3} attributes: {float(2**d):.3g} leaves, or {-(-d // 8)} bytes a row")

# %% [markdown]
# There are about $10^{57}$ atoms in the sun. So nobody builds that tree. Patterns are strings of
# bytes, and sorting strings is what computers do all day. Ten thousand rows with 200 attributes,
# against Python's own way of comparing lists:

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
# Look at the last line. Even neighbours in the ranking are told apart early. **Most attributes of a
# long order never get a say.** Remember that when somebody shows you an order of 200 attributes.

# %% [markdown]
# ## 3. LexRank: two choices
#
# Nobody has told us the order. We have data: positives and negatives. **LexRank** makes two choices,
# and both only take counting.
#
# 1. **Which value is preferred?** The one that positives have more often than negatives. The
#    *likelihood ratio* says how much more often:
#    $\mathrm{LR}(v) = P(A = v \mid +) \, / \, P(A = v \mid -)$.
# 2. **Which attribute comes first?** The one with the largest *odds ratio*, which compares the
#    preferred value with the other: $\mathrm{OR} = \mathrm{LR}(\text{preferred}) \, / \,
#    \mathrm{LR}(\text{other})$.
#
# An attribute with a ratio of 1 says nothing and is left out.
#
# Here are the twenty instances of chapter 1: ten positives, ten negatives. Of the positives 5 have
# A1 = 1 and 4 have A2 = 1; of the negatives 4 and 6. **Predict:** which attribute comes first, and which
# value of it is preferred?

# %% jupyter={"outputs_hidden": true}
X, y = load_flach_matsubara(return_X_y=True)
order = lex_order(X, y, smoothing=0)
order.to_frame(["A1", "A2"]).round(3)

# %% [markdown]
# A2 = 0, with an odds ratio of 9/4 against 3/2. (`tpr` and `fpr` are the shares of positives and of
# negatives that have the preferred value.)
#
# Counts may be zero, and then a ratio is infinite. So LexRank adds one to each count
# (`smoothing=1`, Laplace's correction). That pulls all ratios towards 1, those of rare values most.
#
# Now a case where intuition and the odds ratio part. Of 40 positives and 60 negatives,
#
# | | positives | negatives |
# |---|---|---|
# | smokes | 24 | 12 |
# | coughs | 8 | 1 |
#
# **Predict:** which comes first by LexRank, `"smokes"` or `"coughs"`?

# %%
answer = ...
check("rare_value", answer)

# %% [markdown]
# Then see what smoothing does (this cell shows the answer):

# %% jupyter={"outputs_hidden": true}
people = np.zeros((100, 2), dtype=int)
sick = np.arange(100) < 40
people[:24, 0] = people[40:52, 0] = people[:8, 1] = people[40:41, 1] = 1

for smoothing in (0, 1, 10):
    found = lex_order(people, sick, smoothing=smoothing)
    print(f"smoothing {smoothing}:", end="")
    for j, ratio in zip(found.order, found.odds_ratio, strict=True):
        print(f"  {('smokes', 'coughs')[j]} {ratio:.1f}", end="")
    print()

for j, name in enumerate(("smokes", "coughs")):
    print(f"{name} alone: AUC {roc_auc_score(sick, people[:, j]):.2f}")

# %% [markdown]
# **The odds ratio knows no sample size and no coverage.** A value that is rare but hardly ever wrong
# comes before one that ranks better by itself. If this worries you, `smoothing=10` asks rare values for more
# evidence.

# %% [markdown]
# ## 4. Odds ratios in ROC space
#
# An attribute with its preferred value is a classifier. So it is one **point** in ROC space: the
# share of negatives and the share of positives that have the value. The further the point is from
# the diagonal, the better; but *distance* is not what LexRank measures. It takes
#
# $$\mathrm{OR} = \frac{t \, (1 - f)}{f \, (1 - t)}$$
#
# (the odds of $t$ over the odds of $f$) for a point with true positive rate $t$ and false positive rate $f$. Points with the same odds ratio
# lie on one curve, an **isometric**. It starts at (0, 0), ends at (1, 1), and bulges in between.
#
# **Predict:** the point of *smokes* (no smoothing) is (0.2, 0.6). An attribute on its isometric has
# $f = 0.5$. Is its $t$ more or less than 0.9, which would be as far above the diagonal? Work it out.

# %%
answer = ...
check("same_isometric", answer)

# %% [markdown]
# What happens to the point if you prefer the *other* value? The shares become the rest, $1 - f$ and
# $1 - t$: the point is turned about the middle of the square. The odds ratio becomes its inverse, so one of
# the two values is always above the diagonal. In the next explorer you can do it with one click (⇄).

# %% [markdown]
# ## 5. Eight rankers, none convex
#
# Two attributes can be ordered in two ways, and each has two values to prefer. That makes eight
# rankers. Here you hold them in your hands: ↑ and ↓ make an attribute more or less important, ⇄ flips
# what it prefers.
#
# **Predict** first: with the right order and the right values, can the ROC curve be convex? Then
# try all eight; *rankers tried* keeps count.

# %% jupyter={"outputs_hidden": true}
eight = LexicographicExplorer(panels=["tree", "roc"])
eight

# %% [markdown]
# While you are there: take the perverse order, **A2 = 1 first, then A1 = 1**. Its leaves are, from left
# to right,
#
# | | A2 = 1, A1 = 1 | A2 = 1, A1 = 0 | A2 = 0, A1 = 1 | A2 = 0, A1 = 0 |
# |---|---|---|---|---|
# | positives, negatives | 3, 1 | 1, 5 | 2, 3 | 4, 1 |
#
# Join neighbours until the shares of positives fall from left to right: that is the hull. Then give
# each segment $(n^+ + 1) / (n + 2)$. Which probabilities do the four leaves get? Do it with pencil
# and paper, then look in the picture. (From the left, four numbers: `[..., ..., ..., ...]`.)

# %%
answer = ...
check("joined_leaves", answer)

# %% [markdown]
# All eight (this cell shows that answer, too):

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
# None is convex. The two best leaves, (4, 1) and (3, 1), differ in *both* attributes, and no
# dictionary puts such words side by side at its top. The tree on the same attributes has 0.79,
# because it may order its leaves as it likes.
#
# And look at the hulls of A2 = 0, A1 = 1 in either order. The AUCs differ, the hulls are the same, and
# so are the probabilities. **The hull forgives mistakes in the order, and forgets what was right
# inside.**

# %% [markdown]
# ## 6. A very sure naive Bayes
#
# **Naive Bayes** multiplies likelihood ratios. In logarithms: a sample gets $\ln \mathrm{OR}$ points
# for each preferred value it has, and the sum ranks. So it knows the same numbers as LexRank, and
# *adds* where LexRank *compares*.
#
# **Predict:** two attributes, log odds ratios 0.8 and 0.4. Write down the four sums. Is the order
# another than LexRank's? Can it ever be?

# %% jupyter={"outputs_hidden": true}
cells = np.array(list(product((0, 1), repeat=2)))
X_each, y_each = np.repeat(cells, 2, axis=0), np.tile([1, 0], 4)

same = tied = different = 0
for counts in product(range(1, 4), repeat=8):
    found = lex_order(X_each, y_each, sample_weight=counts)
    if len(found) < 2:
        continue  # an attribute that says nothing
    points = (cells[:, found.order] == found.preferred) @ np.log(found.odds_ratio)
    downwards = points[np.argsort(found.rank(cells))]
    steps = np.diff(downwards).round(9)
    if (steps > 0).any():
        different += 1
    elif (steps == 0).any():
        tied += 1
    else:
        same += 1
print(f"tables with one to three of each class in each cell: {same} same order,")
print(f"{tied} with a tie in naive Bayes, {different} in another order")

# %% [markdown]
# With two attributes the ranking is the same: the sum of both is best, none is worst, and the larger
# one beats the smaller. The exception is a tie: with equal odds ratios naive Bayes ties the two in the
# middle, and LexRank must put one first.
#
# With more attributes the two part. But each order *is* some naive Bayes model: one with log odds
# ratios 8, 4, 2, 1. Each weight is more than all later ones together. That is the binary number of
# section 1.
#
# **Predict:** and with 3, 2, 2? Which pattern of three would rise above which?


# %% jupyter={"outputs_hidden": true}
def compare(weights):
    patterns = np.array(list(product((1, 0), repeat=len(weights))))
    print(f"log odds ratios {weights}")
    print("  order:      ", *("".join(map(str, each)) for each in patterns))
    print("  naive Bayes:", *(f"{sum_:>{len(weights)}}" for sum_ in patterns @ weights))


compare([8, 4, 2, 1])
compare([3, 2, 2])

# %% [markdown]
# In the second table the points do not fall all the way: 100 has three, and 011, after it, has four. Two
# weaker witnesses outvote the strongest. No order can do that. So **every order is a naive Bayes model,
# but not the other way round**: LexRank is the stronger assumption.
#
# Powers of two are enough. Are they needed? Four attributes have log odds ratios w, 5, 3 and 1. Which is
# the smallest whole number w with which naive Bayes ranks like the order, without ties?

# %%
answer = ...
check("smallest_weight", answer)

# %% [markdown]
# How much does an order lose? Suppose attributes that are independent within each class, so that naive
# Bayes is right and nothing ranks better.
#
# **Predict:** attributes of which each is half as strong as the one before; or five about equally strong ones.
# Where is the order worse?


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
# With one leader the order is as good. A **committee of equals** it does not hear: the first votes,
# and most of the others are never asked. Here are samples of the third line, five independent
# attributes, and the third picture shows them as points in ROC space. **Predict:** will another order be
# much better than LexRank's? Try some.

# %% jupyter={"outputs_hidden": true}
rng = np.random.default_rng(6)
y_committee = rng.permutation(np.repeat([0, 1], 1000))
truthful = rng.random((2000, 5)) < expit(np.array([2, 1.9, 1.8, 1.7, 1.6]) / 2)
X_committee = np.where(truthful, y_committee[:, None], 1 - y_committee[:, None])

committee = LexicographicExplorer(X_committee, y_committee)
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
# Even the best order is further from naive Bayes than from the worst one. What is missing is not a better
# order, it is the adding up. (The decision tree in the picture is ahead of naive Bayes only because it may
# learn by heart: it has a leaf for each of the 32 patterns, and it is judged on the same samples.)

# %% [markdown]
# ## 7. From an order to probabilities
#
# You have done it with pencil and paper in section 5. In full, **LexProb** is:
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
# Three leaves became one segment, (9, 5), since the best of them came second. What is left says: A2 = 1
# and A1 = 0 together are a bad sign, 2/8; everything else is 10/16.
#
# Now think of a **new pattern**, one that did not occur in the training data. A tree has a leaf for
# everything. An order has something better: the new pattern *lies between* two others. It gets the
# probability of the hull segment that reaches down to it; between two segments, of the lower one.
#
# Four patterns were seen, best first: 111 (6 positives, 1 negative), 110 (3 and 1), 010 (2 and 4), 000 (0
# and 5). **Predict:** which probability does the new pattern 100 get?

# %%
answer = ...
check("unseen_pattern", answer)

# %% [markdown]
# All eight patterns by LexProb (this cell shows the answer):

# %% jupyter={"outputs_hidden": true}
seen_counts = {(1, 1, 1): (6, 1), (1, 1, 0): (3, 1), (0, 1, 0): (2, 4), (0, 0, 0): (0, 5)}
X_seen = [pattern for pattern, (p, n) in seen_counts.items() for _ in range(p + n)]
y_seen = [label for p, n in seen_counts.values() for label in [1] * p + [0] * n]
four = LexProb().fit(X_seen, y_seen)
print("order:", *four.inspect()["attribute"])
for pattern in product((1, 0), repeat=3):
    said = four.predict_proba([pattern])[0, 1]
    print(*pattern, f" {said:.3f}", "" if pattern in seen_counts else "(new)")

# %% [markdown]
# ## 8. Tumours, by one order of thirty measurements
#
# 569 tumours, 212 malignant, 30 measurements each. An order needs yes or no, so LexRank cuts each
# measurement at one threshold, the one that leaves the least *entropy* of the classes. Then it counts.

# %%
data = load_breast_cancer(as_frame=True)
X_all, y_all = data.data, 1 - data.target  # 1 is malignant
X_train, X_test, y_train, y_test = train_test_split(
    X_all, y_all, test_size=0.4, stratify=y_all, random_state=0
)
model = LexProb().fit(X_train, y_train)
columns = ["attribute", "preferred", "odds_ratio"]
print(model.inspect()[columns].head(6).round(1).to_string(index=False))

# %% [markdown]
# That is a model one can read aloud. But four of the six measure how *large* the cell nuclei are, the
# other two how ragged. How much news is there in each?
#
# **Predict:** in how many of the 228 test tumours does the second attribute say the same as the first? And
# the third, if the first two disagree with each other?

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
# An order does not mind: it asks the first and believes it. Naive Bayes counts what is said twice as
# evidence twice. That will show in its probabilities.
#
# Here is the whole model; only the first five levels of its tree are drawn. Most leaves are
# empty. Move an attribute from further down to the top and see what it costs.

# %%
tumours = LexicographicExplorer.from_estimator(model, X_train, y_train)
tumours

# %% [markdown]
# Now the honest question: **what does an order cost?** Five folds, four times, and in each fold everything is
# learned from the training part only: thresholds, order, hull. Beside it: naive Bayes on the *same* yes-or-no
# attributes, and a decision tree on the measurements as they are, which may choose as many thresholds as it
# likes. The hull can repair naive Bayes as well, so that is one more row.
#
# **Predict:** who has the best AUC? Who the best Brier score?


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
    "tree, leaves of 20": DecisionTreeClassifier(min_samples_leaf=20, random_state=0),
    "tree of depth 5": DecisionTreeClassifier(max_depth=5, random_state=0),
}
folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=4, random_state=0)
scoring = {"auc": "roc_auc", "brier": "neg_brier_score"}
results = {
    name: cross_validate(one, X_all, y_all, cv=folds, scoring=scoring)
    for name, one in models.items()
}
print(f"{'held-out folds':19}  AUC  LexProb minus it   Brier  LexProb minus it")
for name, one in results.items():
    print(f"{name:18}", end="")
    for sign, metric in ((1, "test_auc"), (-1, "test_brier")):
        less = sign * (results["LexProb"][metric] - one[metric])
        print(f"  {sign * one[metric].mean():.3f}", end="")
        print(
            " " * 18 if name == "LexProb" else f"  {less.mean():+.3f} ± {less.std():.3f} ", end=""
        )
    print()
print("± is the spread from fold to fold")

# %% [markdown]
# An order of yes-or-no questions comes close, on these data:
#
# - **Ranking**: naive Bayes is a little better, as section 6 lets one expect; the difference is smaller than
#   its spread from fold to fold. LexProb is ahead of both trees. On other data an order can cost much: with 60
#   weak attributes of sonar echoes its AUC is .75, that of naive Bayes .89
#   ([ten data sets](https://github.com/rocviz/rocviz/blob/main/docs/reproduction.md)).
# - **Probabilities**: LexProb and plain naive Bayes are level. But naive Bayes *with the hull* is better than
#   both on average, if not in every fold: it had the better ranking, and only its probabilities were bad,
#   since these measurements say the same thing many times over.
# - **Cross-fitting**, the rule of chapter 2, does not help here. Why? It learns five orders, each on other
#   tumours, and puts the places of all of them on one scale. But place 1000 in one order and place 1000 in
#   another are not the same thing:

# %%
five_folds = StratifiedKFold(5, shuffle=True, random_state=0)
place = cross_val_predict(LexRank(), X_all, y_all, cv=five_folds, method="decision_function")
each = [roc_auc_score(y_all.iloc[i], place[i]) for _, i in five_folds.split(X_all, y_all)]
print(f"AUC within each of five folds: {np.mean(each):.3f} (mean)")
print(f"AUC of all places thrown together: {roc_auc_score(y_all, place):.3f}")

# %% [markdown]
# So do not take "calibrated" for "better": **compare a repaired model with a repaired model**. What speaks
# for the order is that you can read it. (The folds share their tumours. Do not take spreads for the standard
# errors of a test.)

# %% [markdown]
# How does it cope with the unknown? **Predict:** what share of the test tumours has a pattern of 30 yes or no that
# did not occur in training?

# %% jupyter={"outputs_hidden": true}
known = {row.tobytes() for row in model.binarize(X_train)}
new = np.array([row.tobytes() not in known for row in bits])
said = model.predict_proba(X_test)[:, 1]
for what, here in (("seen patterns", ~new), ("new patterns", new)):
    print(
        f"{what:13}: {here.sum():3} tumours, mean probability {said[here].mean():.2f},",
        f"malignant {y_test[here].mean():.2f},",
        f"Brier score {brier_score_loss(y_test[here], said[here]):.3f}",
    )
print(f"{len(model.hull_)} hull segments")

# %% [markdown]
# Three in four are new, and each of them gets a probability: it falls into one of a few hull segments,
# and those are wide. The typical tumours are those with a pattern seen before, clearly benign or clearly
# malignant. The new patterns are the hard cases, and their mean probability is 0.04 above what happened.

# %% [markdown]
# ## 9. Any score will do
#
# Steps 2 to 5 never asked where the ranking came from. `HullCalibrator` takes columns of scores, of any
# kind, and gives columns of probabilities. A single measurement is a score:
#
# **Predict:** which of the four columns below makes the best probabilities for the test tumours? One of
# them ranks malignant tumours *lower*. What will the hull make of it?

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
# The radius by itself does well. The last column ranks worse than a coin. The hull cannot turn it
# round; it can only tie. What it finds at the ends is chance, and on new tumours that is *worse* than saying
# the same to everybody. Turn the sign of such a column, or leave it out.
#
# One rule remains from chapter 2: scores of a model on its own training data are too good. For a
# classifier take `HullCalibratedClassifier`, which cross-fits (its scores should mean the same from fold to
# fold, as probabilities do and places in an order do not). For columns nobody has fitted, as here,
# there is nothing to worry about.

# %% [markdown]
# ## What to take home
#
# - A lexicographic ranker is an order of attributes with preferred values: a bit pattern, sorted. No tree.
# - LexRank prefers what has a likelihood ratio above 1 and orders by odds ratio. Both are counts. Beware of
#   rare values at the top.
# - Every order is a naive Bayes model with weights that each outdo all later ones together. With two
#   attributes both rank alike (up to a tie); with a committee of equals the order loses.
# - The hull turns any ranking into probabilities, also for patterns never seen. It repairs probabilities,
#   not the ranking.
# - Compare repaired with repaired, on data neither has seen.
#
# On to [chapter 9](09_probabilities_from_rankings.ipynb), where a ranking is learned from pairs. Back to
# the [start](00_start_here.ipynb).
#
# ## Sources
#
# Where each was published stands in the [bibliography](https://github.com/rocviz/rocviz/blob/main/CITATION.cff).
#
# - Flach and Matsubara (2008). *On classification, ranking, and probability estimation.* LexRank,
#   LexProb, the twenty instances, the relation to naive Bayes.
# - Flach (2003). *The geometry of ROC space: understanding machine learning metrics through ROC
#   isometrics.* Isometrics, that of the odds ratio among others.
# - Fawcett and Niculescu-Mizil (2007). *PAV and the ROC convex hull.* Why the hull gives
#   calibrated probabilities.
# - Fayyad and Irani (1992). *On the handling of continuous-valued attributes in decision tree
#   generation.* Thresholds by entropy.
# - Street, Wolberg and Mangasarian (1993). *Nuclear feature extraction for breast tumor
#   diagnosis.* The tumours.

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
# # Classification and ranking
#
# A model can do three jobs. It can **decide** (yes or no), it can **order** (this one before that one),
# and it can **say how sure it is** (70 %). They are not the same job, and a model can be good at one and
# bad at the next. This chapter follows twenty instances through the first two, by hand; the
# [next](02_probabilities_and_calibration.ipynb) goes on to the third.
#
# You need: fractions, and what "positive" and "negative" mean. Positive is the class one looks for.

# %%
from fractions import Fraction

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from rocviz import RankedSegments, ROCExplorer
from rocviz.datasets import load_flach_matsubara
from rocviz.exercises import check

# %% [markdown]
# ## 1. Twenty instances and a tree
#
# Ten positives, ten negatives, two yes-or-no attributes A1 and A2 (the example of Flach and
# Matsubara, 2008). A decision tree asks for A2, then for A1, and so sorts everything into four
# leaves:
#
# ```text
#                 A2?
#           0 /         \ 1
#          A1?           A1?
#       0 /   \ 1     0 /   \ 1
#    leaf 1  leaf 2  leaf 3  leaf 4
# ```

# %%
X, y = load_flach_matsubara(return_X_y=True)
tree = DecisionTreeClassifier(random_state=0).fit(X, y)
share = tree.predict_proba(X)[:, 1]  # of each instance's leaf, the share of positives

print("leaf  A2  A1  positives  negatives  share of positives")
for leaf, (a2, a1) in enumerate([(0, 0), (0, 1), (1, 0), (1, 1)], start=1):
    here = (X[:, 1] == a2) & (X[:, 0] == a1)
    print(f"{leaf:4}{a2:4}{a1:4}{y[here].sum():11}{(1 - y[here]).sum():11}{share[here][0]:20.3f}")

# %% [markdown]
# Two instances in the same leaf look the same to the tree. Whatever it does with one, it does
# with the other.
#
# **To decide**, call some leaves positive. Say we call positive whatever has A1 = A2: leaves 1
# and 4. Then we find some of the positives, and raise some false alarms.
#
# **Predict:** of the ten positives, how many are found? Of the ten negatives, how many raise a
# false alarm?
#
# This first one is solved, so that you see how an exercise works. The point of the ROC plot is
# (false positive rate, true positive rate). Somebody answers, and gets a hint:

# %%
check("operating_point", (0.7, 0.2))

# %%
check("operating_point", (0.2, 0.7))

# %% [markdown]
# From here on it is your turn. Put your answer where the dots are and run the cell, as often as
# you like.

# %% [markdown]
# ## 2. From leaves to a ranking
#
# **To order**, take the leaf with the largest share of positives first: leaf 1, 4, 2, 3. That is
# a ranking with ties. The instances that tie make a **segment**.
#
# How good is an order? Draw one positive and one negative at random. How often does the positive
# come first? If both sit in one leaf, nobody comes first: count one half. This share of pairs is
# the **area under the curve**, AUC.
#
# **Predict**, then work it out with the table above: there are 10 × 10 pairs. How many points do
# they earn?

# %%
answer = ...
check("tree_auc", answer)

# %% [markdown]
# ## 3. The ROC curve: walk down the ranking
#
# Start at the bottom left and walk down the ranking, best segment first. A segment takes you up
# by its share of all positives and to the right by its share of all negatives. So each segment is
# one straight **edge**.
#
# A leaf with both classes goes up *and* right: its edge is **diagonal**. It is no staircase.
# Inside a leaf there is no order, and a staircase would claim one. You reach a point half way
# along the edge by calling half of the leaf positive, drawn by lot.
#
# **Predict:** how many edges will this curve have? Which is the steepest? Will any edge be
# steeper than the one before it?
#
# <details><summary>Answer</summary>
#
# Four edges, one per leaf. The first is the steepest: 0.4 up and 0.1 to the right. None is
# steeper than the one before it, because the leaves come in order of their share of positives.
# Such a curve is called **convex** (it bulges up and to the left everywhere).
#
# </details>

# %% [markdown]
# Drag the pink point along the curve. Once it touches a leaf, a second slider appears, *random part
# of the tie*: the share of that leaf that is called positive. At a corner it is 100 %, a plain
# threshold. On an edge it is less, and drawn by lot.

# %% jupyter={"outputs_hidden": true}
leaves = ROCExplorer(y, share, reliability_by="score", show_band=False, panels=["scores", "roc"])
leaves

# %% jupyter={"outputs_hidden": true}
ranking = leaves.result.segments
ranking.to_frame().round(3)

# %% [markdown]
# Steepness and probability are the same information. With as many positives as negatives, an edge
# of slope $l$ is a segment with a share $l / (l + 1)$ of positives: slope 4 is a share of 0.8.
#
# Now the area. Every negative earns one point for each positive *before* its segment and half a
# point for each positive *in* it:
#
# $$\mathrm{AUC} = \frac{1}{n^+ n^-} \sum_i n_i^- \left( \frac{n_i^+}{2} + \sum_{j<i} n_j^+ \right)$$
#
# The paper prints $j > i$, the positives *after* it. Read as printed, and with segments numbered
# along the curve, that gives the area of the reversed ranking. The text of the paper means what
# we compute:

# %%
pos, neg = ranking.pos, ranking.neg
before = np.cumsum(pos) - pos
after = pos.sum() - np.cumsum(pos)
pairs = ranking.n_pos * ranking.n_neg

print(f"positives before: {np.sum(neg * (pos / 2 + before)):.0f} of {pairs:.0f}")
print(f"positives after:  {np.sum(neg * (pos / 2 + after)):.0f} of {pairs:.0f}")

# %% [markdown]
# ## 4. A ranking without a tree
#
# A tree may put its leaves in any order. A **lexicographic ranking** may not: it works like a
# dictionary. The first letter decides; only among equals does the second one count. For us the
# letters are attributes. LexRank (Flach and Matsubara, 2008) chooses them so:
#
# - Of each attribute it prefers the value that positives have more often than negatives
#   (**likelihood ratio** above 1).
# - First comes the attribute that separates the classes best (largest **odds ratio**).

# %%
ratio = {}
for name, column in (("A1", X[:, 0]), ("A2", X[:, 1])):
    for value in (0, 1):
        classes = y[column == value]  # ten of each in all, so that counts do for rates
        ratio[name, value] = Fraction(int(classes.sum()), int((1 - classes).sum()))
        print(f"likelihood ratio of {name}={value}: {ratio[name, value]}")

print(f"odds ratio of A1: {ratio['A1', 1] / ratio['A1', 0]}, prefers 1")
print(f"odds ratio of A2: {ratio['A2', 0] / ratio['A2', 1]}, prefers 0")

# %% [markdown]
# So A2 = 0 comes first, and among equals A1 = 1. The segments, best first, are now
#
# | | A2 = 0, A1 = 1 | A2 = 0, A1 = 0 | A2 = 1, A1 = 1 | A2 = 1, A1 = 0 |
# |---|---|---|---|---|
# | positives, negatives | 2, 3 | 4, 1 | 3, 1 | 1, 5 |
#
# **Predict:** better or worse than the tree? Then work out the area.

# %%
answer = ...
check("lexicographic_auc", answer)

# %% [markdown]
# **Naive Bayes** gives these four groups the same order. It multiplies the likelihood ratios to
# odds, and odds become probabilities. So let us give the ranking the probabilities of naive
# Bayes, and look.
#
# **Predict:** the first segment has 2 positives and 3 negatives, the second 4 and 1. What will
# the curve look like there?
#
# <details><summary>Answer</summary>
#
# First flat, then steep: it has a **dent** (a concavity). The second group deserves to be first.
# In a dent the ranking is locally worse than a coin: turn the order round there, and it gets
# better.
#
# </details>

# %% [markdown]
# The green dashed line spans the dents: the **convex hull**. **Click a corner** of the black
# curve inside a dent: the two edges that meet there become one, so two segments become tied.
# (Under *calibrate*, the button *join the next segment* does the same at the threshold you hold,
# and *undo joins* takes it back.) Which joins make black and green the same?
#
# Beside the curve are the scores: each pair of bars is a group, and where it stands is what naive
# Bayes says of it.

# %% jupyter={"outputs_hidden": true}
odds = np.array([float(ratio["A1", a1] * ratio["A2", a2]) for a1, a2 in X])
bayes = odds / (1 + odds)

lexicographic = ROCExplorer(
    y, bayes, threshold=0.4, reliability_by="score", show_band=False, panels=["scores", "roc"]
)
lexicographic

# %% jupyter={"outputs_hidden": true}
ranker = RankedSegments.from_scores(y, bayes)
for group, p, n in zip(ranker.score, ranker.pos, ranker.neg, strict=True):
    print(f"naive Bayes says {group:.3f}, it is {p:.0f} of {p + n:.0f}")
print(f"AUC {ranker.auc:.2f}, convex: {ranker.is_convex}")

# %% [markdown]
# Could another lexicographic ranking do better? With two attributes there are eight: two orders,
# and two values to prefer for either attribute.
#
# **Predict:** how many of the eight have a convex curve?

# %% jupyter={"outputs_hidden": true}
for first, second in ((0, 1), (1, 0)):
    for liked in (0, 1):
        for then in (0, 1):
            order = 2 * (X[:, first] == liked) + (X[:, second] == then)
            one = RankedSegments.from_scores(y, order)
            print(
                f"A{first + 1} = {liked} first, then A{second + 1} = {then}:",
                f"AUC {one.auc:.2f}, {'convex' if one.is_convex else 'not convex'}",
            )

# %% [markdown]
# <details><summary>Why none</summary>
#
# A convex curve needs the groups in order of their shares: first A1 = A2 = 0 (0.8), then A1 = A2
# = 1 (0.75). These two differ in *both* attributes. A dictionary never puts such words next to
# each other at the top: after the first comes one that shares its first letter. What the data say
# is "equal attributes are good", and no order of letters can say that.
#
# </details>

# %% [markdown]
# ## 5. The hull
#
# The hull does the least that repairs the ranking: it ties neighbours that stand in the wrong
# order, until no edge is steeper than the one before (*pool adjacent violators*). It is the line
# that a rubber band would make, stretched over the curve.
#
# **Predict:** which segments are left?

# %%
answer = ...
check("hull_segments", answer)

# %% [markdown]
# **Predict:** what becomes of the AUC when tied groups replace wrongly ordered ones: `"rises"`,
# `"stays"` or `"falls"`? First for the tree, whose curve is convex:

# %%
answer = ...
check("tree_auc_calibrated", answer)

# %% [markdown]
# And for the lexicographic ranking, which has the dent:

# %%
answer = ...
check("lexicographic_auc_calibrated", answer)

# %% [markdown]
# Check with the numbers:

# %% jupyter={"outputs_hidden": true}
hull = ranker.hull()
print("segments of the hull:", *zip(hull.pos.astype(int), hull.neg.astype(int), strict=True))
print(f"lexicographic: AUC {ranker.auc:.2f}, on the hull {hull.auc:.2f}")
print(f"tree:          AUC {ranking.auc:.2f}, on the hull {ranking.hull().auc:.2f}")

# %% [markdown]
# Why not keep the corner in the dent, in case one needs it? Because nobody does. Whatever errors
# cost, the cheapest point is a corner of the hull (Provost and Fawcett, 2001). Section 5 of the next chapter
# lets you try.

# %% [markdown]
# ## What to take home
#
# - To **decide** is to choose one point of the ROC plot; to **order** is to draw a whole curve in it.
# - Ties are diagonal edges. AUC is the share of pairs in the right order, ties one half.
# - A dent is a stretch where the order is wrong. The hull ties it.
#
# On to [chapter 2](02_probabilities_and_calibration.ipynb), where a ranking learns to say how sure it is. Back
# to the [start](00_start_here.ipynb).
#
# ## Sources
#
# Where each was published stands in the [bibliography](https://github.com/rocviz/rocviz/blob/main/CITATION.cff).
#
# - Flach and Matsubara (2008). *On classification, ranking, and probability estimation.* The
#   example, the segments and LexRank.
# - Provost and Fawcett (2001). *Robust classification for imprecise environments.* Costs,
#   prevalence and the hull.

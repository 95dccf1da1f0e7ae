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
# Twenty people wait in an emergency room. Ten of them are seriously ill, and nobody knows which ten. A nurse
# has asked each of them two yes-or-no questions. Whom should the doctor see first?
#
# The nurse orders them the way a dictionary orders words. There are 100 pairs of an ill person and a healthy one. A pair scores 1 if the ill
# person comes first, and one half if the two are tied. Then the nurse *forgets* part of what she knows: she treats some people alike
# although her rule could tell them apart. Now the score rises by **8 of the 100 pairs**. How can knowing less be better?
#
# At the end of this chapter you can
#
# - read a confusion table, and say what sensitivity, specificity, precision and recall are;
# - draw a ROC curve by hand, ties included, and say in one sentence what an AUC means;
# - see where a ranking is worse than drawing lots, and what the convex hull does about it.
#
# You need fractions and a little Python with NumPy, nothing harder than a mask such as `y[group]`. Everything else is
# explained. Allow about **55 minutes**.
#
# A cell with "•••" below it has an answer. Predict first, then run it.

# %%
from fractions import Fraction

import numpy as np
from sklearn.metrics import confusion_matrix, roc_auc_score, roc_curve
from sklearn.tree import DecisionTreeClassifier

from rocviz import RankedSegments, ROCExplorer
from rocviz.datasets import load_breast_cancer_scores, load_flach_matsubara
from rocviz.exercises import check

# %% [markdown]
# ## 1. Decide: a table of four counts
#
# A model can do three jobs. It can **decide** (yes or no), it can **order** (this one before that one), and it
# can **say how sure it is** (70 %). This section is about the first job, and the rest of the chapter about the
# second. The third fills [chapter 2](02_probabilities_and_calibration.ipynb).
#
# Our twenty people are the example of Flach and Matsubara (2008). Ten are ill. We call them the **positives**, because *positive* is the
# class we are looking for. There are two yes-or-no attributes, A1 and A2. A decision tree asks about A2, then about A1, and so puts everybody
# into one of four leaves:
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
share = tree.predict_proba(X)[:, 1]  # of each person's leaf, the share of positives

print("leaf  A2  A1  positives  negatives  share of positives")
for leaf, (a2, a1) in enumerate([(0, 0), (0, 1), (1, 0), (1, 1)], start=1):
    here = (X[:, 1] == a2) & (X[:, 0] == a1)
    print(f"{leaf:4}{a2:4}{a1:4}{y[here].sum():11}{(1 - y[here]).sum():11}{share[here][0]:20.3f}")

# %% [markdown]
# Two people in the same leaf look the same to the tree. Whatever it does with one, it does with the other.
#
# To **decide**, predict some leaves positive. A cautious nurse predicts everybody positive except those in leaf 3. Each
# person then belongs to one of four groups, whose sizes make up the **confusion table**:
#
# | | is positive | is negative |
# |---|---|---|
# | **predicted positive** | true positives | false positives, the *false alarms* |
# | **predicted negative** | false negatives, the *misses* | true negatives |
#
# Four proportions in this table have names that every textbook uses:
#
# | name | also called | of all ... | the share that is ... |
# |---|---|---|---|
# | true positive rate | **sensitivity**, **recall** | positives | predicted positive |
# | false positive rate | 1 − **specificity** | negatives | predicted positive |
# | true negative rate | **specificity** | negatives | predicted negative |
# | **precision** | positive predictive value | *predicted positive* | positive |
#
# **Predict**, from the table of the leaves: what are the sensitivity, the specificity and the precision of this
# rule?

# %% jupyter={"outputs_hidden": true}
predicted = (X[:, 1] == 0) | (X[:, 0] == 1)  # all leaves but the third
(tn, fp), (fn, tp) = confusion_matrix(y, predicted)
print(f"true positives {tp}, false positives {fp}, false negatives {fn}, true negatives {tn}")
print(f"sensitivity {tp / (tp + fn):.2f}, specificity {tn / (tn + fp):.2f}")
print(f"precision {tp / (tp + fp):.3f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The rule finds 9 of the 10 ill people, so its sensitivity is 0.9. It also raises 5 false alarms among 10 people who are
# well, so its specificity is 0.5. Of the 14 people it predicts positive 9 are ill; the precision is 9/14.
#
# </details>
#
# The **ROC plot** shows the false positive rate on the x-axis and the true positive rate on the y-axis. Each way to decide is one
# point in it. The first exercise is already solved, to show you how one works. It asks for the point of another rule: predict
# everybody positive who has A1 = A2, that is, leaves 1 and 4. One student answers, gets a hint, and answers again:

# %%
check("operating_point", (0.7, 0.2))

# %%
check("operating_point", (0.2, 0.7))

# %% [markdown]
# From here on it is your turn. Put your answer where the dots are and run the cell, as often as you like.

# %% [markdown]
# ## 2. Order: what an AUC counts
#
# To **order**, take the leaf with the largest share of positives first: leaf 1, then 4, 2 and 3. This is a ranking with ties. People who are
# tied form a **segment**.
#
# How good is an order? Draw one positive and one negative at random. How often does the positive come first? If
# both sit in the same leaf, neither comes first, and we count one half. This share of the pairs is the **area under the ROC curve**, the
# **AUC**. (Section 3 draws the area.)
#
# **Predict** whether it is above or below 0.75. Then work it out with the table of the leaves: there are 10 × 10
# pairs. How many points do they earn?

# %%
answer = ...
check("tree_auc", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# # negatives of a leaf times (half of its positives + the positives before it), leaf 1, 4, 2, 3
# answer = (1 * 4 / 2 + 1 * (4 + 3 / 2) + 3 * (7 + 2 / 2) + 5 * (9 + 1 / 2)) / (10 * 10)
# ```
#
# </details>

# %% [markdown]
# ## 3. The ROC curve: walk down the ranking
#
# Start at the bottom left and walk down the ranking, best segment first. A segment takes you up by its share of
# all positives and to the right by its share of all negatives. So each segment is one straight **edge**.
#
# A leaf with both classes goes up *and* right: its edge is **diagonal**, not a step. Inside a leaf there is no
# order, and a step would claim one. You reach a point half way along the edge by predicting half of the leaf positive, chosen at random.
#
# **Predict:** how many edges will this curve have? Which is the steepest? Will any edge be steeper than the one
# before it? Run the cell and drag the pink point along the curve.

# %% jupyter={"outputs_hidden": true}
leaves = ROCExplorer(
    y,
    share,
    reliability_by="score",
    show_band=False,
    panels=["scores", "roc"],
    unfolded=["threshold", "random_part"],
)
leaves

# %% [markdown]
# <details><summary>What you can see</summary>
#
# Four edges, one per leaf. The first is the steepest: 0.4 up and 0.1 to the right. None is steeper than the one
# before it, because the leaves come in order of their share of positives. Such a curve bulges up and to the
# left everywhere. People who work with ROC curves call it **convex**, because the region below it is; in a
# course on analysis the same curve is called *concave*.
#
# Once the point touches a leaf, a second slider appears, *part of the tie*: the share of that leaf that is
# predicted positive.
#
# </details>
#
# scikit-learn draws the same curve. **Predict:** how many points does its `roc_curve` return for four edges?

# %% jupyter={"outputs_hidden": true}
fpr, tpr, thresholds = roc_curve(y, share)
print("to the right", fpr)
print("up          ", tpr)
print(
    f"area by scikit-learn {roc_auc_score(y, share):.2f}, by rocviz {leaves.result.segments.auc:.2f}"
)

# %% [markdown]
# <details><summary>What you can see</summary>
#
# It returns five points, because four edges have five ends. Both areas are the one you computed in section 2.
#
# </details>
#
# The slope of an edge and the share of positives carry the same information. If there are as many positives as
# negatives, an edge of slope $l$ is a segment with a share $l / (l + 1)$ of positives. Slope 4 is a share of 0.8.
#
# And the area? Every negative earns one point for each positive *before* its segment and half a point for each
# positive *in* it:
#
# $$\mathrm{AUC} = \frac{1}{n^+ n^-} \sum_i n_i^- \left( \frac{n_i^+}{2} + \sum_{j<i} n_j^+ \right)$$
#
# Here are the 100 pairs, a column for each negative and a row for each positive. A cell is orange where the positive comes first, and half
# orange where both are in one leaf. The border is the curve, and the orange share its area. Point at a cell: its two people light up.

# %%
ROCExplorer(y, share, show_hull=False, panels=["pairs", "scores"], unfolded=[])

# %% [markdown]
# **Predict:** what do you get if you count the positives *after* the segment instead?

# %% jupyter={"outputs_hidden": true}
ranking = leaves.result.segments
pos, neg = ranking.pos, ranking.neg
before = np.cumsum(pos) - pos
after = pos.sum() - np.cumsum(pos)
pairs = ranking.n_pos * ranking.n_neg

print(f"positives before: {np.sum(neg * (pos / 2 + before)):.0f} of {pairs:.0f}")
print(f"positives after:  {np.sum(neg * (pos / 2 + after)):.0f} of {pairs:.0f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# You get 21, the points of the reversed ranking: every pair that was right is now wrong, and a tie remains a tie.
#
# </details>
#
# <details><summary>For those who read the paper</summary>
#
# The paper prints $j > i$, the positives *after* the segment. Read as printed, and with segments numbered along
# the curve, that is the second line: the area of the reversed ranking. The text of the paper means the first.
#
# </details>

# %% [markdown]
# ## 4. A ranking like a dictionary
#
# A tree may put its leaves in any order. A **lexicographic ranking** may not. It works like a dictionary: the first letter
# decides, and only among equals does the second one count. Our letters are the two attributes. How do you choose their order?
# LexRank (Flach and Matsubara, 2008) compares two kinds of ratios:
#
# - The **likelihood ratio** of a value: how much more often do positives have it than negatives? For each attribute, the value whose ratio is
#   above 1 is preferred.
# - The **odds ratio** of an attribute: the likelihood ratio of its preferred value, divided by that of the other
#   value. The attribute with the largest odds ratio comes first, since it separates the classes best.

# %%
ratio = {}
for name, column in (("A1", X[:, 0]), ("A2", X[:, 1])):
    for value in (0, 1):
        classes = y[column == value]  # ten of each in all, so counts can stand in for rates
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
# **Predict:** is it better or worse than the tree? Then work out the area.

# %%
answer = ...
check("lexicographic_auc", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# answer = (3 * 2 / 2 + 1 * (2 + 4 / 2) + 1 * (6 + 3 / 2) + 5 * (9 + 1 / 2)) / (10 * 10)
# ```
#
# </details>

# %% [markdown]
# To see the curve we need a score for each group. **Naive Bayes** has one: it multiplies the likelihood ratios of a person's values, as if
# the attributes were independent. Since the classes are of equal size, the product is the odds of being positive. It puts the four groups in
# the same order as the dictionary.
#
# **Predict:** the first segment has 2 positives and 3 negatives, the second 4 and 1. What will the curve look
# like there?
#
# Then **click a corner** of the black curve: the two edges that meet there become one, so two segments become
# tied. (The button *join the next segment* under *calibrate* does the same; *undo joins* takes it back.)
# Which joins make the curve meet the green dashed line?

# %% jupyter={"outputs_hidden": true}
odds = np.array([float(ratio["A1", a1] * ratio["A2", a2]) for a1, a2 in X])
bayes = odds / (1 + odds)

lexicographic = ROCExplorer(
    y, bayes, threshold=0.4, reliability_by="score", show_band=False, panels=["scores", "roc"]
)
lexicographic

# %% [markdown]
# <details><summary>What you can see</summary>
#
# First flat, then steep: the curve has a **dent** (a *concavity*). The second group deserves to be first. Within a dent the order is worse
# than chance: reverse it there, and the ranking improves. Joining the first two segments, and the result with the third, makes the curve meet
# the green line.
#
# </details>
#
# Could another dictionary do better? With two attributes there are eight: two orders, and two values to prefer for each attribute.
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
# <details><summary>What you can see</summary>
#
# None of them does. A convex curve needs the groups in the order of their shares of ill people: first A1 = A2 = 0 (0.8), then A1 = A2 = 1
# (0.75). These two differ in *both* attributes, while neighbours in a dictionary share their first letter. In these data people are more
# often ill if both attributes are *equal*, and no order of letters can express that.
#
# </details>

# %% [markdown]
# ## 5. The hull: knowing less and ranking better
#
# The green dashed line is the **convex hull** of the curve: a rubber band stretched over it. It is the
# lowest convex curve that lies nowhere below the old one. Wherever a segment is followed by one with a larger (or equal) share
# of positives, it ties the two, and it compares the joined segment with its neighbours again. This procedure is
# called *pool adjacent violators*.
#
# Do it by hand, on four new groups. From the top of the ranking down they hold
#
# | | 1 | 2 | 3 | 4 |
# |---|---|---|---|---|
# | positives, negatives | 2, 2 | 6, 2 | 1, 6 | 2, 6 |
#
# **Predict:** which segments does the hull have? Answer with a list of pairs, best first: the segments before
# joining would be `[(2, 2), (6, 2), (1, 6), (2, 6)]`.

# %%
answer = ...
check("hull_segments", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# answer = [(2 + 6, 2 + 2), (1 + 2, 6 + 6)]  # 1/2 is followed by 3/4, and 1/7 by 1/4
# ```
#
# </details>

# %% [markdown]
# The AUC of the four groups as they stand is 123/176, or 0.699. **Predict** whether it rises, stays or falls when the hull has
# tied what it ties. Then compute it:

# %%
answer = ...
check("hull_auc", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# answer = (4 * 8 / 2 + 12 * (8 + 3 / 2)) / (11 * 16)
# ```
#
# </details>

# %% [markdown]
# And the tree, whose curve is convex already: does its AUC `"rise"`, `"stay"` or `"fall"`?

# %%
answer = ...
check("tree_auc_calibrated", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# answer = "stay"  # the hull joins nothing
# ```
#
# </details>

# %% [markdown]
# **Predict:** which segments does the hull of the dictionary have? Its curve has a dent.

# %% jupyter={"outputs_hidden": true}
ranker = RankedSegments.from_scores(y, bayes)
hull = ranker.hull()
print("segments of the hull:", list(zip(hull.pos.tolist(), hull.neg.tolist(), strict=True)))
print(f"lexicographic: AUC {ranker.auc:.2f}, on the hull {hull.auc:.2f}")
print(f"tree:          AUC {ranking.auc:.2f}, on the hull {ranking.hull().auc:.2f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The hull of the dictionary has two segments. Its AUC is 0.70 where the ranking has 0.62: eight more pairs of the hundred.
# This is the puzzle of the opening. **A tie counts one half; a pair in the wrong order counts nothing.** So it is
# better not to know than to be wrong. This holds for the people to whom the hull was fitted; chapter 2 asks what happens on new ones. The
# tree's hull is its own curve, and its AUC stays.
#
# </details>
#
# Should you keep the corner in the dent, in case you need it one day? You never will. Whatever errors cost, one of the
# cost-optimal points is a corner of the hull (Provost and Fawcett, 2001). Section 6 of the next chapter lets you try this.

# %% [markdown]
# ## 6. The same on real data
#
# 569 tumours, 212 of them malignant: these are our positives now. A model (naive Bayes, four measurements) gives
# each tumour a score, and no tumour was scored by a model that had seen it. There are 565 different scores, so nearly every tumour is a
# segment of its own, and the curve has 565 edges.
#
# **Predict:** how many segments does its hull have? And how much larger is the AUC of the hull?

# %% jupyter={"outputs_hidden": true}
scores = load_breast_cancer_scores()
cancer = ROCExplorer(scores.y_true, scores.y_prob, panels=["roc"])
cancer

# %% jupyter={"outputs_hidden": true}
tumours = cancer.result.segments
table = tumours.at_threshold(0.5)
print(f"{len(tumours)} segments, on the hull {len(tumours.hull())}")
print(f"AUC {tumours.auc:.3f}, of the hull {tumours.hull().auc:.3f}")
print(
    f"at 0.5: sensitivity {table.tpr:.2f}, specificity {table.tnr:.2f}, precision {table.precision:.2f}"
)

# %% [markdown]
# <details><summary>What you can see</summary>
#
# Most of the 565 edges are tiny steps, and the hull needs 15 segments. It ties scores where these tumours give no reason to rank one above the
# other. The AUC rises by less than 0.01.
#
# </details>

# %% [markdown]
# ## What to take home
#
# - Each way to decide is one point in the ROC plot, a pair of sensitivity and 1 − specificity. A ranking is a whole curve.
# - The AUC is the share of pairs of a positive and a negative that are in the right order; a tie counts one half.
#   It needs no probabilities.
# - People with the same score form one segment, drawn as a diagonal edge if both classes are among them.
# - A dent means that the order is wrong there. The convex hull ties what is in the wrong order, and a tie is better than an error.
# - With scikit-learn: `confusion_matrix`, `roc_curve`, `roc_auc_score`. The hull is in rocviz.
#
# On to [chapter 2](02_probabilities_and_calibration.ipynb): The model says 70 %. Can you believe it? Further reading:
# Fawcett and Niculescu-Mizil (2007) on the hull, and chapter 8 of this course on
# [ranking like a dictionary](08_lexicographic_rankers.ipynb). Back to the [start](00_start_here.ipynb).
#
# ## Sources
#
# The [bibliography](https://rocviz.github.io/rocviz/bibliography.html) says where each was published.
#
# - Flach and Matsubara (2008). *On classification, ranking, and probability estimation.* The
#   example, the segments and LexRank.
# - Fawcett and Niculescu-Mizil (2007). *PAV and the ROC convex hull.* The hull by pooling adjacent violators.
# - Provost and Fawcett (2001). *Robust classification for imprecise environments.* Costs,
#   prevalence and the hull.

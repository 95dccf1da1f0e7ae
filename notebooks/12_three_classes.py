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
# # Three classes, one triangle
#
# A hospital's model says for each patient how probable three diseases are, A, B and C, and the most probable one is treated first. **85 %** of
# the patients are classified correctly. Then somebody looks at the 50 patients with C: C was predicted for **none** of them. Nobody made a
# mistake. The probabilities are right, and predicting the most probable disease maximises the share of correct predictions. What did the 85 %
# hide? And how can the same model find patients with C, without being trained again?
#
# At the end of this chapter you can
#
# - turn three probabilities into a decision with one point in a triangle, and move it to predict a class more often;
# - read a confusion matrix of three classes and more;
# - say what accuracy, balanced accuracy and F1 by class hide, and which of them suits an aim;
# - derive the point from costs, and correct probabilities for other shares of the classes;
# - say what Hand and Till's $M$ measures, and what this average hides.
#
# Allow about **60 minutes**. You need thresholds and the ROC curve ([chapter 1](01_classification_and_ranking.ipynb)), and costs and
# calibration ([chapter 2](02_probabilities_and_calibration.ipynb)). The patients are **simulated**; the wines and the digits are real.

# %%
import numpy as np
from sklearn.metrics import balanced_accuracy_score, f1_score

from rocviz import MulticlassExplorer, best_simplex_point, hand_till_auc
from rocviz.core.multiclass import confusion_matrix, label_at_point, point_of_costs, shift_priors
from rocviz.datasets import load_class_scores, make_classes
from rocviz.exercises import check

# %% [markdown]
# ## 1. From a point on a line to a point in a triangle
#
# With two classes there is one probability, a number on the line from 0 to 1, and the threshold is a point on the same line. With three
# classes a sample has three probabilities, which sum to 1. They are a point in a triangle: in each corner one class is certain, and the middle
# is where all three are equally probable.
#
# The threshold, too, becomes a point $\theta=(\theta_A,\theta_B,\theta_C)$ of the triangle, with entries that sum to 1. Predict **the class
# whose probability divided by its entry is largest**. With two classes that is the old rule: *ill* is predicted once $p_\text{ill}$ reaches
# $\theta_\text{ill}$.

# %%
two = [[0.8, 0.2], [0.7, 0.3], [0.5, 0.5]]
print(label_at_point(two, [0.7, 0.3], classes=["healthy", "ill"]))

# %% [markdown]
# These are 178 wines of three grapes, and a model that knows only their alcohol and their malic acid. Each wine is a dot whose shape is its
# true grape. The pink point decides how each wine is classified.
#
# **Predict:** drag the point towards the corner *surely Barbera*. Will more wines be classified as Barbera, or fewer?

# %% jupyter={"outputs_hidden": true}
wine = load_class_scores("wine")
wines = MulticlassExplorer(
    *(wine.y_true, wine.y_prob),
    classes=wine.classes,
    panels=["triangle", "matrix"],
    unfolded=["point"],
)
wines

# %% jupyter={"outputs_hidden": true}
third = [1 / 3, 1 / 3, 1 / 3]


def predictions_of(data, point):
    return label_at_point(data.y_prob, point, classes=data.classes)


def matrix_of(data, point):
    return confusion_matrix(data.y_true, predictions_of(data, point), classes=data.classes)


for barbera in (0.2, 1 / 3, 0.6):
    point = [(1 - barbera) / 2, (1 - barbera) / 2, barbera]
    print(
        f"entry of Barbera {barbera:.2f}: {matrix_of(wine, point).predicted[2]:.0f} are predicted"
    )
print(matrix_of(wine, third).to_frame())

# %% [markdown]
# <details><summary>What you can see</summary>
#
# Fewer. The point is a threshold: the nearer it is to the corner of Barbera, the more probability a wine needs for this prediction, and
# the smaller that region is. All nine counts of the confusion matrix move with one point. In the matrix a row holds the wines of one
# grape, and a column the wines that are classified as this grape. On the diagonal the prediction is right.
#
# </details>
#
# A sample has the probabilities 0.45 of A, 0.35 of B and 0.2 of C, and the point is (0.5, 0.3, 0.2). Which class is predicted: `"A"`,
# `"B"` or `"C"`?

# %%
answer = ...
check("predicted_at_point", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# from rocviz.core.multiclass import label_at_point
#
# # 0.45 / 0.5 is below 1, 0.35 / 0.3 above it, and 0.2 / 0.2 = 1
# answer = str(label_at_point([[0.45, 0.35, 0.2]], [0.5, 0.3, 0.2], classes=["A", "B", "C"])[0])
# ```
#
# </details>

# %% [markdown]
# The entries of B and C are kept equal, and that of A rises. A sample has the probabilities 0.5 of A, 0.3 of B and 0.2 of C. What is the
# largest entry of A at which A is still predicted?

# %%
answer = ...
check("raised_entry", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# # of A and B the ratios are equal where 0.5 / a = 0.3 / ((1 - a) / 2)
# answer = 0.5 / (0.5 + 2 * 0.3)
# ```
#
# </details>

# %% [markdown]
# ## 2. The class that is never predicted
#
# Back to the hospital: 475 patients with A, 475 with B and 50 with C. The probabilities are those by which the patients were drawn, so
# they are exactly right.
#
# **Predict:** in the explorer, how can the probabilities be right although C is never predicted? And which way must the point go for C to
# be predicted?

# %% jupyter={"outputs_hidden": true}
ward = make_classes(1000, separation=2.5, nearness=0.6, share_c=0.05, random_state=0)
patients = MulticlassExplorer(
    *(ward.y_true, ward.y_prob),
    classes=ward.classes,
    panels=["triangle", "matrix"],
    unfolded=["point"],
)
patients

# %% jupyter={"outputs_hidden": true}
most_c = ward.y_prob[:, 2].max()
print(f"largest probability of C: {most_c:.2f}; sum of all of them: {ward.y_prob[:, 2].sum():.0f}")
for c in (1 / 3, 0.1, 0.05):
    matrix = matrix_of(ward, [(1 - c) / 2, (1 - c) / 2, c])
    print(
        f"entry of C {c:.2f}: accuracy {matrix.accuracy:.3f}, {matrix.counts[2, 2]:.0f} with C",
        end=" ",
    )
    print(f"found, {matrix.predicted[2]:.0f} predicted C")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# C is rare and resembles B, so it is never the most probable disease: no patient has C with a probability of more than 42 %. Yet these
# probabilities sum to 46, about the number of patients who have it. Where every single prediction of C would more likely be wrong than
# right, never predicting C gives the most correct predictions.
#
# Move the point *away* from the corner of C. With the entry 0.10 the model finds 14 of the 50, and with 0.05 it finds 26. The last row shows
# the price: accuracy falls from 0.846 to 0.749, because C is predicted for many patients with A or B.
#
# </details>

# %% [markdown]
# ## 3. What averages hide
#
# A matrix with nine counts is often summarised by one number, and each of these numbers is an average.
#
# - **Accuracy** is the share of all samples that are classified correctly. Frequent classes count more.
# - **Balanced accuracy** is the mean of the classes' recalls, the shares of each class that are classified correctly. All classes count the
#   same.
# - **Macro F1** is the mean of the classes' F1, which also asks how many of the predictions of a class are right. **Weighted F1** weights this mean
#   by how frequent the classes are. **Micro F1** adds up the counts of all classes first.
#
# **Predict:** below is the point that is best for accuracy, then those that are best for balanced accuracy and for macro F1. Which of the
# three finds the most patients with C? Which average hardly changes?

# %% jupyter={"outputs_hidden": true}
points = {"most probable": third}
for metric in ("accuracy", "balanced_accuracy", "macro_f1"):
    points[metric] = best_simplex_point(
        *(ward.y_true, ward.y_prob), classes=ward.classes, metric=metric
    ).point


def averages(data, point):
    predictions = predictions_of(data, point)
    found = {"accuracy": (predictions == data.y_true).mean()}
    found["balanced"] = balanced_accuracy_score(data.y_true, predictions)
    for kind in ("macro", "weighted", "micro"):
        found[kind + " F1"] = f1_score(data.y_true, predictions, average=kind, zero_division=0)
    return found


for name, point in points.items():
    values = ", ".join(f"{key} {value:.3f}" for key, value in averages(ward, point).items())
    matrix = matrix_of(ward, point)
    recall = ", ".join(f"{one:.0%}" for one in np.diag(matrix.shares))
    print(f"{name}: {values}")
    print(f"   found of A, B and C: {recall}; {matrix.predicted[2]:.0f} predicted C")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The same model finds 0 %, 12 %, 70 % or 24 % of the patients with C, depending on what it is asked to maximise. Between the most probable
# class and the best macro F1 accuracy hardly changes, because fifty patients are a small part of a thousand. Balanced accuracy goes
# furthest: a patient with C counts as much as nearly ten with A. So accuracy falls to 0.709, and most predictions of C are wrong. Macro F1 counts
# such predictions against C, and stops earlier.
#
# None of them is *the* right average. Accuracy hides a rare class; balanced accuracy hides how many predictions of it are wrong; every average
# hides which classes are confused. Show the matrix, and choose the average by your aim.
#
# </details>
#
# A model classifies 90 of 100 samples of A correctly, 80 of 100 of B, and none of the 10 of C. What is its balanced accuracy?

# %%
answer = ...
check("balanced_by_hand", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# answer = (90 / 100 + 80 / 100 + 0 / 10) / 3
# ```
#
# </details>

# %% [markdown]
# Every sample has one true class and one prediction. Which of these is then always equal to accuracy: `"balanced accuracy"`, `"macro F1"`,
# `"micro F1"` or `"weighted F1"`?

# %%
answer = ...
check("same_as_accuracy", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# from sklearn.metrics import accuracy_score, balanced_accuracy_score, f1_score
#
# true, predicted = [0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 2, 2]
# averages = {f"{kind} F1": f1_score(true, predicted, average=kind) for kind in ("macro", "micro", "weighted")}
# averages["balanced accuracy"] = balanced_accuracy_score(true, predicted)
# (answer,) = (name for name, one in averages.items() if abs(one - accuracy_score(true, predicted)) < 1e-9)
# ```
#
# </details>

# %% [markdown]
# ## 4. The best point, and on which data
#
# With two classes, sorting the scores once finds the best threshold. With three there is no such order. The ring in the explorer comes from
# a search that moves one entry at a time to its best place while the others stay, until no move gains anything (Lachiche and Flach, 2003).
# Each step is exact, but the search ends in a *local* optimum.
#
# **Predict:** we choose the point on one half of the patients, and compare it with the most probable class on the other half. Does the
# point for *accuracy* gain anything there? And the point for macro F1?


# %% jupyter={"outputs_hidden": true}
def gains(data, metric, n_splits=100):
    rng, rows = np.random.default_rng(0), []
    for _ in range(n_splits):
        order = rng.permutation(data.y_true.size)
        chosen, other = order[::2], order[1::2]
        best = best_simplex_point(
            *(data.y_true[chosen], data.y_prob[chosen]), classes=data.classes, metric=metric
        )
        values = [
            confusion_matrix(
                data.y_true[other],
                label_at_point(data.y_prob[other], point, classes=data.classes),
                classes=data.classes,
            ).metric(metric)
            for point in (third, best.point)
        ]
        rows.append((best.value - best.argmax_value, values[1] - values[0]))
    return np.mean(rows, axis=0), np.std(rows, axis=0) / np.sqrt(n_splits)


for metric in ("accuracy", "macro_f1"):
    (own, other), (_, error) = gains(ward, metric)
    print(f"{metric}: {own:+.3f} where it was chosen, {other:+.3f} ± {error:.3f} on the other half")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# For accuracy the chosen point gains 0.011 on its own half and *loses* 0.004 on the other: these probabilities are right, so for accuracy no
# point is better than the middle, and what the search found was chance. For macro F1 the gain is real, 0.065, though less than the 0.104 that
# its own half promised.
#
# So choose the point on other samples than those you judge it by. `SimplexThresholdClassifier` does so by cross-validation.
#
# </details>

# %% [markdown]
# ## 5. Costs and shares need no search
#
# If the probabilities are calibrated, the point follows from the costs alone. Let a missed sample of class $k$ cost $c_k$, whatever is
# predicted instead. Predicting class $k$ saves $p_k c_k$ on average, so predict the class for which that is largest: $\theta_k$ is
# proportional to $1/c_k$.
#
# **Predict:** missing a C costs ten times as much as missing an A or a B. Above roughly what probability is a patient classified as C? Set the
# cost below, and look for the diamond, the point that follows from the costs.

# %% jupyter={"outputs_hidden": true}
costly = MulticlassExplorer(
    *(ward.y_true, ward.y_prob),
    classes=ward.classes,
    panels=["triangle", "matrix"],
    unfolded=["miss_costs"],
)
costly

# %% jupyter={"outputs_hidden": true}
costs = np.array([1, 1, 10])
by_costs = point_of_costs(costs)
print("point by the costs:", by_costs.round(3))
for name, point in (("most probable", third), ("by the costs", by_costs)):
    matrix = matrix_of(ward, point)
    missed = matrix.true - np.diag(matrix.counts)
    print(f"{name}: {missed @ costs:.0f}, {matrix.counts[2, 2]:.0f} with C found")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The point is (0.476, 0.476, 0.048): where A or B has nearly all the rest, a patient is classified as C once P(C) is about a tenth of P(A) or
# P(B). It finds 29 of the 50 with C and costs 444 instead of 604, in units of a missed A. Nothing was searched for, so there is nothing to judge
# on other data.
#
# </details>
#
# Missing a C costs eight times as much as missing an A or a B. What is the entry of C in the point by these costs?

# %%
answer = ...
check("entry_by_cost", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# answer = (1 / 8) / (1 / 1 + 1 / 1 + 1 / 8)
# ```
#
# </details>

# %% [markdown]
# **Predict:** the model moves to a hospital for C, where half of the patients have it. Its probabilities were right here. Are they right there?

# %% jupyter={"outputs_hidden": true}
here, there = [0.475, 0.475, 0.05], [0.25, 0.25, 0.5]
patient = [[0.45, 0.45, 0.10]]
print("here:", patient[0], "there:", shift_priors(patient, here, there)[0].round(2))

# %% [markdown]
# <details><summary>What you can see</summary>
#
# No. Multiply each probability by the new share of its class over the old one, and divide by the sum, so that they sum to 1 again. The
# patient who has C with a probability of 10 % here has it with a probability of 68 % there. For the predictions, moving the point the other way
# has the same effect.
#
# </details>
#
# Here 40 % have A, 40 % B and 20 % C. In another town 30 % have A, 30 % B and 40 % C. A patient has the probabilities 0.5, 0.4 and 0.1 here.
# What is the probability of C there?

# %%
answer = ...
check("moved_shares", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# a, b, c = 0.5 * 0.3 / 0.4, 0.4 * 0.3 / 0.4, 0.1 * 0.4 / 0.2
# answer = c / (a + b + c)
# ```
#
# </details>

# %% [markdown]
# ## 6. How well does it rank?
#
# The AUC compares two classes: draw a sample of each, and see which has the higher probability. With three classes there are three
# pairs. Hand and Till's $M$ is the mean over all of them.
#
# **Predict:** three species of iris are distinguished by their sepals. $M$ is 0.92. Are all pairs of species distinguished about that well?

# %% jupyter={"outputs_hidden": true}
iris = load_class_scores("iris")
ranked = hand_till_auc(iris.y_true, iris.y_prob, classes=iris.classes)
print(f"M {ranked.auc:.2f}, 95 % interval {ranked.lower:.2f} to {ranked.upper:.2f}")
print(ranked.to_frame().round(2))

# %% [markdown]
# <details><summary>What you can see</summary>
#
# No. The first species is distinguished from the other two almost without an error: the AUCs are 0.98 and more. The other two are confused:
# their AUCs are 0.77 and 0.78, one for the probability of each of them. The mean of 0.92 describes neither. Give the table of pairs with
# $M$.
#
# </details>
#
# A model of three classes has $M=0.8$ and keeps the probabilities it has. Now a fourth class is added, whose samples the model
# distinguishes from all others without an error. Does $M$ `"rise"`, `"fall"` or `"stay"`?

# %%
answer = ...
check("easy_class", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# pairs = 3 * [0.8] + 3 * [1.0]
# answer = "rise" if sum(pairs) / 6 > 0.8 else "stay"
# ```
#
# </details>

# %% [markdown]
# ## 7. More than three
#
# With ten classes the point has ten entries, and no triangle holds it. Choose three classes for the corners; the matrix shows all. Under
# *classes* you can also look at one class against the rest, and are back on a line.
#
# **Predict:** the data are images of the ten digits, each described to the model by five numbers. Which two digits will be confused most
# often?

# %% jupyter={"outputs_hidden": true}
digits = MulticlassExplorer(preset="digits", panels=["matrix", "triangle"], unfolded=["corners"])
digits

# %% jupyter={"outputs_hidden": true}
counts = matrix_of(load_class_scores("digits"), np.full(10, 0.1)).counts
wrong = counts - np.diag(np.diag(counts))
for place in np.argsort(-wrong, axis=None)[:3]:
    true, predicted = np.unravel_index(place, wrong.shape)
    print(f"{wrong[true, predicted]:.0f} images of {true} are classified as {predicted}", end=", ")
    print(f"and {wrong[predicted, true]:.0f} the other way round")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The 9 and the 3. Confusion has a direction: 24 images of a 9 are classified as a 3, but only 13 images of a 3 as a 9. No average over
# the ten classes says so.
#
# </details>

# %% [markdown]
# ## What to remember
#
# - With three classes the threshold is a point in a triangle. Predict the class whose probability divided by its entry is largest. Move the
#   point away from a corner, and that class is predicted more often.
# - Predicting the most probable class is best for accuracy, and may never predict a rare class, although the probabilities are right.
# - Accuracy, balanced accuracy and macro F1 want different points. Each is an average; show the matrix and say which one you chose, and why.
# - A point found by search looks too good on the samples on which it was chosen. A point from costs needs no search, but it needs calibrated
#   probabilities.
# - $M$ is a mean over pairs of classes. Show the pairs.
#
# Further reading: the page [*More than two classes*](https://github.com/rocviz/rocviz/blob/main/docs/multiclass.md) of the documentation. Next:
# [chapter 13](13_in_practice.ipynb), with the exam, or back to the [start](00_start_here.ipynb).

# %% [markdown]
# ## Sources
#
# Full references are in the [bibliography](https://rocviz.github.io/rocviz/bibliography.html).
#
# - Hand and Till (2001). *A simple generalisation of the area under the ROC curve for multiple class classification problems.*
# - Lachiche and Flach (2003). *Improving accuracy and cost of two-class and multi-class probabilistic classifiers using ROC curves.*
# - Elkan (2001). *The foundations of cost-sensitive learning.* Costs and the prior.
# - Saerens, Latinne and Decaestecker (2002). *Adjusting the outputs of a classifier to new a priori probabilities.*

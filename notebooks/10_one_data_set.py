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
# # One data set, every idea
#
# Dr. Noor looks after people with diabetes. She has the records of 442 patients: ten measurements from their first visit,
# and how far the disease had progressed a year later. A quarter of them had become **much worse**.
#
# From Monday on she can offer a programme of weekly visits, and she must decide whom to invite. A place given to a patient who would
# have been fine costs her 1. A patient who is about to get much worse and is not invited costs her 5. A model is quickly trained: it ranks
# her patients with an AUC of 0.89. Used as models usually are, at a probability of one half, it misses **four in ten** of the patients she is
# looking for, and costs nearly **half as much again** as the same model at a better threshold.
#
# This chapter takes her data through every idea of the course. At the end you will have
#
# - ranked the patients with nine models, with an interval for each AUC and a test of each difference;
# - calibrated probabilities, turned costs into a threshold, and written a card that needs no computer;
# - **decided** for Dr. Noor whom to invite, and opened a sealed envelope to see what your decision costs.
#
# Allow about **60 minutes**, and another 15 for sections 6 and 10, which may be left out; the appendices take 15. No cell takes longer than
# a few seconds. Each section names the chapter its idea comes from. Back to the [start](00_start_here.ipynb).

# %%
import warnings

import numpy as np
import pandas as pd
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_diabetes
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from rocviz import (
    HullCalibratedClassifier,
    LexProb,
    ProbabilisticScoringList,
    RankIsotonicClassifier,
    ROCExplorer,
    ScoringListExplorer,
    auc_interval,
    compare_classifiers,
    expected_utility,
    fidel_combine,
    optimal_decision,
)
from rocviz.core.calibration import calibration_summary
from rocviz.core.comparison import calibration_error, holm
from rocviz.core.decisions import threshold_interval
from rocviz.core.ensembles import DependentErrorsWarning
from rocviz.core.roc import binomial_interval

warnings.simplefilter("ignore", DependentErrorsWarning)  # what it says is looked at in section 6

from rocviz.exercises import check

# %% [markdown]
# ## 1. The patients, and an envelope
#
# The data come with scikit-learn (Efron et al., 2004). *Much worse* is our own choice: the upper quarter of the progression
# after one year. A third of the patients go into an **envelope** that nobody opens before the last section.
# With the other 300 you may do as you like. (The choice itself was made on all 442 patients, as it says what is to be predicted. In practice one
# would have fixed it before.)

# %%
records = load_diabetes(as_frame=True, scaled=False)
names = {
    "bp": "blood pressure", "s1": "cholesterol", "s2": "LDL", "s3": "HDL", "s4": "cholesterol / HDL",
    "s5": "log triglycerides", "s6": "glucose",
}  # fmt: skip
measured = records.data.rename(columns=names)
much_worse = (records.target >= records.target.quantile(0.75)).astype(int)

X, X_sealed, y, y_sealed = train_test_split(
    measured, much_worse, test_size=142, stratify=much_worse, random_state=0
)
print(f"{len(y)} patients to work with, {y.sum()} of them got much worse; {len(X_sealed)} sealed")
X.head(3)

# %% [markdown]
# Every measurement is a score, so each has a ROC curve by itself (chapter 1). **Predict:** which three of the ten
# rank the patients best? How far is the best one from a coin, which has an AUC of 0.5? Does any have
# an AUC below 0.5?

# %% jupyter={"outputs_hidden": true}
print("AUC of one measurement by itself")
alone = {name: roc_auc_score(y, X[name]) for name in X}
for name, area in sorted(alone.items(), key=lambda item: -abs(item[1] - 0.5)):
    print(f"{name:18} {area:.2f}  {'#' * round(100 * abs(area - 0.5))}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# Triglycerides, the body mass index and blood pressure lead with 0.80 to 0.84. HDL has an AUC of 0.29, *below* one half: it is the
# protective cholesterol, so a low value is the bad sign. Reversed, it has 0.71.
#
# </details>

# %% [markdown]
# ## 2. Rank them (chapter 1)
#
# We begin with five models of scikit-learn. All scores below are **cross-validated**: each patient is scored by a model that was
# trained on the four fifths of the data that do not include this patient.
#
# **Predict:** which of the five has the highest AUC? Will the forest, the most flexible one, beat
# the straight line of logistic regression?

# %% jupyter={"outputs_hidden": true}
folds = StratifiedKFold(5, shuffle=True, random_state=0)
models = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "naive Bayes": GaussianNB(),
    "neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier(25)),
    "forest": RandomForestClassifier(100, min_samples_leaf=5, random_state=0),
    "tree": DecisionTreeClassifier(min_samples_leaf=20, random_state=0),
}


def cross_validated(model):
    """Return the probability of each patient by a model that did not see them."""
    return cross_val_predict(model, X, y, cv=folds, method="predict_proba")[:, 1]


probs = {name: cross_validated(model) for name, model in models.items()}
print("cross-validated AUC")
for name, p in probs.items():
    print(f"{name:12} {roc_auc_score(y, p):.3f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# Logistic regression has the highest AUC. On 300 patients the more flexible forest does not beat the straight line.
#
# </details>
#
# Now look at the scores of logistic regression and at its ROC curve, with the threshold at 0.5. There it finds six in ten of the 75 patients
# who got much worse (its *recall*, or *sensitivity*), as the opening said. **Predict:** how many false alarms does it raise there? Drag the
# threshold down until four in five are found. How many false alarms are there now? (A miss costs 5 in this picture, too.)

# %% jupyter={"outputs_hidden": true}
explorer = ROCExplorer(
    y, probs["logistic"], panels=["scores", "roc"], unfolded=["threshold"], cost_fn=5
)
explorer

# %% jupyter={"outputs_hidden": true}
print("at two thresholds")
for explorer.threshold in (0.5, 0.25):
    table = explorer.result.table
    print(f"threshold {explorer.threshold:.2f}: finds {table.tpr:.0%}, false alarms {table.fp:.0f}")

# %% [markdown]
# ## 3. How sure is that AUC? (chapter 3)
#
# Another clinic would have had other patients. **Predict:** the AUC is 0.89 on 300 patients. How wide is its 95 % interval: 0.02, 0.08 or
# 0.20? And how wide is an interval that uses only the AUC and the two counts, which the abstract of a paper usually gives?

# %% jupyter={"outputs_hidden": true}
print("95 % intervals of the AUC of logistic regression")
for method in ("logit-delong", "hanley-mcneil", "fermi-dirac"):
    interval = auc_interval(y, probs["logistic"], method=method)
    print(f"{method:14} {interval.auc:.3f}, {interval.lower:.3f} to {interval.upper:.3f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The intervals are eight to ten hundredths wide, and the last two methods have not seen a single score. The AUCs of logistic regression,
# forest, neighbours and naive Bayes lie within 0.025 of each other, so their intervals overlap widely. This does not tell
# whether one of them is better, since all were judged on the same patients: section 9 tests the differences themselves.
#
# </details>
# %% [markdown]
# ## 4. Can the probabilities be believed? (chapter 2)
#
# A ranking says who comes first. To decide, Dr. Noor needs probabilities that are **calibrated**: among patients with a probability of
# 30 %, about 30 % must get much worse. The **Brier score** is the mean squared error of the probabilities. `calibration_error` tests whether
# they are calibrated; a small p-value is evidence that they are not.
#
# **Predict:** naive Bayes ranks nearly as well as logistic regression. Are its probabilities as good?

# %% jupyter={"outputs_hidden": true}
print("             Brier   p-value   above 0.9: mean probability, share much worse")
for name, p in probs.items():
    test = calibration_error(y, p, n_resamples=200)
    sure = p > 0.9
    text = f"{p[sure].mean():.2f}, {y[sure].mean():.2f} ({sure.sum()})" if sure.any() else "nobody"
    print(f"{name:12} {brier_score_loss(y, p):.3f}   {test.p_value:.3f}     {text}")
always = brier_score_loss(y, np.full(len(y), y.mean()))
print(f"a probability of 0.25 for everybody: Brier score {always:.3f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# Naive Bayes is nearly certain of 62 patients, and a third of them were fine. Blood fats rise and fall together, and naive Bayes
# counts the same evidence several times: it is **over-confident**.
#
# </details>
#
# A reviewer of Dr. Noor's paper asks for two numbers more. The **calibration slope** is that of a logistic regression of what happened on
# the predicted log odds: 1 if they are right, below 1 if probabilities are too extreme. **Observed over expected** compares the number of
# patients who got much worse with the sum of the probabilities. **Predict:** which of the two shows what is wrong with naive Bayes?

# %% jupyter={"outputs_hidden": true}
print("             slope (95 % interval)    observed / expected (95 % interval)")
for name, p in probs.items():
    summary = calibration_summary(y, p, n_resamples=0)
    slope, ratio = (
        f"{one.value:.2f} ({one.lower:.2f} to {one.upper:.2f})"
        for one in (summary.slope, summary.observed_expected)
    )
    print(f"{name:12} {slope:24} {ratio}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# Both do. Observed over expected is 0.75: for every three patients who got much worse naive Bayes predicts four. The slope of 0.31 says that
# its probabilities are too extreme as well. The tree predicts the right number (1.01), and only its slope of 0.56 shows that
# it is over-confident too. The intervals of the other slopes contain 1.
#
# </details>
#
# Probabilities can be calibrated in one line, by the hull of the ROC curve or by scikit-learn's own `CalibratedClassifierCV`. Both are fitted
# inside the training folds, never on the patients who are judged. **Predict:** what happens to the Brier score of naive Bayes, and to its
# AUC?

# %% jupyter={"outputs_hidden": true}
repaired = {
    "naive Bayes": probs["naive Bayes"],
    "  hull": cross_validated(HullCalibratedClassifier(GaussianNB())),
    "  isotonic": cross_validated(CalibratedClassifierCV(GaussianNB(), method="isotonic")),
    "  sigmoid": cross_validated(CalibratedClassifierCV(GaussianNB(), method="sigmoid")),
}
print("             Brier     AUC")
for name, p in repaired.items():
    print(f"{name:12} {brier_score_loss(y, p):.3f}   {roc_auc_score(y, p):.3f}")
probs["naive Bayes, hull"] = repaired["  hull"]

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The Brier score falls by about a fifth. The AUC falls as well, most of all with the hull: calibration ties patients, and it is learned from
# fewer of them.
#
# </details>
#
# The reliability diagram, or *calibration curve*, compares the probabilities with what happened (scikit-learn draws it with
# `CalibrationDisplay`). **Predict:** where will its points go when you open *calibrate* and choose *hull*?

# %% jupyter={"outputs_hidden": true}
believed = ROCExplorer(y, probs["naive Bayes"], panels=["reliability", "brier"], cost_fn=5)
believed

# %% [markdown]
# ## 5. What it costs (chapters 1 and 2)
#
# An unnecessary place costs 1, a missed patient costs 5. If $p$ is a calibrated probability, inviting costs $1 - p$ on average
# and not inviting costs $5p$. **Predict:** above what $p$ should she invite a patient?

# %%
answer = ...
check("invite_from", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# # inviting is cheaper if (1 - p) * 1 < p * 5
# answer = 1 / (1 + 5)
# ```
#
# </details>

# %% [markdown]
# Now add up what a whole list costs. Of the 300 patients 75 got much worse. A model finds 60 of these and raises 45 false alarms.
# What does it cost *per patient*?

# %%
answer = ...
check("cost_of_list", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# answer = (45 * 1 + (75 - 60) * 5) / 300
# ```
#
# </details>

# %% [markdown]
# **Predict** for each model: how much does it cost per patient at one half, and at the threshold that you have just found? How much
# does it cost to invite everybody, and to invite nobody?


# %% jupyter={"outputs_hidden": true}
def cost(y_true, invited):
    """Return the mean cost of a patient and its standard error."""
    each = np.where(y_true == 1, 5 * ~invited, 1 * invited)
    return each.mean(), each.std(ddof=1) / np.sqrt(len(each))


def saving(y_true, invited, instead):
    """Return how much cheaper a patient is by another list, and its paired standard error."""
    less = np.where(y_true == 1, 5, -1) * (np.asarray(instead, float) - invited)
    return less.mean(), less.std(ddof=1) / np.sqrt(len(less))


print("cost per patient       at 1/2        at 1/6      saved by 1/6    found at 1/2, at 1/6")
for name, p in probs.items():
    row = [cost(y, p >= t) for t in (1 / 2, 1 / 6)]
    saved, error = saving(y, p >= 1 / 2, p >= 1 / 6)
    tpr = [np.mean(p[y == 1] >= t) for t in (1 / 2, 1 / 6)]
    print(
        f"{name:18} {row[0][0]:.2f} ± {row[0][1]:.2f}   {row[1][0]:.2f} ± {row[1][1]:.2f}  {saved:+.3f} ± {error:.3f} {tpr[0]:11.0%} {tpr[1]:7.0%}"
    )
saved, error = saving(y, probs["tree"] >= 1 / 6, probs["naive Bayes"] >= 1 / 6)
print(f"naive Bayes in place of the tree, both at 1/6, saves {saved:.3f} ± {error:.3f}")
print(
    f"everybody {cost(y, np.ones(len(y), bool))[0]:.2f}, nobody {cost(y, np.zeros(len(y), bool))[0]:.2f}"
)

# %% [markdown]
# <details><summary>What you can see</summary>
#
# Here is the number of the opening: logistic regression costs 0.54 at one half and 0.37 at 1/6. At 1/6 all models but the tree cost between
# 0.35 and 0.41. Two lists for the same patients are compared patient by patient, so the error of what is saved is a paired one. **For
# logistic regression the threshold matters more than the choice among these models**: 1/6 saves 0.173 ± 0.078. For naive Bayes it matters
# little, 0.033 ± 0.043, and a clinic with the tree would gain about as much from another model: naive Bayes at the same threshold saves 0.153
# ± 0.071.
#
# At one half the over-confident naive Bayes costs least of all models. Its probabilities are too high for many patients, the threshold
# is too high as well, and the two mistakes cancel out. If only the probabilities are calibrated, the cost rises to 0.69. At 1/6 it makes
# hardly any difference.
#
# </details>
#
# A threshold of 1/6 follows from the costs, if the probabilities are calibrated. Where they are not, the data can choose it: the threshold
# that costs least on these 300 patients. **Predict:** how far would it move with 300 other patients, and what would that cost?

# %% jupyter={"outputs_hidden": true}
for name in ("logistic", "naive Bayes"):
    best = threshold_interval(y, probs[name], cost_fp=1, cost_fn=5)
    print(f"{name:12} {best.threshold:.2f}, 95 % interval {best.lower:.2f} to {best.upper:.2f}")
    print(f"  cost {best.utility:.2f} here, about {best.corrected:.2f} for new patients;", end=" ")
    print(f"{best.regret:.3f} of it because the threshold came from few patients")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# For logistic regression the cost-optimal threshold on these patients is 0.08, and its interval, 0.08 to 0.28, contains 1/6. It costs 0.33
# here, less than the 0.37 at 1/6, but about 0.36 for new patients: most of the gain is chance. The interval of naive Bayes is wider, and
# still the choice costs less (0.009): near its best, its cost hardly changes with the threshold.
#
# </details>
#
# (scikit-learn has `FixedThresholdClassifier` for a threshold that you know, and `TunedThresholdClassifierCV` to search for one.)
# %% [markdown]
# ## 6. A crowd (chapter 4)
#
# *This section may be left out: nothing after it needs it.*
#
# Five models give five probabilities for each patient. FiDEL adds up their evidence as if they were independent. A quarter of all
# patients get worse, and five models give the same patient 60 %. What probability results if their evidence is added up like
# this?

# %%
answer = ...
check("five_agree", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# prior_odds = 0.25 / 0.75
# odds = prior_odds * ((0.6 / 0.4) / prior_odds) ** 5
# answer = odds / (1 + odds)
# ```
#
# </details>

# %% [markdown]
# **Predict:** is the crowd better than logistic regression alone? How strongly are the ranks of two models correlated within a class?
# (`woc` is the mean rank, which is called *Borda count* elsewhere.)

# %% jupyter={"outputs_hidden": true}
columns = ["logistic", "naive Bayes", "neighbours", "forest", "tree"]
scores = np.column_stack([probs[name] for name in columns])
halves = StratifiedKFold(2, shuffle=True, random_state=0)
crowd = {}
for method in ("fidel", "woc", "correlation-aware"):
    crowd[method] = np.empty(len(y))
    for known, new in halves.split(scores, y):
        combined = fidel_combine(
            y.iloc[known], scores[known], scores[new], method=method, calibration=None
        )
        crowd[method][new] = combined.probability
crowd["mean of all five"] = scores.mean(axis=1)
within = np.mean([pd.DataFrame(scores[y == k]).rank().corr().to_numpy() for k in (0, 1)], axis=0)
print(f"mean rank correlation within the classes {within[np.triu_indices(5, 1)].mean():.2f}")
print("                     AUC   Brier")
for name, p in {"logistic alone": probs["logistic"], **crowd}.items():
    print(f"{name:18} {roc_auc_score(y, p):.3f}   {brier_score_loss(y, p):.3f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# No crowd is better, and the plain mean of the probabilities, which learns no weights, comes closest. The five models learned from the
# same patients and make similar errors: a correlation of 0.82 is far above the 0.4 at which five models had no gain left in chapter 4.
# FiDEL's *probabilities* are by far the worst, since shared evidence is counted five times. (This is FiDEL as published,
# `calibration=None`. By default rocviz fits a slope to the evidence, which corrects most of that, and warns of dependent errors; the
# notebook silences the warning.)
#
# </details>

# %% [markdown]
# ## 7. A card for the wall (chapters 5 and 6)
#
# Dr. Noor's assistant would like a card that can be added up in the head: four yes-or-no questions, with one or two points for each yes.
# **Predict:** logistic regression on ten measurements has an AUC of 0.89. What is the AUC of the card?

# %% jupyter={"outputs_hidden": true}
card = ProbabilisticScoringList(
    score_set=(1, 2), max_stages=4, binarize="preprocess", calibration="m-estimate"
)
probs["card"] = cross_validated(card)
print(f"card of four questions, cross-validated: AUC {roc_auc_score(y, probs['card']):.3f}")
card.fit(X, y)
card.scoring_list_

# %% [markdown]
# ## 8. An order, and a ranker (chapters 8 and 9)
#
# Here are two more ways to rank. **LexRank** cuts each measurement at a threshold and compares two patients by one measurement after
# the other; the first in which they differ decides. **Ranking first** trains on pairs of patients, and isotonic regression turns the ranking
# into probabilities. **Predict:** which of the two has an AUC closer to that of logistic regression, and why?

# %% jupyter={"outputs_hidden": true}
order = LexProb()
probs["order"] = cross_validated(order)
probs["rank first"] = cross_validated(
    make_pipeline(StandardScaler(), RankIsotonicClassifier(calibration="isotonic"))
)
print("             AUC    Brier")
for name in ("logistic", "order", "rank first"):
    print(f"{name:11} {roc_auc_score(y, probs[name]):.3f}   {brier_score_loss(y, probs[name]):.3f}")
order.fit(X, y)
order.inspect()[["attribute", "preferred", "odds_ratio"]].head(4).round(1)

# %% [markdown]
# <details><summary>What you can see</summary>
#
# Ranking first is about as good as logistic regression: a sigmoid fits these data, so there was nothing to repair. The order is worse: it
# does not use how far a value lies beyond its threshold, and measurements far down in the order hardly ever decide.
#
# </details>

# %% [markdown]
# ## 9. Which differences are real? (chapter 3)
#
# Nine models were judged on the same 300 patients. `compare_classifiers` puts them into one table, and its `pairs()` tests the difference of
# any two AUCs. We ask **eight questions**, each model against logistic regression, and correct for eight tests (Holm). `pairs()`
# corrects for all 36 pairs, which would be right had we looked for *any* difference. **Predict:** which models rank worse than logistic
# regression by more than chance?

# %% jupyter={"outputs_hidden": true}
print("nine models on the same patients")
comparison = compare_classifiers(y, probs, cost_fp=1, cost_fn=5, n_resamples=0)
print(comparison.to_frame()[["auc", "auc_low", "auc_high", "brier", "log_loss", "cost"]].round(3))
pairs = comparison.pairs()
asked = pairs[pairs["model_a"] == "logistic"].drop(columns=["model_a", "is_fallback"])
asked = asked.rename(columns={"p_holm": "p_of_36"}).assign(p_of_8=holm(asked["p_value"]))
asked.sort_values("p_of_8").round(3)

# %% [markdown]
# <details><summary>What you can see</summary>
#
# Nearly all intervals overlap, but all models were judged on the same patients, so a paired test can tell more: the order, the calibrated
# naive Bayes, the card and the tree rank worse than logistic regression by more than chance, with corrected p-values of at most 0.015. The
# other four may be as good. Among 36 questions only the order would have passed (the other three have 0.060 to 0.093): **say before you look
# what you ask.**
#
# (A log loss of `inf` means that a model was
# certain at least once, and wrong. The column *cost* is that of each model's cost-optimal threshold on these patients, so it is below the costs
# of section 5 at 1/6.)
#
# </details>

# %% [markdown]
# ## 10. A month's list (chapter 7)
#
# *This section may be left out: nothing after it needs it.*
#
# The health insurer does not know Dr. Noor's costs. It judges each month's list of invitations by **F1**, the harmonic mean of precision and
# recall. In January six patients come, with calibrated probabilities of 0.6, 0.4, 0.3, 0.2, 0.1 and 0.1. How many of them should be invited
# so that the *expected* F1 is highest?

# %%
answer = ...
check("january", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# from rocviz import optimal_decision
#
# answer = optimal_decision([0.6, 0.4, 0.3, 0.2, 0.1, 0.1], "f1").n_predicted_positive
# ```
#
# </details>

# %% [markdown]
# **Predict** the whole curve: what is the expected F1 if only the first is invited, the first two, and so on? And how many would Dr. Noor
# invite by her own costs?

# %% jupyter={"outputs_hidden": true}
january = np.array([0.6, 0.4, 0.3, 0.2, 0.1, 0.1])
print("expected F1 for the top k")
for k in range(7):
    print(k, f"{expected_utility(np.arange(6) < k, january, 'f1'):.3f}")
best = optimal_decision(january, "f1")
print(
    f"F1 invites {best.n_predicted_positive}, her costs {(january >= 1 / 6).sum()}, one half {(january >= 0.5).sum()}"
)

# %% [markdown]
# <details><summary>What you can see</summary>
#
# F1 invites three patients, Dr. Noor's costs invite four, and accuracy invites one. Three aims lead to three lists, from the same six
# probabilities.
#
# </details>

# %% [markdown]
# ## 11. You decide
#
# Dr. Noor asks you: which model, and which threshold? Some things that matter are in no table. Can the assistant use the model
# without a computer? Can one explain to a patient why he was invited? What if the costs are not 1 and 5?
#
# 1. Choose the name of a model (`list(probs)` shows them) and a threshold. The cell begins with the choice of someone who has not read
#    this chapter.
# 2. Write down why, in one sentence.
# 3. **Predict** what your choice costs per patient. Then open the envelope. You can do so only once: afterwards you know
#    what is inside, and would make a second choice to fit.

# %%
choice = "logistic"
threshold = 0.5
why = "A probability above one half means that it is more likely than not."

# %% jupyter={"outputs_hidden": true}
final = {
    **models,
    "naive Bayes, hull": HullCalibratedClassifier(GaussianNB()),
    "card": card,
    "order": order,
    "rank first": make_pipeline(StandardScaler(), RankIsotonicClassifier(calibration="isotonic")),
}
p_sealed = {name: model.fit(X, y).predict_proba(X_sealed)[:, 1] for name, model in final.items()}
yours = p_sealed[choice] >= threshold
mean, error = cost(y_sealed, yours)
print(f"You chose {choice!r} at {threshold:.2f}: {why}")
print(
    f"invited {yours.sum()} of {len(yours)}, found {yours[y_sealed == 1].mean():.0%}, cost per patient {mean:.2f} ± {error:.2f}"
)

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The choice that the cell began with finds 64 % of the patients who got much worse and costs 0.54 ± 0.12 per patient. Is yours cheaper?
#
# </details>
#
# Whom does your choice overlook? The next cell shows the sensitivity for each sex, at your threshold and at 1/6. **Predict:** is it the same
# for both sexes?

# %% jupyter={"outputs_hidden": true}
print("found among those who got much worse")
for limit in (threshold, 1 / 6):
    for sex in (1, 2):
        worse = (y_sealed == 1) & (X_sealed["sex"] == sex)
        n_found = int((p_sealed[choice] >= limit)[worse].sum())
        low, high = binomial_interval([n_found], [worse.sum()])
        print(
            f"threshold {limit:.2f}, sex {sex}: {n_found} of {worse.sum()}, {low[0]:.0%} to {high[0]:.0%}"
        )

# %% [markdown]
# <details><summary>What you can see</summary>
#
# At one half, logistic regression overlooks more than half of the patients of one sex who got much worse, and few of the other (the data do
# not say which number is which). The counts of 20 and 16 patients are small and the intervals overlap, but it is a reason to collect more
# data before the rule is used for years. At 1/6 most patients of both sexes are found.
#
# </details>
#
# What would all other choices have cost? Run the next cell only after you have decided.

# %% jupyter={"outputs_hidden": true}
print("cost per patient in the envelope")
for name, p in p_sealed.items():
    print(f"{name:18}", *(f"at {t:.2f}: {cost(y_sealed, p >= t)[0]:.2f}" for t in (1 / 6, 1 / 2)))
logistic, by_card = p_sealed["logistic"], p_sealed["card"] >= 1 / 6
for what, limit in (("1/2", 1 / 2), ("1/6", 1 / 6)):
    less, error = saving(y_sealed, logistic >= limit, by_card)
    print(f"the card at 1/6 saves {less:+.3f} ± {error:.3f} against logistic regression at {what}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# At 1/6 the nine models cost from 0.37 to 0.51, at one half from 0.51 to 0.96, and 1/6 is cheaper for each of them. The **card of four
# questions at 1/6 costs 0.40**, less than logistic regression at one half with 0.54. The fair comparison is with logistic regression at 1/6:
# there the card costs 0.035 ± 0.084 more. (The errors are paired, and neither difference is twice its error: 142 patients are few.)
#
# </details>

# %% [markdown]
# ## What to take home
#
# - State the aim before you choose a model: costs, a metric, or a list of fixed length. The threshold follows from the aim, and for
#   logistic regression it matters more here than the choice of another model.
# - A threshold from costs needs calibrated probabilities. Calibrate and judge them on data that the model has not seen.
# - Give an interval for each number. Differences between models need a paired test, and nine models need a correction for many tests.
# - A crowd of models with similar errors need not be better than its best member, and probabilities from added-up evidence are worse.
# - A card that can be added up in the head may cost little. Compare it with the best model at the same threshold before you decide for or
#   against it.
# - Keep some data sealed until all choices are made.
#
# **Further reading.** Your own data: every explorer opens on them in one line, and the [task
# pages](https://github.com/rocviz/rocviz/blob/main/docs/researchers.md) have a recipe for most questions. [Chapter 11](11_fair_to_whom.ipynb)
# is about fairness between groups, [chapter 12](12_three_classes.ipynb) about more than two classes, and [chapter 13](13_in_practice.ipynb)
# about rare classes, leaks and sample sizes, with an exam; [chapter 14](14_three_answers.ipynb) is about answers that are neither yes nor no,
# and about several places. The papers behind each chapter are in the [bibliography](https://rocviz.github.io/rocviz/bibliography.html).
#
# Back to the [start](00_start_here.ipynb), where `progress()` shows what you have done.

# %% [markdown]
# ## Appendix: an AUC in an abstract
#
# An AUC and two counts are enough for an interval, which is useful when you read papers. An abstract says: "AUC 0.85 (40 patients got worse,
# 110 did not)." What is the **standard error** of this AUC by the Fermi-Dirac law? (`FermiDirac.from_auc` makes the law, and it has an
# `auc_variance`.)

# %%
answer = ...
check("abstract_error", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# from rocviz import FermiDirac
#
# answer = FermiDirac.from_auc(0.85, n_pos=40, n_neg=110).auc_variance() ** 0.5
# ```
#
# </details>

# %% [markdown]
# ## Appendix: another clinic
#
# Another clinic takes over a model and its threshold. The model finds 80 % of those who get much worse and invites 20 % of the others. In
# that clinic only 10 % get much worse. What does it cost per patient there?

# %%
answer = ...
check("other_clinic", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# answer = 0.1 * (1 - 0.8) * 5 + 0.9 * 0.2 * 1
# ```
#
# </details>

# %% [markdown]
# ## Appendix: fill the card in
#
# Here is the card of section 7. Fill it in: answer the questions at the left. Suppose that one stops as soon as the probability is at most
# 5 % or at least 60 %. **Predict:** for which answers can one stop after two questions?

# %% jupyter={"outputs_hidden": true}
walk = ScoringListExplorer(card, X, y, lower=0.05, upper=0.6, panels=["list", "stage"])
walk

# %% [markdown]
# ## Appendix: the whole course, on one page
#
# A model decides, ranks, or gives probabilities. Every chapter showed a way from one of these to another.
#
# | from | to | how | chapter |
# |---|---|---|---|
# | scores | ranking | ROC curve, its hull | [1](01_classification_and_ranking.ipynb) |
# | scores | probabilities | the hull's slopes, the Brier score taken apart | [2](02_probabilities_and_calibration.ipynb) |
# | an AUC | probabilities | the law that assumes nothing else | [3](03_fermi_dirac.ipynb) |
# | many rankings | one ranking | add up the evidence of ranks | [4](04_fidel.ipynb) |
# | a few questions | a probability, and when to stop | points and totals | [5](05_scoring_lists.ipynb), [6](06_scoring_lists_from_data.ipynb) |
# | probabilities | decisions | the top $k$ of the batch, for the metric that counts | [7](07_decisions.ipynb) |
# | an order of attributes | ranking, probabilities | like a dictionary, then the hull | [8](08_lexicographic_rankers.ipynb) |
# | pairs | ranking, probabilities | rank first, then isotonic regression | [9](09_probabilities_from_rankings.ipynb) |
# | all of these | a decision | one data set, and the reader decides | 10 |
# | one score, several groups | a decision for each group | a promise, and the hulls of all groups | [11](11_fair_to_whom.ipynb) |
# | probabilities of three classes and more | a prediction for each sample | a point of a triangle | [12](12_three_classes.ipynb) |
#
# Four things came back in many chapters:
#
# - **A ranking and its probabilities are different things.** If all scores are stretched, the ranking stays, and every probability changes.
# - **Calibrate on samples that you do not judge by**, and correct small counts.
# - **Say how well a number is known**: give an interval or a standard error, and try another seed.
# - **Recompute what is printed.** Formulas, tables and theorems of good papers had slips in them:
#   [what we found](https://github.com/rocviz/rocviz/blob/main/docs/what_we_found.md).

# %% [markdown]
# ## Sources
#
# Full references are in the [bibliography](https://rocviz.github.io/rocviz/bibliography.html).
#
# - Efron et al. (2004). *Least angle regression.* The patients.
# - Vickers and Elkin (2006). *Decision curve analysis: a novel method for evaluating prediction models.* Costs as the measure of a model.
# - DeLong, DeLong and Clarke-Pearson (1988). *Comparing the areas under two or more correlated receiver operating characteristic
#   curves: a nonparametric approach.* The test of two AUCs.

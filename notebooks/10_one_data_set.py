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
# Dr. Noor looks after people with diabetes. She has the records of 442 patients: ten measurements from the day they came,
# and how far the disease had gone a year later. For a quarter of them it had become **much worse**.
#
# From Monday on she can offer a programme of weekly visits. A place given to somebody who would have been fine costs her 1.
# A patient who is about to get much worse and is not invited costs her 5. A model is quickly trained: it ranks her patients
# with an AUC of 0.89. Used as models usually are, at a probability of one half, it misses **four in ten** of the patients she is
# looking for, and costs nearly **half as much again** as the same model when it is used well.
#
# This chapter takes her data through every idea of the course. At the end you will have
#
# - ranked the patients with nine models, and said how sure each number is and which differences are chance;
# - repaired probabilities, turned costs into a threshold, and written a card that needs no computer;
# - **decided** for Dr. Noor whom to invite, and opened a sealed envelope to see what your decision costs.
#
# It takes 55 minutes; no cell takes longer than a few seconds. Each section names the chapter that its idea comes from, so
# you can leave out what you have not read. Back to the [start](00_start_here.ipynb).

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
    DependentErrorsWarning,
    HullCalibratedClassifier,
    LexProb,
    ProbabilisticScoringList,
    RankIsotonicClassifier,
    ROCExplorer,
    ScoringListExplorer,
    auc_interval,
    binomial_interval,
    calibration_error,
    compare_classifiers,
    expected_utility,
    fidel_combine,
    optimal_decision,
)

warnings.simplefilter("ignore", DependentErrorsWarning)  # what it says is looked at in section 6

from rocviz.exercises import check

# %% [markdown]
# ## 1. The patients, and an envelope
#
# The data come with scikit-learn (Efron et al., 2004). *Much worse* is our own cut: the upper quarter of the progression
# after one year. A third of the patients go into an **envelope** that nobody opens before the last section.
# With the other 300 you may do what you like.

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
# rank the patients best? How far is the best one from a coin, which has an AUC of 0.5?

# %% jupyter={"outputs_hidden": true}
print("AUC of one measurement by itself")
alone = {name: roc_auc_score(y, X[name]) for name in X}
for name, area in sorted(alone.items(), key=lambda item: -abs(item[1] - 0.5)):
    print(f"{name:18} {area:.2f}  {'#' * round(100 * abs(area - 0.5))}")

# %% [markdown]
# Triglycerides, the body mass index and blood pressure lead with 0.80 to 0.84. HDL has an AUC of 0.29, *below* one half: it is the
# protective cholesterol, so a low value is the bad sign. Turned round, it has 0.71.

# %% [markdown]
# ## 2. Rank them (chapter 1)
#
# Five models that everybody has. All scores below are **cross-validated**: each patient is scored by a model that was
# trained on the other four fifths.
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


said = {name: cross_validated(model) for name, model in models.items()}
print("cross-validated AUC")
for name, p in said.items():
    print(f"{name:12} {roc_auc_score(y, p):.3f}")

# %% [markdown]
# With 300 patients the straight line of logistic regression is not beaten. Now look at its scores and its ROC curve, with the
# threshold at 0.5. **Predict:** what share of the 75 who got much worse does it find there (its *recall*, or *sensitivity*)? Drag the
# threshold down until four in five are found. How many false alarms does that take?

# %% jupyter={"outputs_hidden": true}
explorer = ROCExplorer(y, said["logistic"], panels=["scores", "roc"])
explorer

# %% jupyter={"outputs_hidden": true}
print("at two thresholds")
for explorer.threshold in (0.5, 0.25):
    table = explorer.result.table
    print(f"threshold {explorer.threshold:.2f}: finds {table.tpr:.0%}, false alarms {table.fp:.0f}")

# %% [markdown]
# ## 3. How sure is that AUC? (chapter 3)
#
# Another clinic would have had other patients. **Predict:** the AUC is 0.89 on 300 patients. How wide is its 95 %
# interval: two hundredths, eight, or twenty? And what does an interval look like that knows nothing but the
# AUC and the two counts, as one finds them in a paper's abstract?

# %% jupyter={"outputs_hidden": true}
print("95 % intervals of the AUC of logistic regression")
for method in ("logit-delong", "hanley-mcneil", "fermi-dirac"):
    found = auc_interval(y, said["logistic"], method=method)
    print(f"{method:14} {found.auc:.3f}, {found.lower:.3f} to {found.upper:.3f}")

# %% [markdown]
# Eight to ten hundredths, and the last two methods have not seen a single score. Logistic regression, forest, neighbours and naive Bayes
# lie within 0.025 of each other, so their intervals overlap widely. That does not settle which is better, since all were judged on the
# same patients and share their luck: section 9 tests the differences themselves.
#
# Now use it as a reader of papers. An abstract says: "AUC 0.85 (40 patients got worse, 110 did not)." What is the
# **standard error** of this AUC by the Fermi-Dirac law? (`FermiDirac.from_auc` makes the law, and it has an
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
# ## 4. Can the probabilities be believed? (chapter 2)
#
# A ranking says who comes first. To decide, Dr. Noor needs a probability that means what it says: it must be **calibrated**. The
# **Brier score** is the mean squared error of the probabilities. `calibration_error` tests whether they could be calibrated; a
# small p-value says that they are not.
#
# **Predict:** naive Bayes ranks nearly as well as logistic regression. Are its probabilities as good?

# %% jupyter={"outputs_hidden": true}
print("             Brier   p-value   told more than 0.9: mean of what was said, what happened")
for name, p in said.items():
    test = calibration_error(y, p, n_resamples=200)
    sure = p > 0.9
    told = f"{p[sure].mean():.2f}, {y[sure].mean():.2f} ({sure.sum()})" if sure.any() else "nobody"
    print(f"{name:12} {brier_score_loss(y, p):.3f}   {test.p_value:.3f}     {told}")
always = brier_score_loss(y, np.full(len(y), y.mean()))
print(f"a probability of 0.25 for everybody: Brier score {always:.3f}")

# %% [markdown]
# Naive Bayes is nearly certain of 62 patients, and a third of them were fine. Blood fats go up and down together, and naive Bayes
# counts the same evidence several times: it is **over-confident**.
#
# The repair takes one line: the hull of the ROC curve, or scikit-learn's own `CalibratedClassifierCV`. Both are fitted inside the training
# folds, never on the patients who are judged. **Predict:** what happens to the Brier score, and what to the AUC?

# %% jupyter={"outputs_hidden": true}
repaired = {
    "naive Bayes": said["naive Bayes"],
    "  hull": cross_validated(HullCalibratedClassifier(GaussianNB())),
    "  isotonic": cross_validated(CalibratedClassifierCV(GaussianNB(), method="isotonic")),
    "  sigmoid": cross_validated(CalibratedClassifierCV(GaussianNB(), method="sigmoid")),
}
print("             Brier     AUC")
for name, p in repaired.items():
    print(f"{name:12} {brier_score_loss(y, p):.3f}   {roc_auc_score(y, p):.3f}")
said["naive Bayes, hull"] = repaired["  hull"]

# %% [markdown]
# The Brier score falls by a fifth. The AUC falls a little as well: the repair ties patients, and it is learned from fewer of them.
#
# Now see it. The reliability diagram compares what was said with what happened (scikit-learn draws it with `CalibrationDisplay`).
# **Predict** where its points will go when you open *calibrate* and choose *hull*.

# %% jupyter={"outputs_hidden": true}
believed = ROCExplorer(y, said["naive Bayes"], panels=["reliability", "brier"])
believed

# %% [markdown]
# ## 5. What it costs (chapters 1 and 2)
#
# An unnecessary place costs 1, a missed patient costs 5. If $p$ is a calibrated probability, inviting costs $1 - p$ on average
# and not inviting costs $5p$. **Predict:** from which $p$ on does she invite?

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
# **Predict** for each of the models: how much does it cost per patient at one half, and at 1/6? How much does it cost to invite everybody,
# and to invite nobody?


# %% jupyter={"outputs_hidden": true}
def cost(y_true, invited):
    """Return the mean cost of a patient and its standard error."""
    each = np.where(y_true == 1, 5 * ~invited, 1 * invited)
    return each.mean(), each.std(ddof=1) / np.sqrt(len(each))


print("cost per patient       at 1/2        at 1/6      found at 1/2, at 1/6")
for name, p in said.items():
    row = [cost(y, p >= t) for t in (1 / 2, 1 / 6)]
    found = [np.mean(p[y == 1] >= t) for t in (1 / 2, 1 / 6)]
    print(
        f"{name:18} {row[0][0]:.2f} ± {row[0][1]:.2f}   {row[1][0]:.2f} ± {row[1][1]:.2f}   {found[0]:11.0%} {found[1]:7.0%}"
    )
print(
    f"everybody {cost(y, np.ones(len(y), bool))[0]:.2f}, nobody {cost(y, np.zeros(len(y), bool))[0]:.2f}"
)

# %% [markdown]
# Here is the number of the beginning: 0.54 at one half, 0.37 at 1/6. At 1/6 all models but the tree cost between 0.35 and 0.41, with
# standard errors of 0.05. **The threshold matters more than the model.** (scikit-learn has `FixedThresholdClassifier` for a threshold that you know, and
# `TunedThresholdClassifierCV` to look for one.)
#
# The over-confident naive Bayes is the cheapest of all at one half. It pushes patients over a threshold that is too high, so two
# mistakes cancel. Whoever repairs only its probabilities pays 0.69. At the right threshold nothing has to cancel.
#
# Another clinic takes over the model and its threshold: it finds 80 % of those who get much worse and invites 20 % of the others. There only
# 10 % get much worse. What does it cost per patient there?

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
# ## 6. A crowd (chapter 4)
#
# Five models, five opinions. FiDEL adds up their evidence as if they were independent. A quarter of all patients get worse, and
# five models say 60 % of the same patient. Which probability results if their evidence is added up like that?

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
# **Predict:** is the crowd better than logistic regression alone? Do the five err alike? (`woc` is the mean rank, which
# is called *Borda count* elsewhere.)

# %% jupyter={"outputs_hidden": true}
columns = ["logistic", "naive Bayes", "neighbours", "forest", "tree"]
scores = np.column_stack([said[name] for name in columns])
halves = StratifiedKFold(2, shuffle=True, random_state=0)
crowd = {}
for method in ("fidel", "woc", "correlation-aware"):
    crowd[method] = np.empty(len(y))
    for known, new in halves.split(scores, y):
        found = fidel_combine(
            y.iloc[known], scores[known], scores[new], method=method, calibration=None
        )
        crowd[method][new] = found.probability
within = np.mean([pd.DataFrame(scores[y == k]).rank().corr().to_numpy() for k in (0, 1)], axis=0)
print(f"mean rank correlation within the classes {within[np.triu_indices(5, 1)].mean():.2f}")
print("                     AUC   Brier")
for name, p in {"logistic alone": said["logistic"], **crowd}.items():
    print(f"{name:18} {roc_auc_score(y, p):.3f}   {brier_score_loss(y, p):.3f}")

# %% [markdown]
# No. The five learned from the same patients and err alike: a correlation of 0.82 is far above the 0.4 where chapter 4
# saw the gain end. FiDEL's *probabilities* are by far the worst, since shared evidence is counted five times; the other two ways
# do not suffer from that. (These are the paper's, `calibration=None`. By default rocviz fits a slope to the evidence, which takes
# that back; its warning that the five err alike is silenced above.)

# %% [markdown]
# ## 7. A card for the wall (chapters 5 and 6)
#
# Dr. Noor's assistant wants a card that can be added up in the head: four yes-or-no questions, one or two points for each yes. What is lost?
# **Predict** its AUC, if logistic regression on ten measurements has 0.89.

# %% jupyter={"outputs_hidden": true}
card = ProbabilisticScoringList(
    score_set=(1, 2), max_stages=4, binarize="preprocess", calibration="m-estimate"
)
said["card"] = cross_validated(card)
print(f"card of four questions, cross-validated: AUC {roc_auc_score(y, said['card']):.3f}")
card.fit(X, y)
card.scoring_list_

# %% [markdown]
# Now fill it in yourself: answer the questions at the left. Suppose that one stops as soon as the probability is at most 5 % or at least 60 %.
# **Predict:** which patients are done after two questions?

# %% jupyter={"outputs_hidden": true}
walk = ScoringListExplorer(card, X, y, lower=0.05, upper=0.6, panels=["list", "stage"])
walk

# %% [markdown]
# ## 8. An order, and a ranker (chapters 8 and 9)
#
# Two more ways to rank. **LexRank** cuts each measurement at a threshold and compares two patients by one measurement after the other; the
# first in which they differ decides. **Ranking first** trains on pairs of patients, and isotonic regression makes the probabilities.
# **Predict:** which of the two comes closer to logistic regression, and why?

# %% jupyter={"outputs_hidden": true}
order = LexProb()
said["order"] = cross_validated(order)
said["rank first"] = cross_validated(
    make_pipeline(StandardScaler(), RankIsotonicClassifier(calibration="isotonic"))
)
print("             AUC    Brier")
for name in ("logistic", "order", "rank first"):
    print(f"{name:11} {roc_auc_score(y, said[name]):.3f}   {brier_score_loss(y, said[name]):.3f}")
order.fit(X, y)
order.inspect()[["attribute", "preferred", "odds_ratio"]].head(4).round(1)

# %% [markdown]
# The order forgets how far a value lies beyond its threshold, and measurements far down hardly ever decide. Ranking first is level with
# logistic regression: a sigmoid fits these data, so there was nothing to repair.

# %% [markdown]
# ## 9. Which differences are real? (chapter 3)
#
# Nine models, judged on the same 300 patients. `compare_classifiers` puts them into one table, and its `pairs()` tests the difference of
# each two AUCs (DeLong), corrected for the number of tests (Holm). **Predict:** which models rank worse than logistic regression
# by more than chance?

# %% jupyter={"outputs_hidden": true}
print("nine models on the same patients")
comparison = compare_classifiers(y, said, cost_fp=1, cost_fn=5, n_resamples=0)
print(comparison.to_frame()[["auc", "auc_low", "auc_high", "brier", "log_loss", "cost"]].round(3))
pairs = comparison.pairs()
pairs[pairs["model_a"] == "logistic"].drop(columns="model_a").round(3)

# %% [markdown]
# All intervals overlap, but the patients are the same, so the paired test sees more: the order and the repaired naive Bayes rank worse
# than logistic regression by more than chance. The card misses that by a little (p = 0.056 among 36 tests). It is probably worse, by
# about 0.05, and nobody has shown it. (A log loss of `inf` means that a model was once certain and wrong.)

# %% [markdown]
# ## 10. A month's list (chapter 7)
#
# The health insurer does not know Dr. Noor's costs. It judges each month's list of invitations by **F1**, the harmonic mean of precision and
# recall. In January six patients come, with calibrated probabilities 0.6, 0.4, 0.3, 0.2, 0.1 and 0.1. How many of them should be invited
# for the highest *expected* F1?

# %%
answer = ...
check("january", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# from rocviz import optimal_decision
#
# answer = optimal_decision([0.6, 0.4, 0.3, 0.2, 0.1, 0.1], "f1").n_called
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
    f"F1 invites {best.n_called}, her costs {(january >= 1 / 6).sum()}, one half {(january >= 0.5).sum()}"
)

# %% [markdown]
# Three aims make three lists of the same six probabilities.

# %% [markdown]
# ## 11. You decide
#
# Dr. Noor asks you: which model, and which threshold? Weigh what no table knows. Can the assistant use it without a computer? Can a
# patient be told why? What if the costs are not 1 and 5?
#
# 1. Choose the name of a model (`list(said)` shows them) and a threshold. As it stands, the cell has the choice of somebody who did not
#    read this chapter.
# 2. Write down why, in one sentence.
# 3. **Predict** what your choice costs per patient. Then open the envelope. You can do so only once: afterwards you know
#    what is inside, and a second choice would be made to fit.

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
# Whom does your choice overlook? Here is the sensitivity of each sex, at your threshold and at 1/6. **Predict:** are both sexes served
# alike?

# %% jupyter={"outputs_hidden": true}
print("found among those who got much worse")
for cut in (threshold, 1 / 6):
    for sex in (1, 2):
        worse = (y_sealed == 1) & (X_sealed["sex"] == sex)
        found = int((p_sealed[choice] >= cut)[worse].sum())
        low, high = binomial_interval([found], [worse.sum()])
        print(
            f"threshold {cut:.2f}, sex {sex}: {found} of {worse.sum()}, {low[0]:.0%} to {high[0]:.0%}"
        )

# %% [markdown]
# At one half, logistic regression overlooks more than half of one sex and hardly anybody of the other (the data do not say which number
# is which). With 20 and 16 patients that is not certain, but it is a reason to ask for more data before the rule is used for years.
# At 1/6 most of both are found.
#
# <details><summary>What all choices cost (open it after you have decided)</summary>
#
# ```python
# for name, p in p_sealed.items():
#     print(f"{name:18}", *(f"at {t:.2f}: {cost(y_sealed, p >= t)[0]:.2f}" for t in (1 / 6, 1 / 2)))
# ```
#
# At 1/6 the nine models cost from 0.37 to 0.51, at one half from 0.51 to 0.96, and 1/6 is cheaper for each of them. The **card of four
# questions at 1/6 costs 0.40**, less than logistic regression at one half with 0.54. (That difference, 0.14 ± 0.12, could be chance: 142
# patients are few.)
#
# </details>

# %% [markdown]
# ## What to take home
#
# - State the aim before you choose a model: costs, a metric, or a list of fixed length. The threshold follows from the aim, and here
#   it matters more than the model.
# - A threshold from costs needs calibrated probabilities. Judge them, and repair them, on data that the model has not seen.
# - Say how sure each number is. Differences between models need a paired test, and nine models need a correction.
# - A crowd of models that err alike is no better than one of them, and its added-up probabilities are worse.
# - A card that can be read aloud may cost less than you think. Measure what it costs before you decide for or against it.
# - Keep an envelope.
#
# **Where to read on.** Your own data: every explorer opens on them in one line, and the [task
# pages](https://github.com/rocviz/rocviz/blob/main/docs/researchers.md) have a recipe for most questions. The course
# leaves out more than two classes, populations that change, and fairness between groups beyond the one cell above. The papers behind
# each chapter are in the [bibliography](https://github.com/rocviz/rocviz/blob/main/CITATION.cff).
#
# Back to the [start](00_start_here.ipynb), where `progress()` shows what you have done.
#
# ## Sources
#
# Where each was published stands in the [bibliography](https://github.com/rocviz/rocviz/blob/main/CITATION.cff).
#
# - Efron et al. (2004). *Least angle regression.* The patients.
# - Vickers and Elkin (2006). *Decision curve analysis: a novel method for evaluating prediction models.* Costs as the measure of a model.
# - DeLong, DeLong and Clarke-Pearson (1988). *Comparing the areas under two or more correlated receiver operating characteristic
#   curves: a nonparametric approach.* The test of two AUCs.

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
# # What practice asks
#
# Three people write to a statistician on the same morning. Malik's screening model has an AUC of **0.94**, and yet **more than nine in ten of
# its alarms are false**. Nadia's model predicts a disease from the activity of a thousand genes, with a cross-validated AUC of **0.98**; she
# has since noticed that her file contained nothing but random numbers. Otto's model was calibrated in the hospital. In his practice it gives
# 57 % to patients of whom **6 %** are ill. None of the three did anything unusual. What went wrong?
#
# At the end of this chapter you can
#
# - say what precision and recall to expect where one class is rare;
# - find leaks, and judge a model that was chosen among many;
# - say how many patients a study needs;
# - carry a model over to a place where the disease is rarer;
# - write the paragraph about a model for a paper.
#
# Allow about **50 minutes**, and another 35 for section 7, an exam on the course so far, which may wait for another day. You need chapters
# [1](01_classification_and_ranking.ipynb) and [2](02_probabilities_and_calibration.ipynb). All people in this chapter are simulated.

# %%
import numpy as np
import pandas as pd
from scipy.special import expit, logit
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score, roc_auc_score
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC
from tqdm.auto import tqdm

from rocviz import RankedSegments, ROCExplorer, binormal_scores, evaluation_report
from rocviz.core.calibration import calibration_sample_size
from rocviz.core.curve_spaces import at_prevalence, net_benefit_sample_size
from rocviz.core.fermi_dirac import auc_sample_size
from rocviz.exercises import check

# %% [markdown]
# ## 1. Rare positives
#
# Malik screens 20,000 people, of whom 200 are ill. He chose the threshold at which his model finds four in five of the ill. Precision is the
# share of the alarms that are right; recall, or sensitivity, is the share of the ill that are found (chapter 1).
#
# **Predict:** his AUC is 0.94. What would the precision be at the same threshold if half of the people were ill? And if one in ten were? Does
# the ROC curve change with the share of the ill? Does precision?

# %% jupyter={"outputs_hidden": true}
people = binormal_scores(20_000, prevalence=0.01, separation=2.3, random_state=0)
ranking = RankedSegments.from_scores(people.y_true, people.y_prob)
threshold = ranking.thresholds[np.argmax(ranking.tpr >= 0.8)]
table = ranking.at_threshold(threshold)
print(f"{ranking.n_pos:.0f} ill, {ranking.n_neg / ranking.n_pos:.0f} healthy for each of them")
print(f"AUC {ranking.auc:.2f}, average precision", end=" ")
print(f"{average_precision_score(people.y_true, people.y_prob):.2f}")
print(f"recall {table.tpr:.0%}: {table.tp:.0f} found, {table.fp:.0f} false alarms")
for share in (0.5, 0.1, 0.01):
    same = at_prevalence(ranking, prevalence=share).at_threshold(threshold)
    print(f"{share:4.0%} ill: recall {same.tpr:.0%}, precision {same.precision:.1%}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The rates of the ROC curve look at one class only, so the curve stays. Precision mixes both classes. With 99 healthy people for each ill
# one, false alarms for 8 % of the healthy outnumber the 160 people who are found by more than ten to one. The model is not broken: **an AUC
# does not say what an alarm is worth.** Where positives are rare, report precision and recall at the threshold that is used, with the share
# of positives beside them.
#
# </details>
#
# The **precision-recall curve** shows both for every threshold. Its baseline is the share of positives, here 1 %. **Predict:** where on this
# curve is the threshold of one half? Drag it to a recall of 80 % and read off the precision.

# %% jupyter={"outputs_hidden": true}
screening = ROCExplorer(
    people.y_true,
    people.y_prob,
    space="precision_recall",
    panels=["roc", "space"],
    unfolded=["threshold"],
)
screening

# %% jupyter={"outputs_hidden": true}
half = ranking.at_threshold(0.5)
print(f"at one half: recall {half.tpr:.0%}, precision {half.precision:.0%}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# At one half the precision is 69 %, but only 18 % of the ill are found. Which threshold is right depends on what a miss and a false alarm
# cost (chapter 2).
#
# </details>
#
# Your turn. One person in 200 has a disease. A test finds 90 % of the ill and raises a false alarm for 3 % of the healthy. What is its
# precision?

# %%
answer = ...
check("rare_precision", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# found, false_alarms = 0.005 * 0.9, 0.995 * 0.03
# answer = found / (found + false_alarms)
# ```
#
# </details>

# %% [markdown]
# ## 2. Leaks
#
# Nadia had 60 patients, half of them ill, and 1000 genes. She kept the 20 genes that separated the ill from the healthy best, trained a
# logistic regression on these, and cross-validated it.
#
# **Predict:** her file is pure noise, so the AUC on new patients is one half. What does cross-validation report if the genes are chosen
# first, on all patients? And if they are chosen again in each training part?

# %% jupyter={"outputs_hidden": true}
rng = np.random.default_rng(0)
noise, ill = rng.normal(size=(60, 1000)), np.arange(60) % 2
folds = StratifiedKFold(5, shuffle=True, random_state=0)
chosen_first = SelectKBest(k=20).fit_transform(noise, ill)
in_a_pipeline = make_pipeline(SelectKBest(k=20), LogisticRegression())
for what, model, data in (
    ("chosen first", LogisticRegression(), chosen_first),
    ("in a pipeline", in_a_pipeline, noise),
):
    areas = cross_val_score(model, data, ill, cv=folds, scoring="roc_auc")
    print(f"{what:13}: AUC {areas.mean():.2f}")
new, new_ill = rng.normal(size=(10_000, 1000)), rng.integers(0, 2, 10_000)
prob = in_a_pipeline.fit(noise, ill).predict_proba(new)[:, 1]
print(f"on 10,000 new patients: AUC {roc_auc_score(new_ill, prob):.2f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# If the genes are chosen on all patients, the test patients have already had their say, and noise has an AUC of 0.98. This is a **leak**.
# In the pipeline every step is learned from the training part alone, and the AUC differs from one half only by chance, as it may with 60
# patients.
#
# </details>
#
# **Everything that is learned belongs in the pipeline**: choosing features, scaling, filling in missing values, calibrating, choosing a
# threshold. Rows that belong together (several images of one patient) belong in the same fold, and where the future is to be predicted, the
# test data come after the training data.
#
# Which of these steps may be done on all data, before they are split: `"choosing the best features"`, `"filling in missing values with the
# mean of the column"`, `"computing a body mass index from height and weight"` or `"calibrating"`?

# %%
answer = ...
check("what_may_come_first", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# # it looks at one row at a time
# answer = "computing a body mass index from height and weight"
# ```
#
# </details>

# %% [markdown]
# ## 3. The best of many
#
# Even without a leak, choosing is learning. A colleague tries twenty settings of a model, cross-validates all of them, and reports the
# best.
#
# **Predict:** again the data are noise. How far above one half is the best of twenty settings on average? What is left of that if the *whole
# search* is cross-validated? (The cell takes a few seconds; a bar shows how far it is.)

# %% jupyter={"outputs_hidden": true}
settings = {"C": [0.1, 1, 10, 100], "gamma": [0.001, 0.01, 0.1, 1, 10]}
inner, outer = (StratifiedKFold(3, shuffle=True, random_state=seed) for seed in (0, 1))
reported = []
for seed in tqdm(range(20), desc="data sets", leave=False):
    columns, label = np.random.default_rng(seed).normal(size=(60, 10)), np.arange(60) % 2
    search = GridSearchCV(SVC(), settings, scoring="roc_auc", cv=inner).fit(columns, label)
    nested = cross_val_score(search, columns, label, cv=outer, scoring="roc_auc")
    reported.append((search.best_score_, nested.mean()))
best, honest = np.transpose(reported)
for what, areas in (("best of twenty", best), ("nested", honest)):
    print(f"{what:14}: AUC {areas.mean():.3f} ± {areas.std(ddof=1) / np.sqrt(len(areas)):.3f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The best of twenty looks better than chance by more than three standard errors, although every setting is worthless. Judged by folds that
# took no part in the choice (**nested cross-validation**), nothing is left. The outer folds judge the *procedure*, choosing included.
#
# </details>
#
# Twenty settings are all worth nothing: on new data each has an AUC of 0.5. On the validation data their AUCs vary independently and normally
# around 0.5, with a standard deviation of 0.05. How high is the best of the twenty on average? Simulate it; two decimals are enough.

# %%
answer = ...
check("best_of_twenty", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# import numpy as np
#
# rng = np.random.default_rng(0)
# answer = rng.normal(0.5, 0.05, (100_000, 20)).max(axis=1).mean()
# ```
#
# </details>

# %% [markdown]
# ## 4. How many patients?
#
# A study is planned. Three questions may be asked of it, and each needs its own number of patients: how well does the model **rank**, are its
# **probabilities** right, and what is it **worth** at the threshold in use?
#
# **Predict:** for an interval of the AUC that is 0.1 wide, which needs more patients: a disease that half the patients have, or one that one in
# a hundred has? By what factor? And which of the three questions needs the most?

# %% jupyter={"outputs_hidden": true}
print("patients needed, of them ill     AUC ± 0.05    calibration slope ± 0.2   net benefit ± 0.1")
for share in (0.5, 0.1, 0.01):
    sizes = (
        auc_sample_size(0.8, share, width=0.1),
        calibration_sample_size("slope", prevalence=share, auc=0.8, width=0.4),
        net_benefit_sample_size(share, prevalence=share, auc=0.8, width=0.2),
    )
    print(f"{share:4.0%} ill:", *(f"{size.n_samples:12} ({size.n_pos:3})" for size in sizes))

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The rare disease needs 25 times as many patients for the AUC, although fewer of them are ill: **what counts is mostly the size of the
# rarer class.** The AUC needs fewer patients than the other two, or about as many, so a study that is planned for the AUC alone is too
# small for the probabilities. (All numbers assume an AUC of 0.8. A difference between two models on the same patients is known more
# precisely, see chapter 10.)
#
# </details>
#
# You expect an AUC of 0.8 where 5 % are ill, and want its 95 % interval to be 0.1 wide from end to end. How many patients do you need?

# %%
answer = ...
check("enough_patients", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# from rocviz.core.fermi_dirac import auc_sample_size
#
# answer = auc_sample_size(0.8, 0.05, width=0.1).n_samples
# ```
#
# </details>

# %% [markdown]
# ## 5. Another prevalence
#
# Otto's model learned in a hospital, where half of the patients are ill. In his practice 5 % are. A measurement separates the ill from the
# healthy equally well in both places.
#
# **Predict:** does the AUC change when the model moves to the practice? Does the calibration? Of the patients to whom it gives between 50 %
# and 65 %, how many are ill in the practice?


# %% jupyter={"outputs_hidden": true}
def patients(n, share, seed):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < share).astype(int)
    return (rng.normal(size=n) + 1.5 * y)[:, None], y


x_hospital, y_hospital = patients(4000, 0.5, 1)
model = LogisticRegression().fit(x_hospital, y_hospital)


def look(where, p, y):
    some = (p >= 0.5) & (p < 0.65)
    print(f"{where:22} mean probability {p.mean():.2f}, ill {y.mean():.2f},", end=" ")
    print(f"AUC {roc_auc_score(y, p):.2f}, Brier score {np.mean((p - y) ** 2):.3f}")
    if some.sum() > 50:
        print(
            f"{'':22} between 50 % and 65 %: {p[some].mean():.0%} predicted, {y[some].mean():.0%} ill"
        )


for where, share, seed in (("hospital, new patients", 0.5, 2), ("practice", 0.05, 3)):
    x_new, y_new = patients(20_000, share, seed)
    p_new = model.predict_proba(x_new)[:, 1]
    look(where, p_new, y_new)
moved = expit(logit(p_new) + logit(0.05) - logit(0.5))
look("practice, odds moved", moved, y_new)

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The AUC stays. But the model predicts 34 % on average where 5 % are ill, and in the group with 57 % only 6 % are ill: its probabilities still
# contain the hospital's prior. **Multiply the odds by the ratio of the prior odds**, and the probabilities are right again. (In log-odds:
# subtract the prior log-odds of the hospital, and add those of the practice.)
#
# This works if the ill in the practice are like the ill in the hospital, and the healthy like the healthy. If patients, instruments or
# treatment differ in other ways, calibrate again, on patients of the practice.
#
# </details>
#
# A model was calibrated where 40 % are ill, and gives a patient 50 %. In your practice 10 % are ill, and patients are otherwise alike. What
# probability is right there?

# %%
answer = ...
check("moved_prior", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# odds = 0.5 / 0.5 * (0.1 / 0.9) / (0.4 / 0.6)
# answer = odds / (1 + odds)
# ```
#
# </details>

# %% [markdown]
# ## 6. The paragraph for the paper
#
# Readers of a paper about a model want to know which patients took part, how many there were, and how many of them were ill; on which data
# the model was trained, and on which it was judged; how well it ranks, with an interval and its method; whether its probabilities are
# right; which threshold was chosen, and why; what happens at that threshold where the model will be used; and how many comparisons were
# made. `evaluation_report` writes the part of this paragraph that follows from predictions.
#
# **Predict:** Otto writes about the moved model. A miss costs as much as nine false alarms. Which threshold does the paragraph name?

# %% jupyter={"outputs_hidden": true}
few = slice(0, 2000)
report = evaluation_report(y_new[few], pd.Series(moved[few], name="moved model"), cost_fn=9)
paragraph = report.to_markdown().split("## For the paper")[1].split("\n\n")[1]
print(*paragraph.split(". ")[:-1], sep=".\n", end=".")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The cost-optimal threshold on these patients is 0.092, close to the 1/10 that calibrated probabilities ask for. What the paragraph cannot know
# you have to add: how patients were chosen, what was learned on which data, how many models were tried, and how the best was judged after it
# had been chosen.
#
# </details>
#
# A paper says: *"We trained 30 models on 400 patients, 38 of them ill. The best had an AUC of 0.91 in five-fold
# cross-validation."* What does it lack most: `"the AUC of the other models"`, `"how the best was judged after it
# was chosen"`, `"the version of the software"` or `"the accuracy"`?

# %%
answer = ...
check("what_is_missing", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# answer = "how the best was judged after it was chosen"  # section 3
# ```
#
# </details>

# %% [markdown]
# ## What to take home
#
# - Where positives are rare, an AUC says little about alarms. Report precision and recall at the threshold in use, and the share of
#   positives.
# - Everything that is learned belongs in the pipeline. What chose a model must not judge it.
# - The size of the rarer class decides how many patients a study needs. Plan for calibration as well as for the AUC.
# - A ranking survives a change of prevalence, probabilities do not: multiply the odds by the ratio of the prior odds, or calibrate again.
# - With scikit-learn: `make_pipeline`, `GridSearchCV` inside `cross_val_score`, `average_precision_score`.
#
# Further reading: the how-tos on [rare classes](https://github.com/rocviz/rocviz/blob/main/docs/howto/rare_classes.md), on
# [reports](https://github.com/rocviz/rocviz/blob/main/docs/howto/report.md) and on
# [cross-validation](https://github.com/rocviz/rocviz/blob/main/docs/howto/cross_validation.md). Next: [chapter 14](14_three_answers.ipynb), on
# answers that are neither yes nor no, and on several places, or back to the [start](00_start_here.ipynb).

# %% [markdown]
# ## 7. The exam
#
# *This section may be left out until another day.*
#
# Ten questions about chapters 1 to 13. Use pencil, paper and any tool you like. Each answer is checked at once; a wrong one gets a hint,
# never the solution. If you answer eight of the ten at the first attempt, you have understood them.
#
# **Predict:** how many will you answer at the first attempt? (This is a probability like all the others: afterwards you can see whether you
# are calibrated.)
#
# **Question 1.** A ranking has three groups, the best first: 5 positives and 1 negative, 3 and 3, 2 and 6. What is its AUC?

# %%
answer = ...
check("exam_auc", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# pairs = 1 * 5 / 2 + 3 * (5 + 3 / 2) + 6 * (8 + 2 / 2)  # negatives, group by group
# answer = pairs / (10 * 10)
# ```
#
# </details>
#
# **Question 2.** The groups of another ranking hold, the best first, 3 positives and 3 negatives, 5 and 1, 1 and 7. What probability does
# the first group get from the hull, with Laplace's correction?

# %%
answer = ...
check("exam_hull", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# answer = (3 + 5 + 1) / (6 + 6 + 2)  # the hull ties the first two groups
# ```
#
# </details>
#
# **Question 3.** A model gives 80 % to ten patients, of whom 6 are ill, and 30 % to ten others, of whom 2 are ill. What is its calibration
# loss?

# %%
answer = ...
check("exam_calibration", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# answer = (10 * (0.8 - 0.6) ** 2 + 10 * (0.3 - 0.2) ** 2) / 20
# ```
#
# </details>
#
# **Question 4.** An AUC is 0.95 on 2000 patients, 15 of whom are ill. Which interval falls furthest short of its nominal coverage: `"Hanley and
# McNeil"`, `"logit-DeLong"` or `"Fermi-Dirac"`?

# %%
answer = ...
check("exam_interval", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# answer = "Fermi-Dirac"  # chapter 3
# ```
#
# </details>
#
# **Question 5.** Of all items, 20 % are positive. Two classifiers that err independently give an item log-likelihood ratios of 1.0 and 0.5.
# What is the probability that it is positive?

# %%
answer = ...
check("exam_crowd", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# from scipy.special import expit, logit
#
# answer = expit(logit(0.2) + 1.0 + 0.5)
# ```
#
# </details>
#
# **Question 6.** At one total of a scoring list there were 30 patients, none of them ill. What is the upper end of the 95 % interval of
# Clopper and Pearson for this total alone?

# %%
answer = ...
check("exam_none_ill", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# answer = 1 - 0.025 ** (1 / 30)  # at this probability, 30 healthy patients out of 30 have a probability of 2.5 %
# ```
#
# </details>
#
# **Question 7.** In a very large batch the best F1 that can be reached is 0.46. Which threshold on the probability reaches it?

# %%
answer = ...
check("exam_f1", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# answer = 0.46 / 2
# ```
#
# </details>
#
# **Question 8.** For which log odds ratios of three attributes does naive Bayes rank like a dictionary: `"5, 2, 1"`, `"4, 3, 2"` or `"3, 2,
# 1"`?

# %%
answer = ...
check("exam_order", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# answer = "5, 2, 1"  # 5 > 2 + 1, and 2 > 1
# ```
#
# </details>
#
# **Question 9.** In two towns 70 % of the ill are found, and 60 % of the people invited are ill. In one town 20 % are ill. What share of its
# healthy people is invited?

# %%
answer = ...
check("exam_fair", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# found = 0.2 * 0.7  # of all people; this many are invited in vain:
# in_vain = found * (1 - 0.6) / 0.6
# answer = in_vain / (1 - 0.2)
# ```
#
# </details>
#
# **Question 10.** A miss costs as much as four false alarms. A model is calibrated where 50 % are ill, and is used where 10 % are ill and
# patients are otherwise alike. Nobody corrects its probabilities. Above which of these uncorrected probabilities should one raise the alarm?

# %%
answer = ...
check("exam_threshold", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# from scipy.special import expit, logit
#
# answer = expit(logit(1 / 5) + logit(0.5) - logit(0.1))
# ```
#
# </details>
#
# How many did you answer right, and how many had you predicted? The [start page](00_start_here.ipynb) counts them: chapter 13 there means the
# six exercises above and the ten questions of the exam.

# %% [markdown]
# ## Sources
#
# The [bibliography](https://rocviz.github.io/rocviz/bibliography.html) says where each was published.
#
# - Davis and Goadrich (2006). *The relationship between precision-recall and ROC curves.* Both curves of one ranking.

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
# # When is a doctor sure enough?
#
# A patient comes to Dr. Weber with pain in the chest. Usually it is a sore muscle; about one time in nine it is the heart. She could
# ask ten questions, one after the other, while the waiting room fills up. She does not need to know everything. She needs to know
# **when to stop asking**. With the list of this chapter she sends four patients in ten home after three to six questions, and 1 % of these
# are ill, fewer than the 2 % she allowed. And yet, if she wants to be *sure* of the 2 %, she may not send **anybody** home.
#
# A **probabilistic scoring list** (Hanselle et al., 2024) asks questions in a fixed order, gives points for each yes, and states a
# probability after each question. At the end of this chapter you can
#
# - walk a patient down such a list, and write one by hand or learn one from data;
# - say how sure its probabilities are, for all totals at once, and what an *empty* interval means.
#
# The [next chapter](06_scoring_lists_from_data.ipynb) goes on to what a miss costs, and to lists that overfit few patients.
#
# Allow about **60 minutes**, and another 10 for sections 5 and 6, which may be left out. You need chapters 1 and 2
# ([ranking](01_classification_and_ranking.ipynb), [calibration](02_probabilities_and_calibration.ipynb)).
# **No patient in this chapter is real.** They are drawn at random from published figures (section 2).

# %%
from itertools import product

import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.tree import DecisionTreeClassifier
from tqdm.auto import tqdm

from rocviz import ProbabilisticScoringList, ScoringList, ScoringListExplorer, StageDisplay
from rocviz.core.roc import binomial_interval
from rocviz.core.scoring_lists import ScoringStage
from rocviz.datasets import load_scoring_list_example, make_chest_pain
from rocviz.exercises import check

# %% [markdown]
# ## 1. A card and a case
#
# This is the paper's own example, made up to explain the idea. There are four questions. A yes to f3
# is worth one point, a yes to f1 takes two away, and so on. Each row is a **stage**: it says what the total
# means after that question.

# %%
example = load_scoring_list_example()
example

# %% [markdown]
# A patient who says yes to f3 has one point, and the probability rises from 30 % to 40 %. After a no to f1 it is still one
# point, but in the row of f1 one point means 60 %. *The same total means different things at different stages.*
#
# **Predict:** a probability of 90 % is enough for the doctor. Are there patients to whom she need not put all four
# questions? Which ones?
#
# Below, answer the questions at the left, with the mouse or with <kbd>Tab</kbd> and the space
# bar. Find the case that stops early. Then open *limits, costs* and drag *rule in from* down to
# 70 %. Who stops now?

# %% jupyter={"outputs_hidden": true}
walk = ScoringListExplorer(
    preset="worked example", lower=0.05, upper=0.9, panels=["list", "stage"], unfolded=["case"]
)
walk

# %% jupyter={"outputs_hidden": true}
for walk.answers in ((), (1,), (1, 0, 1), (1, 0)):
    print(walk.sentence)

# %% [markdown]
# <details><summary>What you can see</summary>
#
# A patient with f3 and f2 but not f1 reaches 90 % after three questions. (If f4 were asked and the answer were no, it would be
# back to 70 %. Stopping at a limit is a decision; a later answer might still have changed the probability.) With a limit of 70 %, one point
# is enough after three questions, so patients who have only f3 or only f2 stop as well.
#
# </details>
#
# Now on paper. A patient says **yes** to f3, **yes** to f1 and **yes** to f2. f4 has not been
# asked yet. What does the list say?

# %%
answer = ...
check("card_after_three", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# from rocviz.datasets import load_scoring_list_example
#
# answer = load_scoring_list_example().predict_proba([[1, 1, 1, 0]], 3)[0]  # 1 - 2 + 1 points
# ```
#
# </details>

# %% [markdown]
# Nothing here was learned from data. You can type in the points and probabilities of any published card in this way,
# as long as you forget no total. Below, fever is worth two points and a rash takes one away.
#
# **Predict:** the cell has two tables, and rocviz refuses one of them. Which one, and why?

# %% jupyter={"outputs_hidden": true}
by_hand = ScoringList.from_table(
    scores=[2, -1],
    table=[{0: 0.3}, {0: 0.1, 2: 0.5}, {-1: 0.05, 0: 0.1, 1: 0.4, 2: 0.8}],
    feature_names=["fever", "rash"],
)
print("fever, no rash:", by_hand.predict_proba([[1, 0]])[0])

try:
    ScoringList.from_table(
        [2, -1], [{0: 0.3}, {0: 0.1, 2: 0.5}, {-1: 0.05, 0: 0.5, 1: 0.4, 2: 0.8}]
    )
except ValueError as error:
    print("refused:", error)

# %% [markdown]
# <details><summary>What you can see</summary>
#
# It refuses the second table, where 0 points mean 50 % and 1 point means 40 %.
#
# </details>
#
# In a scoring list **more points never mean a lower probability**. Chapter 2 called this *isotonic*.

# %% [markdown]
# ## 2. A list learned from data
#
# The paper's data, 1199 patients of the Marburg heart study, are private. Ours are **synthetic**: as
# many patients, as many of them ill (135), and the published odds ratios of five features (Bösner
# et al., 2010a). The rest, including the minutes, is made up for teaching; `print(cohort.DESCR)` says what
# comes from where.

# %%
cohort = make_chest_pain(as_frame=True)
X, y, minutes = cohort.data, cohort.target, cohort.feature_costs

for name in X:
    among_ill, among_well = X[name][y == 1].mean(), X[name][y == 0].mean()
    print(
        f"{name:29} yes: {among_ill:4.0%} of the ill, {among_well:4.0%} of the well,",
        f"{minutes[name]} minutes",
    )
print(f"{y.sum()} of {len(y)} are ill; all ten questions take {sum(minutes.values())} minutes")

# %% [markdown]
# Which question comes first? The one that leaves the least uncertainty. Uncertainty is measured in **bits** of entropy: a coin has 1 bit,
# certainty has 0 bits, and a probability $q$ has $H(q) = -q \log_2 q - (1 - q) \log_2 (1 - q)$ bits. A stage is judged by the mean over its
# patients, the **expected entropy** (the log loss of its probabilities, in bits).
#
# **Predict:** one in nine is ill. How many bits is that, before the first question? How many are left after "age and sex"?


# %% jupyter={"outputs_hidden": true}
def bits(ill, well):
    q = ill / (ill + well)
    return -q * np.log2(q) - (1 - q) * np.log2(1 - q)


yes = X["age and sex"] == 1
groups = [(y[group].sum(), (1 - y[group]).sum()) for group in (yes, ~yes)]
print("yes: {} ill, {} well; no: {} ill, {} well".format(*groups[0], *groups[1]))
print(f"before: {bits(y.sum(), (1 - y).sum()):.3f} bits")
print(f"after:  {sum(sum(group) / len(y) * bits(*group) for group in groups):.3f} bits")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# Before the first question it is half a bit: a rare disease is less uncertain than a coin. One good question removes an
# eighth of it.
#
# </details>
#
# Learning goes on in this way, **greedily**: try every remaining question with every number of points allowed, and keep the best.
# Dr. Weber wants to count on her fingers, so a yes is worth 1 or −1. And as she is in a hurry, `feature_costs` asks for the most
# bits *per minute*.

# %%
doctor = ProbabilisticScoringList(score_set=(-1, 1), feature_costs=minutes, tol=0.0)
doctor.fit(X, y)
doctor.scoring_list_

# %% [markdown]
# The list stopped by itself after six questions (`tol=0.0`), because no seventh question lowers the entropy.
#
# **Predict:** if we insist on all ten, what happens to the entropy, on the list's *own* patients? Can it rise?

# %% jupyter={"outputs_hidden": true}
everything = ProbabilisticScoringList(score_set=(-1, 1), feature_costs=minutes).fit(X, y)
for k, loss in enumerate(everything.stage_losses_):
    asked = everything.scoring_list_.feature_names[k - 1] if k else "nothing"
    print(f"{k:2} {asked:29} {loss:.3f} bits {'*' * round(100 * loss)}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# It rises with each question after the sixth. A tree splits its groups further, so on its own patients it can only gain. A list *adds up*, so
# it also merges groups: a patient who gains a point from one question and loses it with the next has the same total as one who has neither.
# If a weak question has as many points as a strong one, groups that differed are mixed. (A larger set of points helps. The next chapter shows
# its price.)
#
# </details>

# %% [markdown]
# ## 3. Stop when sure
#
# Dr. Weber sets two limits. At 2 % or less she **rules out** the heart and sends the patient home, at 40 % or more she
# **rules it in** and sends the patient to the hospital. In between she keeps asking.
#
# **Predict:** all six questions take 7 minutes. How many minutes does she need on average?

# %% jupyter={"outputs_hidden": true}
limits = {"lower": 0.02, "upper": 0.4}
walked = doctor.decide(X, **limits)

for k, share in enumerate(walked.stage_distribution()):
    print(f"stop after {k} questions: {share:4.0%} {'*' * round(50 * share)}")
print(f"on average {walked.n_asked.mean():.1f} questions, {walked.cost.mean():.2f} minutes")
print(f"a limit was reached by {walked.is_confident.mean():.0%}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# She needs 4.8 minutes on average. Nobody is done after one question; four in ten are done after two or three. Four in ten
# never reach a limit, although they have been asked everything.
#
# </details>
#
# **Predict:** why does the order no longer matter once all six questions have been asked? How much does it matter
# until then? Here are the same six questions in four orders.

# %% jupyter={"outputs_hidden": true}
points = dict(zip(doctor.scoring_list_.feature_names, doctor.scores_.tolist(), strict=True))
by_bits = ProbabilisticScoringList(score_set=(-1, 1), tol=0.0).fit(X, y).scoring_list_.feature_names
orders = {
    "bits per minute": list(points),
    "bits": list(by_bits),
    "minutes, short ones first": sorted(points, key=minutes.get),
    "bits, worst first": list(by_bits[::-1]),
}
print("order                       bits after 3   after 6   minutes at 2 %, 40 %   at 5 %, 50 %")
for order, names in orders.items():
    prefix = [(name, points[name]) for name in names]
    model = ProbabilisticScoringList(prefix=prefix, max_stages=6, feature_costs=minutes).fit(X, y)
    spent = [model.decide(X, lower=a, upper=b).cost.mean() for a, b in ((0.02, 0.4), (0.05, 0.5))]
    after_3, after_6 = model.stage_losses_[[3, 6]]
    print(f"{order:27} {after_3:12.3f} {after_6:9.3f} {spent[0]:22.2f} {spent[1]:15.2f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# Points add up to the same total in any order, so the last stage is the same. **The order decides who may leave early.** In the worst order
# the questions take a minute and a half longer than in the best; with the other limits, more than twice as long. The other three orders
# differ less, and which of them is best depends on the limits, which the greedy search does not know.
#
# </details>
#
# Now make up some patients: one who is sent home after three questions, one who goes to hospital after two, and one who needs all six.
# **Predict** how much time you save if you open *limits, costs* and drag *rule out up to* to 5 %. The picture beside the list shows it.

# %% jupyter={"outputs_hidden": true}
practice = ScoringListExplorer(doctor, X, y, panels=["list", "stops"], **limits)
practice

# %% jupyter={"outputs_hidden": true}
for practice.answers in ((0, 0, 0), (1, 1), (0, 1, 1, 0, 1, 0), (0, 1, 1)):
    print(practice.sentence)
    print()
for lower in (0.02, 0.05):
    spent = doctor.decide(X, lower=lower, upper=0.4).cost.mean()
    print(f"rule out up to {lower:.0%}: {spent:.2f} minutes on average")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# With a limit of 5 % she needs 2.0 minutes per patient rather than 4.8. What that costs is the next question but one.
#
# </details>
#
# A colleague stops at **3 %** and at **50 %**. How many *minutes* does she need per patient, on average over the 1199, with Dr. Weber's list?
# (`doctor.decide(...)`, then `.cost`.)

# %%
answer = ...
check("mean_minutes", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# from rocviz import ProbabilisticScoringList
# from rocviz.datasets import make_chest_pain
#
# cohort = make_chest_pain(as_frame=True)
# doctor = ProbabilisticScoringList(score_set=(-1, 1), feature_costs=cohort.feature_costs, tol=0.0)
# doctor.fit(cohort.data, cohort.target)
# answer = doctor.decide(cohort.data, lower=0.03, upper=0.5).cost.mean()
# ```
#
# </details>

# %% [markdown]
# Was it right to stop? With synthetic patients **we know the truth**: within a class, features are drawn independently, with known
# probabilities. So we can write down all 1024 possible patients, each with its probability, and judge the list by *everybody*
# rather than by the few who came.
#
# **Predict:** of those whom Dr. Weber sends home at 2 % or less, 1 % are ill, as the opening said. At 5 %, how
# many more could she send home, and what share of all those sent home would be ill?


# %% jupyter={"outputs_hidden": true}
patterns = np.array(list(product((0, 1), repeat=10)))


def everybody():
    p_well, p_ill = np.array([[m["no_chd"], m["chd"]] for m in cohort.marginals.values()]).T
    share_ill = 135 / 1199
    well = (1 - share_ill) * np.where(patterns, p_well, 1 - p_well).prod(axis=1)
    ill = share_ill * np.where(patterns, p_ill, 1 - p_ill).prod(axis=1)
    return np.vstack([patterns, patterns]), np.repeat([0, 1], 1024), np.concatenate([well, ill])


all_X, all_y, weight = everybody()
for lower in (0.02, 0.05):
    walked = doctor.scoring_list_.decide(all_X, lower=lower, upper=0.4)
    print(f"home at {lower:.0%}, to hospital at 40%")
    for name, group in {
        "sent home": walked.is_confident & ~walked.positive,
        "to hospital": walked.is_confident & walked.positive,
        "not sure": ~walked.is_confident,
    }.items():
        ill = np.average(all_y[group], weights=weight[group])
        print(f"  {name:11}: {weight[group].sum():4.0%} of everybody, {ill:5.1%} of these are ill")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# With a limit of 5 % she could send 76 % home rather than 44 %, and 3.4 % of those sent home would be ill. She chooses the limits, and the
# list says what follows. (All this holds with 1199 patients to learn from. The next chapter has fewer.)
#
# </details>

# %% [markdown]
# ## 4. How sure are the probabilities?
#
# Each question splits the patients into smaller groups. So probabilities become more extreme *and* less certain. This second kind of
# uncertainty does not show in a probability: "5 % of 1000 patients" and "5 % of 20" look alike. Dr. Weber wants to know which
# it is.
#
# **Predict:** after one question, 470 patients have the higher total. After six, how many have the
# highest?

# %% jupyter={"outputs_hidden": true}
widths = doctor.scoring_list_.band_widths(confidence=0.95)
print("questions   totals   at the highest   at the lowest   mean width of the 95 % band")
for k, stage in enumerate(doctor.scoring_list_.stages):
    print(f"{k:9} {len(stage):8} {stage.n[0]:16.0f} {stage.n[-1]:15.0f} {widths[k]:29.3f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# Only 25 are left at the highest total, and 14 at the lowest. The mean width of the band grows from 0.04 to 0.09.
#
# </details>
#
# The band is computed in three steps:
#
# 1. *"Nobody of 14 was ill" does not mean that nobody ever is.* Each total gets the **Clopper-Pearson
#    interval** of its own patients (chapter 2, appendix); a total that nobody had gets everything from 0
#    to 1. But a stage has many totals, and each interval may be wrong. For *all* of them to hold together
#    with 95 %, each must be surer than that: **Bonferroni's correction** divides the 5 % by the number of
#    totals.
# 2. *We also assume that probabilities do not fall as totals rise.* If so, each lower end may be raised to
#    any lower end at a smaller total, and each upper end lowered to any upper end at a larger one.
#    This is the **monotone correction**.
# 3. If the stage's own probability is not inside, the interval is widened until it is.
#
# First, step 1 by hand. A stage has **six** totals. One of them has 40 patients, **none** of
# them ill. What is the upper end of its interval after step 1, at 95 %? (If the true probability is $p$,
# "nobody of $n$ is ill" has probability $(1 - p)^n$. At which $p$ does this equal the error allowed to one side of one interval: 5 %,
# halved for the two sides, then divided by the six totals?)

# %%
answer = ...
check("none_ill", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# # (1 - p) ** 40 is half of 5 %, shared out among six totals
# answer = 1 - (0.05 / 2 / 6) ** (1 / 40)
# ```
#
# </details>

# %% [markdown]
# **Predict:** at the last stage the lowest total, −1, had 14 patients, none of them ill. The next had
# 115, none of them ill, and the one after that 320, two of them ill. By step 1 alone, whose interval
# reaches highest? And after step 2?

# %% jupyter={"outputs_hidden": true}
last = doctor.stage(-1)
ill, well = last.counts
method = "clopper-pearson"
alone = binomial_interval(ill, ill + well, confidence=0.95, method=method)
together = binomial_interval(ill, ill + well, confidence=1 - 0.05 / len(last), method=method)
band = last.band(confidence=0.95)
truth = [p / (p + n) for p, n in doctor.scoring_list_.count(all_X, all_y, sample_weight=weight)][-1]

print("total   ill of all      alone           Bonferroni      with its neighbours   truth")
for i, total in enumerate(last.totals):
    ends = [f"{low[i]:.3f} to {high[i]:.3f}" for low, high in (alone, together)]
    ends.append(f"{band.lower[i]:.3f} to {band.upper[i]:.3f}")
    print(f"{total:5} {ill[i]:5.0f} {last.n[i]:6.0f}     {'  '.join(ends)}        {truth[i]:.3f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# After step 1 the interval of the lowest total reaches highest. Fourteen patients alone say little: none of them was ill,
# but up to 33 % could be. But they have fewer points than a group of 320 with two ill, so if probabilities do not fall as totals rise, theirs
# is no higher. After step 2 the three lowest totals share the upper end of that group, 3 %.
#
# </details>
#
# Here are stage 2 and stage 6 as pictures. A dot is the list's probability, the stroke across it the share
# among the patients, and the bar the interval. The patients are drawn below.

# %%
figure, axes = plt.subplots(1, 2, figsize=(13, 5.4), layout="constrained")
for ax, stage in zip(axes, (2, 6), strict=True):
    StageDisplay(doctor.scoring_list_, stage=stage).plot(ax, **limits)

# %% [markdown]
# Does the band keep its promise? We can find out, since we know the truth. Draw a new synthetic cohort 100 times, and each time ask whether
# *all* intervals of the stage contain it. In one version the five questions are fixed beforehand; in the other they are learned from the same
# patients.
#
# **Predict:** there are four combinations (fixed or learned, with Bonferroni's correction or without), each with 120 and with 1199
# patients. Which ones fall clearly short of 95 %? (The cell takes two or three seconds.)

# %% jupyter={"outputs_hidden": true}
heart_score = [
    "age and sex",
    "vascular disease",
    "worse with exercise",
    "not reproducible by palpation",
    "assumes cardiac origin",
]
columns = [list(X).index(name) for name in heart_score]


def held(scoring_list, correction):
    truth = scoring_list.count(all_X, all_y, sample_weight=weight)
    last_p, last_n = truth[-1]
    q = last_p / (last_p + last_n)
    band = scoring_list.stages[-1].band(correction=correction)
    return bool(np.all((band.lower <= q + 1e-9) & (q <= band.upper + 1e-9)))


for n in (120, 1199):
    kept = {}
    for seed in tqdm(range(100), desc=f"{n} patients", leave=False):
        some = make_chest_pain(n, random_state=1000 + seed)
        learner = ProbabilisticScoringList(score_set=(-1, 1), max_stages=5)
        lists = {
            "fixed beforehand": ScoringList.from_counts(columns, [1] * 5, some.data, some.target),
            "chosen by the data": learner.fit(some.data, some.target).scoring_list_,
        }
        for who, scoring_list in lists.items():
            for correction in ("bonferroni", None):
                kept.setdefault((who, correction), []).append(held(scoring_list, correction))
    for (who, correction), each in kept.items():
        how = "Bonferroni" if correction else "each by itself"
        low, high = binomial_interval(sum(each), len(each))
        print(
            f"{n:4} patients, questions {who:18}, {how:14}: all hold in {np.mean(each):4.0%}",
            f"({low:.0%} to {high:.0%})",
        )

# %% [markdown]
# <details><summary>What you can see</summary>
#
# With Bonferroni's correction none of the four is below 95 % (in brackets stands the 95 % interval of each share). Without it three of four
# fall clearly short: six intervals of 95 % do not hold together with 95 %. With 120 patients the shares are smaller where the same patients
# chose the questions, since questions that were chosen because they looked good look better than they are. This is **selection bias**, a form
# of overfitting; the next chapter has more of it.
#
# </details>
#
# ### What if the interval must be below the limit?
#
# So far Dr. Weber stopped when the *probability* was at most 2 %. Now let her stop only when the *whole interval* is. Then she may not send
# anybody home, as the opening said. **Predict:** how many minutes does a patient take now? And at which limit may she first send
# somebody home: 3 %, 5 %, or 10 %?

# %% jupyter={"outputs_hidden": true}
for lower in (0.02, 0.03, 0.05):
    wary = doctor.decide(X, lower=lower, upper=0.4, use="interval")
    home = np.mean(wary.is_confident & ~wary.positive)
    spent = wary.cost.mean()
    print(f"whole interval below {lower:.0%}: {home:4.0%} sent home, {spent:.2f} minutes")

stage = doctor.stage(4)
print(
    f"total 0 after 4 questions: {stage.n[-1]:.0f} patients, {stage.pos[-1]:.0f} of them ill,",
    f"upper end {stage.band().upper[-1]:.3f}",
)

# %% [markdown]
# <details><summary>What you can see</summary>
#
# At 2 % a patient takes nearly the whole 7 minutes, and nobody can be sent home, not even a patient in a group of 225, none of whom was ill:
# up to 2.3 % could still be. The list is not to blame; 1199 patients are too few to be surer. With a limit of 3 % she may send as many home
# as before, 44 %.
#
# </details>

# %% [markdown]
# ## 5. Empty intervals
#
# *This section may be left out: nothing after it needs it.*
#
# Suppose a hundred patients with total 0 were *ill* and a hundred with total 1 *well*.
#
# **Predict:** are there probabilities that lie in both intervals of step 1 and do not fall as the total rises?

# %% jupyter={"outputs_hidden": true}
odd = ScoringStage.fit(totals=[1, 0], pos=[0, 100], neg=[100, 0])
low, high = binomial_interval(odd.pos, odd.n, confidence=1 - 0.05 / 2, method=method)
for i, total in enumerate(odd.totals):
    print(f"total {total}, after step 1: {low[i]:.3f} to {high[i]:.3f}")
odd.band().to_frame().round(3)

# %% [markdown]
# <details><summary>What you can see</summary>
#
# Total 0 cannot be below 0.957, total 1 cannot be above 0.043, and total 1 must not be below total 0. No probabilities satisfy all three,
# so after step 2 both intervals are **empty**. Step 3 gives each of them one point back, the 0.5 that isotonic regression assigns to
# both. An interval of width zero looks like certainty, but here it is the opposite. Always look at `is_empty`.
#
# </details>
#
# What does an interval that was empty after step 2 say of its total: is it `"settled"` (there are
# enough patients to be sure), `"contradicted"` (the patients do not follow the order of the totals) or
# `"unseen"` (nobody had it)?

# %%
answer = ...
check("nothing_left", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# from rocviz.core.scoring_lists import ScoringStage
#
# odd = ScoringStage.fit(totals=[1, 0], pos=[0, 100], neg=[100, 0])
# answer = "contradicted" if odd.band().is_empty.all() else "settled"
# ```
#
# </details>

# %% [markdown]
# ## 6. Beside a regression and a tree
#
# *This section may be left out: nothing after it needs it.*
#
# What do scikit-learn's own tools say about the patients of this chapter? `LogisticRegression` also adds up points, a number of any size for
# each question, but it needs all ten answers. `DecisionTreeClassifier` may ask different groups different questions and stop early, but it
# does not fit on a card. We judge all three by everybody, in bits (`log_loss` with natural logarithms, divided by $\ln 2$).
#
# **Predict:** how many bits does the list lose, with six questions and one point each, against a regression with all ten? And the tree?

# %% jupyter={"outputs_hidden": true}
features = X.to_numpy()
others = {
    "tree, six questions deep": DecisionTreeClassifier(max_depth=6, random_state=0),
    "tree, 25 patients a leaf": DecisionTreeClassifier(min_samples_leaf=25, random_state=0),
    "logistic regression": LogisticRegression(),
}
predicted = {"Dr. Weber's list": doctor.scoring_list_.predict_proba(all_X)}
predicted |= {
    what: model.fit(features, y).predict_proba(all_X)[:, 1] for what, model in others.items()
}
for what, p in predicted.items():
    print(f"{what:24} {log_loss(all_y, p, sample_weight=weight) / np.log(2):.3f} bits")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The regression with all ten answers leaves 0.322 bits, the list with six answers and one point each 0.343. Both trees leave more than the
# 0.508 bits of the constant prediction of one in nine. A leaf in which nobody was ill predicts 0 %, and nothing punishes such false certainty
# harder than the log loss (chapter 2, section 5).
#
# </details>

# %% [markdown]
# ## What to take home
#
# - A scoring list gives a probability after **every** question. Stop when it is beyond a limit. The order of the questions decides how early
#   that is possible.
# - A probability is one thing, and how well it is known is another. Groups shrink with each question, and the band grows. The intervals of
#   one stage hold together with 95 %, if the list was fixed before these patients came and probabilities rise with totals: Bonferroni's
#   correction makes each surer, and the monotone correction uses what the neighbouring totals say.
# - That none of 14 was ill does not mean that nobody can be: up to 33 % could.
# - An empty interval means that the counts contradict the order of the totals.
# - With scikit-learn: `LogisticRegression` for points of any size, `DecisionTreeClassifier` for a tree of questions, `log_loss` to judge
#   them.
#
# Further reading: the page *Ask the cheap question first* of the
# [documentation](https://github.com/rocviz/rocviz/blob/main/docs/scoring_lists.md), and Hanselle et al. (2024).
#
# Next: [chapter 6](06_scoring_lists_from_data.ipynb), where lists are learned from few patients. Back to
# the [start](00_start_here.ipynb).
#
# ## Sources
#
# The [bibliography](https://rocviz.github.io/rocviz/bibliography.html) says where each was published.
#
# - Hanselle et al. (2024). *Probabilistic scoring lists for interpretable machine learning.* The
#   lists, the greedy search, the band, the worked example.
# - Bösner et al. (2010a). *Accuracy of symptoms and signs for coronary heart disease assessed in
#   primary care.* The odds ratios behind the cohort.
# - Clopper and Pearson (1934). *The use of confidence or fiducial limits illustrated in the case
#   of the binomial.*

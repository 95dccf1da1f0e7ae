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
# # Fair to whom?
#
# An eye clinic serves two towns, A and B. A score says how probable a disease is, and everybody with a score of at least one half is invited
# to an examination. A newspaper writes: *of the ill in town A the clinic finds 79 %, in town B only 46 %. Is an eye worth less in B?* The
# clinic answers: *we use the same threshold for everybody, and our score is calibrated in both towns.* **Both are right.** How can that be,
# and what could the clinic promise to both towns?
#
# At the end of this chapter you can
#
# - read what a score does for each group, with intervals;
# - choose each group's operating point so that a promise is kept at the lowest cost;
# - say what a promise costs, and who pays for it;
# - show by example which promises cannot all be kept, and explain why;
# - say what no computation of this kind can tell.
#
# Allow about **55 minutes**. You need the ROC curve and its hull ([chapter 1](01_classification_and_ranking.ipynb)) and costs and calibration
# ([chapter 2](02_probabilities_and_calibration.ipynb)). The towns are **simulated**: no row of the data is a person.

# %%
import numpy as np

from rocviz import GroupsExplorer
from rocviz.core.groups import (
    abroca,
    cost_optimal_policy,
    fpr_of_precision,
    group_summary,
    policy_at,
)
from rocviz.datasets import make_groups
from rocviz.exercises import check

# %% [markdown]
# ## 1. One threshold, two towns
#
# Town A has 4000 people who took part, half of them ill. Town B has 2000, a fifth of them ill. In both towns the score is the true
# probability of the disease, so it is calibrated, and it separates the ill from the healthy equally well: the two true ROC curves are
# identical.

# %%
data = make_groups((4000, 2000), prevalence=(0.5, 0.2), separation=1.6, random_state=0)
y, score, town = data.y_true, data.y_score, data.groups

# %% [markdown]
# **Predict:** the curves are equal, and so is the threshold. In which town is the larger share of the ill found? In which town is the larger
# share of the healthy invited?

# %% jupyter={"outputs_hidden": true}
summary = group_summary(y, score, town, threshold=0.5)
rates = ["group", "prevalence", "auc", "tpr", "fpr", "precision"]
print(summary.to_frame()[rates].round(2).to_string(index=False))
compared = ["quantity", "a", "b", "difference", "lower", "upper", "p_holm"]
print(summary.differences()[compared].round(2).to_string(index=False))

# %% [markdown]
# <details><summary>What you can see</summary>
#
# Town A leads in both: more of the ill are found (*tpr*), and more of the healthy are invited (*fpr*). Where more people are ill, everybody's
# score is higher, so more people of every kind are above one half. The differences are far larger than chance explains: their 95 % intervals
# do not come near 0. Only the AUCs may be equal.
#
# The newspaper compares the shares found, the clinic compares thresholds and calibration. They have picked different numbers.
#
# </details>
#
# A third number is the share of all people who are invited. Town A has 400 ill and 600 healthy people; 300 of the ill and 120 of the healthy
# are invited. Town B has 100 ill and 400 healthy people; 50 of the ill and 40 of the healthy are invited. Divide the smaller share of people
# invited by the larger one.

# %%
answer = ...
check("four_fifths", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# answer = ((50 + 40) / 500) / ((300 + 120) / 1000)
# ```
#
# </details>

# %% [markdown]
# ## 2. A point for each town
#
# The clinic does not have to use a single threshold. Each town has its own ROC curve, and the clinic may choose a point on each. What is
# cost-optimal, if a miss costs as much as two invitations of healthy people?
#
# **Predict:** without any promise, will the two cost-optimal thresholds be far apart?

# %% jupyter={"outputs_hidden": true}
costs = {"cost_fp": 1, "cost_fn": 2}


def policies(*criteria):
    for criterion in criteria:
        policy = cost_optimal_policy(y, score, town, criterion=criterion, **costs)
        print(
            f"{criterion}: costs as much as {1000 * policy.cost:.0f} false alarms per 1000 people"
        )
        frame = policy.to_frame().set_index("group")
        rates = ["fpr", "tpr", "predicted_positive_rate", "precision"]
        print(frame[[*rates, "upper_threshold", "lower_threshold"]].round(2).T.to_string())


policies("none", "single_threshold")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The cost-optimal thresholds (the row *upper_threshold*; *lower_threshold* is the same where nobody is drawn by lot) are close to each
# other, 0.35 and 0.29, and the extra cost of one threshold for both towns is only that of two false alarms per 1000 people. The truly best
# threshold is 1/3 in both towns: above this probability, a miss, which costs twice as much, is the greater risk. The two thresholds differ
# because the samples are not exactly calibrated.
#
# So with a calibrated score, a clinic that looks at cost alone chooses one threshold for all.
#
# </details>
#
# The score is calibrated in both towns, and a miss costs as much as *three* false alarms. In town B 20 % are ill. Above what score is it
# cost-optimal to invite people of town B?

# %%
answer = ...
check("same_threshold", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# import numpy as np
#
# p = np.linspace(0, 1, 100_001)
# answer = p[np.argmax(3 * p >= 1 - p)]  # the first score at which leaving out costs more
# ```
#
# </details>

# %% [markdown]
# ## 3. The same share of the ill
#
# The newspaper wants the same share of the ill to be found in both towns. This promise is called **equal opportunity**. In ROC space the two
# points have to be at the same height.
#
# **Predict:** starting from the cost-optimal points, which way does the point of town B have to move? Which of its people pay for that?

# %% jupyter={"outputs_hidden": true}
pair = GroupsExplorer(
    *(y, score, town),
    criterion="equal_opportunity",
    cost_fn=2,
    panels=["roc", "price"],
    unfolded=["predicted_positive_rates"],
)
pair

# %% [markdown]
# Now drag the point of either town: the other one follows. The second picture shows what the promise costs at each share of the ill found.
# Under *almost* you can let the two shares differ a little.

# %% jupyter={"outputs_hidden": true}
policies("none", "equal_opportunity")
free = cost_optimal_policy(y, score, town, **costs)
promises = {"equal shares": {}, "differing by up to 10 percentage points": {"tolerance": 0.1}}
for name, tolerance in promises.items():
    policy = cost_optimal_policy(
        y, score, town, criterion="equal_opportunity", **tolerance, **costs
    )
    more_invited = policy.probability(score, town) - free.probability(score, town)
    false_alarms = 1000 * more_invited[y == 0].sum() / y.size
    misses = -1000 * more_invited[y == 1].sum() / y.size
    extra_cost = 1000 * (policy.cost - free.cost)
    print(
        f"{name}: {false_alarms:.1f} more false alarms and {misses:.1f} more misses per 1000 people, "
        f"which cost as much as {extra_cost:.1f} false alarms"
    )

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The point of B moves up and to the right along its curve: more of its ill are found, and many more of its healthy people are invited in
# vain, 30 % instead of 12 %. The point of A moves down a little, so fewer of its healthy people are invited and more of its ill are
# missed. Together that is 22.5 more false alarms and 7.7 more misses per 1000 people. A miss costs as much as two false alarms, so
# the promise costs as much as 37.9 false alarms; if the two shares may differ by ten percentage points, only as much as 13.4. The precision
# in B falls to 41 %: the doctors who examine people from B will see mostly healthy eyes.
#
# Where the two thresholds of a town differ, some of the people between them are drawn by lot, so that the shares are exactly equal.
#
# </details>
#
# In town B a high threshold finds 60 % of the ill and invites 20 % of the healthy; a low one finds 85 % and invites 50 %. Town A finds 70 %.
# Of those in B who score between the thresholds, just enough are drawn by lot for B to find 70 % as well. What share of the healthy in B is
# invited?

# %%
answer = ...
check("by_lot", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# drawn = (0.70 - 0.60) / (0.85 - 0.60)
# answer = 0.20 + drawn * (0.50 - 0.20)
# ```
#
# </details>

# %% [markdown]
# ## 4. And the same share of the healthy
#
# Now the clinic promises more: equal shares of the ill *and* equal shares of the healthy. This is called **equalized odds**. Both towns need
# the same point in ROC space, which has to lie below both hulls.
#
# In our two towns the curves are nearly equal, so look at two others, where the score knows less about the smaller town.
#
# **Predict:** only one town can be on its own hull. Which one gets less than its score could give it?

# %% jupyter={"outputs_hidden": true}
unequal = GroupsExplorer(
    preset="a score that is worse for the smaller group",
    criterion="equalized_odds",
    panels=["roc", "price"],
    unfolded=["predicted_positive_rates"],
)
unequal

# %% jupyter={"outputs_hidden": true}
frame = unequal.result.best.to_frame().set_index("group")
rule = ["upper_threshold", "lower_threshold", "ignored_share", "ignored_positive_share"]
print(frame[["fpr", "tpr", *rule]].round(2).T.to_string())
extra_cost = unequal.result.extra_cost_per_1000
print(f"costs as much as {extra_cost:.0f} false alarms per 1000 people more than without a promise")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The region that both towns can reach lies below the lower curve, that of B. So town A, whose score is good, must be made worse: the scores
# of 29 % of its people are ignored, and a coin decides about them (the row *ignored_positive_share* gives its chance of an invitation).
# Town B gains nothing from that. The promise is kept, and costs as much as 91 false alarms per 1000 people. The better way out is a score
# that knows more about B.
#
# </details>
#
# In both towns 25 % of the healthy and 72 % of the ill are to be invited. With its own threshold town A would find 90 % of its ill at 25 %
# false alarms. So the scores of some people in A are ignored: a coin invites 25 % of them. For what share of the people in A does the coin
# decide?

# %%
answer = ...
check("coin_share", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# # (1 - c) * 0.90 + c * 0.25 = 0.72
# answer = (0.90 - 0.72) / (0.90 - 0.25)
# ```
#
# </details>

# %% [markdown]
# ## 5. Try to keep three promises
#
# Back to our two towns, whose curves are nearly equal. The patients' lawyer asks for three things at once:
#
# - the same share of the **ill** is found in both towns;
# - the same share of the **healthy** is invited in vain;
# - an invitation **means the same**: of those invited, the same share is ill (the precision).
#
# Below, nothing is promised, so each point moves on its own. The second picture shows the rates of both towns.
#
# **Predict:** can you put the two points so that all three are equal? Then try it for two minutes, with the mouse. Invite at least a fifth of
# each town.

# %% jupyter={"outputs_hidden": true}
free = GroupsExplorer(
    *(y, score, town),
    criterion="none",
    cost_fn=2,
    panels=["roc", "rates"],
    unfolded=["predicted_positive_rates"],
)
free

# %% [markdown]
# How close did you get? The next cell tries the pairs of points on the two hulls that invite at least a fifth of each town, and finds the
# pair whose largest difference is smallest.

# %% jupyter={"outputs_hidden": true}
shares = np.linspace(0, 1, 1001)
tried = {}
for name, one in summary.rankings.items():
    corners, pi = one.hull_vertices, one.prevalence
    fpr = np.interp(2 * shares, one.fpr[corners] + one.tpr[corners], one.fpr[corners])
    tpr = np.interp(2 * shares, one.fpr[corners] + one.tpr[corners], one.tpr[corners])
    predicted = pi * tpr + (1 - pi) * fpr
    enough = predicted >= 0.2
    tried[name] = np.array([tpr, fpr, pi * tpr / np.maximum(predicted, 0.2)])[:, enough]
apart = np.abs(tried["A"][:, :, None] - tried["B"][:, None, :]).max(axis=0)
a, b = np.unravel_index(apart.argmin(), apart.shape)
print(f"smallest difference that is possible: {apart.min():.0%}")
for name, at in (("A", a), ("B", b)):
    rates = zip(("ill found", "healthy invited", "precision"), tried[name][:, at], strict=True)
    print(f"town {name}:", ", ".join(f"{what} {rate:.0%}" for what, rate in rates))

# %% [markdown]
# <details><summary>What you can see</summary>
#
# It cannot be done. Wherever the points are, at least one of the three rates differs by 16 percentage points or more. If you found a pair
# that looks better, look at its third rate.
#
# </details>
#
# **Predict:** what would have to be different about the *towns* for all three to become equal? Drag the slider *group's prevalence*
# (under *prevalence*) for each of them, or press a town's point first to select it.

# %% jupyter={"outputs_hidden": true}
for prevalence in ({"A": 0.5, "B": 0.2}, {"A": 0.35, "B": 0.35}):
    points = dict.fromkeys("AB", (0.2, 0.75))
    same = policy_at(summary.rankings, points=points, prevalence=prevalence)
    precision = ", ".join(f"{name} {rate:.2f}" for name, rate in same.precision.items())
    print(f"prevalence {prevalence}: 75 % and 20 % invited in both, precision {precision}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# With equal prevalences, equal points have equal precision, and all three promises are kept. With 50 % and 20 % they are not.
#
# </details>
#
# You have found a theorem. With prevalence $\pi$, true positive rate $t$, false positive rate $f$ and precision $q$, each group has
#
# $$f = \frac{\pi}{1 - \pi} \cdot \frac{1 - q}{q} \cdot t$$
#
# (count the people who are invited, and you will see it). If $q$ and $t$ are equal in both groups and $\pi$ is not, then $f$ differs.
# Kleinberg, Mullainathan and Raghavan (2017) proved a similar statement for scores, and Chouldechova (2017) this one. It is known as the
# **impossibility of fairness**, which says too much: the three promises cannot all be kept, but each of them can.

# %%
for prevalence in (0.5, 0.2):
    f = fpr_of_precision(0.7, 0.75, prevalence)
    print(f"precision 0.7 and 75 % of the ill found, {prevalence:.0%} ill: {f:.1%} false alarms")

# %% [markdown]
# In each town 60 % of the ill are found, and 80 % of the people invited are ill. In town A half of the people are ill, so 15 % of its healthy
# are invited. In town B 30 % are ill. What share of the healthy in B is invited?

# %%
answer = ...
check("forced_alarms", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# found = 0.6 * 300  # of 1000 people of B
# invited = found / 0.8
# answer = (invited - found) / 700
# ```
#
# </details>

# %% [markdown]
# Half of town A is ill, and a fifth of town B. What would let the clinic keep all three promises: `"more data"`, `"a perfect score"`,
# `"another threshold for each town"` or `"a coin"`?

# %%
answer = ...
check("way_out", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# from rocviz.core.groups import fpr_of_precision
#
# # of all that can be chosen, the precision 1 alone gives equal shares of false alarms
# same = {q: fpr_of_precision(q, 0.6, 0.5) == fpr_of_precision(q, 0.6, 0.2) for q in (0.9, 1.0)}
# assert same == {0.9: False, 1.0: True}
# answer = "a perfect score"
# ```
#
# </details>

# %% [markdown]
# ## 6. Does chance explain the difference?
#
# Groups are often small, and then rates differ by chance. Suppose that only 60 people of each town had taken part, and 12 of a third town, C.
#
# **Predict:** in truth the threshold finds far more of the ill in A than in B. Will the interval of the difference lie above 0?


# %% jupyter={"outputs_hidden": true}
def small_study(seed):
    drawn = make_groups((60, 60, 12), prevalence=(0.5, 0.2, 0.5), separation=1.6, random_state=seed)
    return group_summary(drawn.y_true, drawn.y_score, drawn.groups, threshold=0.5)


def lower_end(seed):
    rows = small_study(seed).differences().set_index(["group_a", "group_b", "quantity"])
    return rows.loc[("A", "B", "tpr"), "lower"]


small = small_study(0)
sizes = ["group", "n_pos", "n_neg", "tested", "auc", "tpr"]
print(small.to_frame()[sizes].round(2).to_string(index=False))
differences = small.differences().query("quantity == 'tpr'")
print(differences[["group_a", "group_b", *compared]].round(2).to_string(index=False))
above = np.mean([lower_end(seed) > 0 for seed in range(60)])
print(f"above 0 in {above:.0%} of 60 such studies")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# In nearly half of such studies the interval contains 0, although the true difference is large: with so few people it cannot be
# distinguished from chance. That is no proof of equality, since the same interval contains very large differences too. Town C has fewer
# than ten ill people, so it is shown but not tested.
#
# Three towns make three pairs. Holm's correction (*p_holm*) allows for the number of pairs that are tested.
#
# </details>
#
# There is another measure, the area between two ROC curves. **Predict:** the true curves of the three towns are the same. Is the area 0?

# %% jupyter={"outputs_hidden": true}
drawn = make_groups((60, 60, 12), prevalence=(0.5, 0.2, 0.5), separation=1.6, random_state=0)
area = abroca(drawn.y_true, drawn.y_score, drawn.groups, n_permutations=500, random_state=0)
print(area.to_frame().round(2).to_string(index=False))

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The area is hardly ever 0 on data. The permutation test says how often groups with equal curves have an area as large. It tests the
# *curves*, not the scores: before people are exchanged between two towns, each score is replaced by its place in the ranking of its own
# town, which changes no curve. So it does not matter that scores are higher in A, where more people are ill. Here chance alone can
# explain all three areas.
#
# </details>

# %% [markdown]
# ## What no criterion can say
#
# - The only groups are those in the data. People who are treated badly may have no column in common.
# - The label may itself be unfair: someone who never saw a doctor was never diagnosed.
# - A criterion is a choice made by those who are responsible, not a proof of fairness.
# - Treating groups differently may be unlawful where the score is used, and so may asking for the group.

# %% [markdown]
# ## What to remember
#
# - One threshold on a calibrated score costs least overall, yet it finds different shares of the ill where prevalences differ.
# - A promise moves the points of the groups along their hulls, or below. The cost-optimal points that keep it can be computed exactly, and so can
#   what the promise costs.
# - Equalized odds need one point that no group's hull lies below. At each false positive rate the lowest hull sets the limit; where curves
#   cross, that is not the same group everywhere.
# - Equal shares of the ill, equal shares of the healthy and equal precision cannot all be had, unless prevalences are equal or the score is
#   perfect. So say which promise you make, and to whom.
# - Give intervals. A difference that is not significant in a small group is not the same as no difference.
#
# Further reading: the page *Groups* of the [documentation](https://github.com/rocviz/rocviz/blob/main/docs/groups.md), and
# [the how-to](https://github.com/rocviz/rocviz/blob/main/docs/howto/groups.md) with real data. Back to the [start](00_start_here.ipynb).

# %% [markdown]
# ## Sources
#
# Full references are in the [bibliography](https://rocviz.github.io/rocviz/bibliography.html).
#
# - Hardt, Price and Srebro (2016). *Equality of opportunity in supervised learning.* Sections 3 and 4.
# - Chouldechova (2017). *Fair prediction with disparate impact.* The theorem.
# - Kleinberg, Mullainathan and Raghavan (2017). *Inherent trade-offs in the fair determination of risk scores.*
# - Wattenberg, Viégas and Hardt (2016). *Attacking discrimination with smarter machine learning.* The first interactive picture.

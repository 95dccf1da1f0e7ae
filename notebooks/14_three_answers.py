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
# # Three answers, several places
#
# Vera's model says how likely it is that a patient with chest pain has a heart attack. She was asked to choose one threshold. Wherever she puts
# it, the patients close to it are those about whom the model knows least. A second test would settle them; must the model answer at all? Ravi's
# hospital uses a model from another country. It ranks his patients well enough, but it expects many more of them to be ill than actually are.
# Does he need a new model? Ines has judged one model in eight hospitals. The ninth measures an AUC that lies outside her interval, and asks
# what is wrong there. Perhaps nothing is: it was the interval of something else.
#
# At the end of this chapter you can
#
# - rule out, rule in and refer the rest, and say what that saves;
# - promise something about those who are ruled out, and keep the promise on new patients;
# - repair a model in another place with as few changes as the data support;
# - say what to expect of a model in the next hospital.
#
# Allow about **50 minutes**. You need chapters [1](01_classification_and_ranking.ipynb) and [2](02_probabilities_and_calibration.ipynb), and
# section 5 of chapter [13](13_in_practice.ipynb). All people in this chapter are simulated.

# %%
import numpy as np
from scipy.special import expit, logit
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from rocviz import RankedSegments, ROCExplorer, binormal_scores
from rocviz.core.practice import compare_sites, referral_policy, update_model
from rocviz.displays.practice import SitesDisplay
from rocviz.exercises import check

# %% [markdown]
# ## 1. A third answer
#
# Vera's score is a calibrated probability. Below a *lower* threshold she **rules out** a heart attack, at or above an *upper* threshold she
# **rules it in**, and she **refers** the patients in between to a second test, which is always right. A false alarm costs 1, a miss 4, and a
# referral 0.5.
#
# **Predict:** she leaves the upper threshold at 0.6, and moves the lower one until the cost is as low as it gets. Then she moves the upper one
# to 0.9, and searches again. Is the best lower threshold higher now, or lower, or where it was?
#
# Find out with the mouse. Each threshold has a handle among the scores and on the curve, and the sentence ends with the cost. (The notes below
# the picture say where both should be; read them last.)

# %% jupyter={"outputs_hidden": true}
people = binormal_scores(2000, prevalence=0.3, separation=1.8, random_state=0)
three_answers = ROCExplorer(
    people.y_true,
    people.y_prob,
    refer=True,
    cost_fn=4,
    cost_referral=0.5,
    lower_threshold=0.3,
    upper_threshold=0.6,
    show_best=False,
    panels=["scores", "roc"],
    unfolded=["lower_threshold"],
)
three_answers

# %% [markdown]
# Now search everywhere, with steps of one per cent:

# %% jupyter={"outputs_hidden": true}
ranking = RankedSegments.from_scores(people.y_true, people.y_prob)
grid = np.arange(0.01, 1, 0.01)


def cost_of(lower, upper):
    policy = referral_policy(ranking, thresholds=(lower, upper), cost_fn=4, cost_referral=0.5)
    return policy.cost


for upper in (0.6, 0.75, 0.9):
    best = min(grid[grid <= upper], key=lambda lower, upper=upper: cost_of(lower, upper))
    print(f"upper threshold {upper:.2f}: the best lower one is {best:.2f}")
for lower in (0.05, 0.2, 0.4):
    best = min(grid[grid >= lower], key=lambda upper, lower=lower: cost_of(lower, upper))
    print(f"lower threshold {lower:.2f}: the best upper one is {best:.2f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The best lower threshold is 0.11 wherever the upper one is, and the best upper threshold is 0.51 wherever the lower one is. **Each ignores the
# other.**
#
# </details>
#
# **Predict:** a miss becomes twice as expensive. Does the upper threshold move? And which one moves if the second test becomes more expensive?

# %% jupyter={"outputs_hidden": true}
print("alarm  miss  referral      lower  upper      for calibrated probabilities")
for cost_fp, cost_fn, cost_referral in ((1, 4, 0.5), (1, 8, 0.5), (2, 4, 0.5), (1, 4, 0.7)):
    policy = referral_policy(ranking, cost_fp=cost_fp, cost_fn=cost_fn, cost_referral=cost_referral)
    print(f"{cost_fp:5} {cost_fn:5} {cost_referral:9.1f}", end="      ")
    print(f"{policy.lower_threshold:5.2f}  {policy.upper_threshold:5.2f}", end="      ")
    print(f"{cost_referral / cost_fn:5.3f}  {1 - cost_referral / cost_fp:5.3f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# A patient at the lower threshold is either ruled out or referred. What is at stake there is a miss against a referral; what a false alarm
# costs does not enter. At the upper threshold it is a false alarm against a referral. So a more expensive miss moves the lower threshold alone, a
# more expensive false alarm the upper one alone. Only the price of a referral is paid at both ends: it moves both, towards each other.
#
# Referring a patient with probability $p$ costs $c_R$, and ruling out costs $p\,c_{FN}$ on average. They cost the same at $p=c_R/c_{FN}$. Ruling in
# costs $(1-p)\,c_{FP}$, which gives $p=1-c_R/c_{FP}$. On the ROC curve these are two lines of different slope, each of which touches the hull
# somewhere (switch on *cost-optimal point* in the fold *show*). The last two columns are these two numbers; the columns before them come from 2000 patients, so they are
# only near them.
#
# </details>
#
# In another hospital heart attacks are rarer. The costs are the same there, and the probabilities have been calibrated there. Which of
# the two best thresholds on the probability is different: `"the lower one"`, `"the upper one"`, `"both"` or `"neither"`?

# %%
answer = ...
check("rarer_positives", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# # c_R / c_FN and 1 - c_R / c_FP know nothing of the prevalence; fewer patients reach them
# answer = "neither"
# ```
#
# </details>

# %% [markdown]
# ## 2. What a second test may cost
#
# **Predict:** the second test is always right. Up to what price should anybody be referred to it: up to 1, the cost of a false alarm, up to 4,
# the cost of a miss, or up to another one?

# %% jupyter={"outputs_hidden": true}
print("price   ruled out  referred  ruled in   cost    with one threshold")
for price in (0.1, 0.3, 0.5, 0.7, 0.79, 0.81, 1.0):
    policy = referral_policy(ranking, cost_fn=4, cost_referral=price)
    out, between, into = policy.shares
    print(f"{price:5.2f} {out:10.0%} {between:9.0%} {into:9.0%}", end="")
    print(f" {policy.cost:9.3f} {policy.cost_without:11.3f}")
print(f"the limit: {policy.break_even_price:.2f}, at a probability of {1 / (1 + 4):.2f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The limit is 0.80, less than either mistake costs. With two answers the best threshold is 0.20. There, ruling out costs $0.2\times 4$ on
# average, and ruling in $0.8\times 1$: both 0.80. No patient is less certain than one at this threshold, and everywhere else one of the two answers
# costs less. So nobody should be referred at a higher price. In general the limit is $c_{FP}\,c_{FN}/(c_{FP}+c_{FN})$. As the price rises to it,
# fewer and fewer are referred, and the last of them lie around 0.20, not around one half.
#
# </details>
#
# A missed fraud costs a bank 1800 euros on average, and a false alarm 200 euros. What may it cost at most to have a payment looked at by
# somebody who is always right?

# %%
answer = ...
check("price_limit", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# answer = 200 * 1800 / (200 + 1800)
# ```
#
# </details>

# %% [markdown]
# ## 3. Without costs: promises and capacity
#
# Vera cannot say what a miss costs. But she can promise: *of those whom I send home, at least 97 % have no heart attack.* (This share is the
# negative predictive value, **NPV**.) She rules out as many as keep the promise on her 1000 patients.
#
# **Predict:** a hundred hospitals do the same, each on its own 1000 patients. In how many is the promise kept on new patients? And if each
# stops at the first threshold at which it cannot be 95 % sure?

# %% jupyter={"outputs_hidden": true}
new = binormal_scores(200_000, prevalence=0.3, separation=1.8, random_state=1000)
for what, guarantee in (("largest zone", None), ("with a guarantee", 0.95)):
    kept, shares = [], []
    for seed in range(100):
        own = binormal_scores(1000, prevalence=0.3, separation=1.8, random_state=seed)
        policy = referral_policy(own.y_true, own.y_prob, npv=0.97, guarantee=guarantee)
        ruled_out = new.y_prob < policy.lower_threshold
        kept.append(not ruled_out.any() or new.y_true[ruled_out].mean() <= 0.03)
        shares.append(ruled_out.mean())
    print(f"{what:16}: kept in {sum(kept)} of 100 hospitals,", end=" ")
    print(f"{np.mean(shares):.0%} of the new patients ruled out")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The largest zone that keeps a promise on some patients keeps it on others about as often as a coin shows heads: it was chosen because it
# *just* keeps it. With `guarantee=0.95` the promise is kept in at least 95 % of all hospitals, here in all of them. That has a price: far fewer can be
# ruled out. With more patients the price falls.
#
# The guarantee goes through the thresholds in a fixed order, from small zones to large ones, and stops at the first for which the bound of Clopper and
# Pearson (chapter 5) is below the promise (Angelopoulos et al., 2021). Because it never goes on after the first failure, it may look at many
# thresholds without a correction for each of them. (It starts at five places, which share the error of 5 %.)
#
# </details>
#
# **Predict:** again a miss costs 4 and a false alarm 1, but the laboratory can test only one patient in ten. Around what probability do they
# lie?

# %% jupyter={"outputs_hidden": true}
for share in (0.1, 0.2, 0.4):
    policy = referral_policy(ranking, cost_fn=4, max_referred=share)
    print(f"{policy.share_referred:.0%} referred, from {policy.lower_threshold:.2f}", end=" ")
    print(f"to {policy.upper_threshold:.2f}; one more would save {policy.price:.2f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# Around 0.2, the best single threshold for these costs. The last number is the price at which the same patients would be
# referred: a full laboratory is like an expensive one (Pietraszek, 2005).
#
# </details>
#
# Vera wants to be 95 % sure, by Clopper and Pearson's one-sided bound, that at most 2 % of those ruled out are ill. Among her patients with the lowest
# scores nobody is ill. How many such patients does she need at least? (If 2 % were ill, how likely would it be to see none?)

# %%
answer = ...
check("none_wrong", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# import math
#
# answer = math.ceil(math.log(0.05) / math.log(0.98))  # 0.98 ** n is at most 5 %
# ```
#
# </details>

# %% [markdown]
# ## 4. Another place
#
# In chapter 13, Otto only had to move the odds, because his patients were like those of the hospital, except that fewer were ill. Ravi is less lucky. In
# the country where his model learned, two measurements say more about the disease than they do in his hospital.
#
# **Predict:** is it enough to shift all log-odds by a constant? Does a repair raise the AUC?


# %% jupyter={"outputs_hidden": true}
def patients(n, strength, level, seed):
    rng = np.random.default_rng(seed)
    measured = rng.normal(size=(n, 2))
    log_odds = level + strength * measured @ [1.5, 1.0]
    return measured, (rng.random(n) < expit(log_odds)).astype(int)


model = LogisticRegression().fit(*patients(4000, strength=1, level=0, seed=1))


def in_new_place(n, seed):
    measured, y = patients(n, strength=0.6, level=-1, seed=seed)
    return y, model.predict_proba(measured)[:, 1]


y_new, p_new = in_new_place(2000, seed=2)
update = update_model(y_new, p_new)
print(f"ill: {y_new.mean():.0%}, expected: {p_new.mean():.0%}")
print(f"update: {update.chosen}, {update.intercept:.2f} + {update.coefficient:.2f} * log odds")
for measure, row in update.to_frame().iterrows():
    print(f"{measure:17}: {row['before']:5.2f} before, {row['after']:5.2f} after")
auc_before, auc_after = (roc_auc_score(y_new, p) for p in (p_new, update.apply(p_new)))
print(f"{'AUC':17}: {auc_before:5.2f} before, {auc_after:5.2f} after")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The model expects 49 % to be ill, and 30 % are: observed over expected is 0.61. In addition, its log-odds are too far from 0: the calibration
# slope is 0.58 instead of 1, so that probabilities near 0 are too low and those near 1 too high. The update shifts the log-odds *and* shrinks
# them, and observed over expected and slope are then about 1. The AUC stays, because the order stays. Only new measurements, or a model that is
# fitted to this place, could raise it.
#
# The numbers after the update are computed in folds: each patient's update was fitted without that patient's fold (chapter 13, section 2).
#
# </details>
#
# Changing nothing needs no patients, a shift needs a few, and a shift with a slope needs more. The **closed test** (Vergouwe et al., 2017) takes the
# simplest update that the data do not reject against the one with slope.
#
# **Predict:** what does it choose if Ravi has the outcomes of 50 patients only, and if he has those of 1000?

# %% jupyter={"outputs_hidden": true}
for n in (50, 200, 1000):
    updates = [update_model(*in_new_place(n, seed), n_folds=2) for seed in range(20)]
    chosen = [update.chosen for update in updates]
    counts = {name: chosen.count(name) for name in ("none", "intercept", "slope")}
    print(f"{n:4} patients:", ", ".join(f"{name} {count}" for name, count in counts.items()))

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The slope is wrong in all of these samples: it is the same place. With 50 patients the test mostly does not see it, and changes the
# level alone. With 1000 it always sees it. A simple update that was not rejected is what the data *support*, not what is true.
#
# </details>
#
# Updated log-odds are $-1+0.5\,\ell$, where $\ell$ is the log-odds of the model. The model gives a patient 80 %. What is the updated probability?

# %%
answer = ...
check("updated_probability", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# from scipy.special import expit, logit
#
# answer = expit(-1 + 0.5 * logit(0.8))
# ```
#
# </details>

# %% [markdown]
# ## 5. The ninth hospital
#
# Ines has the outcomes of 300 patients in each of eight hospitals. The model ranks better in some of them than in others, and not only by chance: patients
# differ. She computes the mean AUC with its interval.
#
# **Predict:** how much wider is the interval in which the AUC of a ninth hospital is expected? Which makes that one narrower, ten times as many
# patients in each hospital or three times as many hospitals?


# %% jupyter={"outputs_hidden": true}
def hospitals(n_sites, n_patients, seed=4):
    rng = np.random.default_rng(seed)
    y, prob = [], []
    for separation in rng.normal(1.5, 0.25, n_sites):
        place = binormal_scores(
            n_patients, prevalence=0.3, separation=separation, random_state=rng.integers(10**6)
        )
        y.append(place.y_true)
        prob.append(place.y_prob)
    return np.concatenate(y), np.concatenate(prob), np.repeat(np.arange(1, n_sites + 1), n_patients)


for n_sites, n_patients in ((8, 300), (8, 3000), (24, 300)):
    auc = compare_sites(*hospitals(n_sites, n_patients)).auc
    mean, lower, upper = auc.average
    next_lower, next_upper = auc.prediction
    print(f"{n_sites:2} hospitals of {n_patients:4} patients: mean AUC {mean:.2f}", end=" ")
    print(f"({lower:.2f} to {upper:.2f}), next hospital {next_lower:.2f} to {next_upper:.2f}")
forest = SitesDisplay.from_predictions(*hospitals(8, 300))

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The interval of the mean says where the *mean* lies. The AUC of the next hospital may lie anywhere between 0.71 and 0.94, so an AUC of 0.73
# there, outside the interval of the mean, is no reason for alarm. Ten times as many patients in each hospital do not make it narrower: what is
# uncertain is not the AUC of each hospital, but which hospital comes next. More hospitals show more precisely how much hospitals differ, so both
# intervals become narrower, that of the mean by half. But hospitals still differ.
#
# In the picture each hospital has a line, and the two intervals are at the bottom.
#
# </details>
#
# Ines also has one AUC of all patients together. **Predict:** in some hospitals everybody gets higher scores, the ill and the healthy alike, because a
# machine is set differently. What happens to the mean of the hospitals' AUCs, and what to the AUC of all patients together?

# %% jupyter={"outputs_hidden": true}
y, prob, site = hospitals(8, 300)
setting = np.random.default_rng(0).normal(0, 1.5, 8)
for what, score in (("one scale", logit(prob)), ("eight scales", logit(prob) + setting[site - 1])):
    compared = compare_sites(y, score, site)
    print(f"{what:12}: mean AUC within hospitals {compared.mean_within_auc:.3f}", end=", ")
    print(f"AUC of all together {compared.pooled_auc:.3f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# Within each hospital the order is the same, so the mean stays. The AUC of all together also compares an ill patient of one hospital with a
# healthy patient of another, and the settings of the machines spoil these pairs. Each hospital needs a threshold of its own, or an update
# (section 4), before patients of different hospitals can be compared.
#
# </details>
#
# Ten hospitals have a mean log-odds of the AUC of 1.4, with a standard error of 0.1; the standard deviation $\tau$ between hospitals is 0.3. The
# interval for the next hospital goes $t\sqrt{\tau^2+0.1^2}$ to either side, where $t$ is Student's 97.5 % quantile with
# $10-2$ degrees of freedom. What is its lower end, as an AUC?

# %%
answer = ...
check("next_hospital", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# from scipy.special import expit
# from scipy.stats import t
#
# answer = expit(1.4 - t.ppf(0.975, 8) * (0.3**2 + 0.1**2) ** 0.5)
# ```
#
# </details>

# %% [markdown]
# ## What to take home
#
# - A score may answer *no*, *yes* or *ask somebody else*. The two thresholds are two separate questions: a miss against a referral, and a false alarm
#   against a referral.
# - Referring pays up to $c_{FP}\,c_{FN}/(c_{FP}+c_{FN})$, and those who need it most lie around the best single threshold.
# - A promise that just holds on the data that chose the threshold breaks on about half of all others. A guarantee costs patients.
# - In another place repair the level first, then the slope, and no more than the data support. An update does not change the order.
# - The interval of a mean is not that of the next hospital. Report both.
#
# Further reading: the page [*Practice*](https://github.com/rocviz/rocviz/blob/main/docs/practice.md) of the documentation. Back to the
# [start](00_start_here.ipynb).

# %% [markdown]
# ## Sources
#
# The [bibliography](https://rocviz.github.io/rocviz/bibliography.html) says where each was published.
#
# - Chow (1970). *On optimum recognition error and reject tradeoff.* The third answer.
# - Tortorella (2000). *An optimal reject rule for binary classifiers.* Two thresholds on the ROC curve.
# - Pietraszek (2005). *Optimizing abstaining classifiers using ROC analysis.* A limited number of referrals.
# - Angelopoulos et al. (2021). *Learn then test.* Promises with a guarantee.
# - Janssen et al. (2008). *Updating methods improved the performance of a clinical prediction model in new patients.*
# - Vergouwe et al. (2017). *A closed testing procedure to select an appropriate method for updating prediction models.*
# - Debray et al. (2017). *A guide to systematic review and meta-analysis of prediction model performance.*

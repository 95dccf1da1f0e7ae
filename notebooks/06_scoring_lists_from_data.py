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
# # How far to trust a scoring list
#
# The doctor of the [last chapter](05_scoring_lists.ipynb) has a list of questions, and knows how sure it is.
# Now she has to decide, and a mistake has a price. Then she sees lists that were learned from few patients.
# At the end of this chapter you can
#
# - decide when mistakes have different prices, with caution and without;
# - see when a list has learned too much from too few, and what helps against it;
# - rank by a list, and judge a card that hangs on the wall.
#
# You need chapter 5. **No patient in this chapter is real.** The tumours of section 2 are.

# %%
from itertools import product

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rocviz import (
    ProbabilisticScoringList,
    RankedSegments,
    ScoreCardDisplay,
    ScoringList,
    ScoringListExplorer,
    ScoringListRanker,
)
from rocviz.datasets import make_chest_pain
from rocviz.exercises import check

# %% [markdown]
# The synthetic patients of chapter 5 once more, the doctor's list of six questions, and the one with all ten.
# `everybody()` writes down all 1024 patients there can be, each with its probability.

# %%
cohort = make_chest_pain(as_frame=True)
X, y, minutes = cohort.data, cohort.target, cohort.feature_costs
limits = {"lower": 0.02, "upper": 0.4}
doctor = ProbabilisticScoringList(score_set=(-1, 1), feature_costs=minutes, tol=0.0).fit(X, y)
everything = ProbabilisticScoringList(score_set=(-1, 1), feature_costs=minutes).fit(X, y)
heart_score = [
    "age and sex",
    "vascular disease",
    "worse with exercise",
    "not reproducible by palpation",
    "assumes cardiac origin",
]
columns = [list(X).index(name) for name in heart_score]


patterns = np.array(list(product((0, 1), repeat=10)))


def everybody():
    p_well, p_ill = np.array([[m["no_chd"], m["chd"]] for m in cohort.marginals.values()]).T
    share_ill = 135 / 1199
    well = (1 - share_ill) * np.where(patterns, p_well, 1 - p_well).prod(axis=1)
    ill = share_ill * np.where(patterns, p_ill, 1 - p_ill).prod(axis=1)
    return np.vstack([patterns, patterns]), np.repeat([0, 1], 1024), np.concatenate([well, ill])


all_X, all_y, weight = everybody()

# %% [markdown]
# ## 1. What a miss costs
#
# Everybody has been asked everything, and a decision has to be made. Sending an ill patient home is
# worse than sending a healthy one to hospital. Say, $M$ times as bad. Then home is the better choice
# only if $1 - q \ge M q$, that is
#
# $$q \le \frac{1}{1 + M}$$
#
# With $M = 10$, that is one in eleven. So far so good, as long as we know $q$. A **risk-averse** doctor
# takes the upper end of the interval in its place, in the paper that of the 50 % band. Where little is
# known it is high, and she sends nobody home.
#
# How much must she know? Take again a stage of **six** totals, at one of them $n$ patients and none
# of them ill, $M = 10$ and the **50 %** band (with Bonferroni's correction). From which $n$ on does
# she send such a patient home?

# %%
answer = ...
check("how_many_healthy", answer)

# %% [markdown]
# **Predict:** a hundred doctors learn a list of six questions from 120 patients each. They go by $q$,
# or by the upper end. Judged by everybody: who sends more home? Who overlooks more of the ill? And who
# pays less in the end, a false alarm at 1 and a miss at 10?

# %% jupyter={"outputs_hidden": true}
for n in (120, 300, 1199):
    rows = {"q": [], "upper end": []}
    for seed in range(100):
        some = make_chest_pain(n, random_state=100 + seed)
        model = ProbabilisticScoringList(score_set=(-1, 1), max_stages=6)
        made = model.fit(some.data, some.target).scoring_list_
        for name, positive in {
            "q": made.predict(all_X, cost_fn=10),
            "upper end": made.risk_averse(all_X, cost_fn=10, confidence=0.5),
        }.items():
            home, missed = weight @ ~positive, weight @ (~positive & (all_y == 1))
            alarms = weight @ (positive & (all_y == 0))
            rows[name].append((home, missed / (weight @ all_y), 10 * missed + alarms))
    for name, each in rows.items():
        home, missed, cost = np.mean(each, axis=0)
        worst = np.max(each, axis=0)[2]
        print(
            f"{n:4} patients, by {name:9}: {home:4.0%} sent home,",
            f"{missed:4.0%} of the ill among them, cost {cost:.2f} (worst {worst:.2f})",
        )

well, ill = weight[:1024], weight[1024:]
print(
    f"cost of sending nobody home {well.sum():.2f},",
    f"of knowing every probability {np.minimum(well, 10 * ill).sum():.2f}",
)

# %% [markdown]
# Caution does what it says: with 120 patients it overlooks 8 % of the ill in place of a quarter. But
# look at the price. It sends so few home that it costs **more** than going by $q$, on average and in
# the worst case. $M = 10$ had the danger in it already, and the upper end counts it twice. With 1199
# patients the difference is small.
#
# So why be risk-averse? Costs are rarely known as exactly as "10". And a doctor may want to err, if she
# must, as she would have erred without a list: by sending too many to hospital. It is a choice of how
# to fail. It is not a way to save.

# %% [markdown]
# ## 2. Sixty tumours
#
# Now real data: the tumours of chapter 2, malignant or benign, ten measurements each (the means). A
# measurement is no yes-or-no. The list asks "is the mean radius above 15?", and **chooses the
# threshold together with the question**, out of all there are.
#
# We learn from 60 tumours and keep 509 to judge.
#
# **Predict:** with ten questions, which Brier score does the list believe it has? Which has it?

# %% jupyter={"outputs_hidden": true}
cancer = load_breast_cancer(as_frame=True)
tumours, malignant = cancer.data.iloc[:, :10], (cancer.target == 0).astype(int)


def split(seed):
    return train_test_split(
        tumours, malignant, train_size=60, stratify=malignant, random_state=seed
    )


X_fit, X_new, y_fit, y_new = split(0)
eager = ProbabilisticScoringList().fit(X_fit, y_fit)
believed = eager.scoring_list_.stage_scores().brier
happened = eager.evaluate(X_new, y_new).brier
print("question                                  believed   new tumours")
for k, asked in enumerate(["(none)", *eager.scoring_list_.questions()]):
    print(f"{asked:40} {believed[k]:9.3f} {happened[k]:13.3f}")

# %% [markdown]
# After four questions it believes that it is never wrong. Then there is nothing left to learn: `never`
# is a threshold above all values, the list's way to ask nothing. On new tumours only the second
# question helped. The third and the fourth did harm.
#
# The explorer, now with all four pictures, shows the **Brier score** question by question (*show* has other
# curves): the solid line is the list's own tumours, the dashed one the others. A click on its title, or the
# key 3, makes it large. Then open *calibration* and choose the *m-estimate*. Watch the two lines: which
# moves up, which down?

# %%
few = ScoringListExplorer(eager, X_fit, y_fit, X_test=X_new, y_test=y_new, quantity="brier")
few

# %%
for few.calibration in ("isotonic", "m-estimate"):
    own, new = few.result.judged.train.brier, few.result.judged.test.brier
    print(f"{few.calibration:10}: believed {own[-1]:.3f}, on new tumours {new[-1]:.3f}")

# %% [markdown]
# One split is one draw of luck. Here are six remedies on the same 30 splits:
#
# - **fewer questions**: read the row from left to right and stop earlier;
# - **fewer scores**: −1 and 1 in place of −3 to 3;
# - **thresholds before the search** (`binarize="preprocess"`): one per measurement, chosen by itself;
# - **m-estimate**: each total gets two more tumours, mixed like all the others, before its share is
#   taken. So no total says 0 or 1;
# - **held out**: learn questions from half of the tumours, probabilities from the other half;
# - **cross-fitted** (`calibration_data=5`): probabilities from five lists, each of which has not seen
#   the tumours it is asked about.
#
# **Predict:** which of the last three makes the list *better*, and which makes it *more honest*? (The
# cell takes half a minute.)

# %% jupyter={"outputs_hidden": true}
before, fewer = {"binarize": "preprocess"}, {"score_set": (-1, 1)}
ways = {
    "thresholds in the search": {},
    "  fewer scores": fewer,
    "  m-estimate": {"calibration": "m-estimate"},
    "  held out": {"calibration_data": 0.5},
    "  cross-fitted": {"calibration_data": 5},
    "thresholds before it": before,
    "  and fewer scores": {**before, **fewer},
    "  and m-estimate": {**before, **fewer, "calibration": "m-estimate"},
}
new, own = {}, {}
for seed in range(30):
    X_fit, X_new, y_fit, y_new = split(seed)
    for way, options in ways.items():
        model = ProbabilisticScoringList(**options, random_state=seed).fit(X_fit, y_fit)
        new.setdefault(way, []).append(model.evaluate(X_new, y_new).brier)
        own.setdefault(way, []).append(model.scoring_list_.stage_scores().brier[-1])
    logistic = make_pipeline(StandardScaler(), LogisticRegression()).fit(X_fit, y_fit)
    error = logistic.predict_proba(X_new)[:, 1] - y_new
    new.setdefault("logistic regression", []).append(np.full(11, np.mean(error**2)))

plain = np.array(new["thresholds in the search"])
print("mean Brier score of 30 splits     on new tumours, after")
print("                       believes      1     2     3     5    10    saved at 10")
for way, each in new.items():
    each = np.array(each)
    saved = plain[:, -1] - each[:, -1]
    thinks = f"{np.mean(own[way]):.3f}" if way in own else " " * 5
    at = " ".join(f"{value:.3f}" for value in each.mean(axis=0)[[1, 2, 3, 5, 10]])
    error = saved.std(ddof=1) / np.sqrt(len(saved))
    print(f"{way:25} {thinks}   {at}   {saved.mean():+.3f} ± {error:.3f}")
print(f"saying the prevalence to everybody: {plain[:, 0].mean():.3f}")

# %% [markdown]
# (± is the standard error of the mean difference to the first row. All splits are of the same 569
# tumours, so the third decimal is about *these* tumours.)
#
# - **Fewer questions** help where thresholds are chosen in the search: two or three are better than
#   ten. It is the cheapest remedy, and the doctor likes it too.
# - **Thresholds before the search** overfit less. They are chosen once, not again and again, each
#   time in view of what is still wrong. In the search the list fits its own tumours better. That is
#   just the trouble.
# - **Fewer scores** help only then. As long as thresholds are free, a list finds its way to zero with
#   −1 and 1 as well. What is tied down must be what was loose.
# - **The m-estimate** is the surest improvement. It leaves the questions as they are, and takes
#   back the zeros and ones that four tumours had made into certainty.
# - **All three together** save a quarter of the loss, and a little more if one stops after five.
# - **Held out** and **cross-fitted** are another matter. What the list believes comes much closer to
#   what happens. A held-out half does not make the list better: it has but 30 tumours left to learn
#   from. Cross-fitting wastes none, and helps a little as well.
# - And logistic regression, on the measurements as they are, is better than all of them. It has no
#   thresholds to choose, and it never throws away by how much a value is above one. **A card that
#   can be added up in the head has its price.** Here it is not small.
#
# And the promise of the last chapter? A band of 95 % should hold the shares among the new tumours, at all
# totals at once. (At those that at least 30 new tumours have; with fewer one would see chance.)
#
# **Predict:** for which of the three does it?

# %% jupyter={"outputs_hidden": true}
for way in ("thresholds in the search", "  held out", "  cross-fitted"):
    kept = []
    for seed in range(30):
        X_fit, X_new, y_fit, y_new = split(seed)
        model = ProbabilisticScoringList(**ways[way], max_stages=4, random_state=seed)
        made = model.fit(X_fit, y_fit).scoring_list_
        band = made.stages[-1].band()
        pos, neg = made.count(X_new, y_new)[-1]
        many = pos + neg >= 30
        share = pos[many] / (pos + neg)[many]
        kept.append(np.all((band.lower[many] <= share) & (share <= band.upper[many])))
    print(f"{way:25} after 4 questions: all hold in {np.mean(kept):4.0%} of the splits")

# %% [markdown]
# Only for the tumours that were held out. They are new to the list, and it is the *same* list. The one
# that judges itself is too sure, as foretold. And crossing is worse than doing nothing: it counts
# what five *other* lists said, with other questions and thresholds. On average that is honest, total
# by total it is not. **If the intervals have to hold, keep data back.**
#
# Back to the doctor. Her answers are yes or no, and there is no threshold to choose. She learns points
# −1 and 1 from 120 synthetic patients. Judged by everybody, is the Brier score after all ten
# questions `"lower"` or `"higher"` than after three?

# %%
answer = ...
check("three_or_ten", answer)

# %% [markdown]
# (`all_X`, `all_y` and `weight` are everybody, and a loop over a few seeds settles it.) Overfitting is not one thing.
# A list can *believe* too much and still be the better for asking; or it can get worse with every
# question. Only new data tell which.

# %% [markdown]
# ## 3. Whom first?
#
# Ten patients are waiting, and the doctor wants to see the most urgent first. For that she needs no
# probabilities, only an order. A list gives one: by total. Before the first question all are tied and
# the AUC is 1/2. A question splits groups of ties.
#
# **Predict:** after "age and sex", 109 of 135 ill and 361 of 1064 well patients have the higher total.
# What is the AUC, by hand? And can a further question make it *fall*, on the same patients?

# %% jupyter={"outputs_hidden": true}
print("questions    AUC   tied pairs")
for k, stage in enumerate(everything.scoring_list_.stages):
    pairs = stage.pos.sum() * stage.neg.sum()
    print(f"{k:9} {stage.auc:6.3f} {stage.pos @ stage.neg / pairs:12.0%}")
print(f"by hand: {(1 + 109 / 135 - 361 / 1064) / 2:.3f}")

# %% [markdown]
# A question with two answers gives a curve with one corner, so the AUC is the mean of 1 and the
# corner's height above the diagonal. And yes, it can fall, for the reason that the last chapter gave: totals that
# merge tie again what was in order.
#
# A question that only *splits* never does harm on its own data, if its points go the right way.
# Twenty patients are ill and eighty well. The first question (2 points) has a yes from 12 of the ill
# and 20 of the well. Of the others, the second (1 point) has a yes from 6 ill and 15 well; of the
# first group, from none. What is the AUC after both?

# %%
answer = ...
check("two_questions_auc", answer)

# %% [markdown]
# To learn an order, one does not even need to know who is ill. An old colleague, looking at two
# patients, may say "this one first" and never name a probability. `ScoringListRanker` learns from such
# **pairs**: it wants as few as possible in the wrong order, a tie counting one half. (If the pairs are
# all those of an ill and a well patient, that is 1 − AUC.)
#
# **Predict:** the doctor's list learned from 1199 diagnoses. How many comparisons does it take to rank
# as well?

# %% jupyter={"outputs_hidden": true}
rng = np.random.default_rng(0)
ill, well = np.flatnonzero(y == 1), np.flatnonzero(y == 0)


def auc_of(totals):
    return RankedSegments.from_scores(all_y, totals, sample_weight=weight).auc


for n_pairs in (25, 100, 400, 1600):
    areas = []
    for _ in range(20):
        pairs = np.column_stack([rng.choice(ill, n_pairs), rng.choice(well, n_pairs)])
        ranker = ScoringListRanker(score_set=(-1, 1), max_stages=6).fit(X.to_numpy(), pairs=pairs)
        areas.append(auc_of(ranker.total_scores(all_X)))
    print(f"{n_pairs:5} comparisons: AUC {np.mean(areas):.3f} on everybody")
print(f" 1199 diagnoses:   AUC {auc_of(doctor.scoring_list_.total_scores(all_X)):.3f}")
print(f" all probabilities known: {auc_of(np.tile(weight[1024:] / weight[:1024], 2)):.3f}")

# %% [markdown]
# ## 4. On the wall
#
# There is such a card in real life. The **Marburg Heart Score** (Bösner et al., 2010b) has five of
# our questions, one point each. Nobody minimised an entropy for it. We take its points as they are,
# and count on our synthetic patients what they mean.
#
# **Predict:** how much better is a list of five questions whose points, from −3 to 3, were *learned* from
# these patients? Judge by everybody.

# %% jupyter={"outputs_hidden": true}
card = ScoringList.from_counts(columns, [1] * 5, X, y, feature_names=heart_score)
learned = ProbabilisticScoringList(max_stages=5).fit(X, y).scoring_list_

for name, made in {"one point each": card, "learned points": learned}.items():
    points = " ".join(f"{score:+d}" for score in made.scores)
    judged = made.evaluate(all_X, all_y, sample_weight=weight)
    print(f"{name}: {points}, AUC {judged.auc[-1]:.3f}, Brier score {judged.brier[-1]:.3f}")

three = card.total_scores(X) >= 3
print(
    f"three points or more: {three[y == 1].mean():.0%} of the ill, {three[y == 0].mean():.0%} of the well"
)

# %% [markdown]
# A hundredth of AUC. One point each is hard to beat, and easy to remember. (The publication has an AUC
# of 0.87, and 86 % of the ill and 25 % of the well with three points or more. The synthetic
# patients were drawn so that this comes out.)
#
# And here it is, to be printed and filled in with a pencil. `card.save("card.pdf")` would make a file of
# it.

# %%
page = ScoreCardDisplay(
    card,
    title="Chest pain in the practice",
    pos_label="coronary heart disease",
    note="Counted on a synthetic cohort, drawn from published figures. "
    "For teaching, not for patients.",
).plot(**limits)

# %% [markdown]
# ## What to take home
#
# - With costs, cut at $1 / (1 + M)$. Going by the upper end overlooks fewer and costs more.
# - What chose the questions should not also judge them. Few questions, few scores, thresholds before
#   the search and an m-estimate make a list from few data better; data held out make it honest.
# - Points that merge totals can undo what was known. More is not always more.
#
# On to [chapter 7](07_decisions.ipynb), where probabilities become labels. Back to
# the [start](00_start_here.ipynb).
#
# ## Sources
#
# Where each was published stands in the [bibliography](https://github.com/rocviz/rocviz/blob/main/CITATION.cff).
#
# - Hanselle et al. (2024). *Probabilistic scoring lists for interpretable machine learning.* The
#   lists, the cautious decision, the search for thresholds.
# - Bösner et al. (2010b). *Ruling out coronary artery disease in primary care: development and
#   validation of a simple prediction rule.* The Marburg Heart Score.
# - Fayyad and Irani (1993). *Multi-interval discretization of continuous-valued attributes for
#   classification learning.* Thresholds by entropy.
# - Cestnik (1990). *Estimating probabilities: a crucial task in machine learning.* The
#   m-estimate.

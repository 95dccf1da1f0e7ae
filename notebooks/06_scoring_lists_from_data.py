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
# Dr. Roth examines tumours. She would like a card like the one that Dr. Weber got in the [last chapter](05_scoring_lists.ipynb): a few
# questions, points that can be added up in the head, and a probability. She has sixty cases to learn from, and she must decide **how many
# questions** to print. With four questions the list is **never wrong** about her sixty tumours. About 509 others it is wrong in **one case in
# six**.
#
# Dr. Weber has a decision to make as well: overlooking an ill patient is ten times as bad as a false alarm. Should she use a rule that is
# more cautious than these costs demand?
#
# At the end of this chapter you can
#
# - decide when mistakes have different costs, and say when caution pays;
# - recognise when a list **overfits** few patients, and choose among six remedies;
# - choose the number of questions by cross-validation, with scikit-learn's own tools;
# - rank by a list, and judge a card that hangs on the wall.
#
# Allow about **60 minutes**. You need chapter 5. **No patient in this chapter is real.** The tumours of section 2 are.

# %%
from itertools import product

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    FixedThresholdClassifier,
    GridSearchCV,
    StratifiedKFold,
    train_test_split,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from tqdm.auto import tqdm

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
# We need the synthetic patients of chapter 5 again, and two lists that were learned from them: Dr. Weber's with six questions, and one with
# all ten. `everybody()` writes down all 1024 possible patients, each with its probability.

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
# All questions have been answered, and a decision has to be made. Sending an ill patient home is worse than sending a healthy one to
# hospital, say $M$ times as bad. Then home is the better choice only if $1 - q \ge M q$, that is
#
# $$q \le \frac{1}{1 + M}$$
#
# With $M = 10$ the threshold is one in eleven. (scikit-learn's `FixedThresholdClassifier` decides by such a threshold; a cell below compares
# it with ours.) But $q$ is only estimated, from a limited number of patients. A **risk-averse** doctor uses the upper end of its confidence
# interval instead (in the paper, that of the 50 % band). If she has seen few patients, the upper end is high, and she sends nobody home.
#
# How many patients does she need? Take a stage of **six** totals once more. One total has $n$ patients, none of them ill.
# Let $M = 10$, and take the **50 %** band (with Bonferroni's correction). What is the smallest $n$ at which she sends such a patient home?

# %%
answer = ...
check("how_many_healthy", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# # the upper end for n patients without an ill one is 1 - (0.5 / 2 / 6) ** (1 / n)
# answer = next(n for n in range(1, 1000) if 1 - (0.5 / 2 / 6) ** (1 / n) <= 1 / 11)
# ```
#
# </details>

# %% [markdown]
# Now fifty doctors each learn a list of six questions from 120 patients. They decide by $q$, or by the upper end of its interval. We judge
# them by all possible patients. **Predict:** which of the two rules sends more patients home? Which overlooks more of the ill (has the
# lower *sensitivity*)? And which costs less in the end, if a false alarm costs 1 and a miss costs 10? Would the answer be the same in a
# hospital, where half the patients are ill and each doctor has seen only 30? (The cell takes a few seconds; a bar shows how far it is.)

# %% jupyter={"outputs_hidden": true}
practice = 135 / 1199
for n, share_ill in ((120, practice), (300, practice), (1199, practice), (30, 1 / 2)):
    rows = {"q": [], "upper end": []}
    shares = np.where(all_y == 1, share_ill / practice, (1 - share_ill) / (1 - practice))
    everyone = weight * shares
    for seed in tqdm(range(50), desc=f"{n} patients", leave=False):
        some = make_chest_pain(n, prevalence=share_ill, random_state=100 + seed)
        model = ProbabilisticScoringList(score_set=(-1, 1), max_stages=6)
        scoring_list = model.fit(some.data, some.target).scoring_list_
        for name, positive in {
            "q": scoring_list.predict(all_X, cost_fn=10),
            "upper end": scoring_list.risk_averse(all_X, cost_fn=10, confidence=0.5),
        }.items():
            home, missed = everyone @ ~positive, everyone @ (~positive & (all_y == 1))
            alarms = everyone @ (positive & (all_y == 0))
            rows[name].append((home, missed / share_ill, 10 * missed + alarms))
    for name, each in rows.items():
        home, missed, cost = np.mean(each, axis=0)
        worst = np.max(each, axis=0)[2]
        print(
            f"{n:4} patients, {share_ill:.0%} ill, by {name:9}: {home:4.0%} sent home,",
            f"{missed:4.0%} of the ill among them, cost {cost:.2f} (worst {worst:.2f})",
        )
    more = np.subtract(rows["upper end"], rows["q"])[:, 2]
    error = more.std(ddof=1) / np.sqrt(len(more))
    print(f"     what caution costs: {more.mean():+.3f} ± {error:.3f} (standard error)")

well, ill = weight[:1024], weight[1024:]
print(
    f"cost of sending nobody home {well.sum():.2f},",
    f"of knowing every probability {np.minimum(well, 10 * ill).sum():.2f}",
)

# %% [markdown]
# <details><summary>What you can see</summary>
#
# With 120 patients of the practice the cautious rule overlooks 9 % of the ill instead of 24 %. But it sends so few home that it costs
# **more** than deciding by $q$, on average and in the worst case. The danger of a miss is already part of $M = 10$, and the upper end counts
# it a second time. With 1199 patients the difference is small.
#
# In the hospital it is the other way round: caution **saves**. With 30 patients many totals have a handful of patients of whom none was ill,
# and the estimate 0 % is far too sure. So caution pays where estimates are over-confident, and costs where they are about right. (On the 116
# women of a real data set it saves as well; see the [documentation](https://github.com/rocviz/rocviz/blob/main/docs/reproduction.md).)
#
# There are other reasons for being risk-averse: costs are rarely known as exactly as "10", and a doctor may prefer the mistakes she would
# have made without a list, which is to send too many patients to hospital.
#
# </details>
#
# Here is scikit-learn's tool on the same patients. **Predict:** does it send the same patients home as our rule without caution?

# %% jupyter={"outputs_hidden": true}
six_questions = ProbabilisticScoringList(score_set=(-1, 1), max_stages=6)
by_threshold = FixedThresholdClassifier(six_questions, threshold=1 / 11).fit(X, y)
by_cost = by_threshold.estimator_.scoring_list_.predict(X, cost_fn=10)
print("same decision for", np.mean(by_threshold.predict(X) == by_cost), "of the patients")

# %% [markdown]
# ## 2. Sixty tumours
#
# Now we turn to Dr. Roth and to real data: the tumours of chapter 2, malignant or benign, with ten measurements each (the means). A
# measurement is a number, and a card asks for yes or no. So the list asks "is the mean radius above 15?", and it **chooses the threshold
# together with the question**, out of all possible thresholds.
#
# It learns from 60 tumours; the other 509 judge it.
#
# **Predict:** after which of the ten questions is the Brier score lowest on the 60 tumours that the list was learned from? And on the other
# 509?

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
# <details><summary>What you can see</summary>
#
# After four questions the list is never wrong about its own tumours, so there is nothing left to learn (`never` is a threshold above all
# values: such a question is not asked). On new tumours the first two questions helped, and the third and fourth did harm. This is
# **overfitting**. The difference between the two columns is called the list's **optimism**.
#
# </details>
#
# Dr. Roth does not have 509 more tumours. How can she choose the number of questions? By **cross-validation** on her sixty: five times, a
# list is learned from 48 of them and judged by the other 12. scikit-learn's `GridSearchCV` does this for any estimator, our lists included.
#
# **Predict:** how many questions does it choose? Is the Brier score that it reports closer to that on the 509 new tumours than the list's own
# is?

# %% jupyter={"outputs_hidden": true}
choose = GridSearchCV(
    ProbabilisticScoringList(),
    {"max_stages": [1, 2, 3, 4, 5]},
    scoring="neg_brier_score",
    cv=StratifiedKFold(5, shuffle=True, random_state=0),
).fit(X_fit, y_fit)
print("questions   cross-validated   new tumours")
for k, score in zip((1, 2, 3, 4, 5), choose.cv_results_["mean_test_score"], strict=True):
    chosen = "  <- chosen" if k == choose.best_params_["max_stages"] else ""
    print(f"{k:9} {-score:17.3f} {happened[k]:13.3f}{chosen}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# Cross-validation chooses two questions, which is also the best number on the 509 new tumours. The Brier scores that it reports are closer to
# those on new tumours than the list's own score of 0.000. They are still too low here, as they rest on only sixty tumours.
#
# </details>
#
# The explorer shows the **Brier score** question by question. The solid line belongs to the list's own tumours, the dashed one to the others.
# **Predict:** choose the *m-estimate* under *probabilities*. Which of the two lines moves up, and which moves down?

# %% jupyter={"outputs_hidden": true}
few = ScoringListExplorer(
    eager,
    X_fit,
    y_fit,
    X_test=X_new,
    y_test=y_new,
    quantity="brier",
    panels=["list", "curves"],
    unfolded=["calibration"],
)
few

# %% jupyter={"outputs_hidden": true}
for few.calibration in ("isotonic", "m-estimate"):
    own, new = few.result.evaluated.train.brier, few.result.evaluated.test.brier
    print(f"{few.calibration:10}: believed {own[-1]:.3f}, on new tumours {new[-1]:.3f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# With the m-estimate the solid line rises a little, since no total has the probability 0 or 1 any more, and the dashed line falls: on new
# tumours the Brier score is 0.137 instead of 0.157.
#
# </details>
#
# A single split proves little. So here are six remedies, all on the same twelve splits:
#
# - **fewer questions**: read the rows of the table from left to right and stop earlier;
# - **fewer scores**: the points are −1 and 1 instead of −3 to 3;
# - **thresholds before the search** (`binarize="preprocess"`): each measurement gets one threshold, chosen without regard to the
#   others;
# - **m-estimate**: two tumours are added to each total, with the same share of malignant ones as among all tumours. So no
#   total has the probability 0 or 1;
# - **held out**: the questions are learned from one half of the tumours, the probabilities from the other half;
# - **cross-fitted** (`calibration_data=5`): the probabilities come from five lists, each of which scores tumours that it has not seen.
#   (scikit-learn's `CalibratedClassifierCV` works like this.)
#
# **Predict:** which of the last three remedies lowers the Brier score on new tumours? And for which is the Brier score on the list's own
# tumours close to that on new ones? (The cell takes about five seconds; a bar shows how far it is.)

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
new, own, learned = {}, {}, {}
for seed in tqdm(range(12), desc="splits", leave=False):
    X_fit, X_new, y_fit, y_new = split(seed)
    for way, options in ways.items():
        model = ProbabilisticScoringList(**options, max_stages=5, random_state=seed)
        model.fit(X_fit, y_fit)
        new.setdefault(way, []).append(model.evaluate(X_new, y_new).brier)
        own.setdefault(way, []).append(model.scoring_list_.stage_scores().brier[-1])
        learned.setdefault(way, []).append((model.scoring_list_, X_new, y_new))
    logistic = make_pipeline(StandardScaler(), LogisticRegression()).fit(X_fit, y_fit)
    error = logistic.predict_proba(X_new)[:, 1] - y_new
    new.setdefault("logistic regression", []).append(np.full(6, np.mean(error**2)))

plain = np.array(new["thresholds in the search"])
print("mean Brier score      on its own  on new tumours, after question    saved")
print("of 12 splits            tumours   1     2     3     4     5    after question 5")
for way, each in new.items():
    each = np.array(each)
    saved = plain[:, -1] - each[:, -1]
    thinks = f"{np.mean(own[way]):.3f}" if way in own else " " * 5
    at = " ".join(f"{value:.3f}" for value in each.mean(axis=0)[1:])
    error = saved.std(ddof=1) / np.sqrt(len(saved))
    print(f"{way:25} {thinks}   {at}   {saved.mean():+.3f} ± {error:.3f}")
print(f"the prevalence for every tumour: {plain[:, 0].mean():.3f}")
saved = plain[:, 5] - plain[:, 2]
print(
    f"two questions instead of five, first row: {saved.mean():+.3f} ± {saved.std(ddof=1) / 12**0.5:.3f}"
)

# %% [markdown]
# <details><summary>What you can see</summary>
#
# - **Fewer questions** help where thresholds are chosen in the search: two are better than five by twice the standard error. This remedy
#   costs nothing.
# - **Thresholds before the search** seem to overfit less, though twelve splits are not quite enough to be sure. They are chosen once, and
#   not again and again for the tumours that are still wrong.
# - **Fewer scores** alone show no difference. As long as thresholds are free, −1 and 1 are enough to overfit.
# - **The m-estimate** helps most reliably. It leaves the questions as they are and takes back the zeros and ones that rest on few tumours.
# - **Thresholds before the search, fewer scores and the m-estimate together** save three tenths of the loss.
# - **Held out** and **cross-fitted** do something else: the Brier score on the list's own tumours comes much closer to that on new ones. The
#   held-out half does not make the list better, since only 30 tumours are left to learn from.
# - Logistic regression on the measurements is better than all lists. It has no thresholds to choose, and it uses how far a value lies above
#   or below the others. A card that can be added up in the head costs accuracy, and here it costs a lot.
#
# </details>
#
# ± is the standard error of the mean difference from the first row, split by split. All splits are taken from the same 569 tumours, so the
# errors say how well the differences are known for *these* tumours, and eight differences are looked at without a correction.
#
# The last chapter promised more: a 95 % band should contain the shares among new tumours, at all totals at once. (We look only at
# totals with at least 30 new tumours, since the share of a few tumours is mostly chance.)
#
# **Predict:** for which of the three kinds of lists does the band keep this promise?

# %% jupyter={"outputs_hidden": true}
print("after 4 questions")
for way in ("thresholds in the search", "  held out", "  cross-fitted"):
    kept = 0
    for scoring_list, X_new, y_new in learned[way]:
        band = scoring_list.stages[4].band()
        pos, neg = scoring_list.count(X_new, y_new)[4]
        many = pos + neg >= 30
        share = pos[many] / (pos + neg)[many]
        kept += bool(np.all((band.lower[many] <= share) & (share <= band.upper[many])))
    print(f"{way:25} all hold in {kept} of {len(learned[way])} splits")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# The band of the held-out list holds in all splits: the tumours from which its probabilities were estimated are new to its questions. With
# **cross-fitting** it clearly holds too rarely: the counts come from five *other* lists, with other questions and thresholds. On average over
# all totals they are right, but not for each total. The band of the plain list holds in 11 splits, which with twelve splits cannot be told
# from all of them; but the tumours behind it also chose the questions, so nothing guarantees it. **If the intervals have to hold, keep data
# back.**
#
# </details>
#
# Now back to Dr. Weber. Her patients answer yes or no, so there is no threshold to choose. Suppose that many doctors learn lists with the
# points −1 and 1, each from 120 synthetic patients, and we judge each list by all possible patients. Is the mean Brier score after all
# ten questions `"lower"` or `"higher"` than after three, or is it `"about equal"` (within 0.001)?

# %%
answer = ...
check("three_or_ten", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# import numpy as np
# from rocviz import ProbabilisticScoringList
# from rocviz.datasets import make_chest_pain
#
# X, y = make_chest_pain(20_000, random_state=1, return_X_y=True)
# brier = []
# for seed in range(12):
#     model = ProbabilisticScoringList(score_set=(-1, 1))
#     model.fit(*make_chest_pain(120, random_state=500 + seed, return_X_y=True))
#     brier.append(model.evaluate(X, y).brier[[3, 10]])
# three, ten = np.mean(brier, axis=0)
# answer = "about equal" if abs(ten - three) < 0.001 else "lower" if ten < three else "higher"
# ```
#
# </details>

# %% [markdown]
# <details><summary>What you can see</summary>
#
# A list may be over-confident and still become better with each further question, as here. It may also become worse, as in the table of
# Dr. Roth's tumours. Only new data can tell which is the case.
#
# </details>

# %% [markdown]
# ## 3. Ranking by a list
#
# Ten patients are waiting, and Dr. Weber wants to see the most urgent first. For that she needs no probabilities, only an order, and the
# totals provide one. Before the first question all patients are tied and the AUC is 1/2. Each question splits groups of tied patients.
#
# **Predict:** after "age and sex", 109 of 135 ill and 361 of 1064 well patients have the higher total. What is the AUC, by hand? And can a
# further question make the AUC *fall*, on the same patients?

# %% jupyter={"outputs_hidden": true}
print("questions    AUC   tied pairs")
for k, stage in enumerate(everything.scoring_list_.stages):
    pairs = stage.pos.sum() * stage.neg.sum()
    print(f"{k:9} {stage.auc:6.3f} {stage.pos @ stage.neg / pairs:12.0%}")
print(f"by hand: {(1 + 109 / 135 - 361 / 1064) / 2:.3f}")

# %% [markdown]
# <details><summary>What you can see</summary>
#
# A question with two answers gives a curve with one corner, so the AUC is the mean of 1 and the corner's height above the diagonal. And it
# can fall, for the reason given in the last chapter: two groups that were in the right order may get the same total, and then they are tied.
#
# </details>
#
# A question that only *splits* groups never lowers the AUC on its own data, if its points have the right sign. Twenty patients are ill and
# eighty are well. The first question (2 points) is answered with yes by 12 of the ill and 20 of the well. The second (1 point) is answered
# with yes by 6 ill and 15 well patients, who had all said no to the first. What is the AUC after both?

# %%
answer = ...
check("two_questions_auc", answer)

# %% [markdown]
# <details><summary>If you give up: the solution</summary>
#
# ```python
# from rocviz import RankedSegments
#
# groups = RankedSegments.from_scores(
#     [1] * 12 + [0] * 20 + [1] * 6 + [0] * 15 + [1] * 2 + [0] * 45, [2] * 32 + [1] * 21 + [0] * 47
# )
# answer = groups.auc
# ```
#
# </details>

# %% [markdown]
# An order can be learned without knowing who is ill. An experienced colleague may look at two patients and say "this one first" without
# naming a probability. `ScoringListRanker` learns from such **pairs**: it minimises the share of pairs in the wrong order, where a tie counts
# one half. (If the pairs are all those of an ill and a well patient, this share is 1 − AUC.)
#
# **Predict:** Dr. Weber's list learned from 1199 diagnoses. How many comparisons of two patients does it take to rank as well?

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
    error = np.std(areas, ddof=1) / np.sqrt(len(areas))
    print(
        f"{n_pairs:5} comparisons: AUC {np.mean(areas):.3f} ± {error:.3f} on all possible patients"
    )
print(f" 1199 diagnoses:   AUC {auc_of(doctor.scoring_list_.total_scores(all_X)):.3f}")
print(f" all probabilities known: {auc_of(np.tile(weight[1024:] / weight[:1024], 2)):.3f}")

# %% [markdown]
# ## 4. A card for the wall
#
# Such a card exists in real life. The **Marburg Heart Score** (Bösner et al., 2010b) has five of our questions, with one point each. No
# algorithm chose its points. We take them as they are, and estimate the probability of each total from our synthetic patients.
#
# **Predict:** how much better does a list of five questions rank if its points, from −3 to 3, were *learned* from these patients? Both are
# judged by all possible patients.

# %% jupyter={"outputs_hidden": true}
card = ScoringList.from_counts(columns, [1] * 5, X, y, feature_names=heart_score)
learned = ProbabilisticScoringList(max_stages=5).fit(X, y).scoring_list_

for name, scoring_list in {"one point each": card, "learned points": learned}.items():
    points = " ".join(f"{score:+d}" for score in scoring_list.scores)
    judged = scoring_list.evaluate(all_X, all_y, sample_weight=weight)
    print(f"{name}: {points}, AUC {judged.auc[-1]:.3f}, Brier score {judged.brier[-1]:.3f}")

three = card.total_scores(X) >= 3
print(
    f"three points or more: {three[y == 1].mean():.0%} of the ill, {three[y == 0].mean():.0%} of the well"
)

# %% [markdown]
# <details><summary>What you can see</summary>
#
# It is better by a hundredth of AUC. One point for each answer is hard to beat and easy to remember. (The publication reports an AUC
# of 0.87; 86 % of the ill and 25 % of the well have three points or more. The synthetic patients were drawn so that they agree with it.)
#
# </details>
#
# Here is the card, to be printed and filled in with a pencil. `card.save("card.pdf")` would write it to a file.

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
# - If a miss costs as much as $M$ false alarms, the threshold is $1 / (1 + M)$. A doctor who decides by the upper end of an interval
#   overlooks fewer patients. That costs more where the probabilities are about right, as here. It may save where few data made them too sure.
# - Data that chose the questions should not also judge them. With few data, take few questions, few scores, thresholds before the
#   search and an m-estimate, and choose by cross-validation. If intervals have to hold, keep data back for them.
# - Patients with different answers may have the same total. So a further question may put patients together whom the list had already
#   separated.
# - A ranking needs no probabilities, and it can be learned from comparisons alone.
#
# Further reading: the page *Ask the cheap question first* of the
# [documentation](https://github.com/rocviz/rocviz/blob/main/docs/scoring_lists.md), and scikit-learn's user guide on *Cross-validation* and
# on *Tuning the decision threshold*.
#
# Next: [chapter 7](07_decisions.ipynb), where probabilities become labels. Back to
# the [start](00_start_here.ipynb).
#
# ## Sources
#
# Full references are in the [bibliography](https://rocviz.github.io/rocviz/bibliography.html).
#
# - Hanselle et al. (2024). *Probabilistic scoring lists for interpretable machine learning.* The
#   lists, the cautious decision, the search for thresholds.
# - Bösner et al. (2010b). *Ruling out coronary artery disease in primary care: development and
#   validation of a simple prediction rule.* The Marburg Heart Score.
# - Fayyad and Irani (1993). *Multi-interval discretization of continuous-valued attributes for
#   classification learning.* Thresholds by entropy.
# - Cestnik (1990). *Estimating probabilities: a crucial task in machine learning.* The
#   m-estimate.

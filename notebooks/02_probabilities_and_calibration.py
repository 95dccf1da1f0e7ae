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
# # Probabilities and calibration
#
# A model can do three jobs: decide, order and **say how sure it is**. [Chapter
# 1](01_classification_and_ranking.ipynb) did the first two on twenty instances. Here a ranking learns to say how
# sure it is, and then we meet a real model that is too sure of itself.
#
# You need chapter 1.

# %%
from fractions import Fraction

import numpy as np
from sklearn.naive_bayes import BernoulliNB
from sklearn.tree import DecisionTreeClassifier

from rocviz import RankedSegments, ROCExplorer, brier_decomposition, brier_of_segments, roc_band
from rocviz.datasets import load_breast_cancer_scores, load_flach_matsubara
from rocviz.exercises import check

X, y = load_flach_matsubara(return_X_y=True)
share = DecisionTreeClassifier(random_state=0).fit(X, y).predict_proba(X)[:, 1]
bayes = BernoulliNB(alpha=1e-12).fit(X, y).predict_proba(X)[:, 1]
ranking = RankedSegments.from_scores(y, share)  # the tree's four leaves
ranker = RankedSegments.from_scores(y, bayes)  # the same groups in the order of naive Bayes

# %% [markdown]
# ## 1. Probabilities from the hull
#
# **To say how sure it is**, give each hull segment its share of positives. On these data no
# probabilities that respect the ranking have a lower Brier score (section 2), and they are the
# solution of *isotonic regression* (Fawcett and Niculescu-Mizil, 2007). The lexicographic ranking
# with these (corrected) probabilities is **LexProb**: a ranking became a probability without ever
# having had a score.
#
# A segment may be small, and its share a matter of luck. **Laplace's correction** adds one
# positive and one negative to each segment before dividing.

# %%
answer = ...
check("hull_probabilities", answer)

# %% [markdown]
# Check with the numbers (this cell shows the answer):

# %% jupyter={"outputs_hidden": true}
hull = ranker.hull()
for p, n in zip(hull.pos, hull.neg, strict=True):
    print(f"segment ({p:.0f}, {n:.0f}): {p:.0f}/{p + n:.0f}, corrected {p + 1:.0f}/{p + n + 2:.0f}")

# %% [markdown]
# Now look at the same ranking with *what it says, what happens* beside it: a circle for each
# group, to the right what naive Bayes says, upwards what happens. On the dotted line both agree.
#
# **Predict:** do the circles climb from left to right? Then open *calibrate* and choose *hull* in
# the menu *probabilities*. How many circles are left, and where?

# %% jupyter={"outputs_hidden": true}
said = ROCExplorer(
    y, bayes, threshold=0.4, reliability_by="score", show_band=False, panels=["roc", "reliability"]
)
said

# %% [markdown]
# <details><summary>Answer</summary>
#
# They do not: the last one falls back. Naive Bayes says 0.65 there, and 0.4 happens. That fall is
# the dent. The hull leaves two circles, at 9/14 and 1/6, both on the line.
#
# </details>

# %% [markdown]
# ## 2. The Brier score: what probabilities cost
#
# Say 0.7 and the instance is positive: you lose $(1 - 0.7)^2$. It is negative: you lose $0.7^2$.
# The mean of this is the **Brier score** (small is good). Segment by segment it falls into two
# parts, exactly:
#
# $$\text{Brier} = \underbrace{\text{how far what you say is from what happens}}_{\text{calibration loss}} \;+\;
# \underbrace{\text{how mixed the segments are}}_{\text{refinement loss}}$$
#
# With $\hat p_i$ for what you say, $p_i$ for the share of positives in segment $i$, and $n_i$ for
# its size, the parts are the means of $n_i (\hat p_i - p_i)^2$ and of $n_i\, p_i (1 - p_i)$ over
# all $n$ instances. New probabilities repair the first part. Only a finer ranking can repair the
# second.
#
# The tree says in each leaf just what happens there. So its calibration loss is 0. And the other
# part?

# %%
answer = ...
check("tree_refinement_loss", answer)

# %% [markdown]
# Now make the tree coarser: **click the corners** of its curve (move the pink point away if it
# covers one). The Brier score joins the picture; its bars *score by score* are the two parts.
#
# **Predict:** join the two best leaves, (4, 1) and (3, 1). Does the refinement loss rise or fall?
# By much? And for two leaves that are less alike?

# %% jupyter={"outputs_hidden": true}
coarser = ROCExplorer(y, share, reliability_by="score", show_band=False, panels=["roc", "brier"])
coarser

# %% jupyter={"outputs_hidden": true}
steps = {
    "the tree": ranking,
    "best two joined": ranking.coarsen(0),
    "middle two joined": ranking.coarsen(1),
    "last two joined": ranking.coarsen(2),
    "all joined": ranking.coarsen(0).coarsen(0).coarsen(0),
}
for what, segments in steps.items():
    parts = brier_of_segments(segments.with_scores(segments.empirical_probability))
    print(f"{what:18} AUC {segments.auc:.3f}, refinement loss {parts.refinement_loss:.4f}")

# %% [markdown]
# Joining never lowers the refinement loss. Leaves with like shares (0.8 and 0.75) join almost for
# free. The end is one single segment with loss $\pi (1 - \pi)$, where $\pi$ is the share of
# positives overall: 0.25 here, and less for classes of unequal size.
#
# Next, compare the two rankings, as they are and on their hulls.
#
# **Predict:** the lexicographic ranking has the same four groups as the tree, in a worse order.
# Is its refinement loss larger?

# %% jupyter={"outputs_hidden": true}
rows = {
    "tree": ranking,
    "lexicographic, naive Bayes": ranker,
    "lexicographic, hull": hull.with_scores(hull.empirical_probability),
    "tree, squeezed to 0.5": ranking.with_scores(0.5 + (ranking.score - 0.5) / 2),
}
print(f"{'':27} AUC  convex  calibration  refinement  Brier")
for what, segments in rows.items():
    parts = brier_of_segments(segments)
    print(
        f"{what:27} {segments.auc:.2f}  {segments.is_convex!s:6}  {parts.calibration_loss:11.4f}"
        f"  {parts.refinement_loss:10.4f} {parts.brier:6.4f}"
        f"  (refinement {Fraction(parts.refinement_loss).limit_denominator(1000)} exactly)"
    )

# %% [markdown]
# <details><summary>What to see in it</summary>
#
# - Rows 1 and 2: the refinement losses are equal, 43/240. It adds up over segments and does not
#   ask which comes first.
# - Rows 2 and 3: on the hull the calibration loss becomes 0, and the refinement loss rises to
#   17/84. That rise is what the wrong order costs.
# - Row 4: pull all the tree's probabilities half way to 0.5. Order, curve and hull stay. The
#   calibration loss does not.
#
# So **no calibration loss means a convex curve** (what one says then falls along the ranking, so
# the shares do as well). But **a convex curve does not mean no calibration loss**.
#
# </details>

# %% [markdown]
# These are the paper's Theorem 2 and, next, its Theorem 3. Give each segment of a convex curve its own
# share of positives for a probability. **Predict** for the squeezed tree: what happens to the AUC, and by
# how much does the Brier score fall? And for the tree itself?

# %% jupyter={"outputs_hidden": true}
for what in ("tree, squeezed to 0.5", "tree"):
    segments = rows[what]
    before = brier_of_segments(segments)
    mended = segments.with_scores(segments.empirical_probability)
    fall = before.brier - brier_of_segments(mended).brier
    print(f"{what:22} AUC {segments.auc} to {mended.auc}, Brier falls by {fall:.4f}", end="; ")
    print(f"calibration loss was {before.calibration_loss:.4f}")

# %% [markdown]
# The AUC stays, and the Brier score falls by the whole calibration loss. The paper says in passing that
# it "will always decrease"; if there is no calibration loss it stays, and Theorem 3 has that proviso.

# %% [markdown]
# ## 3. A real model
#
# 569 tumours, 212 malignant (our positives). Naive Bayes gives each a probability from four
# measurements. Each tumour was scored by a model that had not seen it, so this is honest.
#
# Naive Bayes takes its attributes for independent witnesses. Here they come in pairs that say
# nearly the same thing twice.
#
# **Predict:** what does a judge do who counts each witness twice? Of the tumours that get 95 % or
# more, how many are malignant?

# %% jupyter={"outputs_hidden": true}
scores = load_breast_cancer_scores()
y_true, y_prob = scores.y_true, scores.y_prob

for low, high in ((0, 0.05), (0.05, 0.5), (0.5, 0.95), (0.95, 1)):
    here = (low <= y_prob) & ((y_prob < high) | (high == 1))
    print(
        f"between {low:.0%} and {high:.0%}: {here.sum():3} tumours,",
        f"mean probability {y_prob[here].mean():.2f}, malignant {y_true[here].mean():.2f}",
    )

# %% [markdown]
# It is **over-confident**: right about the direction, too sure about the size. Most of its
# probabilities are near 0 or 1, and at both ends what happens is less extreme than what it says.
#
# Look at *what it says, what happens*: perfect probabilities would sit on the dotted line.
# **Predict** where the circles are, then run.

# %% jupyter={"outputs_hidden": true}
cancer = ROCExplorer(y_true, y_prob, panels=["scores", "reliability"])
cancer

# %% jupyter={"outputs_hidden": true}
cancer_ranking = cancer.result.segments
print(f"{len(cancer_ranking)} different scores for {len(y_true)} tumours")
print(f"AUC {cancer_ranking.auc:.3f}, of the hull {cancer_ranking.hull().auc:.3f}")

# %% [markdown]
# A first question without arithmetic. Raise all probabilities to the third power: 0.9 becomes
# 0.729, 0.1 becomes 0.001. What changes: `"AUC"`, `"Brier score"`, `"both"` or `"neither"`?

# %%
answer = ...
check("cubed_probabilities", answer)

# %% [markdown]
# Now split the Brier score of the model.
#
# **Predict:** nearly every tumour has a score of its own. So nearly every segment holds one
# tumour. How mixed is a segment of one? What will the refinement loss be?

# %% jupyter={"outputs_hidden": true}
for decimals in (1, 2, 3, None):
    said = y_prob if decimals is None else np.round(y_prob, decimals)
    parts = brier_decomposition(y_true, said)
    print(
        f"{'not rounded' if decimals is None else f'{decimals} decimals':11}  Brier {parts.brier:.3f} =",
        f"calibration {parts.calibration_loss:.3f} + refinement {parts.refinement_loss:.3f}",
        f"| miscalibration {parts.miscalibration:.3f}",
    )

# %% [markdown]
# The Brier score hardly notices the rounding. The split per score does: with unique scores every
# segment is pure, the refinement loss is 0, and *all* of the loss is called calibration loss.
# Exact, and of no use: each tumour is its own judge. This is **over-fitting**.
#
# The remedy is the hull. It joins what the data cannot tell apart, and compares with that
# (Dimitriadis, Gneiting and Jordan, 2021):
#
# $$\text{Brier} = \text{miscalibration} - \text{discrimination} + \text{uncertainty}$$
#
# **Uncertainty** is the score for always saying the overall share, $\pi (1 - \pi)$.
# **Discrimination** is what the ranking gains on that. **Miscalibration** is what the wrong
# probabilities lose again: the difference between the Brier score and that of the hull. The last
# column above did not run away.
#
# Work it out from `brier_decomposition(y_true, y_prob)`:

# %%
answer = ...
check("cancer_miscalibration", answer)

# %% [markdown]
# (Murphy, 1973, splits further than section 2 does: refinement loss = uncertainty − resolution.
# Per score, the resolution over-fits in the same way. Compare `resolution` with
# `discrimination`.)

# %% [markdown]
# ## 4. Repair it, and judge the repair honestly
#
# Several curves can turn the model's scores into better probabilities: the hull (isotonic
# regression), the hull with Laplace's correction, a sigmoid (Platt, 1999), a beta curve (Kull,
# Silva Filho and Flach, 2017). Each learns from data.
#
# **Predict:** all are fitted to the 569 tumours and judged on the same 569. Which must win? And
# if they are fitted to one half and judged on the other?
#
# <details><summary>Answer</summary>
#
# On the same data the hull must win: no probabilities that respect the ranking have a lower Brier
# score there. (*Isotonic* differs from *hull* only between the scores it was fitted to, so there
# it is the same.) That is a fact about fitting, not about tumours. On the other half nothing is
# promised. Look.
#
# </details>

# %% jupyter={"outputs_hidden": true}
repaired = ROCExplorer(y_true, y_prob, calibration="hull", panels=["reliability", "brier"])
repaired

# %% jupyter={"outputs_hidden": true}
print(f"{'Brier score':15} same data  other half")
for how in ("raw", "hull", "hull + Laplace", "isotonic", "beta", "sigmoid"):
    repaired.update(calibration=how, held_out=False)
    same = repaired.result.calibrated.after.brier
    repaired.update(calibration=how, held_out=True)
    other = repaired.result.calibrated.after.brier
    print(f"{how:15} {same:9.3f} {other:11.3f}")

repaired.update(calibration="hull", held_out=True)

# %% [markdown]
# Compare each column with its own first line (the other half is another set of tumours, so its
# first line is another number, too). On the same data the hull takes 0.025 off; on the other half
# 0.015. The difference is what it had learned by heart. And with only one half to learn from, the
# beta curve, which has but three numbers to learn, is about as good.
#
# In the picture, open *calibrate* and switch *judge on the other half* off and on. Off: every circle
# sits on the dotted line. On: they leave it. **Never judge a repair on the data it was made from.**

# %% [markdown]
# ## 5. Where to cut: costs and prevalence
#
# Which threshold is best? It depends on two things that the model cannot know:
#
# - **costs**: how many false alarms is one miss worth?
# - **deployment prevalence**: how common are positives where the model is *used*? In this data
#   set 37 % are malignant. In a screening it may be 1 %.
#
# Points of equal cost lie on straight lines of slope $\frac{1 - \pi}{\pi} \cdot \frac{\text{cost
# of a false alarm}}{\text{cost of a miss}}$. Push such a line up and to the left until it only
# just touches the hull. There is the best point (amber ring).
#
# **Predict:** keep the costs and make positives rarer. Does the curve change? Does the ring move
# up or down?
#
# <details><summary>Answer</summary>
#
# The curve stays: each rate looks at one class only. The ring moves down and to the left. When
# positives are rare, almost every alarm is a false one, so it has to be a sure one.
#
# </details>

# %% [markdown]
# Now all four pictures move together. Open *costs* and drag the sliders *a miss, in false alarms*
# and *prevalence in use*. The ring jumps from corner to corner **of the hull**: each corner is best
# for a whole range of costs, and points in a dent for none. (A click on the title of a small
# picture makes it the large one.)

# %% jupyter={"outputs_hidden": true}
costs = ROCExplorer(y_true, y_prob, cost_ratio=10, deployment_prevalence=0.1, metric="cost")
costs

# %% jupyter={"outputs_hidden": true}
for miss, prevalence in ((1, 0.37), (10, 0.37), (1, 0.1), (10, 0.1), (100, 0.01)):
    best = cancer_ranking.optimal_point(cost_fp=1, cost_fn=miss, prevalence=prevalence)
    print(
        f"a miss costs {miss:3}, {prevalence:4.0%} positive: cut at {best.threshold:.3f},",
        f"find {best.tpr:.0%}, false alarms {best.fpr:.0%}",
    )

# %% [markdown]
# The last two lines agree: misses ten times as dear, positives about ten times as rare. Only the
# slope counts.
#
# Your turn: 5 % are malignant, and a miss costs as much as five false alarms. From which score on
# do you raise the alarm? Hand over a number, or what `optimal_point` gives you.

# %%
answer = ...
check("cancer_threshold", answer)

# %% [markdown]
# ## 6. How sure are the numbers themselves?
#
# At threshold 0.5 the model finds 147 of 212. Another 212 tumours would give another number. An
# **interval** says how far such a proportion may be off (Brown, Cai and DasGupta, 2001).
#
# The grey **band** makes a stronger promise. An interval is meant for one point, chosen
# beforehand. The band is meant to hold the *whole* true curve at once, in 95 of 100 data sets.
#
# **Predict:** which is wider at a given place, the interval or the band?

# %% jupyter={"outputs_hidden": true}
table = cancer_ranking.at_threshold(0.5)
for method in ("wilson", "clopper-pearson", "jeffreys"):
    low, high = table.interval("tpr", method=method)
    print(f"found {table.tpr:.3f}, interval {low:.3f} to {high:.3f} ({method})")
for method in ("bootstrap", "kolmogorov-smirnov"):
    band = roc_band(cancer_ranking, method=method)
    low, high = (np.interp(table.fpr, band.fpr, side) for side in (band.lower, band.upper))
    print(f"band at {table.fpr:.2f} false alarms: {low:.2f} to {high:.2f} ({method})")

# %% [markdown]
# The band is wider, for two reasons: it has to be right everywhere at once, and the false
# positive rate is only estimated as well. The three intervals differ little; that of Clopper and
# Pearson keeps its promise for any proportion and pays with width. Kolmogorov's band does so for
# any curve (Campbell, 1994), and pays more.

# %% [markdown]
# ## What to take home
#
# - The slopes of the hull are calibrated probabilities, on the same data.
# - Brier = calibration loss + refinement loss. With unique scores, read it against the hull
#   instead.
# - Judge a repair on data it has not seen. Choose the threshold from costs and prevalence, not
#   from habit.
#
# On to [chapter 3](03_fermi_dirac.ipynb), where a ranking becomes a law with a temperature. Back to
# the [start](00_start_here.ipynb).
#
# ## Sources
#
# Where each was published stands in the [bibliography](https://github.com/rocviz/rocviz/blob/main/CITATION.cff).
#
# - Flach and Matsubara (2008). *On classification, ranking, and probability estimation.* The
#   example, LexProb and the split, sections 1 and 2.
# - Fawcett and Niculescu-Mizil (2007). *PAV and the ROC convex hull.* The hull is isotonic
#   regression.
# - Provost and Fawcett (2001). *Robust classification for imprecise environments.* Costs,
#   prevalence and the hull.
# - Murphy (1973). *A new vector partition of the probability score.*
# - Dimitriadis, Gneiting and Jordan (2021). *Stable reliability diagrams for probabilistic
#   classifiers.* The split against the hull.
# - Platt (1999). *Probabilistic outputs for support vector machines.*
# - Kull, Silva Filho and Flach (2017). *Beta calibration.*
# - Brown, Cai and DasGupta (2001). *Interval estimation for a binomial proportion.*
# - Campbell (1994). *Advances in statistical methodology for the evaluation of diagnostic and
#   laboratory tests.* Bands.

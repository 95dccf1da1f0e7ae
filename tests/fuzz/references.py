"""Slow references that are obviously right: fractions and counting out, compared by hypothesis."""

from fractions import Fraction
from itertools import pairwise, product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rocviz import FermiDirac, RankedSegments, brier_decomposition, optimal_decision, pairwise_loss
from rocviz.core.decisions import parse_formula, poisson_binomial_pmf
from rocviz.core.scoring_lists import learn_scoring_list

#: Few different scores, so that there are ties, of any size.
SCORES = st.sampled_from(
    [0.0, -0.0, 0.1, 0.5, 1.0, 1e-300, -1e-300, 5e-324, 1e308, -1e308, 2.0**53]
)
WEIGHTS = st.integers(0, 5)


def of_two_classes(rows):
    """Whether samples (label, score, weight) have weight in both classes."""
    return {y for y, _, w in rows if w} == {0, 1}


SAMPLES = st.lists(st.tuples(st.integers(0, 1), SCORES, WEIGHTS), min_size=2, max_size=14).filter(
    of_two_classes
)
PROBABILITIES = st.lists(st.integers(0, 64).map(lambda i: i / 64), min_size=1, max_size=6)


def area(rows):
    """Compute the AUC of samples by counting pairs."""
    pos = [(Fraction(s), w) for y, s, w in rows if y]
    neg = [(Fraction(s), w) for y, s, w in rows if not y]
    won = sum(v * w * (Fraction(a > b) + Fraction(a == b, 2)) for a, v in pos for b, w in neg)
    return won / (sum(v for _, v in pos) * sum(w for _, w in neg))


def corners(rows):
    """Find the ROC curve's points, from no sample to all, as counts."""
    points, pos, neg = [(0, 0)], 0, 0
    for score in sorted({Fraction(s) for _, s, w in rows if w}, reverse=True):
        pos += sum(w for y, s, w in rows if y and Fraction(s) == score)
        neg += sum(w for y, s, w in rows if not y and Fraction(s) == score)
        points.append((neg, pos))
    return points


def area_of_hull(points):
    """Compute the area under the highest chord between any two points, column by column."""
    neg, pos = points[-1]

    def height(x):
        best = Fraction(0)
        for a, b in product(points, points):
            if a[0] <= x <= b[0]:
                if a[0] == b[0]:
                    best = max(best, Fraction(max(a[1], b[1])))
                else:
                    best = max(best, a[1] + Fraction(b[1] - a[1], b[0] - a[0]) * (x - a[0]))
        return best

    # the hull's corners are among the points, so between two of these columns it is straight,
    # but for a jump at the first
    columns = sorted({x for x, _ in points})
    heights = [height(x) for x in columns]
    total = sum(
        (b - a) * (h + k) / 2
        for a, b, h, k in zip(columns, columns[1:], heights, heights[1:], strict=False)
    )
    return total / (neg * pos)


def split(rows):
    """Make labels, scores and weights as columns."""
    return ([row[i] for row in rows] for i in range(3))


@given(SAMPLES)
def check_area_and_hull(rows):
    y, score, weight = split(rows)
    segments = RankedSegments.from_scores(y, score, sample_weight=weight)
    np.testing.assert_allclose(segments.auc, float(area(rows)), rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(
        segments.hull().auc, float(area_of_hull(corners(rows))), rtol=1e-12, atol=1e-15
    )


@given(SAMPLES, st.lists(st.integers(0, 14), max_size=4))
def check_any_cut(rows, cuts):
    """Pieces in any cut make what all samples at once make."""
    at = sorted({0, len(rows), *(cut for cut in cuts if cut < len(rows))})
    pieces = [tuple(split(rows[a:b])) for a, b in pairwise(at)]
    y, score, weight = split(rows)
    whole = RankedSegments.from_scores(y, score, sample_weight=weight)
    joined = RankedSegments.from_partitions(pieces)
    assert joined.score.tolist() == whole.score.tolist()
    assert joined.pos.tolist() == whole.pos.tolist()
    assert joined.neg.tolist() == whole.neg.tolist()


@given(
    st.lists(
        st.tuples(st.integers(0, 1), st.integers(0, 8), WEIGHTS), min_size=2, max_size=14
    ).filter(of_two_classes)
)
def check_brier(rows):
    """The Brier score and its terms, of probabilities that floats hold exactly."""
    rows = [(y, i / 8, w) for y, i, w in rows]
    y, prob, weight = split(rows)
    found = brier_decomposition(y, prob, sample_weight=weight)
    total = sum(weight)
    brier = sum((w * (Fraction(p) - t) ** 2 for t, p, w in rows), Fraction()) / total
    share = Fraction(sum(w for t, _, w in rows if t), total)
    calibration = refinement = Fraction()
    for value in set(prob):
        w = sum(v for _, p, v in rows if p == value)
        if w:
            rate = Fraction(sum(v for t, p, v in rows if t and p == value), w)
            calibration += w * (Fraction(value) - rate) ** 2
            refinement += w * rate * (1 - rate)
    for name, wanted in {
        "brier": brier,
        "uncertainty": share * (1 - share),
        "calibration_loss": calibration / total,
        "refinement_loss": refinement / total,
        "resolution": share * (1 - share) - refinement / total,
    }.items():
        np.testing.assert_allclose(getattr(found, name), float(wanted), rtol=1e-11, atol=1e-14)


@given(PROBABILITIES)
def check_counts(prob):
    law = [Fraction(1)]
    for p in map(Fraction, prob):
        law = [
            (law[i] if i < len(law) else 0) * (1 - p) + (law[i - 1] * p if i else 0)
            for i in range(len(law) + 1)
        ]
    np.testing.assert_allclose(poisson_binomial_pmf(prob), [float(q) for q in law], atol=1e-15)


FORMULAS = {
    "f": lambda tp, k, pos, n: Fraction(2 * tp, k + pos) if k + pos else Fraction(0),
    "jaccard": lambda tp, k, pos, n: Fraction(tp, k + pos - tp) if k + pos - tp else Fraction(0),
    "accuracy": lambda tp, k, pos, n: Fraction(n - k - pos + 2 * tp, n),
}


@given(PROBABILITIES, st.sampled_from([*FORMULAS]))
def check_decisions(prob, metric):
    """Every labelling of at most six samples, its utility over every truth."""
    n, chances = len(prob), [Fraction(p) for p in prob]

    def utility(labels):
        total = Fraction()
        for truth in product((0, 1), repeat=n):
            chance = Fraction(1)
            for t, p in zip(truth, chances, strict=True):
                chance *= p if t else 1 - p
            tp = sum(t and label for t, label in zip(truth, labels, strict=True))
            total += chance * FORMULAS[metric](tp, sum(labels), sum(truth), n)
        return total

    best = max(utility(labels) for labels in product((0, 1), repeat=n))
    decision = optimal_decision(prob, metric)
    np.testing.assert_allclose(decision.utilities.max(), float(best), rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(
        float(utility(decision.labels.tolist())), float(best), rtol=1e-12, atol=1e-14
    )


@given(SAMPLES)
def check_pairs(rows):
    rows = [(y, max(min(s, 4.0), -4.0), w) for y, s, w in rows]
    y, score, weight = split(rows)
    pairs = [(v * w, a - b) for t, a, v in rows if t for u, b, w in rows if not u]
    total = sum(w for w, _ in pairs)
    wanted = {
        "logistic": sum(w * np.logaddexp(0, -d) for w, d in pairs) / total,
        "squared_hinge": sum(w * max(0.0, 1 - d) ** 2 for w, d in pairs) / total,
    }
    for loss, value in wanted.items():
        found = pairwise_loss(y, score, loss=loss, sample_weight=weight)[0]
        np.testing.assert_allclose(found, value, rtol=1e-11, atol=1e-13)


@given(st.integers(1, 30), st.integers(1, 30), st.floats(0.02, 0.98))
def check_fermi_dirac(n_pos, n_neg, auc):
    """The law's two conditions: so many positives, and the mean rank that the AUC implies."""
    law = FermiDirac.from_auc(auc, n_pos, n_neg)
    prob = [Fraction(float(p)) for p in law.probability(np.arange(1, n_pos + n_neg + 1))]
    np.testing.assert_allclose(float(sum(prob)), n_pos, rtol=1e-9)
    ranks = float(sum(r * p for r, p in enumerate(prob, 1)))
    wanted = n_pos * (n_neg * (1 - auc) + (n_pos + 1) / 2)
    np.testing.assert_allclose(ranks, wanted, rtol=1e-9)


@given(
    st.lists(
        st.tuples(st.integers(0, 1), st.integers(0, 1), st.integers(0, 1), st.integers(0, 1)),
        min_size=4,
        max_size=14,
    ).filter(lambda rows: {row[0] for row in rows} == {0, 1})
)
def check_greedy_lists(rows):
    """No other next question, with any score, has a lower loss than the one that was taken."""
    y, X = np.array([row[0] for row in rows]), np.array([row[1:] for row in rows])
    scores = (-2, -1, 1, 2)
    learned = learn_scoring_list(X, y, score_set=scores)
    totals = np.zeros(len(y), dtype=int)
    for k, (feature, score) in enumerate(zip(learned.features, learned.scores, strict=True)):
        left = set(range(3)) - set(learned.features[:k].tolist())
        best = min(entropy(y, totals + s * X[:, j]) for j in left for s in scores)
        totals = totals + score * X[:, feature]
        np.testing.assert_allclose(entropy(y, totals), best, atol=1e-12)
        np.testing.assert_allclose(learned.stage_losses[k + 1], best, atol=1e-12)


def entropy(y, totals):
    """Compute the mean entropy of isotonic probabilities by merging blocks until none falls."""
    blocks = [[int(y[totals == t].sum()), int((totals == t).sum())] for t in sorted({*totals})]
    i = 0
    while i + 1 < len(blocks):
        (a, n), (b, m) = blocks[i], blocks[i + 1]
        if a * m > b * n:
            blocks[i : i + 2] = [[a + b, n + m]]
            i = max(i - 1, 0)
        else:
            i += 1
    bits = 0.0
    for a, n in blocks:
        for p in (a / n, 1 - a / n):
            bits -= n * p * np.log2(p) if p else 0.0
    return bits / len(y)


@given(st.lists(st.sampled_from("uvp+-*/()0123456789. "), max_size=20).map("".join))
def check_formulas(text):
    """What is read has Python's own value; the rest is refused."""
    try:
        formula = parse_formula(text)
    except ValueError:
        return
    u, v, p = 0.25, 0.5, 0.75
    try:
        wanted = eval(text.strip(), {"__builtins__": {}}, {"u": u, "v": v, "p": p})
        found = formula(u, v, p)
    except (ArithmeticError, ValueError):
        return  # no number there
    if not isinstance(wanted, complex):
        np.testing.assert_allclose(found, wanted, rtol=1e-12)


REFERENCES = {name: check for name, check in list(globals().items()) if name.startswith("check_")}

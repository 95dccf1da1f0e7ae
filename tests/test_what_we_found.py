"""Each entry of docs/what_we_found.md has a test; those without another place are here."""

import csv
import re
from fractions import Fraction
from itertools import product
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

from rocviz import (
    FermiDirac,
    RankedSegments,
    brier_decomposition,
    optimal_decision,
)
from rocviz.core.decisions import LinearFractional, algorithm_1, algorithm_2, prefix_utilities
from rocviz.core.scoring_lists.stage import ScoringStage, predicts_positive
from rocviz.datasets import load_scoring_list_example

TESTS = Path(__file__).resolve().parent
PAGE = (TESTS.parent / "docs" / "what_we_found.md").read_text("utf-8")
PAPERS, LECTURE = PAGE.split("\n## Facts worth a lecture\n")
LINK = re.compile(r"<test:([\w/]+\.py)#(\w+)>")


def entries(text):
    return [pytest.param(part, id=part.split("\n")[0]) for part in text.split("\n### ")[1:]]


@pytest.mark.parametrize("entry", entries(PAPERS))
def test_entries_state_the_print_the_truth_and_the_difference(entry):
    parts = re.findall(r"^\*\*(.+?)\.\*\* \S", entry, re.MULTILINE)
    assert parts == ["Printed", "What holds", "Smallest case", "Test"]
    assert re.search(
        r"\*\*Printed\.\*\*[^*]*([Ss]ection|Example|Figure|Proposition|Table|R/)", entry
    )


@pytest.mark.parametrize("entry", [*entries(PAPERS), *entries(LECTURE)])
def test_an_entry_has_a_test_that_exists(entry):
    links = LINK.findall(entry.split("**Test.**")[1])
    assert links
    for path, name in links:
        assert f"\ndef {name}(" in (TESTS / path).read_text("utf-8"), f"{path}: {name}"


CELLS = {(0, 0): (4, 1), (0, 1): (1, 5), (1, 0): (2, 3), (1, 1): (3, 1)}


def ranking(order):
    """Make the segments of the example's cells in the order given."""
    pos, neg = zip(*(CELLS[cell] for cell in order), strict=True)
    return RankedSegments(score=[0.9, 0.7, 0.5, 0.3], pos=pos, neg=neg)


TREE = ranking([(0, 0), (1, 1), (1, 0), (0, 1)])
LEXICOGRAPHIC = ranking([(1, 0), (0, 0), (1, 1), (0, 1)])


def test_auc_as_printed_is_that_of_the_reversed_ranking():
    printed = sum(
        n * (p / 2 + TREE.pos[i + 1 :].sum())
        for i, (p, n) in enumerate(zip(TREE.pos, TREE.neg, strict=True))
    ) / (TREE.n_pos * TREE.n_neg)
    assert TREE.auc == pytest.approx(79 / 100)
    assert printed == pytest.approx(21 / 100)


def test_refinement_loss_does_not_see_the_order_but_the_hull_does():
    for segments in (TREE, LEXICOGRAPHIC):
        assert brier_decomposition(segments).refinement_loss == pytest.approx(43 / 240)
    assert LEXICOGRAPHIC.auc == pytest.approx(62 / 100)
    assert brier_decomposition(TREE.hull()).refinement_loss == pytest.approx(43 / 240)
    hull = LEXICOGRAPHIC.hull()
    assert (hull.pos.tolist(), hull.neg.tolist()) == ([9, 1], [5, 5])
    assert brier_decomposition(hull).refinement_loss == pytest.approx(17 / 84)


@pytest.mark.parametrize("prevalence", [Fraction(1, 10), Fraction(1, 2), Fraction(4, 5)])
def test_tying_everything_costs_the_variance_of_the_label(prevalence):
    pos = int(100 * prevalence)
    tied = RankedSegments.from_scores([1] * pos + [0] * (100 - pos), [0.5] * 100)
    assert brier_decomposition(tied).refinement_loss == pytest.approx(
        float(prevalence * (1 - prevalence))
    )


def test_unique_scores_leave_nothing_to_refine():
    segments = RankedSegments.from_scores([0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.4, 0.5])
    assert brier_decomposition(segments).refinement_loss == 0
    assert brier_decomposition(segments.hull()).refinement_loss > 0


def test_predicting_nothing_positive_may_be_best():
    assert optimal_decision([0.2, 0.1, 0.3], "accuracy").n_predicted_positive == 0


def test_predicting_the_empirical_probabilities_takes_away_the_calibration_loss_and_no_more():
    y_true = [1, 0, 1, 1, 0, 0]
    y_prob = [0.9, 0.9, 0.9, 0.4, 0.4, 0.1]
    before = brier_decomposition(y_true, y_prob)
    after = brier_decomposition(y_true, np.array([2, 2, 2, 1.5, 1.5, 0]) / 3)
    assert before.calibration_loss > 0
    assert after.brier == pytest.approx(before.brier - before.calibration_loss)
    assert after.calibration_loss == pytest.approx(0)
    # nothing to take away: the score stays
    certain = brier_decomposition([1, 0], [1.0, 0.0])
    assert certain.calibration_loss == certain.brier == 0


def test_the_printed_temperature_is_within_the_noise_of_a_simulation():
    law = FermiDirac.from_auc(0.9, 50, 50)
    assert law.beta == pytest.approx(0.0756127, abs=5e-8)
    assert law.chemical_potential == 50.5
    printed = FermiDirac.from_parameters(0.0759, 50.5, n_samples=100)
    standard_error = sqrt(law.auc_variance() / 1000)
    assert printed.auc == pytest.approx(0.9006, abs=5e-5)
    assert standard_error == pytest.approx(0.001, abs=5e-5)
    assert printed.auc - 0.9 < standard_error


def strict_sums(auc):
    """Compute the AUC and the chances of both triples, nothing counted at one and the same rank."""
    of_pos, of_neg = FermiDirac.from_auc(auc, 50, 50).class_given_rank()
    above = np.cumsum(of_pos) - of_pos
    below = 1 - np.cumsum(of_neg)
    return of_neg @ above, of_neg @ above**2, of_pos @ below**2


def variance(auc, two_positives, two_negatives):
    both = 49 * (two_positives - auc**2) + 49 * (two_negatives - auc**2)
    return (auc * (1 - auc) + both) / 2500


def test_strict_sums_leave_half_of_the_diagonal_out():
    law = FermiDirac.from_auc(0.9, 50, 50)
    assert strict_sums(0.9)[0] == pytest.approx(0.8975, abs=5e-5)
    f = law.probability()
    assert strict_sums(0.9)[0] == pytest.approx(0.9 - f @ (1 - f) / (2 * 50 * 50))
    auc, *triples = strict_sums(0.99)
    assert variance(0.99, *triples) == pytest.approx(-1.15e-5, abs=5e-8)
    assert variance(auc, *triples) == pytest.approx(4.92e-5, abs=5e-8)
    assert FermiDirac.from_auc(0.99, 50, 50).auc_variance() == pytest.approx(4.46e-5, abs=5e-8)


def test_the_absence_of_f1_raises_the_probability():
    after_two = {}
    for x1, x3 in product((0, 1), repeat=2):
        walk = load_scoring_list_example().predict_proba([[x1, 0, x3, 0]], stage=2)
        after_two[x1, x3] = walk[0]
    assert after_two[0, 1] == max(after_two.values()) == 0.6
    assert max(after_two[0, 0], after_two[1, 0]) == 0.5


def test_stage_zero_is_positive_with_and_without_the_upper_bound():
    stage = ScoringStage.fit([0], [135], [1199 - 135])
    assert stage.probability[0] == pytest.approx(0.113, abs=5e-4)
    assert stage.probability[0] > 1 / 11
    upper = stage.band(confidence=0.5).upper
    assert predicts_positive([stage.probability[0], upper[0]], cost_fn=10).all()


def test_the_rank_loss_ranks_better_than_the_entropy():
    tables = TESTS.parent / "docs" / "reproduction"
    with (tables / "hanselle_release.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["measure"] == "test AUC"]
    published = {
        (row["configuration"], row["stage"]): row["published"]
        for row in rows
        if row["splits"] == "100"
    }
    entropy = "in search, bisect"
    rank = "in search, bisect, rank loss"
    assert [published[kind, "1"] for kind in (entropy, rank)] == [".613", ".649"]
    assert [published[kind, "9"] for kind in (entropy, rank)] == [".696", ".728"]
    with (tables / "hanselle_stages.csv").open(encoding="utf-8", newline="") as file:
        ours = {}
        for row in csv.DictReader(file):
            if row["measure"] == "test AUC":
                ours[row["configuration"]] = [float(row[str(stage)]) for stage in range(1, 10)]
    assert all(a < b for a, b in zip(ours[entropy], ours[rank], strict=True))


def test_the_error_in_counting_is_a_difference():
    for s, y in product(product((0, 1), repeat=3), repeat=2):
        missed = sum(a < b for a, b in zip(s, y, strict=True))
        alarms = sum(a > b for a, b in zip(s, y, strict=True))
        assert (sum(y) - sum(s)) ** 2 == (missed - alarms) ** 2
    # one positive sample, called positive: nothing is miscounted, and v + p is 2
    assert (1 - 1) ** 2 == 0 != 1 + 1


#: Rows of Table 2 with a single test set: F1 and Jaccard index by batch, at one half, by threshold.
SINGLE = {
    "WEB PAGE": ((0.8394, 0.6269, 0.6267), (0.4637, 0.5215, 0.5194)),
    "SPAMBASE": ((0.9636, 0.8798, 0.8892), (0.7314, 0.7867, 0.8003)),
    "IMAGE": ((0.9578, 0.8571, 0.8581), (0.7455, 0.7500, 0.7623)),
    "BREAST CANCER": ((0.9793, 0.9589, 0.9766), (0.9342, 0.9211, 0.9481)),
}
#: The other rows are averages.
AVERAGES = {
    "SCENE": ((0.9626, 0.6891, 0.5916), (0.3540, 0.0206, 0.2080)),
    "LETTERS": ((0.7110, 0.4827, 0.5745), (0.4272, 0.3632, 0.4318)),
    "REUTERS 1": ((0.5875, 0.5151, 0.4980), (0.4761, 0.4308, 0.4257)),
    "REUTERS 10": ((0.8247, 0.7624, 0.7599), (0.6801, 0.6409, 0.6910)),
    "REUTERS 50": ((0.8997, 0.8428, 0.8510), (0.7515, 0.7448, 0.7578)),
    "REUTERS 100": ((0.9856, 0.9675, 0.9669), (0.9398, 0.9375, 0.9357)),
}


def jaccard_of(f1):
    return f1 / (2 - f1)


def test_an_f1_has_its_jaccard_index():
    for tp, fp, fn in product(range(1, 6), range(4), range(4)):
        f1 = Fraction(2 * tp, 2 * tp + fp + fn)
        assert jaccard_of(f1) == Fraction(tp, tp + fp + fn)
    # of averages, the Jaccard index is the greater one
    few = Fraction(1, 5)
    many = Fraction(4, 5)
    assert (jaccard_of(few) + jaccard_of(many)) / 2 > jaccard_of((few + many) / 2)


def test_decisions_for_f1_and_for_jaccard_are_nearly_one_labelling():
    rng = np.random.default_rng(0)
    apart = 0
    gap = 0.0
    for _ in range(200):
        eta = rng.beta(*rng.uniform(0.1, 2, 2), 1010)
        for_f1 = optimal_decision(eta, "f1")
        for_jaccard = optimal_decision(eta, "jaccard")
        y_true = rng.random(1010) < eta
        indices = [
            (d.labels & y_true).sum() / (d.labels | y_true).sum() for d in (for_f1, for_jaccard)
        ]
        apart = max(apart, abs(for_f1.n_predicted_positive - for_jaccard.n_predicted_positive))
        gap = max(gap, abs(indices[0] - indices[1]))
    assert apart == 1
    assert gap == pytest.approx(0.0037, abs=5e-5)


def test_rows_of_the_table_that_contradict_themselves():
    kinds = ("DTA", "Baseline", "EUM")
    wrong = {kind: set() for kind in kinds}
    for row, (f1, jaccard) in {**SINGLE, **AVERAGES}.items():
        for kind, f, j in zip(kinds, f1, jaccard, strict=True):
            short = jaccard_of(f) - j
            if max(short, -short if row in SINGLE else 0) > 0.02:
                wrong[kind].add(row)
    assert wrong["Baseline"] == {"WEB PAGE", "SCENE"}
    assert wrong["EUM"] == {"WEB PAGE", "SCENE"}
    assert wrong["DTA"] == {*SINGLE, *AVERAGES} - {"REUTERS 1"}
    # beyond what rounding to four digits can do, where a single labelling or threshold is printed
    beyond = {kind: set() for kind in kinds}
    for row, (f1, jaccard) in SINGLE.items():
        for kind, f, j in zip(kinds, f1, jaccard, strict=True):
            if not jaccard_of(f - 5e-5) - 5e-5 <= j <= jaccard_of(f + 5e-5) + 5e-5:
                beyond[kind].add(row)
    assert beyond["Baseline"] == {"WEB PAGE", "SPAMBASE"}
    assert beyond["EUM"] == {"WEB PAGE", "IMAGE", "BREAST CANCER", "SPAMBASE"}
    for row, (f1, jaccard) in {**SINGLE, **AVERAGES}.items():
        line = re.search(rf"^\| {row}\b.*$", PAGE, re.MULTILINE)[0]
        for numbers in (f1, jaccard):
            assert " / ".join(f"{value:.4f}"[1:] for value in numbers) in line
        assert " / ".join(f"{jaccard_of(f):.3f}"[1:] for f in f1) in line


@pytest.mark.parametrize("prob", [1e-9, 0.3, 1.0])
def test_a_single_sample_is_predicted_positive(prob):
    assert optimal_decision([prob], "f1").n_predicted_positive == 1


def test_expected_f1_may_have_two_hills():
    utilities = prefix_utilities([1, 0.3, 0.3, 0.3, 0.3, 0.3], "f1")
    printed = [0, 0.62558, 0.58736, 0.57415, 0.56932, 0.56788, 0.56794]
    assert utilities.tolist() == pytest.approx(printed, abs=5e-6)
    assert utilities[6] - utilities[5] == pytest.approx(6e-5, abs=5e-6)


def test_the_printed_sign_of_a_pair_turns_the_ranking_round():
    from scipy.optimize import minimize
    from sklearn.metrics import roc_auc_score

    rng = np.random.default_rng(0)
    y = np.repeat([1, 0], 50)
    X = rng.normal(size=(100, 2)) + 0.9 * y[:, None]
    apart = (X[y == 1][:, None] - X[y == 0][None]).reshape(-1, 2)  # s_i - s_j, i positive
    for sign, auc in ((1, 0.84), (-1, 0.16)):
        w = minimize(
            lambda w, s=sign: np.logaddexp(0, -s * apart @ w).mean() + 1e-4 * w @ w, [0, 0]
        )
        assert round(roc_auc_score(y, X @ w.x), 2) == auc


def table(name):
    """Read a table of docs/reproduction, its numbers as they are printed there."""
    with (TESTS.parent / "docs" / "reproduction" / f"{name}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def ends(row):
    return [float(end) for end in row["range"].split(" to ")]


@pytest.mark.parametrize("name", ["spambase", "image", "letters"])
def test_no_threshold_reaches_the_printed_f1_by_batch(name):
    row = {(row["metric"], row["method"]): row for row in table(f"natarajan_{name}")}
    printed = float(row["F1", "DTA"]["published"])
    assert printed > ends(row["F1", "best threshold on the test labels"])[1] + 0.01
    if name == "spambase":
        assert float(row["Jaccard", "DTA"]["published"]) < ends(row["Jaccard", "DTA"])[0]


def test_caution_saves_on_coimbra_and_costs_in_the_cohort():
    five = {
        row["data"]: row["5"] for row in table("hanselle_caution") if "diff" in row["decided by"]
    }
    mean = {}
    error = {}
    for data, cell in five.items():
        if cell:
            mean[data], error[data] = (float(x.replace("−", "-")) for x in cell.split(" ± "))
    assert mean["Coimbra"] < -4 * error["Coimbra"]
    assert abs(mean["Pima"]) < 2 * error["Pima"]
    assert mean["chest pain (synthetic)"] > 2 * error["chest pain (synthetic)"]


def test_algorithm_2_as_printed_reads_cells_that_are_not_set():
    def unset(d, n):
        unit = int(np.lcm.reduce([Fraction(x).denominator for x in d]))
        _, j_tp, j_k, j_pos = (int(Fraction(x) * unit) for x in d)
        cells = range(1, (abs(j_tp) + abs(j_pos) + abs(j_k)) * n + 1)  # lines 4 to 6
        read = set()
        for k in range(1, n + 1):
            for tp in range(k + 1):
                read.add((j_tp + j_pos) * tp + j_k * k)
        return sorted(read - set(cells))

    assert unset((0.5, 0, 0, 1), 1) == [0]
    assert min(unset((3, 1, -1, 1), 5)) == -5
    assert unset((0, 0, 1, 1), 9) == unset((0, -1, 1, 1), 9) == []  # F1, Jaccard
    for d in ((0.5, 0, 0, 1), (3, 1, 1, -1), (3, 1, -1, 1), (1, 0, 0, 0)):
        ratio = LinearFractional((0, 2, 0, 0), d)
        prob = [0.9, 0.5, 0.4, 0.2, 0.1]
        np.testing.assert_allclose(algorithm_2(prob, ratio), algorithm_1(prob, ratio))


def test_no_threshold_separates_equal_probabilities():
    utility = prefix_utilities([0.5, 0.5], "g_mean")
    assert utility.tolist() == [0, 0.25, 0]

"""Right answers, each found in another way than the exercise takes, and claims of the course."""

from fractions import Fraction
from itertools import pairwise, product
from math import comb

import numpy as np
import pytest
from scipy.optimize import brentq, linprog, root
from scipy.special import expit, logit
from scipy.stats import beta, binom, multivariate_normal, norm, rankdata
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import (
    balanced_accuracy_score,
    brier_score_loss,
    f1_score,
    roc_auc_score,
)

from rocviz import LexProb, LexRank, ProbabilisticScoringList, RankedSegments
from rocviz.core.fermi_dirac import auc_sample_size
from rocviz.core.practice import random_effects
from rocviz.core.scoring_lists import ScoringStage
from rocviz.datasets import load_breast_cancer_scores, load_flach_matsubara, make_chest_pain
from rocviz.exercises import check

RIGHT = {
    "operating_point": (2 / 10, 7 / 10),
    "tree_auc": 79 / 100,
    "lexicographic_auc": 62 / 100,
    "hull_segments": [(8, 4), (3, 12)],
    "hull_auc": 130 / 176,
    "hull_probabilities": [10 / 16, 2 / 8],
    "tree_refinement_loss": 43 / 240,
    "tree_auc_calibrated": "stay",
    "cubed_probabilities": "Brier score",
    "ladder_auc": Fraction(10, 12),
    "between_marks": "only the second",
    "rare_positives": "fermi-dirac",
    "reversed_witness": "raises",
    "equal_and_few": "the mean rank",
    "three_against_one": "the best classifier",
    "card_after_three": 0.6,
    "alone": "yes",
    "how_many_thresholds": len(range(20 + 1)),
    # flights by Python's own comparison
    "better_flights": sum(flight > (0, 0, 1, 1) for flight in product((0, 1), repeat=4)),
    "same_isometric": 6 / (1 + 6),  # odds of (3/2) / (1/4)
    # differences of the scores 2 and 0.5 to 1.5 and -1
    "hinge_by_pairs": np.mean(np.maximum(1 - np.array([0.5, 3, -1, 1.5]), 0) ** 2),
    "pooled_by_hand": IsotonicRegression().fit_transform(range(8), [0, 1, 1, 0, 1, 0, 1, 1])[3],
    "top_pulled": (2 + 9) / (3 + 12),  # pooled, since 2/3 < 9/12
    "unlabelled_case": (20 / 0.25 - 20) / (100 - 20),
    # thresholds at which both choices cost the same
    "invite_from": brentq(lambda p: (1 - p) - 5 * p, 0, 1),
    "same_threshold": brentq(lambda p: (1 - p) - 3 * p, 0, 1),
    "exam_threshold": brentq(lambda p: 0.9 * (1 - p) - 4 * 0.1 * p, 0, 1),
    # 15 of 75 missed and 45 of 225 invited without need
    "cost_of_list": (5 * 15 + 45) / 300,
    "other_clinic": 0.1 * 5 * 15 / 75 + 0.9 * 45 / 225,
    "five_agree": 4.5**5 / 3 / (1 + 4.5**5 / 3),  # odds of 1/3, each model's 4.5 times as high
    "four_fifths": ((50 + 40) / 500) / ((300 + 120) / 1000),
    # shares of the town that use the rules "nobody", "high", "low" and "everybody"
    "by_lot": linprog([0, 0.2, 0.5, 1], A_eq=[[1, 1, 1, 1], [0, 0.6, 0.85, 1]], b_eq=[1, 0.7]).fun,
    "coin_share": brentq(lambda coin: 0.25 * coin + 0.9 * (1 - coin) - 0.72, 0, 1),
    # false alarms beside those found, at the precision that is asked for
    "forced_alarms": 0.6 * 300 * (1 / 0.8 - 1) / 700,
    "exam_fair": 140 * (1 / 0.6 - 1) / 800,
    "way_out": "a perfect score",
    "predicted_at_point": "ABC"[np.argmax([0.45 / 0.5, 0.35 / 0.3, 0.2 / 0.2])],
    # all predictions save the same: A and B, B and C
    "entry_by_cost": np.linalg.solve([[1, -1, 0], [0, 1, -8], [1, 1, 1]], [0, 0, 1])[2],
    "moved_shares": 200 / (375 + 300 + 200),  # of a thousand patients those measured like this one
    "rare_precision": 90 / (90 + 597),
    # measured in 60 of 400 who are ill and in 60 of 600 others, of whom 9000 meet 1000
    "moved_prior": 1000 * 60 / 400 / (1000 * 60 / 400 + 9000 * 60 / 600),
    "what_may_come_first": "a body mass index",
    "what_is_missing": "how the best was judged after it was chosen",
    "exam_interval": "Fermi-Dirac",
    "exam_crowd": 0.2 * np.exp(1 + 0.5) / (0.2 * np.exp(1 + 0.5) + 0.8),  # likelihoods multiply
    "exam_none_ill": beta.ppf(0.975, 1, 30),
    # where letting a payment through and stopping it cost the same
    "price_limit": 1800 * brentq(lambda p: 1800 * p - 200 * (1 - p), 0, 1),
    "none_wrong": next(n for n in range(1, 999) if beta.ppf(0.95, 1, n) <= 0.02),
    "updated_probability": (np.exp(-1) * 2) / (1 + np.exp(-1) * 2),  # the root of the odds 4 is 2
}


def cancer():
    scores = load_breast_cancer_scores()
    return scores.y_true, scores.y_prob


@pytest.mark.parametrize("name", RIGHT)
def test_short_answers(name):
    feedback = check(name, RIGHT[name])
    assert feedback.correct
    assert str(feedback).startswith("Right. ")


def test_miscalibration_by_isotonic_regression():
    y, prob = cancer()
    pooled = IsotonicRegression().fit_transform(prob, y)
    answer = brier_score_loss(y, prob**3) - brier_score_loss(y, pooled)
    assert check("cubed_miscalibration", answer).correct
    assert check("cubed_miscalibration", round(answer, 3)).correct


def test_threshold_by_trying_all_values():
    y, prob = cancer()

    def cost(threshold):
        fpr = (prob[y == 0] >= threshold).mean()
        fnr = (prob[y == 1] < threshold).mean()
        return 0.95 * fpr + 5 * 0.05 * fnr

    best = min(prob, key=cost)
    assert check("cancer_threshold", best).correct
    below = max(p for p in prob if p < best)
    assert check("cancer_threshold", (below + best) / 2).correct
    assert not check("cancer_threshold", below).correct
    segments = RankedSegments.from_scores(y, prob)
    assert check("cancer_threshold", segments.optimal_point(1, 5, 0.05)).correct


def logistic(rank, positive):
    """Compute intercept and slope of logistic regression on ranks, by scipy alone."""

    def score(parameters):
        residual = positive - expit(parameters[0] + parameters[1] * rank / len(rank))
        return [residual.sum(), residual @ rank / len(rank)]

    solution = root(score, [0.0, -1.0], tol=1e-13)
    assert solution.success
    return solution.x[0], solution.x[1] / len(rank)


def test_temperature_and_potential_by_logistic_regression():
    y, prob = cancer()
    intercept, slope = logistic(rankdata(-prob), y)
    assert check("cancer_temperature", -1 / slope / len(y)).correct
    assert check("nine_in_ten", (np.log(9) - intercept) / slope).correct


def test_mean_balanced_accuracy_over_all_thresholds():
    y, prob = cancer()
    falling = y[np.argsort(-prob, kind="stable")]
    accuracies = []
    for rank in range(1, y.size + 1):
        accuracies.append(balanced_accuracy_score(falling, np.arange(y.size) < rank))
    assert check("cancer_mean_bac", np.mean(accuracies)).correct


def test_lower_end_by_all_pairs():
    y, prob = cancer()
    difference = np.subtract.outer(prob[y == 1], prob[y == 0])
    wins = (1 + np.sign(difference)) / 2
    auc = wins.mean()
    by_pos = wins.mean(axis=1)
    by_neg = wins.mean(axis=0)
    variance = by_pos.var(ddof=1) / by_pos.size + by_neg.var(ddof=1) / by_neg.size
    half = norm.ppf(0.95) * np.sqrt(variance) / (auc * (1 - auc))
    assert check("cancer_lower_end", expit(logit(auc) - half)).correct


def law_of(auc, n_pos=40, n_neg=60):
    """Compute intercept and slope of the law of an AUC."""
    n = n_pos + n_neg
    rank = np.arange(1, n + 1)
    energy = n_pos * (n_neg * (1 - auc) + (n_pos + 1) / 2)

    def excess(parameters):
        p = expit(parameters[0] + parameters[1] * rank / n)
        return [p.sum() - n_pos, (rank @ p - energy) / n]

    solution = root(excess, [0.0, -1.0], tol=1e-13)
    assert solution.success
    return solution.x[0], solution.x[1] / n


def test_evidence_by_solving_both_sums():
    prior = np.log(40 / 60)

    def evidence(auc, rank):
        intercept, slope = law_of(auc)
        return intercept + slope * rank - prior

    both = evidence(0.8, 30) + evidence(0.6, 85)
    assert check("two_witnesses", both).correct
    assert check("prior_term", expit(both + prior)).correct
    assert check("same_witness_thrice", expit(3 * evidence(0.8, 10) + prior)).correct


# ------------------------------------------------ chapter 05, scoring lists


@pytest.fixture(scope="module")
def doctor():
    cohort = make_chest_pain(as_frame=True)
    model = ProbabilisticScoringList(score_set=(-1, 1), feature_costs=cohort.feature_costs, tol=0.0)
    return model.fit(cohort.data, cohort.target), cohort


def test_minutes_patient_by_patient(doctor):
    model, cohort = doctor
    spent = []
    for _, patient in cohort.data.iterrows():
        total = 0
        minutes = 0.0
        for k, stage in enumerate(model.scoring_list_.stages):
            prob = dict(zip(stage.totals.tolist(), stage.probability.tolist(), strict=True))
            if prob[total] <= 0.03 or prob[total] >= 0.5 or k == len(model.scores_):
                break
            name = model.scoring_list_.feature_names[k]
            total += int(patient[name] * model.scores_[k])
            minutes += cohort.feature_costs[name]
        spent.append(minutes)
    assert check("mean_minutes", np.mean(spent)).correct
    assert check("mean_minutes", round(float(np.mean(spent)), 2)).correct
    assert "has 1199 numbers" in check("mean_minutes", np.array(spent)).message


def upper_end(n, side):
    """Compute the probability with which none of n is positive just as often as a side may err."""
    return brentq(lambda p: binom.pmf(0, n, p) - side, 0, 1, xtol=1e-14)


def test_upper_end_of_no_ill_patients_by_trying_probabilities():
    answer = upper_end(40, 0.05 / 2 / 6)
    assert check("none_ill", answer).correct
    assert check("none_ill", round(answer, 3)).correct


def test_empty_intervals_are_those_that_contradict():
    assert check("nothing_left", "contradicted").correct
    for pos, neg, empty in (
        ([0.0, 90.0], [90.0, 0.0], True),
        ([900.0, 0.0], [0.0, 900.0], False),
        ([5.0, 0.0], [5.0, 0.0], False),
    ):
        stage = ScoringStage([1, 0], [0.5, 0.5], pos, neg)
        assert stage.band().is_empty.any() == empty


def test_a_further_question_may_raise_the_entropy():
    X, y = make_chest_pain(return_X_y=True)
    stages = ProbabilisticScoringList(score_set=(-1, 1)).fit(X, y).scoring_list_.stages
    assert (round(stages[6].entropy, 3), round(stages[10].entropy, 3)) == (0.331, 0.352)
    assert (round(stages[6].auc, 3), round(stages[10].auc, 3)) == (0.885, 0.868)


# ------------------------------------------------ chapter 06, scoring lists that are learned


def test_the_best_number_by_trying_all_numbers():
    enough = [n for n in range(1, 100) if 11 * upper_end(n, 0.5 / 2 / 6) <= 1]
    assert check("how_many_healthy", enough[0]).correct
    assert check("how_many_healthy", np.log(0.25 / 6) / np.log(10 / 11) // 1 + 1).correct


def test_three_or_ten_questions_on_later_patients():
    X, y = make_chest_pain(20_000, random_state=1, return_X_y=True)
    brier = []
    for seed in range(12):
        model = ProbabilisticScoringList(score_set=(-1, 1))
        model.fit(*make_chest_pain(120, random_state=500 + seed, return_X_y=True))
        brier.append(model.evaluate(X, y).brier[[3, 10]])
    three, ten = np.mean(brier, axis=0)
    assert check("three_or_ten", "lower" if ten < three else "higher").correct


def test_two_questions_by_all_pairs():
    ill = np.repeat([2, 1, 0], [12, 6, 2])
    well = np.repeat([2, 1, 0], [20, 15, 45])
    won = (1 + np.sign(np.subtract.outer(ill, well))) / 2
    assert check("two_questions_auc", won.mean()).correct


def test_caution_pays_only_if_estimates_are_overconfident():
    marginals = make_chest_pain().marginals.values()
    p = np.array([[m["no_chd"], m["chd"]] for m in marginals])
    X = np.array(list(product((0, 1), repeat=len(p))))

    def evaluate(n_samples, prevalence):
        """Compute the share of the ill that is missed, and the cost: estimate, upper end."""
        ill = prevalence * np.where(X, p[:, 1], 1 - p[:, 1]).prod(axis=1)
        well = (1 - prevalence) * np.where(X, p[:, 0], 1 - p[:, 0]).prod(axis=1)
        rows = []
        for seed in range(100, 150):
            drawn = make_chest_pain(
                n_samples, prevalence=prevalence, random_state=seed, return_X_y=True
            )
            model = ProbabilisticScoringList(score_set=(-1, 1), max_stages=6).fit(*drawn)
            for positive in (
                model.scoring_list_.predict(X, cost_fn=10),
                model.scoring_list_.risk_averse(X, cost_fn=10, confidence=0.5),
            ):
                missed = ill[~positive].sum()
                rows.append((missed / ill.sum(), 10 * missed + well[positive].sum()))
        return np.array(rows).reshape(50, 2, 2)

    missed, cost = evaluate(120, 135 / 1199).mean(axis=0).T.round(2)
    assert missed.tolist() == [0.24, 0.09]
    assert cost.tolist() == [0.49, 0.62]
    few = evaluate(30, 0.5)
    missed, cost = few.mean(axis=0).T.round(2)
    assert missed[1] < missed[0]
    more = few[:, 1, 1] - few[:, 0, 1]
    assert more.mean() < -2 * more.std(ddof=1) / 50**0.5
    assert cost.tolist() == [0.77, 0.5]


# ------------------------------------------------ chapter 07, decisions


def count_true_positives(labels, outcome):
    return sum(a and b for a, b in zip(labels, outcome, strict=True))


def f1(labels, outcome):
    denominator = sum(labels) + sum(outcome)
    if not denominator:
        return Fraction(0)
    return Fraction(2 * count_true_positives(labels, outcome), denominator)


def expected(labels, y_prob, metric=f1):
    """Compute the mean of a metric over all outcomes, as a fraction."""
    total = Fraction(0)
    for outcome in product((0, 1), repeat=len(y_prob)):
        chance = Fraction(1)
        for happened, p in zip(outcome, y_prob, strict=True):
            chance *= p if happened else 1 - p
        total += chance * metric(labels, outcome)
    return total


def prefix(k, n):
    return (1,) * k + (0,) * (n - k)


def test_two_samples_by_four_outcomes():
    answer = expected((1, 0), (Fraction(4, 5), Fraction(3, 10)))
    assert answer == Fraction(18, 25)
    assert check("first_of_two", answer).correct
    assert check("first_of_two", 0.72).correct


def test_climber_by_counts_of_alike_samples():
    """Of m samples alike, labels matter by their number only, so outcomes are binomial."""

    m = 14
    q = Fraction(1, 4)

    def chance(n, j):
        return comb(n, j) * q**j * (1 - q) ** (n - j)

    def expected_f1(k):
        total = Fraction(0)
        for tp, fn in product(range(k), range(m + 2 - k)):
            probability = chance(k - 1, tp) * chance(m + 1 - k, fn)
            total += probability * Fraction(2 * (1 + tp), k + 1 + tp + fn)
        return total

    curve = [expected_f1(k) for k in range(1, m + 2)]
    assert curve[0] > curve[1] < curve[2]
    assert check("climber", max(curve) - curve[0]).correct
    assert check("climber", round(float(max(curve) - curve[0]), 4)).correct


def test_tripled_by_all_outcomes():
    y_prob = np.array([0.7, 0.6, 0.4, 0.4, 0.3, 0.3, 0.2, 0.2, 0.1, 0.1])
    odds = (y_prob / (1 - y_prob)) ** 3
    probability = odds / (1 + odds)
    outcomes = np.array(list(product((0, 1), repeat=10)))

    def mean_f1(k, probabilities):
        chance = np.where(outcomes, probabilities, 1 - probabilities).prod(axis=1)
        both = k + outcomes.sum(axis=1)
        return chance @ (2 * outcomes[:, :k].sum(axis=1) / np.where(both, both, 1))

    believed = [mean_f1(k, probability) for k in range(11)]
    stop = int(np.argmax(believed))
    assert check("tripled", mean_f1(stop, y_prob)).correct
    assert not check("tripled", believed[stop]).correct
    assert stop < int(np.argmax([mean_f1(k, y_prob) for k in range(11)]))


def test_broken_metrics_by_labels_that_are_no_prefix():
    n = 3
    y_prob = (Fraction(9, 10), Fraction(1, 2), Fraction(1, 10))

    formulas = {
        "first": lambda u, v: u + v,
        "second": lambda u, v: (1 + 2 * u) / (1 + u),
        "third": lambda u, v: (3 + 2 * u) / (1 + u),
    }
    labellings = list(product((0, 1), repeat=n))
    for name, formula in formulas.items():

        def metric(labels, outcome, formula=formula):
            tp = count_true_positives(labels, outcome)
            return formula(Fraction(tp, n), Fraction(sum(labels), n))

        value = {labels: expected(labels, y_prob, metric) for labels in labellings}
        # of labellings of one size, is the most probable one the best?
        prefix_is_best = True
        for k in range(n + 1):
            best = max(value[labels] for labels in labellings if sum(labels) == k)
            prefix_is_best &= value[prefix(k, n)] == best
        assert check("which_breaks", name).correct is not prefix_is_best


# ------------------------------------------------ chapter 08, lexicographic ranking


def test_rare_value_by_fractions_and_by_fitting():
    def ratio(pos, neg):
        return Fraction(pos + 1, 40 - pos + 1) / Fraction(neg + 1, 60 - neg + 1)

    assert ratio(8, 1) > ratio(24, 12) > 1
    assert check("rare_value", "coughs").correct
    X = np.zeros((100, 2), dtype=int)
    X[:24, 0] = X[40:52, 0] = X[:8, 1] = X[40, 1] = 1
    y = np.arange(100) < 40
    assert LexRank().fit(X, y).order_.order.tolist() == [1, 0]
    assert LexRank(smoothing=10).fit(X, y).order_.order.tolist() == [0, 1]


def test_joined_leaves_by_isotonic_regression():
    X, y = load_flach_matsubara(return_X_y=True)
    place = 2 * X[:, 1] + X[:, 0]
    pooled = IsotonicRegression().fit(place, y).predict([3, 2, 1, 0])
    np.testing.assert_allclose(pooled, [3 / 4, 7 / 16, 7 / 16, 7 / 16])
    assert check("joined_leaves", [4 / 6, 8 / 18, 8 / 18, 8 / 18]).correct


def test_smallest_weight_by_sorting():
    def ranks_alike(weight):
        patterns = list(product((0, 1), repeat=4))
        sums = [np.dot(pattern, (weight, 5, 3, 1)) for pattern in patterns]
        return all(low < high for low, high in pairwise(sums))

    assert check("smallest_weight", min(filter(ranks_alike, range(1, 30)))).correct


def test_unseen_pattern_by_fitting():
    patterns = np.array([[1, 1, 1], [1, 1, 0], [0, 1, 0], [0, 0, 0]])
    pos = [6, 3, 2, 0]
    neg = [1, 1, 4, 5]
    X = np.concatenate([np.repeat(patterns, pos, axis=0), np.repeat(patterns, neg, axis=0)])
    y = np.repeat([1, 0], [sum(pos), sum(neg)])
    model = LexProb().fit(X, y)
    assert model.order_.order.tolist() == [0, 1, 2]
    assert model.segments_.is_convex
    assert check("unseen_pattern", model.predict_proba([[1, 0, 0]])[0, 1]).correct
    assert check("unseen_pattern", Fraction(3, 8)).correct


# ------------------------------------------------ chapter 09, probabilities from rankings


def test_stretched_scores_by_scikit_learn():
    score = np.arange(8.0)
    new = np.arange(7) + 0.5
    y = [0, 1, 1, 0, 1, 0, 1, 1]
    plain = IsotonicRegression()
    stretched = IsotonicRegression()
    np.testing.assert_allclose(
        plain.fit_transform(score, y), stretched.fit_transform(np.exp(score), y)
    )
    assert not np.allclose(plain.predict(new), stretched.predict(np.exp(new)))
    assert check("stretched", "probabilities of new samples").correct


def refutes(labels):
    """Check with scikit-learn whether a ranking refutes the printed bound."""
    place = np.arange(len(labels))
    auc = roc_auc_score(labels, place)
    fitted = IsotonicRegression().fit_transform(place, labels)
    share = np.mean(labels)
    loss = np.mean((fitted - labels) ** 2)
    return auc >= 0.5 and loss > 0.5 * np.sqrt(share * (1 - share) * (1 - auc)) + 1e-9


def test_exactly_the_refutations_are_accepted():
    n_right = 0
    for n in range(2, 7):
        for labels in product((0, 1), repeat=n):
            if 0 < sum(labels) < n:
                is_right = refutes(labels)
                assert check("refuted", labels).correct == is_right, labels
                n_right += is_right
    assert n_right > 5
    assert not check("refuted", (0, 1, 0, 1, 0, 0, 1, 0, 1)).correct


# ------------------------------------------------ chapter 10, one data set


def test_january_by_all_outcomes_of_all_lists():
    p = np.array([0.6, 0.4, 0.3, 0.2, 0.1, 0.1])
    y = np.array(list(product((0, 1), repeat=6)))
    weight = np.where(y == 1, p, 1 - p).prod(axis=1)

    def expected_f1(labels):
        denominator = np.maximum(sum(labels) + y.sum(axis=1), 1)
        return weight @ (2 * (y @ labels) / denominator)

    best = max(product((0, 1), repeat=6), key=expected_f1)
    assert check("january", sum(best)).correct


def test_the_abstract_s_error_by_drawing_from_the_law():
    a, b = law_of(0.85, 40, 110)
    p = expit(a + b * np.arange(1, 151))
    # scores of the classes follow the ranks' shares of positives and of negatives
    pos = p / p.sum()
    neg = (1 - p) / (1 - p).sum()
    beats = np.tril(np.ones((150, 150)), -1).T + np.eye(150) / 2
    auc = pos @ beats @ neg
    by_pos = beats @ neg
    by_neg = pos @ beats
    variance = (
        auc * (1 - auc) + 39 * (neg @ by_neg**2 - auc**2) + 109 * (pos @ by_pos**2 - auc**2)
    ) / (40 * 110)
    assert check("abstract_error", variance**0.5).correct


# ------------------------------------------------ chapter 12, three classes


def test_the_largest_entry_by_trying_them():
    entries = np.linspace(0.01, 0.99, 98_001)
    points = np.stack([entries, (1 - entries) / 2, (1 - entries) / 2], axis=1)
    is_a = (np.array([0.5, 0.3, 0.2]) / points).argmax(axis=1) == 0
    assert check("raised_entry", entries[is_a].max()).correct


def test_averages_sample_by_sample():
    true = np.repeat(["A", "B", "C"], [100, 100, 10])
    predicted = np.repeat(["A", "B", "B", "A", "A"], [90, 10, 80, 20, 10])
    assert check("balanced_by_hand", balanced_accuracy_score(true, predicted)).correct
    rng = np.random.default_rng(0)
    for _ in range(20):
        true, predicted = rng.integers(0, 3, (2, 50))
        accuracy = (true == predicted).mean()
        assert f1_score(true, predicted, average="micro") == pytest.approx(accuracy)
    assert check("same_as_accuracy", "micro F1").correct
    for other in "balanced accuracy", "macro F1", "weighted F1":
        assert not check("same_as_accuracy", other).correct


def test_an_easy_class_raises_the_mean():
    y = np.repeat([0, 1, 2, 3], 200)
    rng = np.random.default_rng(0)
    p = np.eye(4)[y] * 0.3 + rng.dirichlet(np.ones(4), 800)
    p[:, 3] = 0
    p[y == 3] = [0, 0, 0, 1]
    p /= p.sum(axis=1, keepdims=True)
    three = roc_auc_score(y[:600], p[:600, :3], multi_class="ovo")
    assert roc_auc_score(y, p, multi_class="ovo") > three + 0.02
    assert check("easy_class", "rise").correct


# ------------------------------------------------ chapter 13, practice, and the exam


def people(*cells):
    """List labels and scores of groups of (positives, negatives), the best first."""
    y = []
    score = []
    for k, (pos, neg) in enumerate(cells):
        y += [1] * pos + [0] * neg
        score += [-k] * (pos + neg)
    return np.array(y), np.array(score)


def test_the_best_of_twenty_by_simulation():
    aucs = np.random.default_rng(0).normal(0.5, 0.05, (200_000, 20))
    assert check("best_of_twenty", aucs.max(axis=1).mean()).correct
    assert not check("best_of_twenty", 0.6).correct


def test_sample_sizes_are_the_smallest_that_suffice():
    # by Hanley and McNeil's formula, for normal scores of equal variance
    both_above = multivariate_normal([0, 0], [[1, 0.5], [0.5, 1]]).cdf([norm.ppf(0.8)] * 2)

    def width(n_samples):
        n_pos = round(0.05 * n_samples)
        n_neg = n_samples - n_pos
        spread = 0.8 * 0.2 + (n_pos + n_neg - 2) * (both_above - 0.8**2)
        return 2 * norm.ppf(0.975) * np.sqrt(spread / (n_pos * n_neg))

    n = next(n for n in range(100, 9000) if width(n) <= 0.1)
    assert check("enough_patients", n).correct


def test_auc_and_hull_by_scikit_learn():
    assert check("exam_auc", roc_auc_score(*people((5, 1), (3, 3), (2, 6)))).correct
    y, score = people((3, 3), (5, 1), (1, 7))
    pooled = IsotonicRegression().fit_transform(score, y)
    first = pooled == pooled.max()
    assert first.sum() > 6  # more than the first group
    assert check("exam_hull", (y[first].sum() + 1) / (first.sum() + 2)).correct


def test_calibration_loss_as_what_better_probabilities_save():
    y = np.repeat([1, 0, 1, 0], [6, 4, 2, 8])
    predicted = np.repeat([0.8, 0.3], 10)
    share = np.repeat([0.6, 0.2], 10)
    saved = brier_score_loss(y, predicted) - brier_score_loss(y, share)
    assert check("exam_calibration", saved).correct


def test_the_best_threshold_is_half_of_the_best_f1():
    p = np.random.default_rng(1).beta(0.5, 1.5, 200_000)
    order = np.sort(p)[::-1]
    f1 = 2 * np.cumsum(order) / (np.arange(1, len(p) + 1) + p.sum())
    assert order[f1.argmax()] == pytest.approx(f1.max() / 2, abs=1e-3)
    y = np.random.default_rng(2).random(len(p)) < p
    assert f1_score(y, p >= f1.max() / 2) == pytest.approx(f1.max(), abs=0.01)
    assert check("exam_f1", 0.46 / 2).correct


@pytest.mark.parametrize("answer", ["5, 2, 1", "4, 3, 2", "3, 2, 1"])
def test_a_dictionary_pair_by_pair(answer):
    weights = [float(x) for x in answer.split(", ")]
    # from the lowest in the dictionary
    sums = [np.dot(pattern, weights) for pattern in product((0, 1), repeat=3)]
    is_dictionary = all(low < high for low, high in pairwise(sums))
    assert check("exam_order", answer).correct == is_dictionary


def test_sizes_for_the_ill_or_half_the_width_are_recognised():
    size = auc_sample_size(0.8, 0.05, width=0.1)
    assert "of them are ill" in check("enough_patients", size.n_pos).message
    wide = auc_sample_size(0.8, 0.05, width=0.2).n_samples
    assert "end to end" in check("enough_patients", wide).message


# ------------------------------------------------ chapter 14, three answers and several places


@pytest.mark.parametrize("prevalence", [0.5, 0.05])
def test_best_thresholds_of_calibrated_probabilities_do_not_depend_on_prevalence(prevalence):
    p = np.linspace(0.0005, 0.9995, 1000)
    weight = np.where(p < 0.5, 1 - prevalence, prevalence)  # of people with such a probability
    answers = weight * np.array([4 * p, np.full(p.size, 0.5), 1 - p])
    cheapest = answers.argmin(axis=0)
    lower, upper = p[cheapest == 0].max(), p[cheapest == 2].min()
    assert (lower, upper) == pytest.approx((0.125, 0.5), abs=1e-3)
    assert check("rarer_positives", "neither").correct


def test_the_next_hospital_as_random_effects_give_it():
    # ten values, half on either side of 1.4, whose mean has an error of 0.1 where tau is 0.3
    error = np.sqrt(10 * 0.1**2 - 0.3**2)
    apart = np.sqrt((0.3**2 + error**2) * 9 / 10)
    values = np.repeat([1.4 - apart, 1.4 + apart], 5)
    combined = random_effects(values, np.full(10, error), scale="logit")
    assert combined.tau_squared == pytest.approx(0.3**2)
    assert check("next_hospital", combined.prediction[0]).correct

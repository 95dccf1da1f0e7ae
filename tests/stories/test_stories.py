"""The claims of the shipped stories hold in the states that they show."""

import re
import tomllib
from pathlib import Path

import numpy as np
import pytest

from rocviz import read_steps, stories
from rocviz.stories import write_steps

FILES = Path(stories.__file__).parent


@pytest.fixture(scope="module")
def opened():
    """Make a function that opens a story, once."""
    results = {}

    def open_once(name):
        if name not in results:
            results[name] = stories.open_story(name)
        return results[name]

    yield open_once
    for story in results.values():
        story.close()


@pytest.fixture(scope="module")
def show_step(opened):
    """Make a function that shows a step of a story, by its title, and returns the explorer."""

    def show(name, title):
        story = opened(name)
        story.show([step.title for step in story.steps].index(title))
        return story.explorer

    return show


@pytest.mark.parametrize("name", stories.NAMES)
def test_every_story_has_a_hook_questions_a_turn_and_a_take_home(name, opened):
    story = opened(name)
    first, *between, last = story.steps
    # it begins with a question, before anything is shown, and ends with what to take home
    story.go(0)
    assert story.is_asking
    assert first.kind == last.kind == "words"
    assert last.title == "Take home"
    questions = [step for step in between if step.ask]
    assert len(questions) >= 5
    assert any(step.notes.startswith("The turn of the story") for step in between)
    # it lasts what its card promises
    assert tomllib.loads((FILES / f"{name}.toml").read_text("utf-8"))["minutes"] == story.minutes
    assert len({step.title for step in story.steps}) == len(story.steps)
    story.check()
    for place, step in enumerate(story.steps):
        story.show(place)
        assert story.index == place
        # in a hall: two sentences or three, none with a format left over
        assert len(story.text) < 260, step.title
        assert not re.search(r"[{}]|\bnan\b", story.text)
        # a page that is one or two pictures large
        assert len(story.explorer.panels) <= 2
        if step.ask:
            # a wrong choice says why
            for i, why in enumerate(step.ask.why):
                assert bool(why) == (i != step.ask.answer)


@pytest.mark.parametrize("name", stories.NAMES)
def test_writing_a_story_changes_nothing(name, opened, tmp_path):
    steps = opened(name).steps
    assert tuple(read_steps(write_steps(tmp_path / "story.toml", steps))) == steps


@pytest.mark.parametrize("name", stories.NAMES)
def test_a_story_about_people_shows_them_as_it_begins(name, opened):
    story = opened(name)
    if "people" not in story.explorer.pictures:
        pytest.skip("the explorer draws no people")
    shown = []
    for place in (1, 2):
        story.show(place)
        shown += story.explorer.panels
    assert "people" in shown


def test_claims_of_the_start_hold(show_step):
    low = show_step("start", "A lower threshold").result.table
    high = show_step("start", "A higher threshold").result.table
    middle = show_step("start", "A threshold makes a classifier").result.table
    assert low.tp > middle.tp > high.tp
    assert low.fp > middle.fp > high.fp
    end = show_step("start", "All thresholds are the curve").result
    assert end.operating_point == (1.0, 1.0)
    assert abs(show_step("start", "What a coin does").result.segments.auc - 0.5) < 0.03
    perfect = show_step("start", "What a perfect ranking does").result
    assert (perfect.segments.auc, perfect.table.fn, perfect.table.fp) == (1.0, 0, 0)
    assert show_step("start", "Worse than a coin is useful, too").result.segments.auc < 0.5
    dear = show_step("start", "The cost picks the threshold").result
    assert dear.optimum.threshold < 0.5
    assert dear.optimum.fp > dear.table.fp
    assert dear.optimum.fn < dear.table.fn


def test_claims_of_the_roc_story_hold(show_step):
    one = show_step("roc", "One test, two hospitals").result
    other = show_step("roc", "A ranking and its curve").result
    # the same curve, and more found at the price of more false alarms
    assert other.segments.auc == one.segments.auc
    assert other.table.tp > one.table.tp
    assert other.table.fp > one.table.fp
    equal = show_step("roc", "What mistakes cost").result.optimum
    dear = show_step("roc", "A miss that costs as much as five false alarms").result.optimum
    rare = show_step("roc", "Where positives are rare").result.optimum
    assert dear.tpr > equal.tpr
    assert dear.fpr > equal.fpr
    assert rare.tpr < dear.tpr
    few = show_step("roc", "A curve from data is uncertain")
    width = np.mean(few.result.band.upper - few.result.band.lower)
    size = few.n_samples
    many = show_step("roc", "Four times the data, half the width")
    assert many.n_samples == 4 * size
    assert np.mean(many.result.band.upper - many.result.band.lower) / width == pytest.approx(
        0.5, abs=0.1
    )
    dent = show_step("roc", "The convex hull repairs it").result
    assert dent.curve.hull.auc > dent.segments.auc + 0.05
    raw = show_step("roc", "The Brier score sees it, the area does not")
    brier = raw.result.calibrated.after.brier
    auc = raw.result.segments.auc
    assert "over-confident" in raw.sentences[2].text
    hull = show_step("roc", "Probabilities from the hull").result
    assert hull.calibrated.after.brier < brier
    assert hull.calibrated.after.miscalibration == pytest.approx(0, abs=1e-12)
    assert hull.segments.auc == auc
    unseen = show_step("roc", "On samples that it has not seen").result
    assert unseen.calibrated.after.brier > hull.calibrated.after.brier


def test_claims_of_the_referral_story_hold(show_step):
    def at(title):
        return show_step("referral", title).result.referral

    alone = show_step("referral", "Two answers").result
    three = at("Three answers")
    policy = three.policy
    assert policy.cost < alone.cost
    assert policy.npv > 0.95
    assert policy.ppv > 0.8
    # between, either answer is wrong more often than outside
    share_ill = policy.n_pos[1] / (policy.n_pos[1] + policy.n_neg[1])
    assert max(1 - policy.npv, 1 - policy.ppv) < min(share_ill, 1 - share_ill)
    free = at("Each threshold ignores the other")
    assert free.policy.upper_threshold == 0.9 > policy.upper_threshold
    assert free.best.lower_threshold == three.best.lower_threshold
    assert free.policy.cost > policy.cost
    miss = at("A miss becomes more expensive").best
    assert miss.lower_threshold < three.best.lower_threshold
    assert miss.upper_threshold == three.best.upper_threshold
    dear = at("The colleague becomes more expensive").best
    assert dear.cost_referral == 2 * three.best.cost_referral
    assert dear.lower_threshold > three.best.lower_threshold
    assert dear.upper_threshold < three.best.upper_threshold
    assert dear.share_referred < three.best.share_referred
    nobody = at("What nobody should pay").best
    assert nobody.break_even_price == pytest.approx(4 / 5)
    assert nobody.cost_referral > 4 / 5
    assert not nobody.is_referring
    better = at("A better picture").best
    assert better.cost_referral == three.best.cost_referral
    assert better.share_referred < three.best.share_referred
    assert better.cost < better.cost_without < three.best.cost_without


def test_claims_of_the_fermi_dirac_story_hold(show_step):
    frozen = show_step("fermi_dirac", "Frozen: a perfect ranking")
    assert frozen.auc == 1.0
    hot = show_step("fermi_dirac", "Hot: a coin")
    assert hot.auc == 0.5
    assert np.ptp(hot.result.law.probability()) < 1e-9
    assert show_step("fermi_dirac", "Below zero").auc < 0.5
    rare = show_step("fermi_dirac", "When positives are rare")
    assert rare.result.law.probability().max() < 0.5
    assert not 1 <= rare.result.law.chemical_potential <= rare.n_samples
    assert 1 <= rare.result.law.threshold_rank <= rare.n_samples
    sure = show_step("fermi_dirac", "How certain is the area?").result.intervals
    assert (sure[0].method, sure[4].method) == ("widened-delong", "fermi-dirac")
    widths = [interval.upper - interval.lower for interval in (sure[0], sure[3])]
    assert widths[0] == pytest.approx(widths[1], rel=0.05)


def test_claims_of_the_ensemble_story_hold(show_step):
    apart = show_step("ensembles", "The crowd of them").result.auc
    assert apart["fidel"] > apart["best"] > apart["mean base"]
    independent = show_step("ensembles", "They err independently").result
    assert independent.n_wrong < independent.n_wrong_of_best
    alike = show_step("ensembles", "When they err alike").result
    assert alike.n_wrong > independent.n_wrong
    assert alike.test.p_value > 0.05
    assert alike.auc["fidel"] < apart["fidel"]
    same = show_step("ensembles", "Nearly the same seven times").result.auc
    assert same["fidel"] < same["best"] < same["correlation-aware"]
    expert = show_step("ensembles", "An expert among weak ones").result
    assert expert.best == 6
    assert expert.auc["woc"] < expert.auc["fidel"]
    wrong = show_step("ensembles", "A classifier that is always wrong").result
    assert wrong.base_auc.min() < 0.5
    assert wrong.auc["fidel"] > wrong.auc["woc"]
    many = show_step("ensembles", "Many weak ones").result
    assert len(many.base_auc) == 12
    assert many.auc["fidel"] > many.auc["best"]
    few = show_step("ensembles", "Few samples to measure on").result.auc
    assert few["woc"] > few["fidel"]


def test_claims_of_the_scoring_list_story_hold(show_step):
    first = show_step("scoring_lists", "Before any question")
    assert first.scores == (1, 1, 1, 1, 1)
    prior = first.result.walk.probability[0]
    yes = show_step("scoring_lists", "The first answer: yes").result.walk.probability
    no = show_step("scoring_lists", "The second answer: no").result.walk
    assert prior < yes[1]
    assert no.probability[2] < yes[1]
    assert no.totals[2] == no.totals[1]
    keller = show_step("scoring_lists", "Three more answers: yes").result.walk
    assert (np.diff(keller.probability[2:]) > 0).all()
    assert keller.is_confident
    assert keller.positive
    assert keller.n_asked == 5
    novak = show_step("scoring_lists", "Ms Novak needs fewer").result.walk
    assert (np.diff(novak.probability) < 0).all()
    assert novak.is_confident
    assert not novak.positive
    assert novak.n_asked == 3
    brandt = show_step("scoring_lists", "Limits are a choice")
    assert 0.4 < brandt.result.walk.probability[2] < brandt.upper == 0.6
    assert brandt.result.walk.next_question == 2
    many = show_step("scoring_lists", "How certain is a probability?").result.walk
    few = show_step("scoring_lists", "Fewer patients, wider bars").result.walk
    assert few.n == pytest.approx(many.n / 10, rel=0.01)
    assert few.upper[0] - few.lower[0] > many.upper[0] - many.lower[0]
    stops = show_step("scoring_lists", "What stopping early saves").result.stops
    assert stops.n_asked == pytest.approx(4, abs=0.3)
    assert stops.share[:3].sum() < 0.5  # two questions leave most in doubt


def test_claims_of_the_decision_story_hold(show_step):
    accuracy = show_step("decisions", "Accuracy: a threshold of one half").result
    assert accuracy.k_best == accuracy.k_half == accuracy.k
    f1 = show_step("decisions", "The F measure: a lower threshold").result
    assert f1.k == f1.k_best > accuracy.k_best
    assert f1.decision.threshold < 0.5
    rare = show_step("decisions", "When positives are rare").result
    assert rare.k_best > rare.k_half
    peaks = show_step("decisions", "Two peaks")
    assert peaks.y_prob.tolist() == [1.0, 0.3, 0.3, 0.3, 0.3, 0.3]
    ways = np.sign(np.diff(peaks.result.decision.utilities))
    assert [ways[0], ways[1], ways[-1]] == [1, -1, 1]
    chance = show_step("decisions", "What may happen").result
    values = chance.outcomes.values
    chances = chance.outcomes.chances
    assert chances[(values >= 1 / 3)].sum() > 0.95
    assert chances[np.abs(values - chance.decision.utility) < 0.05].sum() < 0.5
    wrong = show_step("decisions", "Wrong probabilities cost").result
    assert wrong.n_predicted_positive < wrong.k_best
    assert "not a prefix" in show_step("decisions", "Not always a threshold").sentences[1].text


def test_claims_of_the_lexicographic_story_hold(show_step):
    first = show_step("lexicographic", "Every leaf is a step of the curve").result
    other = show_step("lexicographic", "Another order").result
    assert first.segments.auc > other.segments.auc
    back = show_step("lexicographic", "The hull joins leaves").result
    assert back.is_own
    assert back.tree.hull_segment[1] == back.tree.hull_segment[2]
    share = back.tree.pos / (back.tree.pos + back.tree.neg)
    assert share[2] > share[1]
    assert back.hull.auc > back.segments.auc
    ratios = back.order.odds_ratio
    assert [back.order.order[k] for k in np.argsort(-ratios)] == [0, 1, 2]
    same = show_step("lexicographic", "When it is naive Bayes").result
    assert same.segments.auc == same.naive_bayes.auc
    ratios = same.order.odds_ratio
    assert all(ratios[k] > ratios[k + 1 :].prod() for k in range(len(ratios) - 1))
    better = show_step("lexicographic", "When naive Bayes is better").result
    assert better.naive_bayes.auc > better.segments.auc
    assert better.order.odds_ratio[1:].prod() > better.order.odds_ratio[0]


def test_claims_of_the_ranking_loss_story_hold(show_step):
    step = show_step("ranking_loss", "Rank first").result.errors
    assert step["rank + isotonic"] < step["logistic"] / 3
    penalty = show_step(
        "ranking_loss", "With a strong penalty, ranking first is better"
    ).result.errors
    assert penalty["rank + isotonic"] < penalty["logistic + isotonic"]
    sigmoid = show_step("ranking_loss", "When the truth is a sigmoid").result.errors
    assert sigmoid["logistic"] < sigmoid["logistic + isotonic"]
    gap = show_step("ranking_loss", "The gap at the top").result
    assert gap.top.probability > gap.top.truth
    repaired = show_step("ranking_loss", "The gap, repaired").result
    assert repaired.top.probability < gap.top.probability
    assert repaired.errors["rank + isotonic"] < gap.errors["rank + isotonic"]
    fine = show_step("ranking_loss", "The ranking is fine").result
    assert fine.angle(fine.logistic) < 5


def test_claims_of_the_multiclass_story_hold(show_step):
    def at(title):
        return show_step("classes", title).result

    middle = at("In the middle the most probable class is predicted")
    moved = at("The threshold is a point, too")
    assert moved.matrix.predicted[2] < middle.matrix.predicted[2]
    never = at("Nobody with the rare disease is found")
    assert round(never.matrix.accuracy, 2) == 0.85
    assert (never.matrix.predicted[2], never.matrix.true[2]) == (0, 50)
    # everybody with C more probably has something else
    samples = never.shown.samples
    assert (samples.prob[samples.code == 2].argmax(axis=1) != 2).all()
    assert samples.prob[:, 2].sum() == pytest.approx(50, rel=0.1)
    away = at("Away from the corner").matrix
    assert away.counts[2, 2] > 10
    assert away.accuracy < never.matrix.accuracy
    balanced = at("Each average wants another point")
    assert balanced.value == pytest.approx(balanced.best.value, abs=0.005)
    assert balanced.matrix.accuracy < never.matrix.accuracy - 0.1
    macro = at("Macro F1 stops earlier")
    assert macro.value == pytest.approx(macro.best.value, abs=0.005)
    assert 0 < macro.matrix.counts[2, 2] < balanced.matrix.counts[2, 2]
    assert macro.matrix.accuracy > balanced.matrix.accuracy + 0.1
    costs = at("Costs need no search")
    explorer = show_step("classes", "Costs need no search")
    assert costs.by_costs == pytest.approx(np.array(explorer.point), abs=1e-4)
    assert costs.best.value <= costs.value < never.value + 1
    iris = at("A mean over pairs hides the pairs").auc
    assert round(iris.auc, 2) == 0.92
    assert iris.pairs[0, 1] > 0.98 > 0.8 > iris.pairs[1, 2]
    ten = at("Ten classes").matrix.counts
    assert ten[9, 3] > 1.5 * ten[3, 9]


def test_an_unknown_story_lists_the_known_ones():
    with pytest.raises(ValueError, match=r"name must be one of start, roc, .*; got 'rok'"):
        stories.open_story("rok")


def test_claims_of_the_groups_story_hold(show_step):
    result = show_step("groups", "One threshold for all").result
    (_, a), (_, b) = result.policy.points.values()
    assert a > b + 0.1
    assert 0 < show_step("groups", "It is nearly cost-optimal").result.extra_cost_per_1000 < 10
    same = show_step("groups", "The same share of positives").result.policy
    assert same.predicted_positive_rate["B"] > result.policy.predicted_positive_rate["B"]
    (f, t), (g, u) = same.points.values()
    assert t == pytest.approx(u)
    assert abs(f - g) < 0.02
    assert same.precision["A"] > same.precision["B"] + 0.1
    precise = show_step("groups", "Then promise equal precision").result.policy
    assert precise.precision["A"] == pytest.approx(precise.precision["B"])
    assert precise.points["A"][1] > precise.points["B"][1] + 0.2
    agree = show_step("groups", "With equal prevalence all agree").result.policy
    assert np.ptp([point[0] for point in agree.points.values()]) < 0.02
    assert np.ptp(list(agree.precision.values())) < 0.02
    perfect = show_step("groups", "Unless the score is perfect").result.policy
    assert set(perfect.points.values()) == {(0.0, 1.0)}
    worse = show_step("groups", "A score that is worse for a group").result.policy
    assert worse.points["A"][1] > worse.points["B"][1] + 0.2
    price = show_step("groups", "Equal chances have a price").result.extra_cost_per_1000
    odds = show_step("groups", "Equalized odds take from the better").result
    assert odds.extra_cost_per_1000 > price > 10
    assert odds.policy.rules["A"].ignored_share > 0
    assert odds.policy.rules["B"].ignored_share == 0

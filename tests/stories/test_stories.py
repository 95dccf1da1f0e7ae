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
    made = {}

    def open_once(name):
        if name not in made:
            made[name] = stories.open_story(name)
        return made[name]

    yield open_once
    for story in made.values():
        story.close()


@pytest.fixture(scope="module")
def told(opened):
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
    asked = [step for step in between if step.ask]
    assert len(asked) >= 5
    assert any(step.notes.startswith("The turn of the story") for step in between)
    # it lasts what its card promises
    assert tomllib.loads((FILES / f"{name}.toml").read_text("utf-8"))["minutes"] == story.minutes
    assert len({step.title for step in story.steps}) == len(story.steps)
    story.check()
    for at, step in enumerate(story.steps):
        story.show(at)
        assert story.at == at
        # in a hall: two sentences or three, none with a format left over
        assert len(story.text) < 260, step.title
        assert not re.search(r"[{}]|nan", story.text)
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


def test_claims_of_the_start_hold(told):
    low = told("start", "A lower threshold").result.table
    high = told("start", "A higher threshold").result.table
    middle = told("start", "A threshold makes a classifier").result.table
    assert low.tp > middle.tp > high.tp
    assert low.fp > middle.fp > high.fp
    end = told("start", "All thresholds are the curve").result
    assert end.operating_point == (1.0, 1.0)
    assert abs(told("start", "What a coin does").result.segments.auc - 0.5) < 0.03
    perfect = told("start", "What a perfect ranking does").result
    assert (perfect.segments.auc, perfect.table.fn, perfect.table.fp) == (1.0, 0, 0)
    assert told("start", "Worse than a coin is useful, too").result.segments.auc < 0.5
    dear = told("start", "The cost picks the threshold").result
    assert dear.optimum.threshold < 0.5
    assert dear.optimum.fp > dear.table.fp
    assert dear.optimum.fn < dear.table.fn


def test_claims_of_the_roc_story_hold(told):
    equal = told("roc", "What mistakes cost").result.optimum
    dear = told("roc", "A miss that costs as much as five false alarms").result.optimum
    rare = told("roc", "Where positives are rare").result.optimum
    assert dear.tpr > equal.tpr
    assert dear.fpr > equal.fpr
    assert rare.tpr < dear.tpr
    few = told("roc", "A curve from data is uncertain")
    width, size = np.mean(few.result.band.upper - few.result.band.lower), few.n_samples
    many = told("roc", "Four times the data, half the width")
    assert many.n_samples == 4 * size
    assert np.mean(many.result.band.upper - many.result.band.lower) / width == pytest.approx(
        0.5, abs=0.1
    )
    dent = told("roc", "The convex hull repairs it").result
    assert dent.curve.hull.auc > dent.segments.auc + 0.05
    raw = told("roc", "The Brier score sees it, the area does not")
    brier, auc = raw.result.calibrated.after.brier, raw.result.segments.auc
    assert "over-confident" in raw.sentences[2].text
    hull = told("roc", "Probabilities from the hull").result
    assert hull.calibrated.after.brier < brier
    assert hull.calibrated.after.miscalibration == pytest.approx(0, abs=1e-12)
    assert hull.segments.auc == auc
    unseen = told("roc", "On samples that it has not seen").result
    assert unseen.calibrated.after.brier > hull.calibrated.after.brier


def test_claims_of_the_fermi_dirac_story_hold(told):
    frozen = told("fermi_dirac", "Frozen: a perfect ranking")
    assert frozen.auc == 1.0
    hot = told("fermi_dirac", "Hot: a coin")
    assert hot.auc == 0.5
    assert np.ptp(hot.result.law.probability()) < 1e-9
    assert told("fermi_dirac", "Below zero").auc < 0.5
    rare = told("fermi_dirac", "When positives are rare")
    assert rare.result.law.probability().max() < 0.5
    assert not 1 <= rare.result.law.chemical_potential <= rare.n_samples
    assert 1 <= rare.result.law.threshold_rank <= rare.n_samples
    sure = told("fermi_dirac", "How certain is the area?").result.intervals
    assert (sure[0].method, sure[3].method) == ("logit-delong", "fermi-dirac")
    widths = [one.upper - one.lower for one in (sure[0], sure[3])]
    assert widths[0] == pytest.approx(widths[1], rel=0.05)


def test_claims_of_the_ensemble_story_hold(told):
    apart = told("ensembles", "The crowd of them").result.auc
    assert apart["fidel"] > apart["best"] > apart["mean base"]
    alike = told("ensembles", "When they err alike").result
    assert alike.test.p_value > 0.05
    assert alike.auc["fidel"] < apart["fidel"]
    same = told("ensembles", "Nearly the same seven times").result.auc
    assert same["fidel"] < same["best"] < same["correlation-aware"]
    expert = told("ensembles", "An expert among weak ones").result
    assert expert.best == 6
    assert expert.auc["woc"] < expert.auc["fidel"]
    wrong = told("ensembles", "A classifier that is always wrong").result
    assert wrong.base_auc.min() < 0.5
    assert wrong.auc["fidel"] > wrong.auc["woc"]
    many = told("ensembles", "Many weak ones").result
    assert len(many.base_auc) == 12
    assert many.auc["fidel"] > many.auc["best"]
    few = told("ensembles", "Few samples to measure on").result.auc
    assert few["woc"] > few["fidel"]


def test_claims_of_the_scoring_list_story_hold(told):
    first = told("scoring_lists", "A list of questions")
    assert len(first.questions) == 4
    assert first.scores == (1, -2, 1, 2)
    prior = first.result.walk.probability[0]
    yes = told("scoring_lists", "The first answer: yes").result.walk.probability
    no = told("scoring_lists", "The second answer: no").result.walk
    assert prior < yes[1] < no.probability[2]
    assert no.totals[2] == no.totals[1]
    stop = told("scoring_lists", "The third answer: yes, and stop")
    assert stop.result.walk.is_sure
    assert stop.result.walk.positive
    assert stop.result.walk.n_asked == 3
    wait = told("scoring_lists", "Limits are a choice").result.walk
    assert not wait.is_sure
    assert wait.next_question == 3
    other = told("scoring_lists", "Another case").result.walk
    assert other.is_sure
    assert not other.positive
    many = told("scoring_lists", "A list learned from data").result.walk
    few = told("scoring_lists", "Fewer samples, wider bars").result.walk
    assert few.n == pytest.approx(many.n / 10, rel=0.01)
    assert few.upper[0] - few.lower[0] > many.upper[0] - many.lower[0]
    stops = told("scoring_lists", "What stopping early saves").result.stops
    assert stops.share[:-1].sum() > 0


def test_claims_of_the_decision_story_hold(told):
    accuracy = told("decisions", "Accuracy cuts at one half").result
    assert accuracy.k_best == accuracy.k_half == accuracy.k
    f1 = told("decisions", "The F measure cuts lower").result
    assert f1.k == f1.k_best > accuracy.k_best
    assert f1.decision.threshold < 0.5
    rare = told("decisions", "When positives are rare").result
    assert rare.k_best > rare.k_half
    peaks = told("decisions", "Two peaks")
    assert peaks.y_prob.tolist() == [1.0, 0.3, 0.3, 0.3, 0.3, 0.3]
    ways = np.sign(np.diff(peaks.result.decision.utilities))
    assert [ways[0], ways[1], ways[-1]] == [1, -1, 1]
    chance = told("decisions", "What may happen").result
    values, chances = chance.outcomes.values, chance.outcomes.chances
    assert chances[(values >= 1 / 3)].sum() > 0.95
    assert chances[np.abs(values - chance.decision.utility) < 0.05].sum() < 0.5
    wrong = told("decisions", "Wrong probabilities cost").result
    assert wrong.n_predicted_positive < wrong.k_best
    assert "not a prefix" in told("decisions", "Not always a cut").sentences[1].text


def test_claims_of_the_lexicographic_story_hold(told):
    first = told("lexicographic", "Every leaf is a step of the curve").result
    other = told("lexicographic", "Another order").result
    assert first.segments.auc > other.segments.auc
    back = told("lexicographic", "The hull joins leaves").result
    assert back.is_own
    share = back.tree.pos / (back.tree.pos + back.tree.neg)
    assert (np.diff(share) > 0).any()
    assert back.hull.auc > back.segments.auc
    same = told("lexicographic", "When it is naive Bayes").result
    assert same.segments.auc == same.naive_bayes.auc
    ratios = same.order.odds_ratio
    assert all(ratios[k] > ratios[k + 1 :].prod() for k in range(len(ratios) - 1))
    better = told("lexicographic", "When naive Bayes is better").result
    assert better.naive_bayes.auc > better.segments.auc
    assert better.order.odds_ratio[1:].prod() > better.order.odds_ratio[0]


def test_claims_of_the_ranking_loss_story_hold(told):
    step = told("ranking_loss", "Rank first").result.errors
    assert step["logistic + isotonic"] < step["rank + isotonic"] < step["logistic"]
    penalty = told("ranking_loss", "With a strong penalty, ranking first is better").result.errors
    assert penalty["rank + isotonic"] < penalty["logistic + isotonic"]
    sigmoid = told("ranking_loss", "When the truth is a sigmoid").result.errors
    assert sigmoid["logistic"] < sigmoid["logistic + isotonic"]
    gap = told("ranking_loss", "The gap at the top").result
    assert gap.top.says > gap.top.truth
    repaired = told("ranking_loss", "The gap, repaired").result
    assert repaired.top.says < gap.top.says
    assert repaired.errors["logistic + isotonic"] < gap.errors["logistic + isotonic"]
    fine = told("ranking_loss", "The ranking is fine").result
    assert fine.angle(fine.logistic) < 5


def test_claims_of_the_multiclass_story_hold(told):
    def at(title):
        return told("classes", title).result

    middle, moved = at("The middle calls the most probable"), at("The threshold is a point, too")
    assert moved.matrix.called[2] < middle.matrix.called[2]
    never = at("Nobody with the rare disease is found")
    assert round(never.matrix.accuracy, 2) == 0.85
    assert (never.matrix.called[2], never.matrix.true[2]) == (0, 50)
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
    explorer = told("classes", "Costs need no search")
    assert costs.by_costs == pytest.approx(np.array(explorer.point), abs=1e-4)
    assert costs.best.value <= costs.value < never.value + 1
    iris = at("The mean of a ranking hides pairs").auc
    assert round(iris.auc, 2) == 0.92
    assert iris.pairs[0, 1] > 0.98 > 0.8 > iris.pairs[1, 2]
    ten = at("Ten classes").matrix.counts
    assert ten[9, 3] > 1.5 * ten[3, 9]


def test_an_unknown_story_lists_the_known_ones():
    with pytest.raises(ValueError, match=r"name must be one of start, roc, .*; got 'rok'"):
        stories.open_story("rok")


def test_claims_of_the_groups_story_hold(told):
    one = told("groups", "One threshold for all").result
    (_, a), (_, b) = one.policy.points.values()
    assert a > b + 0.1
    assert 0 < told("groups", "It is nearly the cheapest").result.extra_per_1000 < 10
    same = told("groups", "The same share of positives").result.policy
    assert same.called["B"] > one.policy.called["B"]
    (f, t), (g, u) = same.points.values()
    assert t == pytest.approx(u)
    assert abs(f - g) < 0.02
    assert same.precision["A"] > same.precision["B"] + 0.1
    precise = told("groups", "Then promise equal precision").result.policy
    assert precise.precision["A"] == pytest.approx(precise.precision["B"])
    assert precise.points["A"][1] > precise.points["B"][1] + 0.2
    agree = told("groups", "With equal prevalence all agree").result.policy
    assert np.ptp([point[0] for point in agree.points.values()]) < 0.02
    assert np.ptp([*agree.precision.values()]) < 0.02
    perfect = told("groups", "Unless the score is perfect").result.policy
    assert {*perfect.points.values()} == {(0.0, 1.0)}
    worse = told("groups", "A score that is worse for a group").result.policy
    assert worse.points["A"][1] > worse.points["B"][1] + 0.2
    price = told("groups", "Equal chances have a price").result.extra_per_1000
    odds = told("groups", "Equalized odds take from the better").result
    assert odds.extra_per_1000 > price > 10
    assert odds.policy.rules["A"].coin > 0
    assert odds.policy.rules["B"].coin == 0

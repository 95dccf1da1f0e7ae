"""StageDisplay: the numbers on the artists, room for the words, bad input before a figure."""

import numpy as np
import pytest
from matplotlib import colors as mcolors
from matplotlib import pyplot as plt
from sklearn.linear_model import LogisticRegression

from rocviz import ScoringList, StageDisplay
from rocviz.datasets import load_scoring_list_example
from rocviz.theme import Theme


def cohort(n=300, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.random((n, 5)) < [0.4, 0.5, 0.3, 0.4, 0.5]
    return X, rng.random(n) < 1 / (1 + np.exp(1.2 - X @ [1.5, -2, 1, 2.5, -1]))


@pytest.fixture
def learned_list():
    names = ["pain at effort", "palpation", "known disease", "age > 60", "cough"]
    return ScoringList.from_counts(
        range(5), [2, -2, 1, 3, -1], *cohort(), feature_names=names, calibration="beta"
    )


def heights(lines):
    """Find the heights of level lines."""
    return [segment[0][1] for segment in lines.get_segments()]


def heading(display):
    return display.ax_.get_title(loc="left")


def test_the_picture_shows_the_stage(learned_list, words):
    display = StageDisplay(learned_list, stage=3).plot(lower=0.1, upper=0.8, cost_fn=4)
    stage = learned_list.stages[3]
    band = learned_list.stages[3].band()
    np.testing.assert_array_equal(display.line_.get_xdata(), stage.totals)
    np.testing.assert_array_equal(display.line_.get_ydata(), stage.probability)
    seen = stage.n > 0
    np.testing.assert_allclose(heights(display.observed_), (stage.pos / stage.n)[seen])
    for segment, total, low, high in zip(
        display.intervals_.get_segments(), stage.totals, band.lower, band.upper, strict=True
    ):
        np.testing.assert_allclose(segment, [[total, low], [total, high]])
    levels = {name: line.get_ydata()[0] for name, line in display.limit_lines_.items()}
    assert levels == {"lower": 0.1, "upper": 0.8, "cost": 0.2, "prior": cohort()[1].mean()}
    text = words(display.ax_)
    for part in (
        "stop: rule in from 80 %",
        "stop: rule out up to 10 %",
        "a miss costs 4: positive above 20 %",
        "95 % intervals together",
        "Clopper–Pearson",
    ):
        assert part in text
    assert heading(display) == "After known disease: 3 of 5 questions"
    picture = display.picture_
    up = np.ptp(picture["positives"].y, axis=1)
    down = np.ptp(picture["negatives"].y, axis=1)
    most = max(stage.pos.max(), stage.neg.max())
    scale = max(up.max(), down.max()) / most
    np.testing.assert_allclose(up, scale * stage.pos[stage.pos > 0])
    np.testing.assert_allclose(down, scale * stage.neg[stage.neg > 0])
    assert f"{stage.pos.sum():.0f} positives" in text


def test_a_list_written_by_hand_shows_no_counts(words):
    display = StageDisplay(load_scoring_list_example(), stage=3).plot(upper=0.9)
    assert display.observed_ is display.intervals_ is None
    assert "positives" not in {mark.name for mark in display.picture_.marks}
    assert "what happened" not in words(display.ax_)
    assert display.ax_.get_xlabel() == "total score"
    assert [t.get_text() for t in display.ax_.get_xticklabels()] == ["−2", "−1", "0", "1", "2"]


def test_before_the_first_question(learned_list):
    display = StageDisplay(learned_list, stage=0).plot()
    assert heading(display) == "Before the first of 5 questions"
    assert "prior" not in display.limit_lines_
    assert heading(display.plot(stage=5)) == "After cough: 5 of 5 questions"


def test_totals_without_samples_are_hollow(words):
    X = np.array([[0, 0], [1, 0], [1, 1], [0, 0]])
    y = [0, 1, 1, 0]
    scoring_list = ScoringList.from_counts([0, 1], [1, 3], X, y)
    display = StageDisplay(scoring_list).plot(band=False, theme="light")
    assert display.intervals_ is None
    assert "no samples" in words(display.ax_)
    assert display.picture_["seen"].x.tolist() == [4, 1, 0]
    assert display.picture_["unseen"].x.tolist() == [3]
    assert display.picture_["unseen"].role == "paper"


def test_contradictions_are_marked(words):
    X = np.repeat([[0], [1]], 100, axis=0)
    scoring_list = ScoringList.from_counts([0], [1], X, np.arange(200) < 100)
    display = StageDisplay(scoring_list).plot()
    assert "× counts contradict the order" in words(display.ax_)
    np.testing.assert_allclose(display.picture_["contradictions"].y, 0.5)


def test_new_data(learned_list):
    X, y = cohort(seed=9)
    display = StageDisplay(learned_list, stage=4, test=(X, y)).plot(data="test")
    pos, neg = learned_list.count(X, y)[4]
    seen = pos + neg > 0
    np.testing.assert_allclose(heights(display.observed_), (pos / (pos + neg))[seen])
    np.testing.assert_array_equal(display.line_.get_ydata(), learned_list.stages[4].probability)
    assert heading(display).endswith(", new data")


def test_curves(learned_list):
    X, y = cohort(seed=9)
    display = StageDisplay(learned_list, stage=2, test=(X, y, np.ones(300))).plot_curves(cost_fn=5)
    for name, scores in (
        ("train", learned_list.stage_scores(cost_fn=5)),
        ("test", learned_list.evaluate(X, y, cost_fn=5)),
    ):
        for line, measure in zip(
            display.curves_[name], ("entropy", "brier", "auc", "loss"), strict=True
        ):
            np.testing.assert_array_equal(line.get_ydata(), getattr(scores, measure))
    assert [ax.get_title(loc="left") for ax in display.axes_] == [
        "Expected entropy (bits)",
        "Brier score",
        "AUC",
        "Loss per case (a miss costs 5)",
    ]
    for ax in display.axes_:
        assert {"train", "test", "stage 2"} <= {text.get_text() for text in ax.texts}


def test_width_of_intervals(learned_list, legible):
    X, y = cohort(seed=9)
    display = StageDisplay(learned_list, test=(X, y))
    display.plot_curves(measures=["width", "auc", "brier"], confidence=0.9)
    np.testing.assert_array_equal(
        display.curves_["train"][0].get_ydata(), learned_list.band_widths(confidence=0.9)
    )
    assert len(display.curves_["test"]) == 2
    assert len(display.figure_.axes) == 3
    assert display.axes_[0].get_title(loc="left") == "Width of the 90 % interval"
    legible(display.figure_, *display.axes_)
    alone = StageDisplay(learned_list).plot_curves(measures=["width"])
    legible(alone.figure_, *alone.axes_)
    plt.close("all")
    with pytest.raises(ValueError, match="written by hand"):
        StageDisplay(load_scoring_list_example(), test=([[1, 1, 1, 1]], [1])).plot_curves(
            measures=["width"]
        )
    for wrong in ("auc", [], ["area"]):
        with pytest.raises(ValueError, match="measures must be"):
            StageDisplay(learned_list).plot_curves(measures=wrong)
    assert plt.get_fignums() == []


def test_curves_of_one_class_only(learned_list):
    X, _ = cohort(seed=9)
    display = StageDisplay(learned_list, test=(X, np.ones(300))).plot_curves()
    assert np.isnan(display.curves_["test"][2].get_ydata()).all()
    by_hand = StageDisplay(load_scoring_list_example(), test=([[1, 1, 1, 1]], [1]))
    assert list(by_hand.plot_curves().curves_) == ["test"]


def test_curves_on_given_axes(learned_list):
    figure, axes = plt.subplots(1, 4, figsize=(16, 4))
    assert StageDisplay(learned_list).plot_curves(axes).figure_ is figure
    with pytest.raises(ValueError, match="ax must be 4 Axes; got 3"):
        StageDisplay(learned_list).plot_curves(axes[:3])


class Fitted(LogisticRegression):
    """Stands for an estimator that has learned a list."""

    def __sklearn_is_fitted__(self):
        return hasattr(self, "scoring_list_")


def test_from_estimator(learned_list, words):
    X, y = cohort(seed=2)
    model = Fitted()
    with pytest.raises(ValueError, match="not fitted"):
        StageDisplay.from_estimator(model)
    model.scoring_list_ = learned_list
    model.classes_ = np.array(["ill", "well"])
    model.pos_label_ = "ill"
    display = StageDisplay.from_estimator(model, X, np.where(y, "ill", "well"), stage=1)
    assert display.scoring_list is learned_list
    assert display.stage == 1
    assert " ill\n" in words(display.ax_)
    assert display.ax_.get_ylabel() == "probability of ill, %"
    again = StageDisplay.from_estimator(learned_list, X, y)
    np.testing.assert_array_equal(again._counts[1][0], display._counts[1][0])
    with pytest.raises(ValueError, match=r"pos_label of this fitted Fitted is 'ill'; got 'well'"):
        StageDisplay.from_estimator(model, pos_label="well")
    with pytest.raises(ValueError, match="or a ScoringList; got LogisticRegression"):
        StageDisplay.from_estimator(LogisticRegression().fit(X, y))


@pytest.mark.parametrize(("theme", "stage"), [("light", 0), ("dark", 5), ("lecture", 5)])
def test_nothing_is_cut_off_or_overlaps(learned_list, theme, stage, legible):
    display = StageDisplay(learned_list, stage=stage, pos_label=None)
    display.plot(lower=0.05, upper=0.9, theme=theme)
    legible(display.figure_, display.ax_)
    look = Theme(dark=theme == "dark", lecture=theme == "lecture")
    assert mcolors.same_color(display.line_.get_color(), look.colour("hull"))
    curves = display.plot_curves(theme=theme)
    legible(curves.figure_, *curves.axes_)


def test_many_totals_get_few_ticks(legible):
    rng = np.random.default_rng(0)
    X = rng.random((100, 12)) < 0.5
    scoring_list = ScoringList.from_counts(range(12), [3, 9] * 6, X, rng.random(100) < 0.5)
    display = StageDisplay(scoring_list).plot()
    assert 3 <= len(display.ax_.get_xticks()) <= 20
    legible(display.figure_, display.ax_)


def test_bad_input_makes_no_figure(learned_list):
    X, y = cohort()
    for how, message in (
        ({"lower": 0.9, "upper": 0.2}, "lower must not be above upper"),
        ({"cost_fn": 0}, "cost_fn must be greater"),
        ({"data": "test"}, "data='test' needs test data"),
    ):
        with pytest.raises(ValueError, match=message):
            StageDisplay(learned_list).plot(**how)
    with pytest.raises(ValueError, match="X and y must have the same length"):
        StageDisplay(learned_list, test=(X, y[:3]))
    with pytest.raises(ValueError, match="written by hand"):
        StageDisplay(load_scoring_list_example()).plot_curves()
    assert plt.get_fignums() == []

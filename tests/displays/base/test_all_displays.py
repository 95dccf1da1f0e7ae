"""What the three displays have in common."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from matplotlib import colors as mcolors
from matplotlib import pyplot as plt
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier

from rocviz import BrierDisplay, RankedSegments, ReliabilityDisplay, ROCHullDisplay, set_theme
from rocviz.theme import Theme

DISPLAYS = [ROCHullDisplay, ReliabilityDisplay, BrierDisplay]
PROBABILITIES = [ReliabilityDisplay, BrierDisplay]


@pytest.fixture(params=DISPLAYS, ids=lambda display: display.__name__)
def display(request):
    return request.param


@pytest.mark.parametrize(
    ("y", "p", "how"),
    [
        ([0, 1, np.nan], [0.1, 0.2, 0.3], {}),
        ([0, 1, 1], [0.1, np.nan, 0.3], {}),
        ([0, 1, 1], [0.1, np.inf, 0.3], {}),
        ([0, 1, 1], [0.1, 0.3], {}),
        ([1, 1, 1], [0.1, 0.2, 0.3], {}),
        ([0, 1, 2], [0.1, 0.2, 0.3], {}),
        ([0, 1, 1], [0.1, 0.2, 0.3], {"pos_label": 7}),
        ([0, 1, 1], [0.1, 0.2, 0.3], {"sample_weight": [1, -1, 1]}),
        ([0, 1, 1], [0.1, 0.2, 0.3], {"sample_weight": [0, 0, 0]}),
        ([0, 1, 1], [0.1, 0.2, 0.3], {"theme": "pink"}),
        ([0, 1, 1], [0.1, 0.2, 0.3], {"theme": 3}),
        ([0, 1, 1], {}, {}),
        ([0, 1, 1], {"a": [0.1, 0.2, 0.3]}, {"name": "b"}),
        ([0, 1, 1], {"a": [0.1, 0.2, 0.3], "bad": [0.1, 0.2]}, {}),
    ],
)
def test_bad_input_makes_no_figure(display, y, p, how):
    with pytest.raises(ValueError, match=r"\w{3}"):
        display.from_predictions(y, p, **how)
    assert plt.get_fignums() == []


@pytest.mark.parametrize(
    ("kind", "how"),
    [
        (ROCHullDisplay, {"band": "guess"}),
        (ROCHullDisplay, {"confidence": 2}),
        (ROCHullDisplay, {"cost_fp": -1}),
        (ROCHullDisplay, {"cost_fp": 0, "cost_fn": 0}),
        (ROCHullDisplay, {"prevalence": 1.5}),
        (ReliabilityDisplay, {"by": "bins"}),
        (ReliabilityDisplay, {"interval": "wald"}),
        (ReliabilityDisplay, {"confidence": 0}),
    ],
)
def test_bad_choices_make_no_figure(kind, how, data):
    with pytest.raises(ValueError, match=next(iter(how)).split("_")[0]):
        kind.from_predictions(*data, **how)
    assert plt.get_fignums() == []


def test_errors_say_which_model(display):
    with pytest.raises(ValueError, match="model 'bad'"):
        display.from_predictions([0, 1], {"good": [0.1, 0.2], "bad": [0.1, np.nan]})


def test_unknown_keywords_are_refused(display, data):
    with pytest.raises(TypeError, match="colour"):
        display.from_predictions(*data, colour="red")
    assert plt.get_fignums() == []


@pytest.mark.parametrize("kind", PROBABILITIES)
def test_probabilities_only(kind):
    with pytest.raises(ValueError, match=r"y_prob must be probabilities within \[0, 1\]"):
        kind.from_predictions([0, 1, 1], [0.1, 0.2, 3.0])
    with pytest.raises(ValueError, match="probabilities"):
        kind(RankedSegments([3, 0.5], [1, 1], [1, 0]))
    X = np.arange(12.0).reshape(-1, 1)
    with pytest.raises(ValueError, match="predict_proba"):
        kind.from_estimator(RidgeClassifier().fit(X, X[:, 0] > 5), X, X[:, 0] > 5)
    assert plt.get_fignums() == []


def test_estimators_that_will_not_do(display):
    X = np.arange(12.0).reshape(-1, 1)
    two, three = X[:, 0] > 5, (X[:, 0] // 4).astype(int)
    with pytest.raises(ValueError, match="must be a fitted classifier"):
        display.from_estimator(LinearRegression().fit(X, X[:, 0]), X, two)
    with pytest.raises(ValueError, match="not fitted"):
        display.from_estimator(LogisticRegression(), X, two)
    with pytest.raises(ValueError, match="knows 3"):
        display.from_estimator(LogisticRegression().fit(X, three), X, two)
    with pytest.raises(ValueError, match="pos_label"):
        display.from_estimator(LogisticRegression().fit(X, two), X, two, pos_label="yes")
    assert plt.get_fignums() == []


@pytest.mark.parametrize("segments", [3, {}, {"a": 3}, None])
def test_constructor_wants_segments(display, segments):
    with pytest.raises(ValueError, match="segments"):
        display(segments)


def test_names_belong_to_the_one_model(display, data, models):
    segments = {k: RankedSegments.from_scores(data[0], p) for k, p in models.items()}
    with pytest.raises(ValueError, match="name must not be given"):
        display(segments, name="x")
    with pytest.raises(ValueError, match="name must not be given"):
        display(segments).plot(name="x")
    assert plt.get_fignums() == []


@pytest.mark.parametrize("container", [list, np.asarray, pd.Series, pl.Series])
def test_containers_and_labels_of_every_kind(display, data, container):
    y, p = data
    labels = np.where(y == 1, "ill", "well")
    for given in (y.tolist(), (y == 1).tolist(), labels.tolist()):
        made = display.from_predictions(
            container(given),
            container(p.tolist()),
            pos_label="ill" if isinstance(given[0], str) else None,
            sample_weight=container([1.0] * 300),
        )
        plain = RankedSegments.from_scores(y, p)
        np.testing.assert_array_equal(made.segments.pos, plain.pos)
        np.testing.assert_array_equal(made.segments.neg, plain.neg)
        plt.close(made.figure_)


def test_input_is_not_modified(display, data):
    y, p = data[0].copy(), data[1].copy()
    y.flags.writeable = p.flags.writeable = False
    display.from_predictions(y, p)
    np.testing.assert_array_equal(p, data[1])


def test_weights_count_as_repetitions(display, data):
    y, p = data
    weight = np.arange(300) % 3
    weighted = display.from_predictions(y, p, sample_weight=weight)
    repeated = display.from_predictions(np.repeat(y, weight), np.repeat(p, weight))
    np.testing.assert_array_equal(weighted.segments.pos, repeated.segments.pos)
    np.testing.assert_array_equal(weighted.segments.score, repeated.segments.score)


def test_string_label_is_used_in_the_counts(data, words):
    y = np.where(data[0] == 1, "ill", "well")
    roc = ROCHullDisplay.from_predictions(y, 1 - data[1], pos_label="well")
    assert f"{(data[0] == 0).sum()} well + {data[0].sum()} other" in words(roc.ax_)
    strip = ReliabilityDisplay.from_predictions(y, data[1], pos_label="ill").histogram_ax_
    assert f"{data[0].sum()} ill" in words(strip)
    assert f"{(data[0] == 0).sum()} others" in words(strip)


def test_drawn_without_warning_in_every_situation(display, situation):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = display.from_predictions(*situation)
        made.figure_.canvas.draw()


def test_plot_returns_itself_and_draws_on_given_axes(display, data):
    segments = RankedSegments.from_scores(*data)
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4))
    made = display(segments)
    assert made.plot(right) is made
    assert made.ax_ is right
    assert made.figure_ is figure
    assert not left.lines
    assert plt.get_fignums() == [figure.number]


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("way", ["global", "name", "theme"])
def test_theme_colours(display, data, dark, way):
    look = Theme(dark=dark)
    if way == "global":
        set_theme(dark=dark)
        made = display.from_predictions(*data)
    else:
        given = look if way == "theme" else ("dark" if dark else "light")
        made = display.from_predictions(*data, theme=given)
    assert mcolors.same_color(made.figure_.get_facecolor(), look.colour("paper"))
    inks = {mcolors.to_hex(text.get_color()).upper() for text in made.ax_.texts}
    assert inks & {look.colour(thing) for thing in ("text", "muted", "hull-text")}
    if display is ROCHullDisplay:
        assert made.line_.get_color() == look.colour("ranking")
        assert made.hull_line_.get_color() == look.colour("hull")


def test_lecture_enlarges_type_and_strokes(data):
    plain = ROCHullDisplay.from_predictions(*data)
    hall = ROCHullDisplay.from_predictions(*data, theme="lecture")
    assert hall.ax_.xaxis.label.get_size() == pytest.approx(1.5 * plain.ax_.xaxis.label.get_size())
    assert hall.line_.get_linewidth() == pytest.approx(1.6 * plain.line_.get_linewidth())
    set_theme(lecture=True)
    again = ROCHullDisplay.from_predictions(*data)
    assert again.line_.get_linewidth() == hall.line_.get_linewidth()


def test_unit_axes(data):
    for kind in (ROCHullDisplay, ReliabilityDisplay):
        ax = kind.from_predictions(*data).ax_
        assert ax.get_aspect() == 1
        assert [t.get_text() for t in ax.get_yticklabels()] == ["0", ".25", ".5", ".75", "1"]
        box = ax.get_window_extent()
        assert box.width == pytest.approx(box.height)


def test_nothing_is_cut_off(display, situation):
    made = display.from_predictions(*situation, name="a model")
    figure = made.figure_
    figure.canvas.draw()
    whole = figure.bbox
    axes = [made.ax_, *made.ax_.child_axes]
    for ax in axes:
        around = [ax.xaxis.label, ax.yaxis.label, *ax.get_xticklabels(), *ax.get_yticklabels()]
        for text in [*ax.texts, *(around if ax.axison else ())]:
            if text.get_visible() and text.get_text():
                box = text.get_window_extent()
                assert whole.x0 <= box.x0, text
                assert box.x1 <= whole.x1, text
                assert whole.y0 <= box.y0, text
                assert box.y1 <= whole.y1, text


def _touched(made, lines):
    """Return the texts whose middle band of ink a line passes through."""
    found = []
    for line in lines:
        xy = made.ax_.transData.transform(line.get_xydata())
        along = np.concatenate(([0], np.cumsum(np.hypot(*np.diff(xy, axis=0).T))))
        at = np.linspace(0, along[-1], 3000)
        x, y = (np.interp(at, along, column) for column in xy.T)
        for text in made.ax_.texts:
            box = text.get_window_extent()
            if ((x > box.x0) & (x < box.x1) & (y > box.y0) & (y < box.y1)).any():
                found.append(text.get_text())
    return found


@pytest.mark.parametrize("size", [(5.6, 5.4), (4, 4), (12, 5)])
def test_roc_labels_do_not_touch_the_curve_or_each_other(situation, size):
    _, ax = plt.subplots(figsize=size)
    made = ROCHullDisplay.from_predictions(*situation, ax=ax, thresholds=True, cost_fn=3)
    made.figure_.canvas.draw()
    assert _touched(made, [made.line_, made.hull_line_]) == []
    boxes = [text.get_window_extent() for text in ax.texts]
    for i, one in enumerate(boxes):
        for j, other in enumerate(boxes[:i]):
            assert not one.shrunk(0.9, 0.8).overlaps(other), (
                ax.texts[i].get_text(),
                ax.texts[j].get_text(),
            )


def test_labels_of_three_models_do_not_touch_the_curves(data, models):
    for how in ({}, {"theme": "lecture"}, {"cost_fn": 4}):
        made = ROCHullDisplay.from_predictions(data[0], models, **how)
        assert _touched(made, made.line_) == []


def test_figures_can_be_saved_as_vectors(display, data, tmp_path):
    made = display.from_predictions(*data)
    for kind in ("svg", "pdf"):
        made.figure_.savefig(tmp_path / f"figure.{kind}", bbox_inches="tight")
        assert (tmp_path / f"figure.{kind}").stat().st_size > 5000


def test_layout_engines_make_room_for_the_strip(data):
    figure, axes = plt.subplots(1, 2, figsize=(9, 5), layout="constrained")
    made = [ReliabilityDisplay.from_predictions(*data, ax=ax) for ax in axes]
    figure.canvas.draw()
    for one in made:
        label = one.histogram_ax_.xaxis.label.get_window_extent()
        assert label.y0 >= 0
        assert one.ax_.get_window_extent().y0 > one.histogram_ax_.get_window_extent().y1


def test_displays_leave_nothing_behind(display, data):
    import gc
    import weakref

    made = display.from_predictions(*data)
    gone = weakref.ref(made.ax_)
    plt.close("all")
    del made
    gc.collect()
    assert gone() is None

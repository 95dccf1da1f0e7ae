"""Properties of each display: keywords, documentation, themes, and no side effects."""

import gc
import inspect
import re
import weakref
from io import BytesIO

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import colors as mcolors
from matplotlib import pyplot as plt
from matplotlib.text import Text

import rocviz
from rocviz import set_theme, simulate_classifiers
from rocviz.core.fermi_dirac import fermi_dirac_experiment
from rocviz.datasets import load_flach_matsubara, load_scoring_list_example
from rocviz.displays import practice, roc
from rocviz.estimators.ranking_loss import synthetic_ranking_experiment
from rocviz.theme import Theme

TABLE = load_flach_matsubara(return_X_y=True, as_frame=True)
Y = [0, 0, 1, 0, 1, 1]
P = [0.1, 0.3, 0.35, 0.4, 0.6, 0.9]


def _ranking_experiment(**style):
    experiment = synthetic_ranking_experiment(
        n_samples=100, n_repeats=2, methods=["logistic", "linear"], random_state=0
    )
    return rocviz.RankingExperimentDisplay.from_experiment(experiment, **style)


def _law_experiment(**style):
    experiment = fermi_dirac_experiment(
        40, prevalence=[0.2, 0.5], auc=[0.7, 0.8], n_repeats=2, random_state=0
    )
    return rocviz.FermiDiracExperimentDisplay.from_experiment(experiment, **style)


# the simplest way to make each
MAKERS = {
    "AUCIntervalDisplay": lambda **style: rocviz.AUCIntervalDisplay.from_predictions(
        Y, P, methods=["delong"], **style
    ),
    "BrierDisplay": lambda **style: rocviz.BrierDisplay.from_predictions(Y, P, **style),
    "CalibrationMapDisplay": lambda **style: rocviz.CalibrationMapDisplay.from_predictions(
        Y, P, **style
    ),
    "CrossValidationDisplay": lambda **style: rocviz.CrossValidationDisplay.from_predictions(
        Y + Y, P + P[::-1], [0] * 6 + [1] * 6, **style
    ),
    "CurveSpaceDisplay": lambda **style: rocviz.CurveSpaceDisplay.from_predictions(Y, P, **style),
    "DecisionDisplay": lambda **style: rocviz.DecisionDisplay.from_predictions(P, "f", **style),
    "EnsembleDisplay": lambda **style: rocviz.EnsembleDisplay.from_predictions(
        *simulate_classifiers(60, [0.6, 0.7, 0.8], random_state=0), **style
    ),
    "FermiDiracExperimentDisplay": _law_experiment,
    "FermiDiracSurfaceDisplay": lambda **style: rocviz.FermiDiracSurfaceDisplay.from_grid(
        [0.6, 0.8, 0.9], [0.2, 0.5, 0.8], **style
    ),
    "FermiDiracDisplay": lambda **style: rocviz.FermiDiracDisplay.from_predictions(Y, P, **style),
    "GroupsDisplay": lambda **style: rocviz.GroupsDisplay.from_predictions(
        Y + Y, P + P[::-1], ["a"] * 6 + ["b"] * 6, **style
    ),
    "LexicographicDisplay": lambda **style: rocviz.LexicographicDisplay.from_estimator(
        rocviz.LexRank().fit(*TABLE), *TABLE, **style
    ),
    "ModelComparisonDisplay": lambda **style: rocviz.ModelComparisonDisplay.from_predictions(
        Y, {"one": P, "other": P[::-1]}, **style
    ),
    "MulticlassDisplay": lambda **style: rocviz.MulticlassDisplay.from_predictions(
        [0, 1, 2, 0, 1, 2], np.full((6, 3), 1 / 3), **style
    ),
    "PairsDisplay": lambda **style: rocviz.PairsDisplay.from_predictions(Y, P, **style),
    "RankingBoundDisplay": lambda **style: rocviz.RankingBoundDisplay.from_predictions(
        Y, P, **style
    ),
    "RankingExperimentDisplay": _ranking_experiment,
    "ReliabilityDisplay": lambda **style: rocviz.ReliabilityDisplay.from_predictions(Y, P, **style),
    "PeopleDisplay": lambda **style: roc.PeopleDisplay.from_predictions(Y, P, **style),
    "ROCHullDisplay": lambda **style: rocviz.ROCHullDisplay.from_predictions(
        Y, P, band="none", **style
    ),
    "ReferralDisplay": lambda **style: practice.ReferralDisplay.from_predictions(
        Y, P, cost_referral=0.2, **style
    ),
    "SitesDisplay": lambda **style: practice.SitesDisplay.from_predictions(
        Y + Y, P + P[::-1], ["a"] * 6 + ["b"] * 6, **style
    ),
    "ScoreCardDisplay": lambda **style: rocviz.ScoreCardDisplay.from_estimator(
        load_scoring_list_example(), **style
    ),
    "StageDisplay": lambda **style: rocviz.StageDisplay.from_estimator(
        load_scoring_list_example(), **style
    ),
}


ROOMS = [getattr(rocviz.displays, name) for name in rocviz.displays.__all__]
#: The classes of all displays by name.
KINDS = {
    name: getattr(room, name)
    for room in ROOMS
    for name in getattr(room, "__all__", ())
    if name.endswith("Display")
}
DISPLAYS = list(KINDS)


def methods():
    """Yield every method that draws a display."""
    for name in DISPLAYS:
        kind = KINDS[name]
        for method in vars(kind):
            if method.startswith(("plot", "from_")):
                yield pytest.param(kind, method, id=f"{name}.{method}")


def test_every_display_is_tested():
    assert set(MAKERS) == set(DISPLAYS)


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_unknown_keywords_make_no_figure(make):
    with pytest.raises(TypeError, match="got an unexpected keyword argument 'colour'"):
        make(colour="red")
    assert plt.get_fignums() == []


# these take a pair of axes, or make a figure of their own
OTHER_DISPLAYS = {"FermiDiracExperimentDisplay", "FermiDiracSurfaceDisplay", "ScoreCardDisplay"}


@pytest.mark.parametrize("name", [name for name in MAKERS if name not in OTHER_DISPLAYS])
def test_axes_of_the_user_are_drawn_on(name):
    figure, ax = plt.subplots(layout="constrained")
    display = MAKERS[name](ax=ax)
    assert display.figure_ is figure
    assert ax.has_data()
    assert plt.get_fignums() == [figure.number]


def test_dark_figures_leave_no_settings_behind():
    look = Theme(dark=True)
    gone = {}
    inks = {look.colour(thing) for thing in ("text", "muted", "hull-text")}
    for name, make in MAKERS.items():
        display = make(theme="dark")
        assert mcolors.same_color(display.figure_.get_facecolor(), look.colour("paper")), name
        texts = display.figure_.findobj(Text)
        assert inks & {mcolors.to_hex(text.get_color()).upper() for text in texts}, name
        assert len(plt.get_fignums()) == 1, name
        gone[name] = weakref.ref(display.figure_)
        plt.close("all")
    del display, texts
    gc.collect()
    assert [name for name, figure in gone.items() if figure() is not None] == []


# no formula, though it looks like the beginning of one; matplotlib's legends leave out a "_"
DOLLARS_NAME = r"_$\frac{1}{$"
NAMED = {
    "ROC": lambda: rocviz.ROCHullDisplay.from_predictions(Y, {DOLLARS_NAME: P}, band="none"),
    "Brier": lambda: rocviz.BrierDisplay.from_predictions(Y, {DOLLARS_NAME: P, "b": P}),
    "comparison": lambda: rocviz.ModelComparisonDisplay.from_predictions(
        Y, {DOLLARS_NAME: P, "b": P}
    ),
    "map": lambda: rocviz.CalibrationMapDisplay.from_predictions(Y, P, name=DOLLARS_NAME),
    "decision": lambda: rocviz.DecisionDisplay(
        {DOLLARS_NAME: rocviz.optimal_decision(P, "f1")}
    ).plot(),
    "ensemble": lambda: rocviz.EnsembleDisplay.from_predictions(Y, {DOLLARS_NAME: P, "b": P[::-1]}),
    "title": lambda: rocviz.StageDisplay.from_estimator(
        rocviz.ScoringList.from_counts([0], [1], [[y] for y in Y], Y, feature_names=[DOLLARS_NAME])
    ),
}


@pytest.mark.parametrize("make", NAMED.values(), ids=NAMED)
def test_dollar_signs_in_names_are_literal(make):
    texts = make().figure_.findobj(Text)
    shown = [text for text in texts if DOLLARS_NAME in text.get_text()]
    assert shown
    assert not any(text.get_parse_math() for text in shown)


#: How many axes a display takes, where it is not one.
AXES_COUNTS = {
    "ScoreCardDisplay": 0,
    "DecisionDisplay": 3,
    "FermiDiracExperimentDisplay": 2,
    "FermiDiracSurfaceDisplay": 2,
}


@pytest.mark.parametrize("name", MAKERS)
def test_no_text_needs_latex(name, monkeypatch):
    """The user's settings may ask for LaTeX, which takes names for commands and may be missing."""

    def no_latex(*_arguments):
        raise RuntimeError("Failed to process string with tex because latex could not be found")

    monkeypatch.setattr("matplotlib.texmanager.TexManager.make_dvi", no_latex)
    with mpl.rc_context({"text.usetex": True}):
        MAKERS[name]().figure_.savefig(BytesIO(), format="svg")
        many = AXES_COUNTS.get(name, 1)
        if not many:
            return
        figure, ax = plt.subplots(1, many)
        MAKERS[name](ax=ax)
        shown = [text for text in figure.findobj(Text) if text.get_text() and text.get_visible()]
        assert not [text.get_text() for text in shown if text.get_usetex()]


def test_the_theme_in_force_is_the_default():
    set_theme(dark=True)
    display = MAKERS["ROCHullDisplay"]()
    assert display.line_.get_color() == Theme(dark=True).colour("ranking")
    display = MAKERS["ROCHullDisplay"](theme=Theme())
    assert display.line_.get_color() == Theme(dark=False).colour("ranking")


def described_in(kind, method):
    """Collect the parameters that a method describes, or leaves to another that describes them."""
    text = inspect.getdoc(getattr(kind, method))
    section = text.split("Parameters\n----------\n")[1].split("\n\nReturns")[0]
    described = []
    for entry in re.split(r"\n(?=\S)", section):
        names = entry.splitlines()[0].split(" : ")[0].split(", ")
        described += names
        if found := re.search(r"\n    As for :meth:`(\w+)`\.$", entry):
            assert set(names) <= described_in(kind, found[1])
    assert len(described) == len(set(described))
    return set(described)


@pytest.mark.parametrize(("kind", "method"), list(methods()))
def test_every_keyword_is_listed_and_documented(kind, method):
    function = getattr(kind, method)
    listed = inspect.signature(function).parameters
    code = inspect.unwrap(getattr(function, "__func__", function)).__code__
    assert set(listed) - {"self"} <= set(code.co_varnames)  # as written, also for type checkers
    assert all(parameter.kind is not parameter.VAR_KEYWORD for parameter in listed.values())
    for parameter in listed.values():  # a default is a value that the type takes
        if parameter.default is None:
            assert "None" in str(parameter.annotation) or parameter.annotation == "Any", parameter
    assert described_in(kind, method) == set(listed) - {"self"}
    assert f"\n{kind.__name__}" in inspect.getdoc(function)
    # what is handed on to plot is what plot takes
    if not method.startswith("plot") and "theme" in listed:
        plot = inspect.signature(kind.plot).parameters
        missing = set(plot) - set(listed) - {"self", "name"}
        assert missing == set()
        own = inspect.signature(kind).parameters
        for key in set(plot) & set(listed) - set(own) - {"self"}:
            assert listed[key].default == plot[key].default
            assert listed[key].annotation == plot[key].annotation


def test_a_misspelt_keyword_is_named_before_any_work():
    with pytest.raises(TypeError, match=r"ROCHullDisplay.from_estimator\(\) got .* 'cost_f'"):
        rocviz.ROCHullDisplay.from_estimator(None, np.nan, None, cost_f=3)


def test_each_of_several_curves_has_its_own_properties():
    styles = [{"color": "C1"}, {"c": "C2"}]  # an alias, which labels follow too
    for kind in (rocviz.ROCHullDisplay, rocviz.ReliabilityDisplay, rocviz.CurveSpaceDisplay):
        display = kind.from_predictions(Y, {"a": P, "b": P[::-1]}, curve_kwargs=styles)
        assert mcolors.same_color([line.get_color() for line in display.line_], ["C1", "C2"])
    for kind in ("auc", "hull"):
        display = rocviz.ModelComparisonDisplay.from_predictions(
            Y, {"a": P, "b": P[::-1]}, kind=kind, curve_kwargs=styles
        )
        shown = {mcolors.to_hex(line.get_color()) for line in display.lines_}
        assert shown == {mcolors.to_hex(colour) for colour in ("C1", "C2")}
    folds = rocviz.CrossValidationDisplay.from_predictions(
        Y, {"a": P, "b": P[::-1]}, np.arange(len(Y)) // 2 % 2, curve_kwargs=styles
    )
    assert mcolors.same_color([line.get_color() for line in folds.line_], ["C1", "C2"])


#: What draws the curves of a display, and a mark of each.
DRAWN_OPTIONS = {
    "CalibrationMapDisplay": ({}, "isotonic"),
    "CurveSpaceDisplay": ({}, "curve"),
    "FermiDiracDisplay": ({}, "curve"),
    "GroupsDisplay": ({}, "group:1"),
    "LexicographicDisplay": ({}, "curve"),
    "MulticlassDisplay": ({"kind": "curves"}, "curve:2"),
    "RankingExperimentDisplay": ({}, "linear"),
    "ReliabilityDisplay": ({}, "steps"),
    "ROCHullDisplay": ({}, "curve"),
    "StageDisplay": ({}, "curve"),
}


@pytest.mark.parametrize("name", DRAWN_OPTIONS)
def test_curves_take_the_properties_of_lines(name):
    more, mark = DRAWN_OPTIONS[name]
    display = MAKERS[name](curve_kwargs={"color": "C1", "linewidth": 5, "label": "mine"}, **more)
    lines = []
    for ax in display.figure_.axes:
        for line in ax.lines:
            if mcolors.same_color(line.get_color(), "C1") and line.get_linewidth() == 5:
                lines.append(line)
    assert lines
    pictures = getattr(display, "pictures_", None) or {"": display.picture_}
    drawn = next(
        picture for picture in pictures.values() if mark in {m.name for m in picture.marks}
    )
    texts = " ".join(text.get_text() for text in display.figure_.findobj(Text))
    assert drawn[mark].own.get("label") == "mine" or "mine" in texts


def test_pictures_without_curves_refuse_their_properties():
    for name, more in {
        "EnsembleDisplay": {},
        "GroupsDisplay": {"kind": "rates"},
        "MulticlassDisplay": {"kind": "matrix"},
    }.items():
        with pytest.raises(ValueError, match="curve_kwargs are for curves"):
            MAKERS[name](curve_kwargs={"color": "C1"}, **more)
    assert plt.get_fignums() == []


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_marimo_is_given_the_figure(make):
    display = make()
    assert display._display_() is display.figure_

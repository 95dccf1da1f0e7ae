"""Pictures use the names of both classes where labels have some."""

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from sklearn.linear_model import LogisticRegression

from rocviz import (
    CalibrationMapDisplay,
    CurveSpaceDisplay,
    DecisionDisplay,
    EnsembleDisplay,
    FermiDiracDisplay,
    GroupsDisplay,
    LexicographicDisplay,
    LexRank,
    ProbabilisticScoringList,
    RankingBoundDisplay,
    ReliabilityDisplay,
    ROCHullDisplay,
    ScoreCardDisplay,
    StageDisplay,
)
from rocviz.displays.practice import SitesDisplay
from rocviz.displays.roc import PairsDisplay, PeopleDisplay

RNG = np.random.default_rng(0)
Y = (np.arange(40) % 4 == 0).astype(int)
KIND = np.where(Y == 1, "malignant", "benign")
SCORE = np.clip(0.3 + 0.3 * Y + RNG.normal(0, 0.15, Y.size), 0, 1).round(2)
BITS = np.column_stack((SCORE > 0.5, np.arange(40) % 2)).astype(float)


def draw_scores(maker):
    """Make a function that draws scores, or probabilities, by a display."""

    def draw(y, pos_label=None, **shown):
        return maker.from_predictions(y, SCORE, pos_label=pos_label, **shown)

    return draw


def draw_tree(y, pos_label=None, **shown):
    model = LexRank(categorical_features=[0, 1], pos_label=pos_label).fit(BITS, y)
    return LexicographicDisplay.from_estimator(model, BITS, y, **shown)


def fitted_list(y, pos_label):
    return ProbabilisticScoringList(pos_label=pos_label).fit(BITS, y)


def draw_stage(y, pos_label=None, **shown):
    return StageDisplay.from_estimator(fitted_list(y, pos_label), **shown)


def draw_card(y, pos_label=None, **shown):
    return ScoreCardDisplay.from_estimator(fitted_list(y, pos_label), cost_fn=3.0, **shown)


def draw_groups(y, pos_label=None, **shown):
    groups = np.where(np.arange(Y.size) % 8 < 4, "A", "B")
    return GroupsDisplay.from_predictions(
        y, SCORE, groups, pos_label=pos_label, kind="scores", **shown
    )


def draw_sites(y, pos_label=None, **shown):
    sites = np.where(np.arange(Y.size) % 8 < 4, "North", "South")
    return SitesDisplay.from_predictions(
        y, SCORE, sites, pos_label=pos_label, kind="observed_expected", **shown
    )


def draw_votes(y, pos_label=None, **shown):
    scores = np.column_stack((SCORE, BITS[:, 1] + 0.1 * SCORE))
    return EnsembleDisplay.from_predictions(y, scores, pos_label=pos_label, **shown)


def draw_decisions(y, pos_label=None, **shown):
    model = LogisticRegression().fit(BITS, y)
    return DecisionDisplay.from_estimator(model, BITS, pos_label=pos_label, **shown)


def draw_in_space(space):
    def draw(y, pos_label=None, **shown):
        return CurveSpaceDisplay.from_predictions(
            y, SCORE, pos_label=pos_label, space=space, **shown
        )

    return draw


#: Spaces whose pictures have words about the positive class.
SPACES = ("pr_gain", "gain", "lift", "cost", "decision")
DRAWN = {
    **{space: draw_in_space(space) for space in SPACES},
    "calibration map": draw_scores(CalibrationMapDisplay),
    "decisions": draw_decisions,
    "Fermi-Dirac": draw_scores(FermiDiracDisplay),
    "groups": draw_groups,
    "lexicographic": draw_tree,
    "pairs": draw_scores(PairsDisplay),
    "people": draw_scores(PeopleDisplay),
    "ranking bound": draw_scores(RankingBoundDisplay),
    "reliability": draw_scores(ReliabilityDisplay),
    "ROC": draw_scores(ROCHullDisplay),
    "score card": draw_card,
    "sites": draw_sites,
    "stage": draw_stage,
    "votes": draw_votes,
}
#: Pictures that speak of the positive class alone.
OF_ONE_CLASS = ("Fermi-Dirac", "ranking bound", "sites", *SPACES)


@pytest.mark.parametrize("name", DRAWN)
def test_both_classes_are_named(name, words):
    def texts(display):
        shown = []
        for ax in display.figure_.findobj(Axes):
            shown += [words(ax), ax.get_title(loc="left"), ax.get_xlabel(), ax.get_ylabel()]
        return " | ".join(shown)

    for data in ((KIND, {"pos_label": "malignant"}), (Y, {"labels": ("benign", "malignant")})):
        named = texts(DRAWN[name](data[0], **data[1]))
        assert "malignant" in named
        assert "benign" in named or name in OF_ONE_CLASS
        assert "positives" not in named.replace("true\npositives", "")
    # what is given comes before what the data say
    other = texts(
        DRAWN[name](KIND, pos_label="malignant", labels={"malignant": "ill", "benign": "well"})
    )
    assert "ill" in other
    assert "malignant" not in other
    assert "malignant" not in texts(DRAWN[name](Y))


@pytest.mark.parametrize("name", ["calibration map", "groups", "people"])
def test_scores_have_the_name_of_their_column(name, words):
    def texts(score):
        shown = []
        for ax in draw(score).figure_.findobj(Axes):
            shown += [words(ax), ax.get_xlabel()]
        return " | ".join(shown)

    def draw(score):
        if name == "groups":
            groups = np.where(np.arange(Y.size) % 8 < 4, "A", "B")
            return GroupsDisplay.from_predictions(Y, score, groups, kind="scores")
        maker = {"people": PeopleDisplay, "calibration map": CalibrationMapDisplay}[name]
        return maker.from_predictions(Y, score)

    assert "CA 125 (U/ml)" in texts(pd.Series(SCORE, name="CA 125 (U/ml)"))
    assert "score" in texts(SCORE)


def test_results_are_named_too(words):
    named = {"labels": ("benign", "malignant")}
    for display in (
        ROCHullDisplay(DRAWN["ROC"](Y).segments, **named),
        DecisionDisplay(DRAWN["decisions"](Y).decisions, **named),
        EnsembleDisplay(DRAWN["votes"](Y).results, **named),
        PairsDisplay(DRAWN["pairs"](Y).pairs, **named),
    ):
        display.plot()
        shown = " | ".join(map(words, display.figure_.findobj(Axes)))
        assert "malignant" in shown, type(display).__name__


@pytest.mark.parametrize("name", DRAWN)
def test_wrong_names_are_refused_before_anything_is_drawn(name):
    plt.close("all")
    with pytest.raises(ValueError, match=r"^labels must name two classes"):
        DRAWN[name](Y, labels=["one"])
    assert not plt.get_fignums()

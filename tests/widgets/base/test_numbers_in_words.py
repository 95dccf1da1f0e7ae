"""How explorers write numbers at the ends of their range."""

import numpy as np
import pytest
from page import Page

import rocviz
from rocviz.pictures import rounded, tick_texts
from rocviz.widgets.decisions.words import distinct_texts
from rocviz.widgets.fermi_dirac.words import temperature_text
from rocviz.widgets.roc.data import Scored
from rocviz.widgets.roc.state import ROCState
from rocviz.widgets.scoring_lists.state import ScoringListState

Y = np.array([0, 1, 0, 1, 1, 0])
SCORE = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 0.0])

THRESHOLDS = {"nearly one": (1 - 2.0**-53 * (6 - SCORE), 1 - 2.0**-52, "> 0.999")}


@pytest.mark.parametrize(("score", "threshold", "text"), THRESHOLDS.values(), ids=THRESHOLDS)
def test_thresholds_are_written_legibly(score, threshold, text):
    state = ROCState(Scored(Y, {"model": score}), threshold=threshold, show_band=False)
    assert state.sentence.startswith(f"At threshold {text} the classifier finds 2 of 3 positives")


def test_scores_too_near_to_each_other_for_an_axis_are_refused():
    with pytest.raises(ValueError, match="y_score must span at least 1e-290, or else lie in"):
        rocviz.ROCExplorer(Y, 1e-300 * (SCORE - 1))


@pytest.mark.parametrize(
    ("y", "score"), [(Y, np.zeros(6)), ([0, 0, 1, 0, 0, 0], SCORE)], ids=["equal", "one positive"]
)
def test_points_infinitely_far_away_are_drawn_in_every_space(y, score):
    with_gain = {"space": "pr_gain", "panels": ("roc", "space")}
    explorer = rocviz.ROCExplorer(y, score, show_band=False, **with_gain)
    for mark in Page(explorer).marks("space").values():
        assert np.isfinite(mark.x).all()
    explorer.close()


def test_ticks_of_any_magnitude_are_distinct():
    assert tick_texts((1e16, 1e16 + 2)) == ["10000000000000000", "10000000000000002"]
    assert tick_texts((0.25, 0.5)) == [".25", ".5"]
    assert rounded(np.array([0.0, 0.30000000000000004])).tolist() == [0.0, 0.3]


def test_a_small_share_and_a_thousand_are_written_out():
    state = ScoringListState(cost_fn=1000.0)
    text = "A miss costs 1,000 false alarms"
    assert any(text in s.text and "is above 0.1 %" in s.text for s in state.sentences)


def test_small_numbers_are_not_written_as_zero():
    assert distinct_texts(1e-13, 3e-8) == ("< 0.00001", "< 0.00001")
    assert temperature_text(1e-12) == "< 0.001"


def test_models_of_equal_auc_are_reported_as_equal():
    near = np.add(SCORE, [0, 0, 1e-12, 0, 0, 0])
    weight = [1.0, 2.0, 1.0, 2.0, 2.0, 1.0]
    scores = {"one": SCORE, "equal": near, "less": SCORE - [0, 0, 0, 0, 5.5, 0]}
    state = ROCState(Scored(Y, scores, sample_weight=weight), show_band=False)
    text = " ".join(sentence.text for sentence in state.sentences)
    assert "which is the same (p = 1.000)." in text
    assert "which is 0.333 lower" in text

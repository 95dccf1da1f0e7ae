"""What explorers say and draw of data at the ends of what floats hold."""

import numpy as np
import pytest

import rocviz
from rocviz.widgets.base.grids import Linear
from rocviz.widgets.base.panel import _key, rounded, tick_texts
from rocviz.widgets.decisions.data import OwnBatch
from rocviz.widgets.decisions.state import DecisionState
from rocviz.widgets.decisions.words import apart
from rocviz.widgets.fermi_dirac.words import temperature_text
from rocviz.widgets.roc.data import Scored
from rocviz.widgets.roc.state import ROCState
from rocviz.widgets.scoring_lists.state import ScoringListState

Y = np.array([0, 1, 0, 1, 1, 0])
SCORE = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 0.0])

CUTS = {
    "huge": (1e300 * SCORE, 4e300, "4e+300"),
    "whole numbers above 2**53": (2**53 + 2 * SCORE.astype(int), 2.0**53 + 8, "9007199254741000"),
    "tiny probabilities": (1e-300 * SCORE, 4e-300, "4e−300"),
    "nearly one": (1 - 2.0**-53 * (6 - SCORE), 1 - 2.0**-52, "> 0.999"),
}


@pytest.mark.parametrize(("score", "cut", "said"), CUTS.values(), ids=CUTS)
def test_thresholds_are_said_so_that_they_can_be_read(score, cut, said):
    state = ROCState(Scored(Y, {"model": score}), threshold=cut, show_band=False)
    assert state.sentence.startswith(f"At threshold {said} the classifier finds 2 of 3 positives")


def test_scores_too_near_to_each_other_for_an_axis_are_refused():
    with pytest.raises(ValueError, match="y_score must span at least 1e-290, or else lie in"):
        rocviz.ROCExplorer(Y, 1e-300 * (SCORE - 1))


@pytest.mark.parametrize(
    ("y", "score"), [(Y, np.zeros(6)), ([0, 0, 1, 0, 0, 0], SCORE)], ids=["equal", "one positive"]
)
def test_points_infinitely_far_away_are_drawn_in_every_space(y, score):
    with_gain = {"space": "pr_gain", "panels": ("roc", "space")}
    explorer = rocviz.ROCExplorer(y, score, show_band=False, **with_gain)
    for mark in explorer._panels["space"].figure.marks:
        if mark.visible and hasattr(mark, "stroke") and getattr(mark, "x", None) is not None:
            assert np.isfinite(mark.x).all()
    explorer.close()


def test_steps_of_a_slider_lie_between_its_ends_at_any_magnitude():
    for scale in (1e-280, 1.0, 1e300):
        grid = Linear(-scale, scale, 2 * scale / 1000)
        assert grid.value(750) == pytest.approx(0.5 * scale, rel=1e-9)
    grid = Linear(-0.12345678919999, 1.0, 0.001)  # its end rounded lies outside
    assert (grid.value(0), grid.value(grid.steps)) == (grid.low, grid.high)


def test_ticks_at_any_magnitude_tell_each_other_apart():
    assert tick_texts([1e16, 1e16 + 2]) == ["10000000000000000", "10000000000000002"]
    assert tick_texts([0.25, 0.5]) == [".25", ".5"]
    assert rounded(np.array([0.0, 0.30000000000000004])).tolist() == [0.0, 0.3]
    assert rounded(np.array([2e-300, 3.0000000000000003e-300])).tolist() == [2e-300, 3e-300]
    # as JavaScript writes the numbers by which the front end looks words up
    keys = [_key(value) for value in (1e20, 1e21, 0.5, 1e-5, 1e-7)]
    assert keys == [10**20, 1e21, 0.5, "0.00001", "1e-7"]


def test_a_small_share_and_a_thousand_are_written_out():
    state = ScoringListState(cost_fn=1000.0)
    said = "A miss costs 1,000 false alarms"
    assert any(said in s.text and "is above 0.1 %" in s.text for s in state.sentences)


def test_nothing_that_is_not_is_said_to_be_nought():
    assert apart(1e-13, 3e-8) == ("< 0.00001", "< 0.00001")
    assert temperature_text(1e-12) == "< 0.001"
    assert temperature_text(1e300) == "1e+300"


def test_outcomes_of_a_metric_of_any_unit_have_a_spread():
    spread = []
    for unit in ("1", "1e300", "1e-300"):
        state = DecisionState(OwnBatch(None, [0.9, 0.5, 0.2]), formula=f"{unit}*u/p", k=1)
        spread.append(state.result.outcomes.std / float(unit))
    assert spread == pytest.approx([spread[0]] * 3, rel=1e-12)


def test_long_numbers_at_an_axis_are_few_and_within():
    explorer = rocviz.ROCExplorer(Y, 1e300 * SCORE, show_band=False, focus="scores")
    axis = explorer._panels["scores"].figure.axes[0]
    assert list(axis.tick_labels.values()) == ["1.25e300", "2.5e300", "3.75e300"]
    explorer.close()
    explorer = rocviz.ROCExplorer(rocviz.RankedSegments([2, 1], [4e14, 3], [1, 2e13]))
    assert '<td class="count">4e14</td><td>3</td>' in explorer._panels["reliability"].table.value
    explorer.close()
    explorer = rocviz.ROCExplorer(Y, 1e16 + 2 * SCORE, show_band=False)
    axis = explorer._panels["scores"].figure.axes[0]
    assert list(axis.tick_labels.values()) == ["10000000000000004"]
    explorer.close()


def test_counts_far_apart_have_room_and_probabilities_next_to_one_are_inequalities():
    weight = [4e14, 1, 2, 1]
    explorer = rocviz.LexicographicExplorer(
        [[1], [1], [0], [0]], [1, 0, 0, 1], sample_weight=weight
    )
    tree = explorer._panels["tree"].content.value
    assert ">4e14<" in tree
    assert "LexProb says (400,000,000,000,000 + 1) / (400,000,000,000,001 + 2) &gt; 0.999" in (
        tree.replace("\N{NO-BREAK SPACE}", " ")
    )
    explorer.close()


def test_models_of_one_auc_are_said_to_be_the_same():
    near = np.add(SCORE, [0, 0, 1e-12, 0, 0, 0])
    weight = [1.0, 2.0, 1.0, 2.0, 2.0, 1e-9]
    scores = {"one": SCORE, "equal": near, "less": SCORE - [0, 0, 0, 0, 5.5, 0]}
    state = ROCState(Scored(Y, scores, sample_weight=weight), show_band=False)
    said = " ".join(sentence.text for sentence in state.sentences)
    assert "which is the same (p = 1.000)." in said
    assert "which is 0.333 lower" in said

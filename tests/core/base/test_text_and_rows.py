"""Text, and things one after the other, are checked for what they are."""

import numpy as np
import pytest

from rocviz import (
    DecisionDisplay,
    RankedSegments,
    ROCHullDisplay,
    ScoringList,
    compare_classifiers,
    lex_order,
    optimal_decision,
)
from rocviz.core.base.validation import check_iterable, check_text
from rocviz.core.comparison import hull_over_models
from rocviz.core.decisions._windowed_utility import windowed_utilities
from rocviz.core.decisions.formula import parse_formula
from rocviz.core.decisions.utility import resolve_metric
from rocviz.core.ensembles import RankEnsemble


def test_text_and_rows():
    assert check_text("a", "here") == "a"
    check_iterable(iter([1]), "here", "numbers")
    for value in (1, None, "\ud800", b"a"):
        with pytest.raises(ValueError, match=r"^here must be text"):
            check_text(value, "here")
    for value in (1, None, "text"):
        with pytest.raises(ValueError, match=r"^here must be numbers"):
            check_iterable(value, "here", "numbers")


HALF = "\ud800"  # half of a character, as some files are read
Y, SCORE = [0, 1, 0, 1], [0.1, 0.7, 0.3, 0.4]


@pytest.mark.parametrize(
    "call",
    [
        lambda: compare_classifiers(Y, {HALF: SCORE}, n_resamples=10),
        lambda: RankEnsemble.from_scores(Y, {HALF: SCORE, "b": SCORE}),
        lambda: hull_over_models({HALF: RankedSegments.from_scores(Y, SCORE)}),
        lambda: lex_order(np.column_stack((Y, Y)), Y).to_frame(names=[HALF, "b"]),
        lambda: ScoringList.from_table([1], [{0: 0.3}, {0: 0.2, 1: 0.9}], feature_names=[HALF]),
        lambda: ROCHullDisplay.from_predictions(Y, {HALF: SCORE}),
        lambda: RankedSegments.from_scores([HALF, "b"], SCORE[:2], pos_label="b"),
        lambda: ROCHullDisplay({HALF: RankedSegments.from_scores(Y, SCORE)}),
        lambda: DecisionDisplay({HALF: optimal_decision(SCORE, "f1")}),
    ],
)
def test_names_that_cannot_be_drawn_are_refused_by_the_argument(call):
    with pytest.raises(
        ValueError, match=r"^a (name|label) in \w+ must be text of whole characters"
    ):
        call()


def test_names_of_formulas():
    with pytest.raises(ValueError, match=r"^names must hold at least one"):
        parse_formula("1", names=[])


def test_blocks_that_moments_have_done_are_passed_over():
    eta = np.full(6000, 0.3)
    smooth = parse_formula("u + 0.2*p")
    found, _ = windowed_utilities(eta, resolve_metric(smooth), 1e-13, has_bends=False)
    k = np.arange(6001)
    np.testing.assert_allclose(found, (0.3 * k + 0.2 * 0.3 * 6000) / 6000, atol=1e-13)

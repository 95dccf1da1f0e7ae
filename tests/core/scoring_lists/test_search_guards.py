"""Searches that would take for ever are refused with an estimate before they start."""

import numpy as np
import pytest

from rocviz.core.scoring_lists import learn_scoring_list
from rocviz.core.scoring_lists.search._guard import check_beam, check_greedy
from rocviz.core.scoring_lists.search._plan import End
from rocviz.core.scoring_lists.search._setup import Ask, label_problem, make_plan


def data(n_features):
    rng = np.random.default_rng(0)
    return rng.integers(0, 2, (40, n_features)), rng.integers(0, 2, 40)


@pytest.mark.parametrize(
    ("n_features", "options", "message"),
    [
        (20, {"lookahead": 3}, r"^lookahead=3 .* about 7.76e\+06 lists .* max_states=5e\+06"),
        (20, {"lookahead": 10**9}, r"^lookahead=1000000000 would have to count"),
        (300, {"lookahead": 300}, r"^lookahead=300 would have to count"),
        (10, {"search": "beam", "width": 10**9}, r"^width=1000000000 .* about .* items"),
        (4, {"lookahead": 2, "max_states": 100}, r"^lookahead=2 .* max_states=100"),
    ],
)
def test_too_much_is_refused(n_features, options, message):
    with pytest.raises(ValueError, match=message):
        learn_scoring_list(*data(n_features), **options)


@pytest.mark.parametrize("options", [{"lookahead": 10**9}, {"search": "beam", "width": 10**9}])
def test_few_features_need_no_guard(options):
    assert len(learn_scoring_list(*data(2), score_set=(1, 2), **options)) == 2


def test_estimates_are_what_a_search_counts():
    problem = label_problem(*data(5), "entropy", 1.0, None, "error", None, None)
    ask = Ask((-1, 1, 2), None, "error", [(0,)], "mean")
    plan = make_plan(problem, ask, End(None, None, None, None, None), per_cost=False)
    # four features with three scores are left: sequences of two of them at each of four stages
    n_ahead = 9 * (4 * 3 + 3 * 2 + 2 * 1) + 3
    n_beam = 1 * 12 + 2 * 9 + 2 * 6 + 2 * 3
    check_greedy(plan, 1, 1)
    for check, size, count in ((check_greedy, 2, n_ahead), (check_beam, 2, n_beam)):
        check(plan, size, count)
        with pytest.raises(ValueError, match=f"about {count:.3g}"):
            check(plan, size, count - 1)

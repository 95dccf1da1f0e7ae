"""The worked example of the paper on probabilistic scoring lists: its Table 1.

Contains the table and nothing that is computed from it.
"""

from __future__ import annotations

from rocviz.core.scoring_lists.scoring_list import ScoringList

# Of each question, in the order in which they are asked.
_NAMES = ("f3", "f1", "f2", "f4")
_COLUMNS = (2, 0, 1, 3)
_SCORES = (1, -2, 1, 2)
_TABLE = (
    {0: 0.3},
    {0: 0.2, 1: 0.4},
    {-2: 0.1, -1: 0.2, 0: 0.5, 1: 0.6},
    {-2: 0.1, -1: 0.2, 0: 0.6, 1: 0.7, 2: 0.9},
    {-2: 0.1, -1: 0.1, 0: 0.2, 1: 0.6, 2: 0.7, 3: 0.9, 4: 0.9},
)


def load_scoring_list_example() -> ScoringList:
    """Load the scoring list of Table 1 of Hanselle et al. (2024).

    Four features of value 0 or 1, in columns f1, f2, f3, f4 of X. The list asks f3 (+1), then
    f1 (-2), f2 (+1) and f4 (+2). It was written by hand, to explain what a list is, so there
    are no counts behind its probabilities.

    References
    ----------
    Hanselle et al. (2024), Table 1.

    Examples
    --------
    >>> scoring_list = load_scoring_list_example()
    >>> scoring_list.total_scores([[1, 1, 1, 1]]), scoring_list.predict_proba([[1, 1, 1, 1]])
    (array([2]), array([0.7]))
    >>> scoring_list.decide([[0, 1, 1, 0], [0, 1, 1, 1]], upper=0.9).n_asked
    array([3, 3])
    """
    return ScoringList.from_table(_SCORES, _TABLE, features=_COLUMNS, feature_names=_NAMES)

"""The scoring list explorer: its constructor, its pictures and the actions on them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from rocviz.displays.scoring_lists.pictures import nearest_cell
from rocviz.widgets.base.background import each
from rocviz.widgets.base.explorer import Explorer
from rocviz.widgets.base.stage import Panel
from rocviz.widgets.scoring_lists.data import OwnList
from rocviz.widgets.scoring_lists.result import ScoringListResult
from rocviz.widgets.scoring_lists.state import ScoringListState
from rocviz.widgets.scoring_lists.view import (
    curves_picture,
    list_picture,
    stage_picture,
    stops_picture,
)

if TYPE_CHECKING:
    from rocviz.widgets.scoring_lists.inputs import ScoringListInputs


class ScoringListExplorer(ScoringListState, Explorer):
    """Walk down a scoring list question by question, and stop when sure.

    Parameters
    ----------
    scoring_list : ScoringList or fitted ProbabilisticScoringList, optional
        The list. Without it: five questions about chest pain, two of which are answered, the
        paper's worked example, and more lists learned from real and from synthetic data.
    X : array-like, shape (n_samples, n_columns), optional
        Samples the list was learned from: points that are changed by hand get their
        probabilities counted on them. Where the list's own counts are of other samples, and there
        is no ``X_test``, the list is judged by these.
    y : array-like, shape (n_samples,), optional
        Their labels, of two classes.
    X_test, y_test : array-like, optional
        Held-out samples to judge by.
    sample_weight : array-like of float, shape (n_samples,), optional
        Weights of ``X``.
    pos_label : label, optional
        The positive class; by default that of the fitted classifier; needed beside a list
        unless labels are 0 and 1, -1 and 1, or booleans.
    labels : mapping of label to str, or pair of str, optional
        Names of the classes in sentences and pictures: by label, or of the negative and of the
        positive class. By default the labels themselves, unless they are 0 and 1, -1 and 1, or
        booleans, which name nothing.
    answers : tuple, optional
        The case: 1 (yes), 0 (no) or None (unknown) for each question in list order.
    scores : tuple, optional
        Points of each question in list order; empty means the list's own.
    feature_costs : tuple, optional
        Cost of asking each question, in list order; empty means the costs of the data.
    lower : float, optional
        At this probability or less, the questions stop and the case is ruled out. From 0 to 1.
    upper : float, optional
        At this probability or more, the questions stop and the case is ruled in. From 0 to 1.
    by_interval : bool, optional
        Whether the whole interval must be beyond a limit, not only the probability.
    guarantee : float, optional
        Probability with which the limits are promises about new cases: stricter limits are then
        used, so that of those ruled out at most ``lower`` are positive and of those ruled in at
        least ``upper``. 0 promises nothing. From 0 to 0.999.
    cost_fn : float, optional
        Cost of a missed positive, if a false alarm costs 1; it decides where no limit is reached.
        From 0.01 to 1000.
    risk_averse : bool, optional
        Whether the upper end of the interval decides where no limit is reached.
    calibration : {'as given', 'isotonic', 'beta', 'sigmoid', 'm-estimate'}, optional
        Method that estimates the probabilities of totals.
    confidence : float, optional
        Confidence of the intervals. From 0.01 to 0.999.
    interval_method : {'wilson', 'clopper-pearson', 'jeffreys'}, optional
        Method of the interval of a single total.
    simultaneous : bool, optional
        Whether all intervals of a stage hold together, by Bonferroni's correction.
    stage : int, optional
        The stage that is shown, from 0 (before any question); it follows the case, and negative
        numbers count from the end.
    quantity : str, optional
        Quantity that is drawn question by question. One of 'probability', 'entropy', 'brier',
        'auc', 'expected_loss', 'loss'.
    preset : str, optional
        Name of a teaching situation: it sets its own inputs and resets all others.
    panels : tuple, optional
        Names of the pictures that are shown, in their order.
    focus : str, optional
        Name of the large picture. Unless it is set, or a title clicked, the first of the panels is
        large; ``None`` goes back to that.
    unfolded : tuple, optional
        Names of the controls outside the folds; by default the explorer's own choice.

    Attributes
    ----------
    result : ScoringListResult
        What is on screen: ``result.scoring_list`` is the :class:`rocviz.ScoringList` shown,
        ``result.walk`` the case's way down it.

    Raises
    ------
    ValueError
        If the data are invalid; nothing is drawn in that case.
    TypeError
        If an input is unknown; the message lists the ones there are.

    See Also
    --------
    rocviz.ProbabilisticScoringList : Learns such a list.

    Notes
    -----
    There is no ``from_predictions``: a list is walked by answers, and predictions have none.

    References
    ----------
    Hanselle et al. (2024), Definition 3.

    Examples
    --------
    >>> explorer = ScoringListExplorer(preset="worked example", upper=0.9)
    >>> explorer.answers = (1, 0, 1)
    >>> explorer.sentence
    'Stop here, 3 of 4 features asked: at total 2 the probability of a positive is 90 %; ...'
    >>> explorer.close()
    """

    def __init__(
        self,
        scoring_list: Any = None,
        X: Any = None,
        y: ArrayLike | None = None,
        *,
        X_test: Any = None,
        y_test: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
        labels: Any = None,
        **inputs: Unpack[ScoringListInputs],
    ) -> None:
        data = None
        samples = {"X": X, "y": y, "X_test": X_test, "y_test": y_test}
        if scoring_list is not None:
            data = OwnList(
                scoring_list,
                **samples,
                sample_weight=sample_weight,
                pos_label=pos_label,
                labels=labels,
            )
        elif labels is not None:
            raise ValueError("labels must come with scoring_list.")
        elif any(value is not None for value in (*samples.values(), sample_weight, pos_label)):
            raise ValueError(
                "scoring_list must be given with samples. Learn one with "
                "ProbabilisticScoringList().fit(X, y)."
            )
        super().__init__(data, **inputs)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any = None,
        y: ArrayLike | None = None,
        *,
        X_test: Any = None,
        y_test: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
        labels: Any = None,
        **inputs: Unpack[ScoringListInputs],
    ) -> ScoringListExplorer:
        """Open on a fitted classifier; the same as calling the class.

        Parameters
        ----------
        estimator : fitted ProbabilisticScoringList
            Its ``feature_costs`` are taken over.
        X, y, X_test, y_test, sample_weight, pos_label, labels, **inputs
            See :class:`ScoringListExplorer`.

        Returns
        -------
        ScoringListExplorer

        Raises
        ------
        ValueError
            If the data are invalid; nothing is drawn in that case.
        TypeError
            If an input is unknown; the message lists the ones there are.
        """
        return cls(
            estimator,
            X,
            y,
            X_test=X_test,
            y_test=y_test,
            sample_weight=sample_weight,
            pos_label=pos_label,
            labels=labels,
            **inputs,
        )

    # ------------------------------------------------------------------ pictures

    def _make_panels(self) -> dict[str, Panel]:
        return {
            "list": Panel(list_picture, drags={"token": ("case", self._drag_token)}),
            "stage": Panel(
                stage_picture,
                drags={
                    name: (name, partial(self._drag_limit, name)) for name in ("lower", "upper")
                },
            ),
            "curves": Panel(curves_picture, drags={"stage": ("stage", self._drag_stage)}),
            "stops": Panel(stops_picture),
        }

    # ------------------------------------------------------------------ actions of the user

    def _drag_token(self, x: float, y: float) -> None:
        """Give the answers that lead the case to the cell nearest to a point."""
        stage, total = nearest_cell(self.result.scoring_list, x, y)
        self.go_to(stage, total)

    def _drag_limit(self, limit: str, _x: float, level: float) -> None:
        """Round a dragged limit to whole per cents, and keep it on its side of the other one."""
        level = round(float(np.clip(level, 0.0, 1.0)), 2)
        level = min(level, self.upper) if limit == "lower" else max(level, self.lower)
        setattr(self, limit, level)

    def _drag_stage(self, x: float, _y: float) -> None:
        self.stage = round(float(np.clip(x, 0, len(self.questions))))

    # ------------------------------------------------------------------ previews

    def _complete(self, result: ScoringListResult) -> None:
        for _band in each(result.bands or (), "intervals"):  # computed when first looked at
            pass

"""The decision explorer: its constructor, its pictures and the actions on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.decisions.formula import parse_formula
from rocviz.core.roc.segments import RankedSegments
from rocviz.widgets.base.explorer import Explorer
from rocviz.widgets.base.own_data import FromEstimator, refuse_beside_segments
from rocviz.widgets.base.stage import Panel
from rocviz.widgets.decisions.data import OwnBatch
from rocviz.widgets.decisions.state import DecisionState
from rocviz.widgets.decisions.view import (
    outcome_picture,
    people_picture,
    probability_picture,
    threshold_picture,
    utility_picture,
)

if TYPE_CHECKING:
    from rocviz.widgets.decisions.inputs import DecisionInputs

#: Samples up to which any formula is summed within a second.
MAX_SAMPLES_OF_BENT_FORMULAS = 1000
#: Samples up to which all metrics that are shown take about a second.
MAX_SAMPLES_WITHOUT_PREVIEW = 300_000


class DecisionExplorer(DecisionState, FromEstimator, Explorer):
    """See which samples to predict positive for a metric, and what every other choice is worth.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,), or RankedSegments, optional
        Labels of exactly two classes: what each threshold gives on them, and the best one, are
        shown too. Decisions need no labels. Segments come alone; their scores are the
        probabilities, of up to a million samples.
    y_prob : array-like of float, shape (n_samples,), optional
        Probability of the positive class, taken for the truth; ``over_confidence`` and ``shift``
        show what follows if decisions are made by other ones. Without data: a sandbox.
    pos_label : label, optional
        The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.
    labels : mapping of label to str, or pair of str, optional
        Names of the classes in sentences and pictures: by label, or of the negative and of the
        positive class. By default the labels themselves, unless they are 0 and 1, -1 and 1, or
        booleans, which name nothing.
    metric : str, optional
        Metric that is maximised, or minimised if it is a cost or an error, by any of its names; or
        ``'formula'``. One of 'accuracy', 'cost', 'net_benefit', 'f', 'jaccard',
        'balanced_accuracy', 'g_tp_pr', 'g_mean', 'h_mean', 'q_mean', 'mcc', 'macro_f1', 'kappa',
        'sec', 'tpr', 'fpr', 'tnr', 'fnr', 'precision', 'npv', 'false_discovery_rate',
        'false_omission_rate', 'error_rate', 'prevalence', 'predicted_positive_rate',
        'informedness', 'formula'.
    threshold_probability : float, optional
        Of the net benefit: the probability from which on acting is worth it; its odds are the true
        positives that one false positive costs. From 0.001 to 0.999.
    beta : float, optional
        Of the F measure: how many times recall counts as much as precision. From 0.01 to 100.
    cost_fn : float, optional
        Cost of a missed positive, if a false alarm costs 1. From 0.001 to 1000.
    formula : str, optional
        Formula of a user-defined metric in u, v and p, the shares of true positives, of predicted
        positives and of positives; setting it selects ``'formula'``.
    k : int, optional
        The k most probable samples are predicted positive; -1 means the best number, and k then
        follows it until it is moved.
    compared_metrics : tuple, optional
        Names of metrics whose curves are drawn beside that of the chosen metric.
    over_confidence : float, optional
        Factor of the reported log odds; above 1 they are overconfident. From 0.1 to 10.
    shift : float, optional
        Shift of the reported log odds; above 0 all of them are too high. From -10 to 10.
    sample : int, optional
        The sample whose probability the slider moves, counted from 1.
    probabilities : tuple, optional
        Probabilities set by hand, for at most 30 samples; empty means the original ones.
    n_samples : int, optional
        Number of samples in the sandbox.
    prevalence : float, optional
        Mean probability of the simulated samples, approximately. From 0.01 to 0.99.
    source : {'beta', 'plane'}, optional
        Source of the simulated probabilities: a beta distribution, or points of the plane, whose
        probability rises in a random direction.
    seed : int, optional
        Seed of the samples drawn.
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
    result : DecisionResult
        What is on screen: ``result.decision`` is the
        :class:`rocviz.core.decisions.Decision` for the metric.

    Raises
    ------
    ValueError
        If the data are invalid; nothing is drawn in that case.
    TypeError
        If an input is unknown; the message lists the ones there are.

    See Also
    --------
    rocviz.optimal_decision : The numbers.
    rocviz.DecisionDisplay : The picture in matplotlib.

    References
    ----------
    Natarajan et al. (2015), Theorem 6 and section 4.

    Examples
    --------
    >>> explorer = DecisionExplorer(y_prob=[1.0, 0.3, 0.3, 0.3, 0.3, 0.3])
    >>> explorer.k, round(explorer.result.decision.utility, 4)
    (1, 0.6256)
    >>> explorer.formula = "u / (p + v - u)"
    >>> explorer.metric, explorer.k
    ('formula', 1)
    >>> explorer.close()
    """

    opened = "probabilities"
    response_method = "predict_proba"
    needs_labels = False

    def __init__(
        self,
        y_true: ArrayLike | RankedSegments | None = None,
        y_prob: ArrayLike | None = None,
        *,
        pos_label: Any = None,
        labels: Any = None,
        **inputs: Unpack[DecisionInputs],
    ) -> None:
        data = None
        if isinstance(y_true, RankedSegments):
            refuse_beside_segments(y_prob, pos_label)
            data = OwnBatch.from_segments(y_true, labels)
        elif y_prob is not None:
            data = OwnBatch(y_true, y_prob, pos_label, labels)
        elif labels is not None:
            raise ValueError("labels must come with y_prob.")
        elif y_true is not None or pos_label is not None:
            raise ValueError(
                "y_prob must be given: y_true holds labels only. Probabilities without labels are "
                "given by name, DecisionExplorer(y_prob=...)."
            )
        super().__init__(data, **inputs)

    # ------------------------------------------------------------------ pictures

    def _make_panels(self) -> dict[str, Panel]:
        return {
            "probabilities": Panel(
                probability_picture,
                drags={"items": ("", self._drag_sample), "k": ("k", self._drag_k)},
            ),
            "people": Panel(people_picture, drags={"threshold": ("k", self._drag_threshold)}),
            "utilities": Panel(utility_picture, drags={"k": ("k", self._drag_k)}),
            "thresholds": Panel(threshold_picture),
            "outcomes": Panel(outcome_picture),
        }

    # ------------------------------------------------------------------ actions of the user

    def _drag_k(self, x: float, _y: float) -> None:
        self.k = round(float(np.clip(x, 0, self.size)))

    def _drag_threshold(self, x: float, _y: float) -> None:
        self.k = int(np.count_nonzero(self.result.truth.prob >= x))

    def _drag_sample(self, sample: int, probability: float) -> None:
        if sample <= self.size:
            self.set_probability(sample, round(float(np.clip(probability, 0.0, 1.0)), 2))

    # ------------------------------------------------------------------ previews

    def takes_long(self, changed: set[str]) -> bool:
        """Whether a formula with bends is summed count by count, or there are very many samples."""
        if self.size > MAX_SAMPLES_WITHOUT_PREVIEW:
            return True
        is_used = "formula" in (self.metric, *self.compared_metrics) or "formula" in changed
        if not is_used or self.size <= MAX_SAMPLES_OF_BENT_FORMULAS:
            return False
        return bool(parse_formula(self.formula).has_bends)

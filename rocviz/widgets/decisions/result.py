"""The result of a decision explorer at one setting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rocviz.core.base.frozen import Frozen

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rocviz.core.decisions.decision import Decision
    from rocviz.core.decisions.monotonicity import Monotonicity
    from rocviz.core.decisions.utility import Metric
    from rocviz.widgets.decisions.data import Batch, Outcomes, Search


@dataclass(frozen=True, eq=False)
class DecisionResult(Frozen):
    """Everything the decision explorer shows at one setting.

    Parameters
    ----------
    truth, believed : Batch
        The probabilities outcomes are drawn from, and those decisions are made by; the same
        object unless they were miscalibrated.
    metric : Metric
        The current one.
    decisions : dict of str to Decision
        By the believed probabilities, of each metric shown; the current one comes first.
    true_utilities : ndarray, shape (n_samples + 1,)
        The metric that is expected for each k by the true probabilities.
    plug_in : ndarray, shape (n_samples + 1,)
        The metric of the expected counts, as believed.
    k, n_predicted_positive, k_eum, k_half, k_best : int
        Numbers of predicted positives: the current one, that of the believed probabilities, of
        empirical utility maximisation (with labels: the best one on them), of the threshold 1/2,
        and the best one.
    outcomes : Outcomes
        What the metric may be at ``k``.
    search : Search or None
        All labels tried, for few samples.
    monotonic : Monotonicity or str
        Whether the metric ranks by probability, or why that cannot be said.
    is_preview : bool
        Whether utilities are those of the expected counts, and outcomes drawn from normal
        counts, for a moment, while the user changes a large batch.
    """

    truth: Batch
    believed: Batch
    metric: Metric
    decisions: dict[str, Decision]
    true_utilities: NDArray[np.float64]
    plug_in: NDArray[np.float64]
    k: int
    n_predicted_positive: int
    k_eum: int
    k_half: int
    k_best: int
    outcomes: Outcomes
    search: Search | None
    monotonic: Monotonicity | str
    is_preview: bool = False

    @property
    def decision(self) -> Decision:
        """The best decision for the current metric."""
        return next(iter(self.decisions.values()))

    @property
    def name(self) -> str:
        """Name of the metric."""
        return next(iter(self.decisions))

    @property
    def label(self) -> str:
        """The same where there is little room."""
        return self.name if len(self.name) < 18 else "formula"

    @property
    def is_miscalibrated(self) -> bool:
        """Whether decisions are made by other probabilities than the true ones."""
        return self.truth is not self.believed

    @property
    def realised(self) -> NDArray[np.float64] | None:
        """The metric for each k on the labels, where there are any."""
        return self.truth.realised(self.metric)

    def rules(self) -> tuple[tuple[str, int], ...]:
        """Count the positives that each rule predicts: exact, empirical, one half, by hand."""
        return (
            ("dta", self.n_predicted_positive),
            ("eum", self.k_eum),
            ("half", self.k_half),
            ("selected", self.k),
        )

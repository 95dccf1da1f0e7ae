"""Base of classifiers for a metric: its options, and the wrapped classifier's probabilities.

scikit-learn reads the parameters of an estimator from its constructor, so the options of metrics
stand here one by one; ``make format`` writes them from the table of metrics.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Any

from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from rocviz.core.base.validation import Floats
from rocviz.core.decisions.linear_fractional import LinearFractional
from rocviz.core.decisions.utility import Metric, resolve_metric
from rocviz.core.roc.metrics import metric_options
from rocviz.estimators.base.wrapping import WrappingClassifier


@dataclass(eq=False, repr=False)
class MetricClassifier(WrappingClassifier):
    """Base of classifiers that choose labels for a metric."""

    metric: str | LinearFractional | Callable[..., Any] = "f"
    _: KW_ONLY
    # options of metrics with their defaults, written by tools/metrics.py
    cost_fp: float = 1.0
    cost_fn: float = 1.0
    threshold_probability: float = 0.5
    beta: float = 1.0
    # end
    zero_division: float = 0.0

    def _metric(self) -> Metric:
        names = [name for name in metric_options() if hasattr(self, name)]
        options: Any = {name: getattr(self, name) for name in names}
        return resolve_metric(self.metric, zero_division=self.zero_division, **options)

    def _learned(self) -> Any:
        rows = [("metric", self._metric().name), ("positive class", self.pos_label_)]
        if hasattr(self, "threshold_"):
            rows.append(("threshold", self.threshold_))
        if hasattr(self, "utility_"):
            rows.append(("its value in training", self.utility_))
        if len(rows) == 2:
            rows.append(("threshold", "chosen for each batch that is predicted"))
        return "Decides for", ("what", "is"), rows

    @available_if(lambda self: hasattr(self.estimator, "predict_proba"))
    def predict_proba(self, X: Any) -> Floats:
        """Predict the probabilities of the wrapped classifier.

        Takes what :meth:`fit` takes as ``X``.

        Returns
        -------
        ndarray of float, shape (n_samples, 2)
            Of both classes, in the order of ``classes_``.

        Raises
        ------
        sklearn.exceptions.NotFittedError
            If it has not been fitted.
        """
        check_is_fitted(self)
        return self.estimator_.predict_proba(X)

"""The result of the explorer of several classes."""

from __future__ import annotations

from dataclasses import dataclass

from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.validation import Floats
from rocviz.core.multiclass.best_point import SimplexPoint
from rocviz.core.multiclass.confusion import ConfusionMatrix
from rocviz.core.multiclass.hand_till import MulticlassAUC
from rocviz.displays.multiclass.pictures import Shown


@dataclass(frozen=True, eq=False)
class MulticlassResult(Frozen):
    """Everything the explorer of several classes shows at one setting.

    Parameters
    ----------
    shown : Shown
        The samples with their calibrated probabilities, and the part of them that is drawn.
    matrix : ConfusionMatrix
        The confusion matrix of the predictions at the current point.
    value : float
        The metric of these predictions, at the prevalences and costs in use.
    best : SimplexPoint
        The best point for the metric; a local optimum.
    by_costs : ndarray of float, shape (n_classes,)
        The point that costs and prevalences ask for, if probabilities are calibrated.
    auc : MulticlassAUC
        Hand and Till's M.
    """

    shown: Shown
    matrix: ConfusionMatrix
    value: float
    best: SimplexPoint
    by_costs: Floats
    auc: MulticlassAUC

    def to_frame(self) -> DataFrame:
        """Tabulate one row per class.

        Returns
        -------
        pandas.DataFrame
            Columns ``class, n, predicted, correct, recall, precision, auc``: the weight of the
            class's samples, of all for which it is predicted, and of those for which it is
            predicted correctly; the share of the class and of the predictions that is correct; and
            the AUC against all others.
        """
        matrix = self.matrix
        rows = []
        for k, name in enumerate(self.shown.names):
            correct = matrix.counts[k, k]
            predicted = matrix.predicted[k]
            n = matrix.true[k]
            rows.append(
                {
                    "class": name,
                    "n": n,
                    "predicted": predicted,
                    "correct": correct,
                    "recall": correct / n if n else float("nan"),
                    "precision": correct / predicted if predicted else float("nan"),
                    "auc": self.shown.ranked[k].auc,
                }
            )
        return to_frame(rows)

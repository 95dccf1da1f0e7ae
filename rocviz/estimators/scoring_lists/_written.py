"""A scoring list written down: made from a table by hand, shown as one, saved and read again.

A base of ``ProbabilisticScoringList``, which adds how the list is learned and used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from rocviz.core.base.frozen import DataFrame
from rocviz.core.base.validation import (
    as_array,
    check_integer,
    check_number,
    check_numbers,
    check_sequence,
    check_vector,
    describe,
)
from rocviz.core.scoring_lists.scoring_list import ScoringList
from rocviz.estimators.scoring_lists._classifier import ListClassifier
from rocviz.estimators.scoring_lists._nominal import NominalColumns


class WrittenListClassifier(ListClassifier):
    """A scoring list that need not be learned, and can be kept."""

    @classmethod
    def from_table(
        cls,
        scores: ArrayLike,
        table: Sequence[Mapping[int, float]],
        *,
        classes: Sequence[Any] = (0, 1),
        n_features: int | None = None,
        features: ArrayLike | None = None,
        feature_names: Sequence[str] | None = None,
        thresholds: ArrayLike | None = None,
    ) -> Self:
        """Return a fitted classifier from scores and probabilities written by hand.

        Parameters
        ----------
        scores, table, features, feature_names, thresholds
            As for :meth:`rocviz.ScoringList.from_table`.
        classes : sequence of two labels, default=(0, 1)
            Two different labels; the positive class is the second, which becomes ``pos_label``.
        n_features : int, optional
            Columns of X; by default as many as the list needs.

        Returns
        -------
        ProbabilisticScoringList
            Without counts, so without intervals.

        Raises
        ------
        ValueError
            If a total is missing or out of reach, or probabilities fall as totals rise.

        Examples
        --------
        >>> from rocviz import ProbabilisticScoringList
        >>> card = [{0: 0.3}, {0: 0.2, 1: 0.4}]
        >>> model = ProbabilisticScoringList.from_table([1], card, classes=["well", "ill"])
        >>> model.predict_proba([[1]])
        array([[0.6, 0.4]])
        >>> model.predict([[1]]).tolist()
        ['well']
        """
        made = ScoringList.from_table(
            scores, table, features=features, feature_names=feature_names, thresholds=thresholds
        )
        labels = as_array(classes, "classes", "two labels")
        if labels.shape != (2,) or labels[0] == labels[1]:
            raise ValueError(f"classes must be two different labels; got {describe(classes)}.")
        needed = int(made.features.max(initial=0)) + 1
        model = cls(pos_label=labels.tolist()[1])
        model.n_features_in_ = (
            needed if n_features is None else check_integer(n_features, "n_features", needed)
        )
        model._take_over(made, labels, np.full(len(made) + 1, np.nan), "by hand")
        return model

    def _take_over(self, fitted: ScoringList, classes: Any, losses: Any, why: str) -> None:
        self.scoring_list_ = fitted
        self._take_classes(classes)
        self._take_list(fitted, losses, why)

    def inspect(self) -> DataFrame:
        """Return the list as a table.

        Returns
        -------
        pandas.DataFrame
            One row per stage, named after the feature it adds; columns ``threshold``, ``score``,
            ``loss``, and the probability at each total, NaN where it cannot be reached. A list
            made with ``missing="score"`` has a column ``missing score`` too.

        Raises
        ------
        sklearn.exceptions.NotFittedError
            If it has not been fitted.
        """
        check_is_fitted(self)
        frame = self.scoring_list_.to_frame()
        frame.insert(0, "loss", self.stage_losses_)
        points = {"score": self.scores_}
        if self.scoring_list_.missing == "score":
            points["missing score"] = self.missing_scores_
        for i, (name, values) in enumerate(points.items()):
            frame.insert(i, name, [None, *values.tolist()])
        frame.insert(0, "threshold", [np.nan, *self.thresholds_])
        return frame.astype(dict.fromkeys(points, "Int64"))

    def _learned_html(self) -> str:
        html: str = self.scoring_list_._repr_html_()
        return html

    def to_dict(self) -> dict[str, Any]:
        """Return the fitted list as plain values that JSON can write.

        How it was learned is not kept: of the parameters only ``cost_fn``, ``missing`` and
        ``feature_costs``, which a fitted list uses.

        Returns
        -------
        dict

        Raises
        ------
        sklearn.exceptions.NotFittedError
            If it has not been fitted.
        """
        check_is_fitted(self)
        names = getattr(self, "feature_names_in_", None)
        costs = self._columns().costs(self.feature_costs)
        made: dict[str, Any] = {
            "classes": self.classes_.tolist(),
            "pos_label": self.classes_.tolist()[self._column],
            "n_features": int(self.n_features_in_),
            "feature_names": None if names is None else [str(name) for name in names],
            "stage_losses": [None if np.isnan(x) else x for x in self.stage_losses_.tolist()],
            "stop_reason": self.stop_reason_,
            "cost_fn": float(self.cost_fn),
            "feature_costs": None if costs is None else costs.tolist(),
            "scoring_list": self.scoring_list_.to_dict(),
        }
        if self._nominal is not None:
            made["categories"] = [list(pair) for pair in self._nominal.made_of]
        return made

    @classmethod
    def from_dict(cls, source: Mapping[str, Any]) -> Self:
        """Return the fitted classifier that :meth:`to_dict` wrote.

        Takes and raises what :meth:`rocviz.ScoringList.from_dict` does.
        """
        if not isinstance(source, Mapping):
            raise ValueError(f"source must be what to_dict() gives; got {describe(source)}.")
        try:
            made = ScoringList.from_dict(source["scoring_list"])
            used: dict[str, Any] = {"missing": made.missing}
            costs = source["feature_costs"]
            used |= {
                "cost_fn": check_number(source["cost_fn"], "cost_fn", above=0.0),
                "feature_costs": None if costs is None else check_vector(costs, "feature_costs"),
            }
            model = cls().set_params(**used)
            model.n_features_in_ = check_integer(source["n_features"], "n_features", 0)
            if source["feature_names"] is not None:
                names = check_sequence(source["feature_names"], "feature_names", "names")
                if len(names) != model.n_features_in_ or not all(isinstance(n, str) for n in names):
                    raise ValueError(
                        f"feature_names must be {model.n_features_in_} names; "
                        f"got {describe(names)}."
                    )
                model.feature_names_in_ = np.array(names, dtype=object)
            if "categories" in source:
                pairs = check_sequence(source["categories"], "categories", "pairs")
                model._nominal = NominalColumns(source["feature_names"], pairs)
            losses = check_numbers(source["stage_losses"], "stage_losses")
            labels = as_array(source["classes"], "classes", "two labels")
            if labels.shape != (2,) or labels[0] == labels[1]:
                raise ValueError(f"classes must be two different labels; got {describe(labels)}.")
            if losses.shape != (len(made) + 1,):
                raise ValueError("stage_losses must have one entry for each stage.")
            model.pos_label = source["pos_label"]
            model._take_over(made, labels, losses, source["stop_reason"])
        except (IndexError, KeyError, TypeError) as error:
            raise ValueError(f"source is not what to_dict wrote: {error!r}.") from error
        return model

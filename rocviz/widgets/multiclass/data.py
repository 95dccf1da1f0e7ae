"""Data of the explorer of several classes, calibrated and ranked when first used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.blocks import weight_by_cell
from rocviz.core.base.classes import ClassSamples, check_class_samples, class_clusters
from rocviz.core.base.frozen import read_only
from rocviz.core.base.naming import name_texts
from rocviz.core.base.validation import Floats, check_aligned, label_column
from rocviz.core.multiclass.calibration import SimplexMap, fit_simplex_map
from rocviz.core.multiclass.hand_till import MulticlassAUC, interval_of
from rocviz.datasets import load_class_scores, make_classes
from rocviz.displays.multiclass.pictures import MAX_DOTS, Shown, shown_of
from rocviz.widgets.base.own_data import OwnData, remembered
from rocviz.words import shown_names

N_PREVIEW_SAMPLES = 2000  # samples of a picture while the user drags

#: Settings of the sandbox that are arguments of :func:`rocviz.datasets.make_classes`.
CLASS_SETTINGS = ("n_samples", "separation", "nearness", "share_c", "over_confidence")


@dataclass(frozen=True, eq=False)
class Plane:
    """Two features of each sample, and the model's probabilities as a function of them if known.

    Parameters
    ----------
    X : ndarray of float, shape (n_samples, 2)
    names : tuple of str
        Names of the features.
    slopes, offsets : ndarray of float, shapes (n_classes, 2) and (n_classes,), optional
        The logarithm of the probability of class k is ``slopes[k] @ x + offsets[k]``, up to a
        constant that all classes share.
    """

    X: Floats
    names: tuple[str, ...]
    slopes: Floats | None = None
    offsets: Floats | None = None


class ClassData(OwnData):
    """Labels of several classes and the probabilities of each."""

    def __init__(
        self,
        y_true: ArrayLike,
        y_prob: ArrayLike,
        *,
        classes: Sequence[Any] | None = None,
        sample_weight: ArrayLike | None = None,
        clusters: ArrayLike | None = None,
        plane: Plane | None = None,
        labels: Any = None,
    ) -> None:
        check_aligned(y_true=y_true, clusters=clusters)
        self.samples = check_class_samples(y_true, y_prob, classes, sample_weight)
        n_samples = len(label_column(y_true, "y_true"))
        self._unit = class_clusters(clusters, n_samples, sample_weight)
        if labels is None:
            self.names = tuple(name_texts(self.samples.classes, "classes"))
        else:
            self.names = shown_names(self.samples.classes, labels)
        if len(set(self.names)) < len(self.names):
            raise ValueError(
                "classes must not hold two labels that are written alike, as 1 and '1'."
            )
        self.plane = plane
        super().__init__(
            y_true=y_true, y_prob=y_prob, sample_weight=sample_weight, clusters=clusters
        )

    @classmethod
    def of_settings(cls, settings: Mapping[str, Any]) -> ClassData:
        """Draw the classes of a sandbox, or load the data that it names."""
        if settings["source"] != "drawn":
            data = load_class_scores(settings["source"])
            plane = Plane(data.X, data.feature_names)
            return cls(data.y_true, data.y_prob, classes=data.classes, plane=plane)
        drawn = {name: settings[name] for name in CLASS_SETTINGS}
        data = make_classes(**drawn, random_state=settings["seed"])
        prior = np.array([(1 - drawn["share_c"]) / 2, (1 - drawn["share_c"]) / 2, drawn["share_c"]])
        means: Any = data.means
        power = drawn["over_confidence"]
        plane = Plane(
            data.X,
            data.feature_names,
            power * means,
            power * (np.log(prior) - (means**2).sum(axis=1) / 2),
        )
        return cls(data.y_true, data.y_prob, classes=data.classes, plane=plane)

    @remembered(8)
    def class_samples(self, one_vs_rest: str, few: bool = False) -> ClassSamples:
        """Get the samples with all classes, or with one class against all others."""
        samples = self.samples
        rows = self._rows(few)
        if rows is not None:
            weight = None if samples.weight is None else samples.weight[rows]
            samples = ClassSamples(samples.classes, samples.code[rows], samples.prob[rows], weight)
        if not one_vs_rest:
            return samples
        k = self.names.index(one_vs_rest)
        prob = samples.prob[:, k]
        return ClassSamples(
            (f"not {one_vs_rest}", one_vs_rest),
            (samples.code == k).astype(np.intp),
            read_only(np.column_stack((1 - prob, prob))),
            samples.weight,
        )

    @remembered(2)
    def _rows(self, few: bool) -> NDArray[np.intp] | None:
        """Choose the samples of a preview, at least one of each class; ``None`` stands for all."""
        code = self.samples.code
        if not few or code.size <= N_PREVIEW_SAMPLES:
            return None
        rows = np.random.default_rng(0).choice(code.size, N_PREVIEW_SAMPLES, replace=False)
        first_of_classes = np.unique(code, return_index=True)[1]
        return np.union1d(rows, first_of_classes)

    @remembered(8)
    def calibration_map(self, one_vs_rest: str, method: str, few: bool = False) -> SimplexMap:
        """Fit a calibration map to these samples."""
        return fit_simplex_map(self.class_samples(one_vs_rest, few), method)

    @remembered(8)
    def calibrated(self, one_vs_rest: str, method: str, few: bool = False) -> ClassSamples:
        """Map the probabilities of these samples."""
        samples = self.class_samples(one_vs_rest, few)
        if method == "identity":
            return samples
        prob = self.calibration_map(one_vs_rest, method, few)(samples.prob)
        return ClassSamples(samples.classes, samples.code, read_only(prob), samples.weight)

    @remembered(16)
    def shown(
        self, one_vs_rest: str, method: str, corners: tuple[int, ...], few: bool = False
    ) -> Shown:
        """Rank each class, with three of them in the corners."""
        samples = self.calibrated(one_vs_rest, method, few)
        names = self.names if not one_vs_rest else samples.classes
        return shown_of(samples, names, corners)

    @remembered(8)
    def auc(self, one_vs_rest: str, method: str, few: bool = False) -> MulticlassAUC:
        """Compute Hand and Till's AUC."""
        rows = self._rows(few)
        unit = self._unit if self._unit is None or rows is None else self._unit[rows]
        return interval_of(self.calibrated(one_vs_rest, method, few), clusters=unit)

    @property
    def has_clusters(self) -> bool:
        """Whether samples come in clusters."""
        return self._unit is not None

    @remembered(1)
    def drawn_rows(self) -> Any:
        """Choose the samples that are drawn in the plane."""
        n = self.samples.code.size
        if n <= MAX_DOTS:
            return np.arange(n)
        return np.sort(np.random.default_rng(0).choice(n, MAX_DOTS, replace=False))

    @cached_property
    def _confused_counts(self) -> Floats:
        """Numbers of samples of each two classes for which the other one is predicted."""
        predicted = self.samples.prob.argmax(axis=1)
        n_classes = len(self.names)
        cell = self.samples.code * n_classes + predicted
        counts = weight_by_cell(cell, self.samples.weight, n_classes**2)
        wrong = counts.reshape(n_classes, n_classes) * (1 - np.eye(n_classes))
        return np.asarray(wrong + wrong.T)

    def most_confused(self, *classes: int) -> tuple[int, ...]:
        """Find the three classes most often confused, of all or with the given ones."""
        counts = self._confused_counts
        if not classes:
            classes = tuple(map(int, np.unravel_index(int(counts.argmax()), counts.shape)))
        with_them = counts[list(classes)].sum(axis=0)
        with_them[list(classes)] = np.inf
        return tuple(sorted(np.argsort(-with_them, kind="stable")[:3].tolist()))

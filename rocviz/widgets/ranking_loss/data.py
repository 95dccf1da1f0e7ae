"""Samples of the ranking loss explorer: simulated, with true probabilities, or the user's."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocviz.core.base.frozen import Frozen
from rocviz.core.base.naming import check_column_names, prefix_error_with
from rocviz.core.base.validation import (
    check_aligned,
    check_labels_of_classes,
    check_same_length,
    reason,
)
from rocviz.core.ranking_loss.capped_link import CappedLinkSamples, simulate_capped_link
from rocviz.widgets.base.own_data import OwnData
from rocviz.words import ClassNames

N_NEW_SAMPLES = 10_000  # new points that errors are measured on
N_PREVIEW_NEW_SAMPLES = 2_000  # the same, while the user drags
N_PREVIEW_SAMPLES = 500  # samples that train while the user drags


@dataclass(frozen=True, eq=False)
class Samples(Frozen):
    """Samples to train on, with their true probabilities if known."""

    X: NDArray[np.float64]  # (n_samples, n_features)
    positive: NDArray[np.bool_]  # (n_samples,)
    names: tuple[str, ...]  # names of the features
    # the same samples with their true probabilities and the true direction
    truth: CappedLinkSamples | None = None
    new: CappedLinkSamples | None = None  # new ones, for measuring errors


def new_seed(seed: int) -> int:
    """Compute the seed of the new points that go with samples."""
    return seed + 1_000_000


@lru_cache(maxsize=4)
def simulate_samples(
    n_samples: int, a: float, link: str, border: float, seed: int, n_new: int
) -> Samples:
    """Draw samples and the new points to measure errors on."""
    known = simulate_capped_link(n_samples, a, link=link, border=border, random_state=seed)
    new = simulate_capped_link(n_new, a, link=link, border=border, random_state=new_seed(seed))
    positive = known.y_true == 1
    if positive.all() or not positive.any():
        raise ValueError(
            f"All {n_samples} samples drawn are of one class, so there are no pairs; take more "
            "samples, another seed or a border nearer to 0."
        )
    return Samples(known.X, positive, ("x1", "x2"), known, new)


class OwnSamples(OwnData):
    """The user's samples, with at least two columns, which a DataFrame names."""

    def __init__(self, X: Any, y: Any, *, pos_label: Any = None, labels: Any = None) -> None:
        from sklearn.utils import check_array

        check_column_names(X)
        try:
            with prefix_error_with("X"):
                table = check_array(X, dtype=np.float64, input_name="X", copy=True)
        except ValueError as error:
            if "could not convert string" not in str(error):
                raise
            raise ValueError(
                "X must be numbers only; give every category a column of 0 and 1 first "
                f"({reason(error)})."
            ) from None
        if table.shape[1] < 2:
            raise ValueError("X must have at least two columns: with one there is no direction.")
        check_aligned(X=X, y=y)
        positive, neg_label, own_pos_label = check_labels_of_classes(y, pos_label, "y")
        self.class_names = ClassNames.of(neg_label, own_pos_label, labels)
        check_same_length(table.shape[0], y=positive)
        names = [str(name) for name in getattr(X, "columns", ())]
        names = names or [f"x{k + 1}" for k in range(table.shape[1])]
        self.samples = Samples(table, positive, tuple(names))
        super().__init__(pos_label, X=X, y=y)

    @cached_property
    def few(self) -> Samples:
        """The samples of a preview, drawn once."""
        rng = np.random.default_rng(0)
        positive = self.samples.positive
        chosen = []
        for of_class in (np.flatnonzero(positive), np.flatnonzero(~positive)):
            share = round(N_PREVIEW_SAMPLES * of_class.size / positive.size)
            n_rows = min(of_class.size, max(share, 10))
            chosen.append(rng.choice(of_class, n_rows, replace=False))
        rows = np.sort(np.concatenate(chosen))
        return Samples(self.samples.X[rows], positive[rows], self.samples.names)

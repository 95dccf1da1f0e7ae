"""The plane a ranking loss explorer draws samples and learned directions in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocviz.widgets.ranking_loss.data import Samples

Floats = NDArray[np.float64]

MOST = 300  # samples that are drawn


@dataclass(frozen=True, eq=False)
class Plane:
    """Some samples in a plane, and directions in it."""

    points: Floats  # (n_shown, 2)
    positive: NDArray[np.bool_]  # (n_shown,)
    labels: tuple[str, str]  # of both axes
    # (2,): of unit length, or zero: `"truth"` where it is known, `"logistic"` and `"rank"`
    directions: dict[str, Floats]


def plane_of(samples: Samples, ranker: Any, logistic: Any) -> Plane:
    """Compute coordinates: as simulated, two standardised columns, or two scores of more.

    With more than two columns one axis is the ranker's score and the other what is left of
    logistic regression's score when the ranker's is taken out. The angle between both directions
    is then that whose cosine is the correlation of both scores.
    """
    size = samples.positive.size
    some = np.unique(np.linspace(0, size - 1, MOST).round().astype(int))
    directions = {"logistic": logistic.coef, "rank": ranker.coef}
    x1, x2 = samples.names[:2]
    if samples.truth is not None:
        points = samples.X[some]
        labels = (x1, x2)
        directions["truth"] = samples.truth.direction
    elif samples.X.shape[1] == 2:
        spread = samples.X.std(axis=0)
        points = _standard(samples.X)[some]
        labels = (f"{x1}, standardised", f"{x2}, standardised")
        directions = {name: coef * spread for name, coef in directions.items()}
    else:
        one, other = (_standard(samples.X @ scorer.coef) for scorer in (ranker, logistic))
        shared = float(np.mean(one * other))
        points = np.column_stack((one, _standard(other - shared * one)))[some]
        labels = ("the ranker's score", "what logistic regression adds")
        apart = float(np.sqrt(max(1 - shared**2, 0.0)))
        directions = {"logistic": np.array([shared, apart]), "rank": np.array([1.0, 0.0])}
    return Plane(
        points, samples.positive[some], labels, {k: _unit(v) for k, v in directions.items()}
    )


def _standard(values: Floats) -> Floats:
    """Standardise columns to mean 0 and variance 1; constant ones to 0."""
    centred = values - values.mean(axis=0)
    spread = centred.std(axis=0)
    flat = spread <= 1e-9 * np.maximum(np.abs(values).max(axis=0), 1e-300)
    return np.asarray(np.where(flat, 0.0, centred / np.where(flat, 1.0, spread)))


def _unit(direction: Floats) -> Floats:
    length = float(np.linalg.norm(direction))
    return direction / length if length else np.zeros(2)

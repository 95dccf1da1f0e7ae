"""The ways to probabilities that are compared: what they are called, and where.

Names only, for whoever offers a choice; training is left to the estimators.
"""

from __future__ import annotations

from rocviz.core.calibration.calibration import isotonic_map
from rocviz.core.calibration.shrunken_hull import shrunken_hull_map

#: Names of the methods, in the order of the paper's tables.
METHODS = (
    "linear",
    "linear + isotonic",
    "logistic",
    "logistic + isotonic",
    "combined",
    "rank + isotonic",
)

#: Ways from scores to probabilities.
MAPS = {"isotonic": isotonic_map, "laplace-hull": shrunken_hull_map}

#: Lowest probabilities of the capped link, those of the paper's figure 1.
FLOORS = tuple(2.0**k for k in (-9, -7, -5, -3, -1))

"""Draw errors of methods to the true probability against its floor, on given matplotlib axes.

Takes results and draws them; computes no number that is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from matplotlib.ticker import MaxNLocator

from rocviz.core.ranking_loss.results import RankingExperiment
from rocviz.displays.base.labels import Row, legend
from rocviz.displays.base.marks import means
from rocviz.displays.base.pen import Pen

# what each method is drawn in: thing of the colour table, dash, marker, outlined
LOOKS: dict[str, tuple[str, Any, str, bool]] = {
    "rank + isotonic": ("ranking", "-", "o", False),
    "logistic + isotonic": ("hull", (0, (4, 1.6)), "D", False),
    "logistic": ("second", (0, (6, 1.6)), "s", False),
    "combined": ("optimum", (0, (9, 2.4)), "^", False),
    "linear + isotonic": ("third", (0, (5, 1.6)), "P", True),
    "linear": ("reference", (0, (1.4, 1.2)), "v", False),
}


def draw_ranking_experiment(
    pen: Pen, experiment: RankingExperiment, *, methods: Sequence[str] | None = None
) -> dict[str, Any]:
    """Draw mean errors against the floor, with two standard errors either way.

    Without ``methods`` all of the experiment's are drawn. Returns one line per method.
    """
    pen.frame()
    order = np.argsort(experiment.a)
    floors = experiment.a[order]
    x = places_of(floors)
    shown = experiment.methods if methods is None else methods
    made: dict[str, Any] = {}
    top = 0.0
    for method in reversed([name for name in LOOKS if name in shown]):  # the first lies on top
        column = experiment.methods.index(method)
        error = experiment.error[order, column]
        spread = 2 * experiment.standard_error[order, column]
        top = max(top, float((error + spread).max()))
        rim: dict[str, Any] = {} if LOOKS[method][3] else {"markeredgecolor": pen.colour("paper")}
        rim |= {"markersize": pen.handle(0.42), "markeredgewidth": pen.stroke(0.4)}
        made[method] = means(pen, x, error, spread, LOOKS[method], label=f"_{method}", **rim)
    pen.ax.set_ylim(0, 1.06 * top)
    pen.ax.yaxis.set_major_locator(MaxNLocator(5))
    pen.ax.set_xlim(right=x[-1] + 0.04 * (x[-1] - x[0] + 1))
    pen.ax.set_xticks(x, [fraction(value) for value in floors])
    pen.ax.set(xlabel="lowest true probability a", ylabel="squared error to the truth")
    lines = {method: made[method] for method in LOOKS if method in made}
    legend(pen, [Row(method, line) for method, line in lines.items()], (0.7, 0.8))
    return lines


def places_of(floors: np.ndarray) -> np.ndarray:
    """Compute binary logarithms of increasing floors; 0 gets its own place to the left."""
    positive = floors[floors > 0]
    lowest = np.log2(positive[0]) if positive.size else 0.0
    return np.append(np.full(floors.size - positive.size, lowest - 2), np.log2(positive))


def fraction(value: float) -> str:
    """Write 1/32, or a decimal where the number is no such fraction."""
    simple = Fraction(float(value))
    if simple.numerator <= 3 and simple.denominator <= 4096:
        return str(simple)
    return f"{value:.3g}"

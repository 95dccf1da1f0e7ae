"""Every labelling of a few samples, against the plain search."""

from __future__ import annotations

import numpy as np
import pytest

from rocviz.core.decisions import resolve_metric
from rocviz.core.decisions.label_utility import utilities_of_all_labels
from rocviz.core.decisions.linear_fractional import LinearFractional
from rocviz.core.decisions.reference import exhaustive_decision
from rocviz.core.roc.metrics import METRICS

OBJECTIVES = [name for name, row in METRICS.items() if row.is_objective]
RATIO = LinearFractional((1.9, 2, 1.5), (0.8, 1.3, -0.7, -0.7))


@pytest.mark.parametrize("metric", [*OBJECTIVES, RATIO])
@pytest.mark.parametrize("prob", [[0.923, 0.815, 0.257], [1.0, 0.3, 0.3, 0.0], [0.4]])
def test_agrees_with_the_plain_search(metric, prob):
    if metric is RATIO and len(prob) != 3:
        metric = "f"
    want = exhaustive_decision(prob, metric)
    utilities = utilities_of_all_labels(np.array(prob), resolve_metric(metric))
    # the plain search lists labels as binary numbers too, the first sample first
    np.testing.assert_allclose(
        utilities, want.utilities, rtol=0, atol=1e-13 * np.abs(utilities).max()
    )

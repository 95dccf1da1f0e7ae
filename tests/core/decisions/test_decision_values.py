"""Expected utilities: against values from the sum over all labels and all outcomes."""

import numpy as np
import pytest

from rocviz.core.decisions.decision import optimal_decision
from rocviz.core.decisions.label_utility import utility_distribution
from rocviz.core.decisions.reference import algorithm_1

# Probabilities; then for each metric the value of 0/0 (nan: leave out the absent class), k*, and
# the expected utilities of k = 0, ..., n, rounded to 13 digits; rows end with a bar.
REFERENCE = [
    (
        "0.504072 0.222395 0.771428 0.967279 0.162789 0.130196 0.641439 0.864891 0.289944",
        """
        am nan 4 0.4998935340553 0.6109918497878 0.6963607408114 0.7590435724632 0.7908485824378
            0.7903954906877 0.7393629878821 0.6720502732744 0.5901337485618 0.5001064659447 |
        f1 1 5 7.224761713512e-05 0.3640501090253 0.5708131948401 0.6943500089499 0.75724902198
            0.7784611098915 0.7563577727165 0.7273326251484 0.6941535080567 0.6614629130371 |
        f2 0 7 0.0 0.2682179945869 0.4729502671638 0.6304599685071 0.7404726584658
            0.809909818392 0.8301358329754 0.8364660556647 0.8320319747456 0.8226489633228 |
        jaccard 1 5 7.224761713512e-05 0.2285691451691 0.4140288331586 0.5514754635492
            0.630255131472 0.6572088582925 0.6256507929422 0.5868413318248 0.5450293755493
            0.5060481111111 |
        g_tp_pr 1 5 7.224761713512e-05 0.4648488466464 0.618268051112 0.7131307679926
            0.7652748250707 0.786729052803 0.770729170475 0.7506358241354 0.7274059635398
            0.7047892687975 |
        g_mean 0 4 0.0 0.4647537868109 0.6345404346369 0.7363351706962 0.7845247018833
            0.7842173034269 0.7160030333429 0.6044158855347 0.4179610035491 0.0 |
        g_mean nan 4 7.224761713512e-05 0.4648496935269 0.6346600004517 0.7364783956098
            0.7846915858957 0.7844078465381 0.7162172355529 0.6046537468435 0.4182225239567
            0.0002851795064844 |
        h_mean nan 5 7.224761713512e-05 0.3640889798399 0.581070576621 0.7152291023113
            0.7787867962615 0.7787886497656 0.6953171532575 0.5511334384812 0.3275349492168
            0.0002851795064844 |
        q_mean nan 4 0.4998935340553 0.6977006117689 0.8216525941732 0.8956076794934
            0.9287004953718 0.9284306796369 0.8846031012067 0.8031616073333 0.6758995959349
            0.5001064659447
        """,
    ),
    (
        "1.0 0.999999999999 0.5 1e-12 0.0",
        """
        f1 0 2 0.0 0.5833333333334 0.8999999999995 0.8999999999996 0.7619047619047
            0.6607142857142 |
        h_mean 0 2 0.0 0.5833333333334 0.8999999999996 0.8999999999996 0.5833333333334 0.0
        """,
    ),
]


ROWS = [
    (np.array(prob.split(), float), *row.split(maxsplit=3))
    for prob, table in REFERENCE
    for row in table.split("|")
]


@pytest.mark.parametrize(("prob", "metric", "spare", "n_predicted_positive", "utilities"), ROWS)
def test_reference_values(prob, metric, spare, n_predicted_positive, utilities):
    spare, utilities = float(spare), np.array(utilities.split(), float)
    assert utilities.size == prob.size + 1
    decision = optimal_decision(prob, metric, zero_division=spare)
    np.testing.assert_allclose(decision.utilities, utilities, rtol=0, atol=1e-12)
    np.testing.assert_allclose(
        algorithm_1(prob, metric, zero_division=spare), utilities, rtol=0, atol=1e-12
    )
    assert decision.n_predicted_positive == int(n_predicted_positive)
    best = np.sort(np.argsort(-prob, kind="stable")[: int(n_predicted_positive)])
    np.testing.assert_array_equal(np.flatnonzero(decision.labels), best)
    law = utility_distribution(decision.labels, prob, metric, zero_division=spare)
    assert law.mean == pytest.approx(utilities[decision.n_predicted_positive], abs=1e-12)

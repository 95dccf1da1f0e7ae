"""Expected utilities: against values from the sum over all labels and all outcomes."""

import numpy as np
import pytest

from rocviz.core.decisions.decision import optimal_decision
from rocviz.core.decisions.label_utility import utility_distribution
from rocviz.core.decisions.reference import algorithm_1

# Probabilities; then for each metric the value of 0/0, k*, and
# the expected utilities of k = 0, ..., n, rounded to 13 digits; rows end with a bar.
REFERENCE = [
    (
        "0.504072 0.222395 0.771428 0.967279 0.162789 0.130196 0.641439 0.864891 0.289944",
        """
        am 0 4 0.4998212864382 0.6108959430719 0.6962411749967 0.7589003475496 0.7906816984254
            0.7902049475765 0.739148785672 0.6718124119656 0.5898722281541 0.4998212864382 |
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
        h_mean 0 4 0.0 0.363993073124 0.5809510108062 0.7150858773977 0.7786199122491
            0.7785981066544 0.6951029510475 0.5508955771724 0.3272734288091 0.0 |
        q_mean 0 4 0.4998212864382 0.6975694036087 0.8214712508309 0.8953850263301
            0.9284453577486 0.9281518829149 0.8843094707469 0.8028619684969 0.6756027740829
            0.4998212864382
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

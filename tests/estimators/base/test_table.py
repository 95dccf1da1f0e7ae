"""What estimators say of tables that are no numbers."""

import numpy as np
import pytest

from rocviz import CombinedRegressionRanking, HullCalibrator, RankIsotonicClassifier


@pytest.mark.parametrize(
    "kind", [CombinedRegressionRanking, HullCalibrator, RankIsotonicClassifier]
)
@pytest.mark.parametrize(("word", "said"), [("m", "the word 'm'"), (10**400, "floats can hold")])
def test_what_is_no_number_is_refused_in_words(kind, word, said):
    X = np.array([[0.1, word], [0.2, 0.0], [0.3, 1.0], [0.4, 0.0]], dtype=object)
    with pytest.raises(ValueError, match=f"^X must .*{said}"):
        kind().fit(X, [0, 1, 0, 1])

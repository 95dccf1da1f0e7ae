import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from rocviz.estimators import HullCalibratedClassifier


# one check casts labels that are too large on purpose
@pytest.mark.filterwarnings("ignore:invalid value encountered in cast:RuntimeWarning")
@parametrize_with_checks(
    [
        HullCalibratedClassifier(),
        HullCalibratedClassifier(LogisticRegression(), cv=3, m=0),
        HullCalibratedClassifier(GaussianNB(), interpolation="linear"),
        HullCalibratedClassifier(DecisionTreeClassifier(max_depth=3, random_state=0)),
    ]
)
def test_checks_of_scikit_learn(estimator, check):
    check(estimator)

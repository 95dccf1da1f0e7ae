"""scikit-learn estimators over the core; knows nothing of plots or widgets."""

from rocviz.estimators.fidel import FiDELClassifier
from rocviz.estimators.hull import HullCalibratedClassifier

__all__ = ["FiDELClassifier", "HullCalibratedClassifier"]

from .calibrator import HullCalibrator as HullCalibrator
from .hull import HullCalibratedClassifier as HullCalibratedClassifier

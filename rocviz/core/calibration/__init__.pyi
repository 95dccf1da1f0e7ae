from .binarize import entropy_thresholds as entropy_thresholds
from .binarize import midpoints as midpoints
from .brier import BrierDecomposition as BrierDecomposition
from .brier import brier_bounds as brier_bounds
from .brier import brier_decomposition as brier_decomposition
from .calibration import CalibrationMap as CalibrationMap
from .calibration import calibration_map as calibration_map

from .brier import BrierDisplay as BrierDisplay
from .calibration_map import CalibrationMapDisplay as CalibrationMapDisplay
from .reliability import ReliabilityDisplay as ReliabilityDisplay

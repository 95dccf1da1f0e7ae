from .curve_space import CurveSpaceDisplay as CurveSpaceDisplay

"""Ranked segments, the ROC curve, its area and its operating points."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

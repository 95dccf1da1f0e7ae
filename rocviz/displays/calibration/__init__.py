"""Displays of the Brier score, of reliability and of calibration maps."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

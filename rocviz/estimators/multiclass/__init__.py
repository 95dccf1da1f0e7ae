"""Classifiers of several classes: calibrated ones, and ones that predict by a point."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

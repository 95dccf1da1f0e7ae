"""Ideas as pure functions on NumPy arrays, without plots, widgets or estimators.

Input that is not as a docstring describes it raises a ``ValueError`` that names the argument,
before any work is done; the section "Raises" tells which input that is. A section "Returns" is
there only where the annotation of the signature does not tell it all: for arrays, their shape.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

"""Ideas as pure functions on NumPy arrays; knows nothing of plots, widgets or estimators.

Input that is not as a docstring describes it raises a ``ValueError`` that names the argument,
before any work is done; the section "Raises" tells which input that is. A section "Returns" is
there only where the annotation of the signature does not tell it all: for arrays, their shape.
"""

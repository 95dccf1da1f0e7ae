"""Ideas as pure functions on NumPy arrays; knows nothing of plots, widgets or estimators.

Input that is not as a docstring describes it raises a ``ValueError`` that names the argument,
before any work is done. A section "Raises" is there only where more is to be told, a section
"Returns" only where the annotation of the signature does not tell it all.
"""

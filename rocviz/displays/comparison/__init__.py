"""Several classifiers on the same samples, in matplotlib."""

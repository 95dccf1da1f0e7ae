"""Ideas as pure functions on NumPy arrays; knows nothing of plots, widgets or estimators."""

"""matplotlib displays in scikit-learn's manner; knows nothing of widgets."""

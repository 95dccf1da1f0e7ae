"""scikit-learn estimators over the core; knows nothing of plots or widgets."""

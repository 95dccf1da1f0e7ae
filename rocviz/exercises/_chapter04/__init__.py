"""Exercises of notebook 04, classifiers that are combined by what their ranks say."""

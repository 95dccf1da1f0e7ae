"""Exercises of notebook 03, classifiers that are combined by what their ranks say."""

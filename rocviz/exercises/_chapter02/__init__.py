"""Exercises of notebook 02, probabilities and calibration."""

"""Exercises of notebook 01, classification, ranking and probability."""

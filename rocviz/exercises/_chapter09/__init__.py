"""Exercises of notebook 09, probabilities that are made from rankings."""

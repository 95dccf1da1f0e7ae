"""Exercises of notebook 07, probabilities that are made from rankings."""

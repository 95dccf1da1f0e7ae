"""Exercises of notebook 06, scoring lists that are learned from data."""

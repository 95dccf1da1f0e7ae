"""Exercises of notebook 01, classification and ranking."""

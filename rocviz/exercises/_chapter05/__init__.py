"""Exercises of notebook 05, scoring lists: asking until one is sure."""

"""Exercises of notebook 04, scoring lists: asking until one is sure."""

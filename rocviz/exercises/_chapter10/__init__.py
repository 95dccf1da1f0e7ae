"""Exercises of notebook 10, one data set and every idea of the course."""

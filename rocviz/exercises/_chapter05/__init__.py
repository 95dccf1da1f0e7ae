"""Exercises of notebook 05, which samples to call positive for the sake of a metric."""

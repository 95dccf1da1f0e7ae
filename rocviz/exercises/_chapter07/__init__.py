"""Exercises of notebook 07, which samples to call positive for the sake of a metric."""

"""Brier score and maps from scores to probabilities."""

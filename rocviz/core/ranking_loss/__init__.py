"""Probabilities from a ranking loss."""

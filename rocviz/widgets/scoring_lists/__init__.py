"""Probabilistic scoring lists."""

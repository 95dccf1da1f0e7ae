"""Bases and helpers of all estimators."""

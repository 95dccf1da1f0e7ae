"""Exercises of notebook 06, attributes in an order of preference."""

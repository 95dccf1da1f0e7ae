"""Exercises of notebook 08, attributes in an order of preference."""

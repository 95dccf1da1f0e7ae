"""Ranked segments, the ROC curve and what is read off it."""

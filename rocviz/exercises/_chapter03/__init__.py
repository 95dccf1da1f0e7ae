"""Exercises of notebook 03, the Fermi-Dirac law of a ranking and intervals of its AUC."""

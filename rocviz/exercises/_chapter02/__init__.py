"""Exercises of notebook 02, the Fermi-Dirac law of a ranking and intervals of its AUC."""

"""Fermi-Dirac statistics of a ranking."""

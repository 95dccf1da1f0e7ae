"""Tools for the displays of every idea."""

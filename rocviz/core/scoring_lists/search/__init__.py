"""Learning a scoring list."""

"""Answer checkers for the notebooks: a wrong answer gets a hint, not the solution."""

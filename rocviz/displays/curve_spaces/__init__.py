"""One ranking in every space, drawn."""

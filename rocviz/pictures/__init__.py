"""Pictures as values: what is drawn, before any library draws it."""

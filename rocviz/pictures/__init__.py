"""Pictures as values, before any library draws them."""

"""Several classifiers side by side on the same samples."""

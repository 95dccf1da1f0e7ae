"""Small real data sets and the worked examples of the papers."""

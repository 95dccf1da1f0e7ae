"""Interactive explorers: state that works without a browser, and bqplot views of it."""

"""Recordings of explorers, which stay interactive in a page without a kernel."""

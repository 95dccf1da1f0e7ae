"""Labels that are best for a metric."""

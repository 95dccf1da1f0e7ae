"""Learn scoring lists."""

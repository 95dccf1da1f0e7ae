"""FiDEL and its rivals."""

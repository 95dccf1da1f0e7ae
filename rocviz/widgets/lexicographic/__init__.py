"""Lexicographic rankers."""

"""Explorers recorded ahead, so that a page without a kernel can still be touched."""

"""Slugs: given once, and remembered when they were another record's name."""

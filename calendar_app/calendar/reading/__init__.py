"""Reads: single records, lists and linked records."""

"""Translating at the desk: what waits, and source and translation side by side."""

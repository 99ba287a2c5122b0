"""Writes: creation, changes and removal, with their consequences."""

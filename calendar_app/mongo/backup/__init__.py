"""Backups of a whole database: their format, how they are written, and how they are restored."""

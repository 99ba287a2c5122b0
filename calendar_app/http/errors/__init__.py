"""Error responses."""

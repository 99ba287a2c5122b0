"""Many records at once, from another site."""

"""Records as they are written: created, changed, removed, each with all that follows."""

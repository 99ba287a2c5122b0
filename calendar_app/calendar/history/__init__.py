"""History: an entry for each save of a record, and the way back to earlier states."""

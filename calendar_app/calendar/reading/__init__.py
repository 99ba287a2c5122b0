"""Records as they are read: one by one, in lists, with what they point to."""

"""Points of events, which follow those of their venues."""

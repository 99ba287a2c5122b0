"""Records that come from other calendars."""

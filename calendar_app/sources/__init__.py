"""Sources: calendars of others that are read again and again."""

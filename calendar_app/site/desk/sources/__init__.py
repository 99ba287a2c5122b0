"""The pages of sources: calendars that come in by themselves."""

"""Pages for people: the calendar and its records as HTML."""

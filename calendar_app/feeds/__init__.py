"""Event feeds: iCalendar, Atom, GeoJSON and CSV."""

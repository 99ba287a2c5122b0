"""Events for calendar programs and readers: iCalendar, Atom, GeoJSON and CSV."""

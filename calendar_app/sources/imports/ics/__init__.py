"""Imports iCalendar files: events and series, found again by their UID."""

"""The form in which events are written."""

"""Previews of recurrences."""

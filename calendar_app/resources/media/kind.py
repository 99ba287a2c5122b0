"""The picture that records show."""

from calendar_app.domain.kind import Kind

MEDIA = Kind(name="media", singular="media", label="filename", texts={}, has_status=False)

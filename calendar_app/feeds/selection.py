"""Parameters of feeds: those of the event list, with another default window."""

from datetime import datetime, time, timedelta

from calendar_app.domain.kind import Record
from calendar_app.http.request import current
from calendar_app.query.list_query import Window
from calendar_app.resources.events.filters import RELATIVE, EventListSchema

_BACK = timedelta(days=30)
_OPENING = ("start_date", *RELATIVE, "include")


class FeedSchema(EventListSchema):
    """Parameters of a feed; ``per_page`` defaults to the limit of feeds."""

    @staticmethod
    def default_bounds(values: Record) -> Record:
        """Return the default window: from 30 days ago, without an end."""
        if any(name in values for name in _OPENING):
            return {}
        first = current.today().astimezone(current.site_zone()).replace(tzinfo=None) - _BACK
        return {"overlaps_from": datetime.combine(first, time.min)}

    @staticmethod
    def page_window(values: Record) -> Window:
        """Return the requested page."""
        limit = current.settings().feed_limit
        return Window(values["page"], min(values.get("per_page", limit), limit))

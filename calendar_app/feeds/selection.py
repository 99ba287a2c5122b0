"""What a feed takes: the parameters of the list of events, and a window of its own."""

from datetime import datetime, time, timedelta

from calendar_app.domain.kind import Record
from calendar_app.http.request import current
from calendar_app.query.list_query import Window
from calendar_app.resources.events.filters import RELATIVE, EventListSchema

_BACK = timedelta(days=30)
_OPENING = ("start_date", *RELATIVE, "include")


class FeedSchema(EventListSchema):
    """The parameters of a feed; ``per_page`` is up to the limit of feeds, and that by default."""

    @staticmethod
    def default_bounds(values: Record) -> Record:
        """Return the default window: all that was still on 30 days ago, without an end."""
        if any(name in values for name in _OPENING):
            return {}
        first = current.today().astimezone(current.site_zone()).replace(tzinfo=None) - _BACK
        return {"overlaps_from": datetime.combine(first, time.min)}

    @staticmethod
    def window_of(values: Record) -> Window:
        """Return the page that was asked for."""
        limit = current.settings().feed_limit
        return Window(values["page"], min(values.get("per_page", limit), limit))

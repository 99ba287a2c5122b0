"""The iCalendar feed behind a page: its address with ``ical=1``."""

from collections.abc import Mapping
from typing import Any

from flask import Response
from marshmallow import ValidationError

from calendar_app.domain.kind import Record
from calendar_app.errors import InvalidParameters
from calendar_app.feeds.answering import FeedSchema, answer_event, answer_feed
from calendar_app.feeds.icalendar_feed import ICALENDAR
from calendar_app.http.errors.problems import first_failed_stage
from calendar_app.http.request import current
from calendar_app.pages.questions import sent_filters

_SCHEMA = FeedSchema()
_YES = "1"


def wants_feed() -> bool:
    """Say whether the address asks for the feed in the place of the page."""
    return bool(current.parameter("ical") == _YES)


def feed(fixed: Mapping[str, Any]) -> Response:
    """Answer with the events that the filters of the address and ``fixed`` ones select."""
    filters = {**sent_filters(), **fixed}
    filters.pop("fallback", None)
    current.check_languages()
    try:
        list_request = _SCHEMA.load(filters)
    except ValidationError as error:
        raise InvalidParameters(first_failed_stage(error.messages_dict)[1]) from error
    return answer_feed(ICALENDAR, list_request)


def event_feed(event: Record) -> Response:
    """Answer with one event."""
    current.set_target_record(event, None)
    return answer_event({"password": current.parameter("password")})

"""Reads, writes and follows a calendar of calendar-app."""

from calendar_client.asynchronous import AsyncCalendar, AsyncCollection
from calendar_client.errors import (
    CalendarError,
    Conflict,
    Forbidden,
    Gone,
    InvalidRequest,
    NoAnswer,
    NotFound,
    PreconditionFailed,
    TooManyRequests,
    Unauthorized,
    Unavailable,
)
from calendar_client.exchanges import Page
from calendar_client.records import (
    Batch,
    Category,
    Change,
    Event,
    Organizer,
    Tag,
    Venue,
    Versioned,
)
from calendar_client.retrying import Retries
from calendar_client.synchronous import Calendar, Collection

__all__ = [
    "AsyncCalendar",
    "AsyncCollection",
    "Batch",
    "Calendar",
    "CalendarError",
    "Category",
    "Change",
    "Collection",
    "Conflict",
    "Event",
    "Forbidden",
    "Gone",
    "InvalidRequest",
    "NoAnswer",
    "NotFound",
    "Organizer",
    "Page",
    "PreconditionFailed",
    "Retries",
    "Tag",
    "TooManyRequests",
    "Unauthorized",
    "Unavailable",
    "Venue",
    "Versioned",
]

"""Globally unique ids of events and of feeds."""

from collections.abc import Mapping
from urllib.parse import urlencode
from uuid import UUID, uuid5


def event_uid(calendar: UUID, number: int) -> UUID:
    """Return the globally unique id of an event of one calendar."""
    return uuid5(calendar, f"events/{number}")


def feed_uid(calendar: UUID, path: str, parameters: Mapping[str, str]) -> UUID:
    """Return the globally unique id of a selection of one calendar."""
    return uuid5(calendar, f"{path}?{urlencode(sorted(parameters.items()))}")

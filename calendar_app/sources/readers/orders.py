"""Orders to a reading process, and its answers, as JSON."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from calendar_app.sources.parsed import Fetched, ParsedCalendar, Validators
from calendar_app.sources.readers.registry import Readers

_LONGEST = 1000  # characters of a line in a report


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits of one order: seconds in total, seconds of CPU time, megabytes of memory."""

    seconds: int = 600
    computing: int = 300
    memory: int = 1000


@dataclass(frozen=True, slots=True)
class SourceSettings:
    """The settings of a source that its reader needs."""

    kind: str
    address: str
    language: str
    timezone: str
    columns: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ReadingOrder:
    """A source to fetch where there are ``validators``, else a content to read, which follows.

    What still has the text of a digest in ``texts``, by UID, is not read.
    """

    readers: Readers
    source: SourceSettings
    bounds: Bounds
    validators: Validators | None = None
    texts: Mapping[str, str] = field(default_factory=dict)


def fetched_as_json(fetched: Fetched | None) -> bytes:
    """Return a fetched source without its content; ``null`` for an unchanged one."""
    if fetched is None:
        return b"null"
    return json.dumps([fetched.etag, fetched.modified, fetched.address]).encode()


def fetched_of(text: bytes, content: bytes) -> Fetched | None:
    """Return the fetched source of a text of ``fetched_as_json``."""
    values = json.loads(text)
    return None if values is None else Fetched(content, *values)


def rest_as_json(calendar: ParsedCalendar) -> bytes:
    """Return a calendar without its events."""
    values = [
        sorted(calendar.unparsed_uids),
        [[*map(_shortened, each)] for each in calendar.refused],
        [[*map(_shortened, each)] for each in calendar.left_out],
        calendar.whole,
        calendar.only_changes,
        sorted(calendar.gone_uids),
    ]
    return json.dumps(values).encode()


def _shortened(words: str) -> str:
    """Return words for a report, which may be a whole content."""
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"


def complete(calendar: ParsedCalendar, text: bytes) -> None:
    """Add the data of ``rest_as_json`` to a calendar that has only events."""
    uids, refused, left_out, calendar.whole, calendar.only_changes, removed = json.loads(text)
    calendar.gone_uids.update(removed)
    calendar.unparsed_uids.update(uids)
    calendar.refused += [(label, reason) for label, reason in refused]
    calendar.left_out += [(label, part) for label, part in left_out]

"""Builds sources for the readers, and reads contents with them."""

from datetime import UTC, datetime
from types import SimpleNamespace

from calendar_app.domain.cost import Currency
from calendar_app.domain.timespan import settle
from calendar_app.sources.readers.registry import Readers

ZURICH = "Europe/Zurich"
LANGUAGES = ("de", "fr", "it", "rm", "en")


def source(kind, address="https://example.org/", language="de", **columns):
    return SimpleNamespace(
        kind=kind, address=address, language=language, timezone=ZURICH, columns=columns
    )


def readers(**options):
    return Readers(
        LANGUAGES,
        Currency("CHF ", "CHF", "prefix"),
        clock=lambda: datetime(2026, 11, 24, tzinfo=UTC),
        **options,
    )


def read(kind, content, **options):
    data = content if isinstance(content, bytes) else content.encode()
    return readers().read(data, source(kind, **options))


def when(event):
    """Return start and end on the spot; days of whole-day events."""
    times = {name: event.changes[name] for name in ("start", "end", "timezone", "all_day")}
    span = settle(None, **times, site_timezone=ZURICH)
    shape = "%d.%m." if span.all_day else "%d.%m. %H:%M"
    return f"{span.start_local:{shape}}", f"{span.end_local:{shape}}"


def only(parsed):
    assert parsed.refused == []
    (event,) = parsed.events
    return event

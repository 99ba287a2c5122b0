"""Recurrences as documents of series store them."""

from dataclasses import fields

from calendar_app.domain.kind import Record
from calendar_app.domain.recurrence.model import ExtraDate, Recurrence
from calendar_app.domain.timespan import TimeSpan

_SPAN = tuple(field.name for field in fields(TimeSpan))


def span_of(record: Record) -> TimeSpan:
    """Return the time of an event, or of the first event of a series."""
    return TimeSpan(**{name: record[name] for name in _SPAN})


def to_document(recurrence: Recurrence) -> Record:
    """Return a recurrence as series store it."""
    return {
        "rules": list(recurrence.rules),
        "rdates": [{"start": extra.start, "end": extra.end} for extra in recurrence.rdates],
        "exdates": list(recurrence.exdates),
    }


def recurrence_of(series: Record) -> Recurrence:
    """Return the recurrence that a series stores."""
    stored = series["recurrence"]
    extra_dates = tuple(ExtraDate(extra["start"], extra["end"]) for extra in stored["rdates"])
    return Recurrence(tuple(stored["rules"]), extra_dates, tuple(stored["exdates"]))

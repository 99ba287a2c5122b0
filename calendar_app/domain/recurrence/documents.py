"""Recurrences as documents of series store them."""

from calendar_app.domain.kind import Record
from calendar_app.domain.recurrence.model import ExtraDate, Recurrence


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

"""Dates that leave a series, and come back."""

from dataclasses import replace
from datetime import datetime

from calendar_app.domain.recurrence.model import Recurrence


def without(recurrence: Recurrence, recurrence_id: datetime) -> Recurrence:
    """Return a recurrence with one more exception."""
    exceptions = {*recurrence.exdates, recurrence_id}
    return replace(recurrence, exdates=tuple(sorted(exceptions)))


def restored(recurrence: Recurrence, recurrence_id: datetime) -> Recurrence:
    """Return a recurrence without the exception of this date."""
    exceptions = (wall for wall in recurrence.exdates if wall != recurrence_id)
    return replace(recurrence, exdates=tuple(exceptions))

"""A preview as JSON."""

from datetime import datetime

from calendar_app.content.recurrence_text.describing import describe
from calendar_app.domain.recurrence.changing import unused
from calendar_app.domain.recurrence.expansion import expand, last_start, listed_from
from calendar_app.domain.recurrence.notation import as_json
from calendar_app.domain.recurrence.rules import Occurrence, Recurrence
from calendar_app.domain.timespan import TimeSpan
from calendar_app.presentation.records import JSONObject, date_text

_MOST_DATES = 50


def present(
    recurrence: Recurrence, span: TimeSpan, since: datetime | None, language: str
) -> JSONObject:
    """Return the words for a recurrence, and its first dates, those of rules ``since`` then."""
    occurrences = expand(recurrence, span, since=since, until=None, limit=_MOST_DATES + 1)
    listed = {occurrence.recurrence_id for occurrence in occurrences}
    begin = since and listed_from(recurrence, span, listed, since)
    is_endless = bool(recurrence.rules) and last_start(recurrence, span) is None
    return {
        "text": describe(recurrence, span, language) if recurrence else "",
        "dates": [_present_date(occurrence) for occurrence in occurrences[:_MOST_DATES]],
        "more": is_endless or len(occurrences) > _MOST_DATES,
        "dates_from": begin and date_text(begin),
        "unused_exdate": [date_text(wall) for wall in unused(recurrence, span)],
        "recurrence": as_json(recurrence),
    }


def _present_date(occurrence: Occurrence) -> JSONObject:
    span = occurrence.span
    return {
        "recurrence_id": date_text(occurrence.recurrence_id),
        "start_date": date_text(span.start_local),
        "end_date": date_text(span.end_local),
        "utc_start_date": date_text(span.start),
        "utc_end_date": date_text(span.end),
    }

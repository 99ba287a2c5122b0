"""Contributions as JSON; the contact of a sender is no part of any answer."""

from collections.abc import Mapping
from datetime import datetime

from calendar_app.calendar.submissions.similar import SimilarEvent
from calendar_app.calendar.submissions.submission import Submission
from calendar_app.domain.languages import localize
from calendar_app.http.request import current
from calendar_app.http.views import records
from calendar_app.kinds import EVENT
from calendar_app.presentation.events import present_event
from calendar_app.presentation.records import JSONObject, date_text


def present_sent(submission: Submission) -> JSONObject:
    """Return a contribution as its sender sees it, who knows all of the event already."""
    event = submission.event
    presented = event and present_event(event, records.view_of(EVENT, [event]))
    return {**_present_state(submission), "event": presented}


def present_all(
    submissions: list[Submission], similar: Mapping[int, list[SimilarEvent]]
) -> list[JSONObject]:
    """Return contributions with similar events, as those see them who decide."""
    events = [each.event for each in submissions if each.event]
    view = records.view_of(EVENT, events)
    return [
        {
            **_present_state(each),
            "event": each.event and present_event(each.event, view),
            "similar": [_present_similar(event) for event in similar.get(each.id, ())],
        }
        for each in submissions
    ]


def _present_state(submission: Submission) -> JSONObject:
    return {
        "id": submission.id,
        "state": submission.state,
        "language": submission.language,
        "submitted": _moment(submission.submitted),
        "mended": _moment(submission.mended),
        "question": submission.question,
        "reason": submission.reason,
    }


def _present_similar(similar: SimilarEvent) -> JSONObject:
    event = similar.event
    texts = localize(event["variants"], ["title"], current.chain())
    return {
        "id": event["_id"],
        "title": texts["title"],
        "start_date": date_text(event["start_local"]),
        "status": event["status"],
        "same_place": similar.same_place,
        "rest_url": current.addresses().record(EVENT.name, event["_id"]),
    }


def _moment(moment: datetime | None) -> str | None:
    return date_text(moment) if moment else None

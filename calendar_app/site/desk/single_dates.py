"""One event is left out, moved or called off, from the dates of a series or from the overview."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from flask import Response, request

from calendar_app.accounts.callers import Right
from calendar_app.api.http.request import current
from calendar_app.calendar.several import RecordWrite
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import EVENT
from calendar_app.domain.numbers import parse_digits
from calendar_app.domain.statuses import CANCELED, SCHEDULED, TRASH
from calendar_app.domain.texts.written_dates import is_clock, named_day
from calendar_app.errors import Message
from calendar_app.site.desk.event_form.body import body_of
from calendar_app.site.desk.event_form.dates import CALL_OFF, LEAVE_OUT, MOVE, PUT_BACK, with_length
from calendar_app.site.desk.event_form.occurrences import event_in_words, moved_texts
from calendar_app.site.desk.event_form.saving import MOVED, change_values
from calendar_app.site.desk.event_form.showing import notation
from calendar_app.site.desk.event_form.stored_event import StoredEvent
from calendar_app.site.desk.event_form.times import Notation
from calendar_app.site.desk.event_form.views import taken_back
from calendar_app.site.desk.rendering import notify, render, see
from calendar_app.site.desk.routing import page
from calendar_app.site.desk.several import notify_outcome, of_event, readable, to_trash
from calendar_app.site.pages.forms import ControlValues

_OPEN = "open"
_MOVED_EVENT = Message("Moved from {date} to {new_date}: {event}.")
_NO_DATE = Message("Choose a date first.")
_NOWHERE = Message("Write the day or the time to which it moves.")
_TYPED = ("move_day", "move_from", "move_until")


@page("/events/<digits:record_id>/date", methods=["POST"], needs=Right.EDIT)
def change_date(record_id: int) -> Response:
    """Leave out, move or call off one event, or let it take place after all."""
    event = readable(record_id)
    return _change(event, _path_back(event))


@page("/series/<digits:record_id>/dates", methods=["POST"], needs=Right.EDIT)
def change_date_of_series(record_id: int) -> Response:
    """Change the chosen date of a series, or open its form."""
    number = parse_digits(request.form.get("event", ""))
    path = _path_of_series(record_id)
    if number is None:
        notify(_NO_DATE, "warning")
        return see(path)
    if request.form.get("button") == _OPEN:
        return see(f"/events/{number}")
    return _change(readable(number), path)


def _path_back(event: StoredEvent) -> str:
    """Return the page from which one event is changed."""
    if request.form.get("back") == "overview":
        return "/"
    if event.series_id is None or request.form.get("back") == "event":
        return f"/events/{event.record['_id']}"
    return _path_of_series(event.series_id)


def _path_of_series(series_id: int) -> str:
    year = parse_digits(request.form.get("year", ""))
    return f"/series/{series_id}" + (f"?year={year}" if year else "") + "#dates"


def _change(event: StoredEvent, path: str) -> Response:
    form, number = request.form, event.record["_id"]
    writes: Mapping[str, tuple[RecordWrite, Message]] = {
        LEAVE_OUT: (to_trash(EVENT), Message("Left out: {date}.")),
        PUT_BACK: (_put_back, Message("It takes place: {date}.")),
        CALL_OFF: (of_event(lambda _: _called_off(form)), Message("Called off: {date}.")),
        MOVE: (of_event(lambda event: _moved(form, event)), _MOVED_EVENT if path == "/" else MOVED),
    }
    button = form.get("button", "")
    if button == MOVE and not any(form.get(name, "").strip() for name in _TYPED):
        notify(_NOWHERE, "problem")
    elif button == MOVE and (move := _unconfirmed(form, event)):
        return render("date_move.html", move=move, fields=_sent_back(form), path=path)
    elif button in writes:
        write, success = writes[button]
        outcome = current.context().services.several.change(
            EVENT, [number], write, current.context().caller
        )
        texts = {"date": event_in_words(event.record), "event": event.read.title.text}
        if button == MOVE:
            texts |= moved_texts(event.record, readable(number).record)
        notify_outcome(EVENT, outcome, path, success=Message(success.pattern, **texts))
    return see(path)


def _put_back(event_id: int) -> Record:
    event = readable(event_id)
    if event.record["status"] == TRASH:
        return taken_back(event)
    values = {"event_status": SCHEDULED, "status_reason": ""}
    return change_values(event, values, notation())


def _called_off(form: Mapping[str, str]) -> ControlValues:
    return {"event_status": CANCELED, "status_reason": form.get("status_reason", "").strip()}


def _moved(form: Mapping[str, str], event: StoredEvent) -> ControlValues:
    """Return the typed times of an event; an empty control leaves its part unchanged.

    An end may have its own day. Without an end the event lasts as long as before.
    """
    how, record = notation(event), event.record
    typed = {name: form.get(name, "").strip() for name in _TYPED}
    start = {"start_date": typed["move_day"] or how.day(record["start_local"].date())}
    if not record["all_day"]:
        start["start_time"] = typed["move_from"] or f"{record['start_local']:%H:%M}"
    if not typed["move_until"]:
        return with_length(start, record, how)
    words = typed["move_until"].split()
    places = (place for place in range(len(words)) if is_clock(" ".join(words[place:])))
    place = next(places, len(words))
    return {
        **start,
        "end_date": " ".join(words[:place]),
        "end_time": " ".join(words[place:]),
    }


# A word for a day is shown as a day before the event moves.


@dataclass(frozen=True, slots=True)
class Move:
    """A move from ``before`` to ``after``; its writer called the day by a ``word``."""

    event_id: int
    title: str
    word: str
    day: date
    before: str
    after: str


def _unconfirmed(form: Mapping[str, str], event: StoredEvent) -> Move | None:
    """Return a move to a day in words that nobody has confirmed; ``None`` for others."""
    how, word = notation(event), form.get("move_day", "").strip()
    seen = how.beside(how.event_day)
    day = named_day(word, seen.languages, seen.today)
    if day is None or form.get("day_meant") == day.isoformat():
        return None
    times = _times(_moved(form, event), event, how)
    if times is None:
        return None  # What cannot be read is refused where the event is written.
    texts = moved_texts(event.record, {**event.record, **times})
    title = event.read.title.text
    return Move(event.record["_id"], title, word, day, texts["date"], texts["new_date"])


def _times(values: ControlValues, event: StoredEvent, how: Notation) -> Record | None:
    stored = event.values(how) | values
    body, problems = body_of(stored, ("start_date", "end_date"), event.language, how)
    if problems or not {"start_date", "end_date"} <= body.keys():
        return None
    edges = {"start_local": "start_date", "end_local": "end_date"}
    return {name: datetime.fromisoformat(body[field]) for name, field in edges.items()}


def _sent_back(form: Mapping[str, str]) -> dict[str, str]:
    """Return the fields of a move that the page of the question sends again."""
    return {name: form[name] for name in (*_TYPED, "back", "year") if name in form}

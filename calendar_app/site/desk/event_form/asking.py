"""Questions before a form is saved: the day that a word means, a missing time, a past day."""

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from datetime import date, datetime

from calendar_app.api.http.request import current
from calendar_app.domain.texts.written_dates import named_day
from calendar_app.errors import Message
from calendar_app.site.desk.event_form.body import body_of
from calendar_app.site.desk.event_form.form import EventForm
from calendar_app.site.desk.event_form.times import Notation
from calendar_app.site.html import wording
from calendar_app.site.pages.forms import ControlValues

TIMES = frozenset({"start_date", "end_date", "all_day", "timezone"})
_IN_PAST = Message("This is in the past. Tick the box below if that is right.")
_WHICH_TIME = Message("Does it take the whole day? Then tick “All day”. Otherwise write the time.")
_DAY_MEANT = Message("“{text}” is {day}. Save again if that is right.")


def ask(form: EventForm, names: Collection[str], sent: Mapping[str, str], how: Notation) -> None:
    """Add the open questions of a form to its problems, before it is saved.

    ``names`` are the changed fields. Days that the page has shown beside their words need no
    question, as its field ``days_meant`` says.
    """
    shown_days = sent.get("days_meant", "").split()
    for control, day in days_meant(form.values, how).items():
        if meant(control, day) not in shown_days:
            text = form.values[control].strip()
            words = wording.full_date(day, how.language)
            form.problems.setdefault(control, Message(_DAY_MEANT.pattern, text=text, day=words))
            form.values[control] = how.day(day)
    if TIMES.isdisjoint(names):
        return
    if lacks_time(form.values, how):
        form.problems.setdefault("start_time", _WHICH_TIME)
    if not sent.get("confirm_past") and _lies_in_past(form.values, how):
        form.asks_past = True
        form.problems["start_date"] = _IN_PAST


def days_meant(values: ControlValues, how: Notation) -> dict[str, date]:
    """Return the days meant by words such as ``tomorrow``, by control.

    Words count from the date that is changed; those for an end from the start.
    """
    seen = how.beside(how.event_day)
    with_start = seen
    with suppress(ValueError):
        start = datetime.fromisoformat(seen.moment(values.get("start_date", ""), ""))
        with_start = how.beside(start.date())
    notations = {
        "start_date": seen,
        "end_date": with_start,
        "repeat_until": with_start,
        "date": how,
    }
    return {
        control: day
        for control, notation in notations.items()
        if (day := named_day(values.get(control, ""), notation.languages, notation.today))
    }


def meant(control: str, day: date) -> str:
    """Return a control and the day that is shown for its words, as the page sends them back."""
    return f"{control}={day.isoformat()}"


def lacks_time(values: ControlValues, how: Notation) -> bool:
    """Return whether a form names a day, and neither a time nor the whole day."""
    day = values.get("start_date", "")
    if values.get("all_day") or values.get("start_time", "").strip() or not day.strip():
        return False
    return _is_readable(how.beside(how.event_day).read_day, day)


def _is_readable(read: Callable[[str], date], text: str) -> bool:
    try:
        read(text)
    except ValueError:
        return False  # It has its time behind the day, or is refused where it is written.
    return True


def _lies_in_past(values: ControlValues, how: Notation) -> bool:
    """Return whether an event that is written so would be over already."""
    body, problems = body_of(values, {*TIMES, "recurrence"}, "", how)
    if problems or body.get("recurrence") or "end_date" not in body:
        return False
    end = datetime.fromisoformat(body["end_date"])
    return end < current.context().now().replace(tzinfo=None)

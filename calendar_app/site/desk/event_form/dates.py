"""Single dates of a series that is being written: left out, moved or called off by a press.

What is pressed becomes a line in a control of the form, as people can write it there as well.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Any, NamedTuple

from calendar_app.domain.kind import Record
from calendar_app.domain.recurrence.rules import DAYS
from calendar_app.domain.texts.recurrence_text.describing import templates_for
from calendar_app.domain.texts.written_dates import read_clock
from calendar_app.site.desk.event_form.times import (
    LAST_DAY,
    LAST_WEEKDAY,
    NTH_WEEKDAY,
    Notation,
    line_problem,
    nth_weekday,
)
from calendar_app.site.html import wording
from calendar_app.site.pages.forms import ControlValues

LEAVE_OUT, PUT_BACK, MOVE, CALL_OFF = "leave-out", "put-back", "move", "call-off"
_PRESSES = (LEAVE_OUT, PUT_BACK, MOVE, CALL_OFF)
_EXCEPT, _MOVED, _OFF = "repeat_except", "repeat_moved", "repeat_off"
CONTROLS = (_EXCEPT, _MOVED, _OFF)
_ARROWS = ("\u2192", "->")
_BEFORE_REASON = ": "
_UNREAD = datetime(9999, 12, 31)  # noqa: DTZ001  # on the wall clock, as all dates here


class DateLine(NamedTuple):
    """A line of a control: the date by the rule, and what stands behind it."""

    line: str
    date: datetime
    text: str


@dataclass(frozen=True, slots=True)
class DateChange:
    """The deviation of one date: the ``values`` of its new time, or the reason why it is off."""

    control: str
    line: str
    date: datetime
    values: ControlValues


def is_press(button: str) -> bool:
    """Return whether a button is that of a date in the preview."""
    return button.partition(" ")[0] in _PRESSES


def pressed(values: ControlValues, sent: Mapping[str, str], notation: Notation) -> ControlValues:
    """Return the values of a form after a click on a date, with all inputs beside dates."""
    lines = _Lines(values, notation)
    for date, typed_day in _typed(sent, "move_day"):
        day = _resolved(typed_day, date, notation)
        moved_line = _moved_to(sent, date, day, all_day=lines.all_day)
        if day and moved_line != sent.get(f"move_was[{date.isoformat()}]"):
            lines.put(_MOVED, date, f" {_ARROWS[0]} {moved_line}")
    for date, reason in _typed(sent, "off_reason"):
        if reason:
            lines.put(_OFF, date, _BEFORE_REASON + reason)
    action, _, moment = sent.get("button", "").partition(" ")
    pressed_date = _moment(moment)
    if pressed_date and action in _PRESSES:
        lines.press(action, pressed_date)
    return {**values, **lines.values}


class _Lines:
    """The lines of all controls, by date."""

    def __init__(self, values: ControlValues, notation: Notation) -> None:
        self.all_day = bool(values.get("all_day"))
        usual, self._notation = _usual(values), notation
        self._entries = {
            name: list(_read_entries(values, name, usual, notation)) for name in CONTROLS
        }

    def put(self, control: str, date: datetime, text: str = "") -> None:
        """Put the line of a date into one control, and remove it from all others."""
        for name, entries in self._entries.items():
            self._entries[name] = [entry for entry in entries if entry.date != date]
        if control:
            line = self._notation.moment_text(date, all_day=self.all_day) + text
            self._entries[control].append(DateLine(line, date, text))

    def press(self, action: str, date: datetime) -> None:
        if action == LEAVE_OUT:
            self.put(_EXCEPT, date)
        elif action == PUT_BACK:
            self.put("", date)
        elif action == CALL_OFF and all(date != entry.date for entry in self._entries[_OFF]):
            self.put(_OFF, date)

    @property
    def values(self) -> ControlValues:
        return {
            name: "\n".join(entry.line for entry in sorted(entries, key=lambda entry: entry.date))
            for name, entries in self._entries.items()
        }


def changes_of(values: ControlValues, notation: Notation) -> list[DateChange]:
    """Return the deviations of single dates.

    Raises ``ValueError`` with the reason and its control.
    """
    usual = _usual(values)
    changes = []
    for control in (_MOVED, _OFF):
        for line in _lines(values, control):
            try:
                entry = _entry(control, line, usual, notation)
                own = _new_times(entry.text, entry.date, notation) if control == _MOVED else None
            except ValueError as error:
                raise line_problem(line, error, control) from error
            off = {"event_status": "canceled", "status_reason": entry.text}
            changes.append(DateChange(control, line, entry.date, off if own is None else own))
    return changes


def _new_times(text: str, date: datetime, notation: Notation) -> ControlValues:
    """Return the controls of the time to which a date moves."""
    period = notation.beside(date.date()).period(text, date.time())
    start, end = (period, "") if isinstance(period, str) else (period["start"], period["end"])
    edges = {"start": start, "end": end} if end else {"start": start}
    return {
        f"{edge}_{part}": text
        for edge, moment in edges.items()
        for part, text in _controls(datetime.fromisoformat(moment), notation)
    }


def with_length(values: ControlValues, event: Record, notation: Notation) -> ControlValues:
    """Return the times to which an event moves; without an end it lasts as long as before."""
    if "start_date" not in values or "end_date" in values:
        return values
    try:
        seen = notation.beside(notation.event_day)
        start = seen.moment(values["start_date"], values.get("start_time", ""))
    except ValueError:
        return values  # It is refused where it is written.
    end = datetime.fromisoformat(start) + (event["end_local"] - event["start_local"])
    controls = {f"end_{part}": text for part, text in _controls(end, notation)}
    if event["all_day"]:
        controls.pop("end_time")
    return {**values, **controls}


def with_end_moved(values: ControlValues, stored: ControlValues, how: Notation) -> ControlValues:
    """Return the values of a form, the end as many days later as the start where that alone is.

    The end of what goes on for days stays, as long as it is not before the start. An unreadable day
    moves nothing: it is refused where it is written.
    """
    is_start_alone = (
        values["start_date"] != stored["start_date"] and values["end_date"] == stored["end_date"]
    )
    if how.event_day is None or not is_start_alone or not stored["end_date"]:
        return values
    try:
        start = how.beside(how.event_day).read_day(values["start_date"])
        end = how.read_day(stored["end_date"])
    except ValueError:
        return values
    lasts = end - how.event_day
    is_kept = lasts > timedelta(days=1) and start <= end
    return values if is_kept else {**values, "end_date": how.day(start + lasts)}


def _controls(moment: datetime, notation: Notation) -> Iterator[tuple[str, str]]:
    yield "date", notation.day(moment.date())
    yield "time", f"{moment:%H:%M}"


# Lines of the controls


def _lines(values: ControlValues, control: str) -> list[str]:
    return [line.strip() for line in str(values.get(control, "")).splitlines() if line.strip()]


def _entry(control: str, line: str, usual: time, notation: Notation) -> DateLine:
    """Return a parsed line; raise ``ValueError`` with the reason."""
    date, text = line, ""
    if control == _MOVED:
        arrow = next((arrow for arrow in _ARROWS if arrow in line), _ARROWS[0])
        date, _, text = line.partition(arrow)
    elif control == _OFF:
        date, _, text = line.partition(_BEFORE_REASON)
    moment = datetime.fromisoformat(notation.line(date.strip(), usual))
    return DateLine(line, moment, text.strip())


def _read_entries(
    values: ControlValues, control: str, usual: time, notation: Notation
) -> Iterator[DateLine]:
    """Yield the lines of a control; unreadable ones are at the end of time."""
    for line in _lines(values, control):
        try:
            yield _entry(control, line, usual, notation)
        except ValueError:
            yield DateLine(line, _UNREAD, "")


def _usual(values: ControlValues) -> time:
    """Return the hour at which the event begins; midnight where it says none."""
    with suppress(ValueError):
        if not values.get("all_day"):
            return read_clock(values.get("start_time", "").strip() or "0:00")
    return time.min


def _typed(sent: Mapping[str, str], name: str) -> Iterator[tuple[datetime, str]]:
    """Yield the inputs beside each date."""
    for control, text in sent.items():
        if not control.startswith(f"{name}["):
            continue
        if moment := _moment(control.removeprefix(f"{name}[").removesuffix("]")):
            yield moment, text.strip()


def _moved_to(sent: Mapping[str, str], date: datetime, day: str, *, all_day: bool) -> str:
    """Return the day, the start and the end that stand beside a date, as a line has them."""
    if all_day:
        return day
    start, end = (sent.get(f"move_{edge}[{date.isoformat()}]", "") for edge in ("from", "until"))
    return _time_text(day, start.strip(), end.strip())


def _resolved(day: str, date: datetime, notation: Notation) -> str:
    """Return a day to which a date moves in figures; as it was typed where it cannot be read."""
    with suppress(ValueError):
        return notation.day(notation.beside(date.date()).read_day(day))
    return day


def _time_text(day: str, start: str, end: str) -> str:
    return f"{day} {start}".strip() + (f" \u2013 {end}" if end else "")


def _moment(text: str) -> datetime | None:
    with suppress(ValueError):
        return datetime.fromisoformat(text)
    return None


# The preview: each date, with what is to happen to it.


@dataclass(frozen=True, slots=True)
class PreviewDate:
    """A date of the preview; ``state`` is empty, or the control in which something is said of it.

    Of a stored series it may also be what has become of its event.
    ``note`` is where it moves to, or why it is called off; ``day``, ``start`` and ``end`` are for
    the controls beside it, and ``was`` is what these say untouched.
    """

    id: str
    when: str
    state: str
    note: str
    day: str
    start: str
    end: str
    was: str


def dates_of(
    values: ControlValues, preview: Mapping[str, Any], notation: Notation, *, all_day: bool
) -> list[PreviewDate]:
    """Return the dates of a preview in order, including the excluded ones."""
    spans = {
        datetime.fromisoformat(date["recurrence_id"]): tuple(
            datetime.fromisoformat(date[f"{edge}_date"]) for edge in ("start", "end")
        )
        for date in preview["dates"]
    }
    usual = _usual(values)
    messages = {
        entry.date: (control, entry.text)
        for control in CONTROLS
        for entry in _read_entries(values, control, usual, notation)
    }
    unused = {datetime.fromisoformat(date) for date in preview["unused_exdate"]}
    if spans:
        first, last = next(iter(spans.values())), max(spans)
        length = first[1] - first[0]
        for date, (control, _) in messages.items():
            is_near = date < last or not preview["more"]
            if control == _EXCEPT and date not in unused and date != _UNREAD and is_near:
                spans[date] = (date, date + length)
    return [
        _date(date, span, messages.get(date, ("", "")), notation, all_day=all_day)
        for date, span in sorted(spans.items())
    ]


def _date(
    date: datetime,
    span: tuple[datetime, ...],
    labels: tuple[str, str],
    notation: Notation,
    *,
    all_day: bool,
) -> PreviewDate:
    start, end = span
    day, last = notation.day(start.date()), notation.day(end.date())
    clocks = ("", "") if all_day else (f"{start:%H:%M}", f"{end:%H:%M}")
    if not all_day and last != day:
        clocks = (clocks[0], f"{last} {clocks[1]}")
    elif start == end:
        clocks = (clocks[0], "")
    was = day if all_day else _time_text(day, *clocks)
    short_text = wording.short_moment(start, end, notation.language, all_day=all_day)
    return PreviewDate(date.isoformat(), short_text, *labels, day, *clocks, was)


# The words to choose for a day of the month.


def days_of_month(
    values: ControlValues, notation: Notation, patterns: Mapping[str, str]
) -> dict[str, str]:
    """Return the days of the month that a series can have, as its start names them.

    Without a start that can be read, the ``patterns`` name them.
    """
    try:
        start = datetime.fromisoformat(notation.moment(values.get("start_date", ""), ""))
    except ValueError:
        return dict(patterns)
    templates = templates_for(notation.language)
    number, weekday = nth_weekday(start.date())
    labels = {
        "": templates.fill("month_day", day=start.day),
        NTH_WEEKDAY: templates.nth_weekday(number, weekday),
        LAST_WEEKDAY: templates.nth_weekday(-1, weekday),
        LAST_DAY: templates.fill("last_day"),
    }
    return {name: templates.elided(text) for name, text in labels.items()}


def weekday_of(values: ControlValues, notation: Notation) -> str:
    """Return the weekday of the start, as rules name it; empty where there is none."""
    with suppress(ValueError):
        start = notation.moment(values.get("start_date", ""), "")
        return DAYS[datetime.fromisoformat(start).weekday()]
    return ""

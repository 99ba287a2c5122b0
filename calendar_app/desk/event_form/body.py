"""A form as the body of a request to the interface."""

from collections.abc import Callable, Collection, Mapping
from datetime import time
from typing import Any

from calendar_app.content.written_dates import is_clock, read_clock
from calendar_app.desk.event_form.linking import linked
from calendar_app.desk.event_form.notation import Notation
from calendar_app.desk.event_form.repeating import recurrence_of
from calendar_app.desk.event_form.values import CONTROLS, FLAGS, Values
from calendar_app.domain.addresses import whole_address
from calendar_app.errors import Message

Body = dict[str, Any]
Problems = dict[str, str]
_TIMES = ("start_date", "end_date", "all_day", "timezone")
_LAST_MINUTE = time(23, 59, 59)
NEEDED = Message("This is needed.")


def body_of(values: Values, names: Collection[str], notation: Notation) -> tuple[Body, Problems]:
    """Return the parameters ``names`` as the interface takes them, and why some cannot be read."""
    body: Body = {}
    problems: Problems = {}
    wanted = {*names, *_TIMES} if {*names} & {*_TIMES} else {*names}
    problems |= _wrong_clocks(values, wanted)
    for name in CONTROLS:
        if name not in wanted:
            continue
        try:
            value = _reader(name)(values, notation)
        except ValueError as error:
            reason, *control = error.args
            problems[control[0] if control else name] = reason
        else:
            if value is not None or name == "recurrence":
                body[name] = value
    return body, problems


def _reader(name: str) -> Callable[[Values, Notation], Any]:
    if name in _READERS:
        return _READERS[name]
    if name in FLAGS:
        return lambda values, _: bool(values.get(name))
    return lambda values, _: values.get(name, "").strip()


def _title(values: Values, _: Notation) -> str:
    title: str = values.get("title", "")
    if not title.strip():
        raise ValueError(NEEDED)
    return title.strip()


def _start(values: Values, notation: Notation) -> str:
    if not values.get("start_date", "").strip():
        raise ValueError(NEEDED)
    return _moment(values, "start", notation)


def _end(values: Values, notation: Notation) -> str | None:
    """Return the end; without a day it is that of the start, without a time likewise."""
    day = values.get("end_date", "").strip() or values.get("start_date", "").strip()
    if not day:
        return None  # Said beside the start.
    usual = _LAST_MINUTE
    if not values.get("all_day") and not values.get("end_time", "").strip():
        clock = values.get("start_time", "")
        usual = read_clock(clock) if is_clock(clock) else time.min
    return _moment({**values, "end_date": day}, "end", notation, usual)


def _moment(values: Values, edge: str, notation: Notation, usual: time = time.min) -> str:
    day = values.get(f"{edge}_date", "").strip()
    clock = "" if values.get("all_day") else values.get(f"{edge}_time", "").strip()
    # What is wrong with the time is said beside it, so that the day is judged alone.
    return notation.moment(day, clock if is_clock(clock) else "", usual)


def _wrong_clocks(values: Values, names: Collection[str]) -> Problems:
    """Return why the times of the start and the end cannot be read."""
    edges = () if values.get("all_day") or "start_date" not in names else ("start", "end")
    problems: Problems = {}
    for name in (f"{edge}_time" for edge in edges):
        try:
            read_clock(values.get(name, "").strip() or "0:00")
        except ValueError as error:
            problems[name] = error.args[0]
    return problems


def _recurrence(values: Values, notation: Notation) -> Any:
    try:
        start = _start(values, notation)
    except ValueError:
        start = ""  # Said beside the start itself.
    return recurrence_of(values, start, notation)


def _publication(values: Values, notation: Notation) -> str | None:
    day, clock = values.get("date", "").strip(), values.get("date_time", "").strip()
    return notation.moment(day, clock) if day else None


def _password(values: Values, _: Notation) -> str | None:
    if values.get("password_remove"):
        return ""
    return values.get("password") or None


def _custom_fields(values: Values, _: Notation) -> Mapping[str, Any]:
    rows = zip(values["custom_key"], values["custom_label"], values["custom_value"], strict=False)
    return {
        key.strip(): {"label": label.strip(), "value": value.strip()}
        for key, label, value in rows
        if key.strip()
    }


def _parent(values: Values, _: Notation) -> str:
    return values.get("post_parent", "").strip() or "0"


def _status(values: Values, _: Notation) -> str | None:
    return values.get("status") or None


def _tags(values: Values, _: Notation) -> list[str]:
    typed = (name.strip() for name in values.get("tags_find", "").split(","))
    return [*values["tags"], *(name for name in typed if name)]


_READERS: Mapping[str, Callable[[Values, Notation], Any]] = {
    "title": _title,
    "start_date": _start,
    "end_date": _end,
    "recurrence": _recurrence,
    "date": _publication,
    "password": _password,
    "custom_fields": _custom_fields,
    "post_parent": _parent,
    "status": _status,
    "website": lambda values, _: whole_address(values.get("website", "").strip()),
    "online_url": lambda values, _: whole_address(values.get("online_url", "").strip()),
    "image": lambda values, _: whole_address(values.get("image", "").strip()),
    "categories": lambda values, _: values["categories"],
    "tags": _tags,
    "venue": lambda values, _: linked("venue", values),
    "organizer": lambda values, _: linked("organizer", values),
}

"""The values of the form as the body of a write: days, links by name, texts by language."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime, time
from typing import Any

from calendar_app.domain.addresses import whole_address
from calendar_app.domain.kind import Record
from calendar_app.domain.texts.written_dates import is_clock, read_clock
from calendar_app.errors import Message
from calendar_app.site.desk.choices import KINDS, find_by_name
from calendar_app.site.desk.event_form import participation
from calendar_app.site.desk.event_form.fields import FIELDS, FLAGS, LISTS, TEXTS, WORDED, control_in
from calendar_app.site.desk.event_form.times import Notation, recurrence_of
from calendar_app.site.desk.event_form.values import rows_of
from calendar_app.site.desk.points import COORDINATES, with_point
from calendar_app.site.pages.forms import ControlValues, Problems

Body = dict[str, Any]
NEEDED = Message("This has to be filled in.")
_SINGLE = ("post_parent",)
# Characters of a day that is written for the interface.
_DAY = 10
_LAST_MINUTE = time(23, 59, 59)
_MOMENTS = ("start_date", "end_date", "all_day")
# What venues and organizers do not have in each language.
_SHARED = ("zip", *COORDINATES, "email", "phone")


def body_of(
    values: ControlValues, names: Collection[str], tag: str, notation: Notation
) -> tuple[Body, Problems]:
    """Return the fields ``names`` without texts for a write, and the problems of unreadable ones.

    The texts of new places and organizers are in ``tag``.
    """
    body: Body = {}
    if "all_day" in names:
        names = {*names, *_MOMENTS}
    problems = _wrong_clocks(values, names)
    for name in (name for name in FIELDS if name in names and name not in WORDED):
        try:
            value = _read(name, values, notation)
        except ValueError as error:
            reason, *control = error.args
            problems[control[0] if control else name] = reason
        else:
            if value is not None or name == "recurrence":
                body[name] = value
    for name in (name for name in KINDS if name in body):
        body[name] = [_in_language(link, tag) for link in body[name]]
    return body, problems


def texts_of(
    values: ControlValues,
    names: Collection[str],
    tag: str,
    stored: Record,
    languages: Sequence[str],
) -> tuple[Body, Problems]:
    """Return the texts of one language among the fields ``names``, and the missing ones.

    Of further details it is what differs. An empty name in the address is made of the title.
    """
    inputs = {name: values[control_in(name, tag, languages)] for name in TEXTS}
    named_fields = {name for name in WORDED if control_in(name, tag, languages) in names}
    texts: Body = {name: inputs[name].strip() for name in TEXTS if name in named_fields}
    if "website" in texts:
        texts["website"] = whole_address(texts["website"])
    if texts.get("slug") == "":
        texts["slug"] = inputs["title"].strip()
    rows, before = rows_of(values, tag, languages), stored.get("custom_fields") or {}
    if "custom_fields" in named_fields and rows != before:
        removed = {key: None for key in before if key not in rows}
        changed = {key: row for key, row in rows.items() if row != before.get(key)}
        texts["custom_fields"] = {**removed, **changed} if rows else {}
    says_something = rows or any(inputs[name].strip() for name in TEXTS if name != "slug")
    is_nameless = (
        named_fields and not inputs["title"].strip() and (says_something or stored.get("title"))
    )
    title = control_in("title", tag, languages)
    return texts, {title: NEEDED} if is_nameless else {}


def _read(name: str, values: ControlValues, notation: Notation) -> Any:
    if name in _READERS:
        return _READERS[name](values, notation)
    value = values.get(name, "")
    return bool(value) if name in FLAGS else value if name in LISTS else value.strip()


def _start(values: ControlValues, notation: Notation) -> str:
    if not values.get("start_date", "").strip():
        raise ValueError(NEEDED)
    return _moment(values, "start", notation)


def _end(values: ControlValues, notation: Notation) -> str | None:
    """Return the end; without a day it is that of the start, without a time likewise."""
    day = values.get("end_date", "").strip()
    if not day:
        try:
            day = _start(values, notation)[:_DAY]
        except ValueError:
            return None  # Said beside the start.
    usual = _LAST_MINUTE
    if not values.get("all_day") and not values.get("end_time", "").strip():
        usual = time.min
        with suppress(ValueError):  # Said beside the start.
            usual = datetime.fromisoformat(_start(values, notation)).time()
    with suppress(ValueError):  # Said beside the start.
        notation = replace(notation, event_day=date.fromisoformat(_start(values, notation)[:_DAY]))
    return _moment({**values, "end_date": day}, "end", notation, usual)


def _moment(values: ControlValues, edge: str, notation: Notation, usual: time = time.min) -> str:
    day, notation = values.get(f"{edge}_date", "").strip(), notation.beside(notation.event_day)
    clock = "" if values.get("all_day") else values.get(f"{edge}_time", "").strip()
    # What is wrong with the time is said beside it, so that the day is judged alone.
    return notation.moment(day, clock if is_clock(clock) else "", usual)


def _wrong_clocks(values: ControlValues, names: Collection[str]) -> Problems:
    """Return why the times of the start and the end cannot be read."""
    edges = () if values.get("all_day") else ("start", "end")
    problems: Problems = {}
    for name in (f"{edge}_time" for edge in edges if f"{edge}_date" in names):
        try:
            read_clock(values.get(name, "").strip() or "0:00")
        except ValueError as error:
            problems[name] = error.args[0]
    return problems


def _recurrence(values: ControlValues, notation: Notation) -> Any:
    try:
        start = _start(values, notation)
    except ValueError:
        start = ""  # Said beside the start itself.
    return recurrence_of(values, start, notation)


def _publication(values: ControlValues, notation: Notation) -> str | None:
    day, clock = values.get("date", "").strip(), values.get("date_time", "").strip()
    if not day:
        return None
    moment = notation.moment(day, clock if is_clock(clock) else "")
    try:
        read_clock(clock or "0:00")
    except ValueError as error:
        raise ValueError(error.args[0], "date_time") from error
    return moment


def _tags(values: ControlValues, _: Notation) -> list[Any]:
    """Return the ids of chosen tags, and typed ones: "1291" is a name as well."""
    return [*values["tags"], *typed_tags(values.get("tags_find", ""))]


def typed_tags(text: str) -> list[dict[str, str]]:
    """Return tags that are typed with commas between them."""
    return [{"name": name} for part in text.split(",") if (name := part.strip())]


def links_of(name: str, values: ControlValues) -> list[Any]:
    """Return the links of a form: ids, and the data of a new record.

    Raises ``ValueError`` where a typed name is that of no record, or of several.
    """
    typed = values.get(f"{name}_find", "").strip()
    new = with_point(values.get(f"{name}_new") or {})
    if "website" in new:
        new["website"] = whole_address(new["website"])
    links: list[Any] = [*values[name]]
    if typed and not new:
        matches = find_by_name(name, typed)
        links = [matches, *links] if name in _SINGLE else [*links, matches]
    return [*links, new] if new else links


_READERS: Mapping[str, Callable[[ControlValues, Notation], Any]] = {
    "start_date": _start,
    "end_date": _end,
    "recurrence": _recurrence,
    "date": _publication,
    "post_parent": lambda values, _: [*links_of("post_parent", values), "0"][0],
    "status": lambda values, _: values.get("status") or None,
    "online_url": lambda values, _: whole_address(values.get("online_url", "").strip()),
    "image": lambda values, _: whole_address(values.get("image", "").strip()),
    "tags": _tags,
    "in_language": participation.languages_of,
    "audience": participation.audience_of,
    "registration": participation.registration_of,
    "venue": lambda values, _: links_of("venue", values),
    "organizer": lambda values, _: links_of("organizer", values),
    # It is sealed by who stores it.
    "password": lambda *_: None,
}


def _in_language(link: Any, tag: str) -> Any:
    """Return the data of a new record with its texts in one language."""
    if not isinstance(link, dict):
        return link
    texts = {name: text for name, text in link.items() if name not in _SHARED}
    shared = {name: text for name, text in link.items() if name in _SHARED}
    return {**shared, "variants": {tag: texts}} if texts else shared

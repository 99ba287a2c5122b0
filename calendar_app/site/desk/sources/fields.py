"""The fields of the form of sources, and the values of its controls: as stored, and as sent."""

from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from werkzeug.datastructures import MultiDict

from calendar_app.domain.kind import Record
from calendar_app.domain.numbers import parse_digits
from calendar_app.errors import Message
from calendar_app.site.desk.sources.rules import RULES, sent_rules
from calendar_app.site.pages.forms import ControlValues, FormField
from calendar_app.sources.merging import FIELDS as OF_EVENTS
from calendar_app.sources.merging import SOURCE
from calendar_app.sources.source import Source

_TRUE = "1"
KEEPERS = "keepers"
DAILY = "daily"
# A word of the source: not decided, left out, or made a term here.
OPEN, LEFT_OUT, NEW_TERM = "", "0", "new"
TAXONOMIES = ("categories", "tags")
# So many of the words that nobody knows are asked for at once.
MOST_WORDS = 60
# Defaults that are found by their names.
CHOSEN_BY_NAME = ("defaults.tags", "defaults.venue", "defaults.organizer")
_FILTERED = ("words", "without_words", "places")
COLUMNS: Mapping[str, Message] = MappingProxyType(
    {
        "title": Message("Title"),
        "start": Message("Start"),
        "start_time": Message("Start, time"),
        "end": Message("End"),
        "end_time": Message("End, time"),
        "all_day": Message("All day"),
        "description": Message("Description"),
        "venue": Message("Place"),
        "address": Message("Street and number"),
        "zip": Message("Postal code"),
        "city": Message("Town"),
        "organizer": Message("Organizer"),
        "categories": Message("Categories"),
        "tags": Message("Tags"),
        "cost": Message("Price"),
        "website": Message("Website"),
        "image": Message("Picture"),
        "uid": Message("Number that never changes"),
    }
)


def _field(name: str, label: Message, /, **parts: Message | None) -> FormField:
    return FormField(name, label, f"source-{name.replace('.', '-')}", parts)


# In the order of the form, by the settings of the interface.
FIELDS: Mapping[str, FormField] = MappingProxyType(
    {
        each.name: each
        for each in (
            _field("name", Message("Name")),
            _field("kind", Message("What it is")),
            _field("address", Message("Address")),
            _field("status", Message("New events are")),
            _field("every", Message("It is read"), every=None, daily_at=Message("at")),
            _field("off", Message("Do not read it by itself for now")),
            _field("responsible", Message("Who is notified when it fails for a week")),
            _field("defaults.categories", Message("Categories of all its events")),
            _field("defaults.tags", Message("Tags of all its events")),
            _field("defaults.venue", Message("Place of events that name none")),
            _field("defaults.organizer", Message("Organizer of events that name none")),
            _field("town", Message("Town of its places")),
            _field("language", Message("Language of its texts")),
            _field("timezone", Message("Time zone of times that name none")),
            _field("author", Message("Author of its events")),
            _field(KEEPERS, Message("Keepers")),
            _field("terms.categories", Message("Its words for our categories")),
            _field("terms.tags", Message("Its words for our tags")),
            _field("unknown_terms", Message("Words that are not listed here")),
            _field("filters.words", Message("Only events with one of these words")),
            _field("filters.without_words", Message("Not those with one of these words")),
            _field("filters.places", Message("Only at these places")),
            _field("filters.from", Message("From the day")),
            _field("filters.to", Message("Until the day")),
            _field(RULES, Message("Rules")),
            _field("authority", Message("Fields in which the source has the last word")),
            _field("vanished", Message("Coming events that it no longer has")),
            _field("doubles", Message("New events that are perhaps duplicates")),
            _field("certain_doubles", Message("New events that certainly are duplicates")),
            _field("rank", Message("Rank among sources of the same event")),
            _field("columns", Message("Columns")),
            _field("publisher.name", Message("Published by")),
            _field("publisher.url", Message("Their website")),
            _field("license", Message("License")),
            _field("attribution", Message("Credit line")),
            _field("show_provenance", Message("Show this to readers")),
            _field("pictures", Message("Pictures of its events")),
        )
    }
)


def values_of(
    source: Source, unknown: Mapping[str, Sequence[str]], labels: Mapping[str, str]
) -> ControlValues:
    """Return the values of a stored source, with the ``unknown`` words among its own.

    ``labels`` are the names of the defaults that are found by their names.
    """
    values: ControlValues = {name: str(getattr(source, name)) for name in _PLAIN}
    values |= {name: _TRUE if getattr(source, name) else "" for name in _FLAGS}
    values |= {f"publisher.{name}": source.publisher.get(name, "") for name in ("name", "url")}
    values["rank"] = str(source.rank or "")
    values["every"] = DAILY if source.daily_at else str(source.every)
    values |= {name: str(getattr(source, name) or "") for name in ("author", "responsible")}
    values["defaults.categories"] = [str(each) for each in source.defaults.get("categories", ())]
    values |= labels
    for name in TAXONOMIES:
        rows = {word: str(term) for word, term in source.terms.get(name, {}).items()}
        choices = dict.fromkeys(unknown.get(name, ())[:MOST_WORDS], OPEN)
        values[f"terms.{name}"] = choices | rows
    for name in _FILTERED:
        values[f"filters.{name}"] = "\n".join(source.filters.get(name, ()))
    for name in ("from", "to"):
        values[f"filters.{name}"] = source.filters.get(name) or ""
    values[KEEPERS] = [str(each) for each in source.keepers]
    values["authority"] = [n for n, side in source.authority.items() if side == SOURCE]
    values["columns"] = {name: source.columns.get(name, "") for name in COLUMNS}
    return values


_PLAIN = (
    *("name", "kind", "address", "status", "daily_at", "language", "timezone", "town"),
    *("unknown_terms", "vanished", "license", "attribution", "doubles", "certain_doubles"),
    "pictures",
)
_FLAGS = ("off", "show_provenance")
_LISTS = ("authority", "defaults.categories", KEEPERS)


def empty_values() -> ControlValues:
    """Return the values of a form in which nothing is filled in."""
    values: ControlValues = {control: "" for each in FIELDS.values() for control in each.controls}
    values |= {name: [] for name in _LISTS}
    return (
        values
        | {RULES: {}}
        | {f"terms.{name}": {} for name in TAXONOMIES}
        | {"columns": dict.fromkeys(COLUMNS, "")}
    )


def sent_values(form: MultiDict[str, str]) -> ControlValues:
    """Return the values of a form that was sent."""
    values = empty_values()
    for name in values:
        if name in _LISTS:
            values[name] = form.getlist(name)
        elif name == RULES:
            values[name] = sent_rules(form)
        elif name == "columns":
            values[name] = {each: form.get(f"columns.{each}", "").strip() for each in COLUMNS}
        elif name.startswith("terms."):
            pairs = zip(form.getlist(f"{name}.word"), form.getlist(f"{name}.term"), strict=False)
            values[name] = dict(pairs)
        else:
            values[name] = form.get(name, "").replace("\r\n", "\n").strip()
    return values


# What is sent to the interface.


def settings_of(values: ControlValues, names: Collection[str], stored: Source | None) -> Record:
    """Return the settings that these fields make; objects with all their members.

    Names of defaults, and terms to be made, have become ids before.
    """
    settings: Record = {name: values[name] for name in _PLAIN if name in names}
    settings |= {name: read(values[name]) for name, read in _READ.items() if name in names}
    settings |= {name: bool(values[name]) for name in _FLAGS if name in names}
    if "every" in names:
        settings |= _schedule(values)
    for group, read in _GROUPS.items():
        before = dict(getattr(stored, group)) if stored else {}
        members = [name.partition(".")[2] for name in names if name.startswith(f"{group}.")]
        if members:
            own = {n: read(n, values[f"{group}.{n}"], before.get(n)) for n in members}
            settings[group] = before | own
    if "authority" in names:
        settings["authority"] = {n: SOURCE for n in OF_EVENTS if n in values["authority"]}
    if RULES in names:
        settings[RULES] = values[RULES]
    if "columns" in names:
        before = dict(stored.columns) if stored else {}
        own = {name: text for name, text in values["columns"].items() if text}
        settings["columns"] = {n: c for n, c in before.items() if n not in COLUMNS} | own
    return settings


def _rank(text: str) -> int | str:
    """Return a rank for the interface, which refuses other texts."""
    digits = text.removeprefix("-")
    number = parse_digits(digits) if digits else 0
    if number is None:
        return text
    return -number if text.startswith("-") else number


def _schedule(values: ControlValues) -> Record:
    if values["every"] == DAILY:
        return {"every": 0, "daily_at": values["daily_at"] or "04:30"}
    return {"every": parse_digits(values["every"]) or 0, "daily_at": ""}


def _default(_name: str, value: Any, _before: Any) -> Any:
    if isinstance(value, list):
        return _ids(value)
    return _number(value)


def _number(text: str) -> int:
    return parse_digits(text) or 0


def _ids(texts: Sequence[str]) -> list[int]:
    return [number for number in map(parse_digits, texts) if number is not None]


def _terms(_name: str, value: Mapping[str, str], before: Any) -> dict[str, int]:
    """Return the terms of the words that were decided; of those not asked for as before."""
    rest = {word: term for word, term in (before or {}).items() if word not in value}
    return rest | {w: parse_digits(term) or 0 for w, term in value.items() if term != OPEN}


def _text(_name: str, value: str, _before: Any) -> str:
    return value


def _filter(name: str, value: str, _before: Any) -> Any:
    if name in ("from", "to"):
        return value
    lines = (line.strip() for line in value.replace(",", "\n").split("\n"))
    return [line for line in lines if line]


_READ: Mapping[str, Callable[[Any], Any]] = MappingProxyType(
    {"author": _number, "responsible": _number, "rank": _rank, KEEPERS: _ids}
)
_GROUPS: Mapping[str, Callable[[str, Any, Any], Any]] = MappingProxyType(
    {"defaults": _default, "terms": _terms, "filters": _filter, "publisher": _text}
)

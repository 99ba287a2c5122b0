"""The fields of a record that history keeps, and how two states of them differ.

Whatever is not listed here never gets into history: computed fields, and what others must not find
there. Of a password it is kept that it changed.
"""

from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import Any

from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.listing import is_hidden, listing_state
from calendar_app.domain.timespan import TimeSpan

TEXTS, SOURCES, PASSWORD, HIDDEN = "variants", "sources", "password", "hidden"
TIMES = tuple(field.name for field in fields(TimeSpan))
# By language, so that two editors who write two languages change two fields.
_BY_LANGUAGE = (TEXTS, SOURCES)
_COMMON = (*TIMES, "status", "author", "published", "recurrence", PASSWORD)
# What belongs to a state, and is no field that somebody fills in.
_MEMBERSHIP = ("series", "recurrence_id", "date_slug", "overrides")
BOOKKEEPING = ("dated", "date_sent", "origin", *_MEMBERSHIP)
# Computed from other fields or records.
_COMPUTED = ("location", "restricted_place", "ancestors", "count")


def kept_fields(kind: Kind) -> frozenset[str]:
    """Return the fields of a kind's documents that history keeps, besides those by language."""
    own = {*kind.defaults, *kind.usual, *kind.lines} - {*_COMPUTED}
    place = {"location"} if kind.is_place else set()
    return frozenset(own | place | {*_COMMON, *BOOKKEEPING})


def changed_paths(kind: Kind, before: Record, after: Record) -> list[str]:
    """Return the paths at which two states differ: ``venues``, ``variants.de.title``."""
    names = kept_fields(kind) & (before.keys() | after.keys())
    shared = [name for name in sorted(names) if _differ(name, before, after)]
    return [*shared, *_differing_texts(before, after), *_differing_sources(before, after)]


def values_at(record: Record, paths: Iterable[str]) -> Record:
    """Return the values of a record at some paths, without absent ones and its password."""
    values: Record = {}
    for path in paths:
        *above, name = path.split(".", 2)
        source, target = record, values
        for part in above:
            source, target = source.get(part, {}), target.setdefault(part, {})
        if name in source and path != PASSWORD:
            target[name] = is_hidden(source[name]) if path == HIDDEN else source[name]
    return values


def with_values(record: Record, paths: Iterable[str], values: Record) -> Record:
    """Return a record with ``values`` at these paths; paths without a value are removed."""
    changed = {**record, **{name: _copied(record.get(name, {})) for name in _BY_LANGUAGE}}
    for path in paths:
        if path != PASSWORD:
            *above, name = path.split(".", 2)
            _set(changed, above, name, values)
    for name in _BY_LANGUAGE:
        changed[name] = {tag: own for tag, own in changed[name].items() if own}
    if HIDDEN in changed:
        hidden, locked = is_hidden(changed[HIDDEN]), changed.get(PASSWORD) is not None
        changed[HIDDEN] = listing_state(hidden=hidden, locked=locked)
    return changed


def _set(record: Record, above: list[str], name: str, values: Record) -> None:
    for part in above:
        record, values = record.setdefault(part, {}), values.get(part, {})
    if name in values:
        record[name] = values[name]
    else:
        record.pop(name, None)


def _copied(by_language: Record) -> Record:
    return {tag: dict(own) for tag, own in by_language.items()}


def _differ(name: str, before: Record, after: Record) -> bool:
    if name == HIDDEN:
        return is_hidden(before.get(name)) != is_hidden(after.get(name))
    return not _equal(before.get(name), after.get(name))


def _equal(value: Any, other: Any) -> bool:
    return type(value) is type(other) and bool(value == other)


def _differing_texts(before: Record, after: Record) -> Iterator[str]:
    was, now = before.get(TEXTS, {}), after.get(TEXTS, {})
    for tag in sorted(was.keys() | now.keys()):
        old, new = was.get(tag, {}), now.get(tag, {})
        for name in sorted(old.keys() | new.keys()):
            if old.get(name) != new.get(name):
                yield f"{TEXTS}.{tag}.{name}"


def _differing_sources(before: Record, after: Record) -> Iterator[str]:
    was, now = before.get(SOURCES, {}), after.get(SOURCES, {})
    for tag in sorted(was.keys() | now.keys()):
        if was.get(tag) != now.get(tag):
            yield f"{SOURCES}.{tag}"

"""The choices of a form: categories, tags, states, zones."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import NamedTuple
from zoneinfo import available_timezones

from calendar_app.accounts.policy import Caller, Right
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.numbers import parse_digits
from calendar_app.domain.statuses import (
    DRAFT,
    FUTURE,
    MIXED,
    OFFLINE,
    ONLINE,
    PENDING,
    PRIVATE,
    PUBLISH,
)
from calendar_app.errors import Message
from calendar_app.http.request import current
from calendar_app.kinds import CATEGORY, TAG
from calendar_app.query.list_query import Window
from calendar_app.readmodel.records import local_text
from calendar_app.resources.terms import term_list_schema

STATUSES: Mapping[str, Message] = MappingProxyType(
    {
        DRAFT: Message("Draft"),
        PENDING: Message("Waits for review"),
        PUBLISH: Message("Published"),
        FUTURE: Message("Published later"),
        PRIVATE: Message("Private"),
    }
)
ATTENDANCE: Mapping[str, Message] = MappingProxyType(
    {OFFLINE: Message("On site"), ONLINE: Message("Online"), MIXED: Message("On site and online")}
)
_SCHEMAS = {kind.name: term_list_schema(kind)() for kind in (CATEGORY, TAG)}
_MOST = 500
_MOST_TAGS = 200


class Term(NamedTuple):
    """A term to choose; ``depth`` counts its ancestors."""

    id: str
    name: str
    depth: int = 0


def categories() -> list[Term]:
    """Return all categories as a tree, siblings by name."""
    found = _terms(CATEGORY, _MOST)
    names = _names(found)
    ids = {term["_id"] for term in found}
    children: dict[int, list[Record]] = {}
    for term in sorted(found, key=lambda term: names[term["_id"]].casefold()):
        parent = term.get("parent") or 0
        children.setdefault(parent if parent in ids else 0, []).append(term)
    return list(_tree(children, names, 0, 0))


def tags() -> list[Term]:
    """Return tags by name."""
    found = _terms(TAG, _MOST_TAGS)
    names = _names(found)
    terms = [Term(str(number), name) for number, name in names.items()]
    return sorted(terms, key=lambda term: term.name.casefold())


def chosen_tags(ids: list[str]) -> list[Term]:
    """Return the tags of a form that still exist."""
    numbers = {number for number in map(parse_digits, ids) if number is not None}
    found = current.reader().records_of({TAG.name: numbers}) if numbers else {}
    return [Term(str(n), name) for n, name in _names([*filter(None, found.values())]).items()]


def statuses(caller: Caller) -> dict[str, Message]:
    """Return the states that the caller may choose."""
    if caller.may(Right.PUBLISH):
        return dict(STATUSES)
    return {name: STATUSES[name] for name in (DRAFT, PENDING)}


@cache
def timezones() -> list[str]:
    """Return the names of zones that are places."""
    return sorted(name for name in available_timezones() if "/" in name and "Etc/" not in name)


def _terms(kind: Kind, most: int) -> list[Record]:
    listing = _SCHEMAS[kind.name].load({"hide_empty": "false"}).listing
    listing = replace(listing, window=Window(1, most))
    return current.reader().search(kind, listing, current.caller()).items


def _names(found: list[Record]) -> dict[int, str]:
    chain = current.chain()
    return {term["_id"]: local_text(term, "name", chain).text for term in found}


def _tree(
    children: Mapping[int, list[Record]], names: Mapping[int, str], parent: int, depth: int
) -> Iterator[Term]:
    for term in children.get(parent, ()):
        yield Term(str(term["_id"]), names[term["_id"]], depth)
        yield from _tree(children, names, term["_id"], depth + 1)

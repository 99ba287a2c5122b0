"""Differences between the answers of two sites at one address, with expected reasons."""

import re
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import orjson

from calendar_app.cli.moving.fetching import Answer, path_of
from calendar_app.cli.moving.old_addresses import OldAddress

_SAME_TYPES: Mapping[str, str] = {
    "application/xml": "XML",
    "text/xml": "XML",
    "application/rss+xml": "XML",
    "application/atom+xml": "XML",
}
_EVENT = re.compile(rb"^BEGIN:VEVENT\r?$", re.MULTILINE)
_RULE = re.compile(rb"^(RRULE|RDATE)[:;]", re.MULTILINE)
_ICALENDAR = "text/calendar"
_LONGEST = 80  # characters of a value in a report
# In place of the new value, where the records with these ids are not in a list.
_MISSING = object()


class Difference(NamedTuple):
    """A difference at a path; ``reason`` explains an expected one, else it is empty.

    ``is_lost``: nothing of the site is there any more.
    """

    path: str
    what: str
    reason: str = ""
    is_lost: bool = False


@dataclass(frozen=True, slots=True)
class _Values:
    """A value of the old site and that of the new one; ``at`` is where they stand in the JSON."""

    at: str
    old: Any
    new: Any

    @property
    def name(self) -> str:
        return self.at.rpartition(".")[2]

    @property
    def what(self) -> str:
        old, new = (repr(each)[:_LONGEST] for each in (self.old, self.new))
        if self.new is _MISSING:
            return f"{self.at.removeprefix('.')} {', '.join(map(str, self.old))} is missing"
        return f"{self.at.removeprefix('.')} is {new}, was {old}"


def _have_same_path(values: _Values) -> bool:
    old, new = values.old, values.new
    return isinstance(old, str) and isinstance(new, str) and urlsplit(old)[:3] == urlsplit(new)[:3]


_LINKS = ("rest_url", "next_rest_url", "previous_rest_url")
# Why a value may differ; the first reason whose test holds is the one.
_REASONS: tuple[tuple[str, Callable[[_Values], bool]], ...] = (
    ("The taxonomy of categories has a name of its own.", lambda it: it.name == "taxonomy"),
    (
        "Links between the pages of a list repeat other parameters.",
        lambda it: it.name in _LINKS and (not it.old or not it.new or _have_same_path(it)),
    ),
    (
        "That an event is free is said in the language of the reader.",
        lambda it: it.name == "cost" and it.old == "Free" and bool(it.new),
    ),
    (
        "A copied picture has files of its own.",
        lambda it: ".image." in f"{it.at}." and isinstance(it.new, str | int | dict),
    ),
)
_MOVED = "A page has another address, to which the old one leads."


@dataclass(frozen=True, slots=True)
class Comparison:
    """Compares the site of ``old`` origin with that of the ``new``; ``addresses`` are all paths."""

    old: str
    new: str
    addresses: Container[str]

    def differences(
        self, address: OldAddress, answer: Answer, old: Answer | None
    ) -> Iterator[Difference]:
        """Yield the differences at an address; ``old`` asks the old site for its answer."""
        path = address.path
        if old is not None and not old.is_there:
            return
        if answer.place.startswith(("http:", "https:")):
            yield Difference(path, f"leads to another site: {answer.place}", is_lost=True)
        elif not answer.is_there:
            yield Difference(path, f"answers {answer.status}", is_lost=True)
        elif address.body is not None:
            yield from self._of_json(path, address.body, answer)
        elif old is not None:
            yield from _of_types(path, old, answer)

    def _of_json(self, path: str, body: Any, answer: Answer) -> Iterator[Difference]:
        try:
            text = answer.content.decode()
            is_elsewhere = self.old and self.new
            present = orjson.loads(text.replace(self.new, self.old) if is_elsewhere else text)
        except ValueError:
            yield Difference(path, f"is {answer.media_type}, was JSON")
            return
        for values in _differing(_Values("", body, present)):
            yield Difference(path, values.what, self._reason(values))

    def _reason(self, values: _Values) -> str:
        reason = next((reason for reason, holds in _REASONS if holds(values)), "")
        is_page = values.name == "url" and isinstance(values.old, str) and bool(values.new)
        if not reason and is_page and path_of(values.old) in self.addresses:
            return _MOVED
        return reason


def _of_types(path: str, old: Answer, new: Answer) -> Iterator[Difference]:
    types = [_SAME_TYPES.get(each.media_type, each.media_type) for each in (old, new)]
    if types[0] != types[1]:
        yield Difference(path, f"is {new.media_type}, was {old.media_type}")
    elif types[0] == _ICALENDAR:
        yield from _of_calendars(path, old.content, new.content)


def _of_calendars(path: str, old: bytes, new: bytes) -> Iterator[Difference]:
    """Compare how many events two files have; programs read dates from rules."""
    before, now = (len(_EVENT.findall(content)) for content in (old, new))
    if before == now:
        return
    reason = ""
    if now > before:
        reason = "The feed has all coming events, not those of one page."
    elif _RULE.search(new):
        reason = "A series is one event with a rule, not one event for each date."
    yield Difference(path, f"has {now} events, had {before}", reason)


def _are_records(entries: list[Any]) -> bool:
    return all(isinstance(each, dict) and "id" in each for each in entries)


def _differing_records(at: str, old: list[Any], new: list[Any]) -> Iterator[_Values]:
    """Compare records by their ids: one that is missing would shift all others in a list."""
    present = {each["id"]: each for each in new}
    missing = [each["id"] for each in old if each["id"] not in present]
    if missing:
        yield _Values(f"{at}.id", missing, _MISSING)
    common = [each for each in old if each["id"] in present]
    ids = {each["id"] for each in common}
    order = [each["id"] for each in common], [each["id"] for each in new if each["id"] in ids]
    if order[0] != order[1]:
        yield _Values(f"{at}.id", *order)
    for each in common:
        yield from _differing(_Values(at, each, present[each["id"]]))


def _differing(values: _Values) -> Iterator[_Values]:
    """Yield the differing values inside two JSON values; additions are no difference."""
    match values.old, values.new:
        case dict() as old, dict() as new:
            for name in old:
                yield from _differing(_Values(f"{values.at}.{name}", old[name], new.get(name)))
        case list() as old, list() as new if old and _are_records(old) and _are_records(new):
            yield from _differing_records(values.at, old, new)
        case list() as old, list() as new if len(old) == len(new):
            for one, other in zip(old, new, strict=True):
                yield from _differing(_Values(values.at, one, other))
        case old, new if old != new:
            yield values

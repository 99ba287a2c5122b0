"""How single values are compared, by the key under which they stand."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from replaying.plain import Addresses, bare_slug, words
from replaying.recording import REFERENCE_SITE
from replaying.renumbering import Numbering

_TEXTS = frozenset(
    {"title", "description", "excerpt", "venue", "organizer", "name", "message"}
    | {"cost", "website"}
)
_PAGE_LINKS = frozenset({"rest_url", "next_rest_url", "previous_rest_url"})
_TERM_LINKS = frozenset({"self", "collection", "up"})
_DATE_FILTERS = frozenset({"start_date", "end_date", "starts_after", "ends_before"})
_KEPT_IN_LINKS = frozenset({"page", "per_page", "search", "status"})
_DATE_AND_TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")
# The recording was made in this month: what is dated from here on moves with the clock.
_RECORDED_IN = "2026-11"
# The years that begin and end the default window.
_WINDOW = ("2026", "2028")


class ValueComparer:
    """Compares values that are neither objects nor lists; ``terms`` says whose ids they hold."""

    def __init__(self, numbering: Numbering, addresses: Addresses, *, terms: bool) -> None:
        self._numbering = numbering
        self._addresses = addresses
        self._terms = terms

    def differences(self, key: str, recorded: Any, given: Any) -> Iterator[str]:
        """Yield what differs, in words."""
        if not _of_one_type(recorded, given):
            yield _both(recorded, given)
        elif key in _PAGE_LINKS:
            yield from self._links(recorded, given)
        elif not self._rule_of(key, recorded)(recorded, given):
            yield _both(recorded, given)

    def _rule_of(self, key: str, recorded: Any) -> Callable[[Any, Any], bool]:
        if isinstance(recorded, str):
            return self._text_rule(key, recorded)
        if isinstance(recorded, int) and key in ("id", "parent"):
            return self._same_record if key == "id" else self._same_term
        return _equal

    def _text_rule(self, key: str, recorded: str) -> Callable[[str, str], bool]:
        if key == "slug":
            return _same_slug
        if key == "url":
            return _both_or_none
        if key in ("date", "date_utc") and recorded >= _RECORDED_IN:
            return _is_date_and_time
        if key in _TERM_LINKS:
            return self._same_term_link
        return _same_words if key in _TEXTS else _equal

    def _same_record(self, recorded: int, given: int) -> bool:
        return self._numbering.known(recorded, terms=self._terms) == given

    def _same_term(self, recorded: int, given: int) -> bool:
        return self._numbering.known(recorded, terms=True) == given

    def _same_term_link(self, recorded: str, given: str) -> bool:
        return self._addresses.recorded(recorded, terms=True) == self._addresses.given(given)

    def _links(self, recorded: str, given: str) -> Iterator[str]:
        path, there = self._addresses.recorded(recorded, terms=False), self._addresses.given(given)
        if path != there:
            yield f"path {there}, recorded {path}"
        have = dict(parse_qsl(urlsplit(given).query, keep_blank_values=True))
        for name, value in parse_qsl(urlsplit(recorded).query, keep_blank_values=True):
            if not _kept(name, value, have):
                yield f"{name}={have.get(name)}, recorded {value}"


def _kept(name: str, value: str, have: dict[str, str]) -> bool:
    """Whether a recorded parameter of a page link is in the given link too."""
    if name in _DATE_FILTERS:
        return value[:10] in have.get(name, value) or value.startswith(_WINDOW)
    if name in _KEPT_IN_LINKS:
        return have.get(name, "1" if name == "page" else None) == value
    return True


def _of_one_type(recorded: Any, given: Any) -> bool:
    if isinstance(recorded, bool) or isinstance(given, bool):
        return isinstance(recorded, bool) and isinstance(given, bool)
    if isinstance(recorded, int | float):
        return isinstance(given, int | float)
    return type(recorded) is type(given)


def _equal(recorded: Any, given: Any) -> bool:
    return bool(recorded == given)


def _same_slug(recorded: str, given: str) -> bool:
    return bare_slug(recorded) == bare_slug(given)


def _both_or_none(recorded: str, given: str) -> bool:
    return bool(recorded) == bool(given)


def _is_date_and_time(_recorded: str, given: str) -> bool:
    return _DATE_AND_TIME.fullmatch(given) is not None


def _same_words(recorded: str, given: str) -> bool:
    # Where a text is an address of the reference's site, the service has its own.
    return REFERENCE_SITE in recorded or words(recorded) == words(given)


def _both(recorded: Any, given: Any) -> str:
    """Show both values, cut to what helps the reader."""
    shown, wanted = (json.dumps(value, ensure_ascii=False)[:80] for value in (given, recorded))
    return f"{shown}, recorded {wanted}"

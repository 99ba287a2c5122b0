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
    """Compares scalar values; with ``terms``, ids are those of terms."""

    def __init__(self, numbering: Numbering, addresses: Addresses, *, terms: bool) -> None:
        self._numbering = numbering
        self._addresses = addresses
        self._terms = terms

    def differences(self, key: str, recorded: Any, actual: Any) -> Iterator[str]:
        """Yield a message for each difference."""
        if not _of_one_type(recorded, actual):
            yield _both(recorded, actual)
        elif key in _PAGE_LINKS:
            yield from self._links(recorded, actual)
        elif not self._rule_of(key, recorded)(recorded, actual):
            yield _both(recorded, actual)

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

    def _same_record(self, recorded: int, actual: int) -> bool:
        return self._numbering.id_of(recorded, terms=self._terms) == actual

    def _same_term(self, recorded: int, actual: int) -> bool:
        return self._numbering.id_of(recorded, terms=True) == actual

    def _same_term_link(self, recorded: str, actual: str) -> bool:
        return self._addresses.recorded(recorded, terms=True) == self._addresses.actual(actual)

    def _links(self, recorded: str, actual: str) -> Iterator[str]:
        path, there = (
            self._addresses.recorded(recorded, terms=False),
            self._addresses.actual(actual),
        )
        if path != there:
            yield f"path {there}, recorded {path}"
        have = dict(parse_qsl(urlsplit(actual).query, keep_blank_values=True))
        for name, value in parse_qsl(urlsplit(recorded).query, keep_blank_values=True):
            if not _is_in_link(name, value, have):
                yield f"{name}={have.get(name)}, recorded {value}"


def _is_in_link(name: str, value: str, have: dict[str, str]) -> bool:
    """Whether a recorded parameter of a page link is in the actual link too."""
    if name in _DATE_FILTERS:
        return value[:10] in have.get(name, value) or value.startswith(_WINDOW)
    if name in _KEPT_IN_LINKS:
        return have.get(name, "1" if name == "page" else None) == value
    return True


def _of_one_type(recorded: Any, actual: Any) -> bool:
    if isinstance(recorded, bool) or isinstance(actual, bool):
        return isinstance(recorded, bool) and isinstance(actual, bool)
    if isinstance(recorded, int | float):
        return isinstance(actual, int | float)
    return type(recorded) is type(actual)


def _equal(recorded: Any, actual: Any) -> bool:
    return bool(recorded == actual)


def _same_slug(recorded: str, actual: str) -> bool:
    return bare_slug(recorded) == bare_slug(actual)


def _both_or_none(recorded: str, actual: str) -> bool:
    return bool(recorded) == bool(actual)


def _is_date_and_time(_recorded: str, actual: str) -> bool:
    return _DATE_AND_TIME.fullmatch(actual) is not None


def _same_words(recorded: str, actual: str) -> bool:
    # Where a text is an address of the reference's site, the service has its own.
    return REFERENCE_SITE in recorded or words(recorded) == words(actual)


def _both(recorded: Any, actual: Any) -> str:
    """Return a message with both values, cut to 80 characters."""
    actual_json, recorded_json = (
        json.dumps(value, ensure_ascii=False)[:80] for value in (actual, recorded)
    )
    return f"{actual_json}, recorded {recorded_json}"

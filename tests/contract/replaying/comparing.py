"""Compare a response with the recorded one.

Of an error: status, code, ``data.status`` and the names in ``data.params``. Of a success: every key
of the recorded body, with a value of the same JSON type and the same content; more keys are fine.
Of either: the methods that the caller is allowed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from replaying.plain import Addresses
from replaying.recording import Exchange
from replaying.renumbering import Numbering
from replaying.sending import Answer
from replaying.values import ValueComparer

_TOTALS = ("X-TEC-Total", "X-TEC-TotalPages")
# Told before anybody is asked who calls, so what they may do is not known.
_UNSUPPORTED = 415
# What only WordPress has, and what no two services have in common.
_IGNORED = frozenset(
    {"_links", "meta", "term_group", "term_taxonomy_id", "filter", "taxonomy", "path"}
    | {"modified", "modified_utc", "json_ld", "currency_code", "filesize", "sizes"}
    | {"global_id", "global_id_lineage"}
)
# What depends on how many records there are.
_COUNTED = frozenset({"total", "total_pages", "rest_url", "next_rest_url", "previous_rest_url"})
_COLLECTIONS = frozenset({"events", "venues", "organizers", "categories", "tags"})
_TAXONOMIES = frozenset({"categories", "tags"})
# Lists of records, which may have been reached through a term's own route.
_LISTS_OF_RECORDS = frozenset({"events", "venues", "organizers"})


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that differs: ``at`` is its path in the body, or ``header X-TEC-Total``."""

    at: str
    message: str

    def __str__(self) -> str:
        return f"{self.at}: {self.message}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Compares one answer with the recorded one.

    ``apart`` says that both services may hold different records by now; then totals, counts and
    which records a list holds are not compared.
    """

    exchange: Exchange
    numbering: Numbering
    addresses: Addresses
    apart: bool

    def differences(self, answer: Answer) -> list[Difference]:
        """Return the differences, none if the responses agree."""
        recorded = self.exchange.answer
        if answer.status != self.exchange.status:
            pair = f"{_code(answer.body)}, recorded {self.exchange.status} {_code(recorded)}"
            return [Difference("status", f"{answer.status} {pair}")]
        if self.exchange.method == "HEAD" or recorded is None:
            return []
        header_differences = list(self._headers(answer))
        if answer.status >= 400:
            return header_differences + list(error_differences(recorded, answer.body))
        body = self._any(recorded, answer.body, "", terms=self.exchange.on_terms)
        return header_differences + list(body)

    def _headers(self, answer: Answer) -> Iterator[Difference]:
        for name in () if self.apart else _TOTALS:
            recorded = self.exchange.receiving.get(name.lower())
            actual = answer.headers.get(name)
            if recorded not in (None, actual):
                yield Difference(f"header {name}", f"{actual}, recorded {recorded}")
        allowed, actual = self.exchange.receiving.get("allow"), answer.headers.get("Allow", "")
        comparable = allowed is not None and answer.status != _UNSUPPORTED
        if comparable and _methods(allowed) != _methods(actual):
            yield Difference("header Allow", f"{actual}, recorded {allowed}")

    def _any(self, recorded: Any, actual: Any, at: str, *, terms: bool) -> Iterator[Difference]:
        key = at.rsplit(".", 1)[-1].partition("[")[0]
        if key in _IGNORED:
            return
        if isinstance(recorded, dict):
            yield from self._objects(recorded, actual, at, terms=terms)
        elif isinstance(recorded, list):
            yield from self._lists(recorded, actual, at, terms=terms)
        else:
            values = ValueComparer(self.numbering, self.addresses, terms=terms)
            for message in values.differences(key, recorded, actual):
                yield Difference(at, message)

    def _objects(
        self, recorded: dict[str, Any], actual: Any, at: str, *, terms: bool
    ) -> Iterator[Difference]:
        if not isinstance(actual, dict):
            yield Difference(at or "body", f"{type(actual).__name__}, recorded an object")
            return
        if self._is_out_of_reach(recorded):
            return
        for name, value in recorded.items():
            if name in _IGNORED or self._is_passed_over(name, at):
                continue
            where = f"{at}.{name}" if at else name
            if name not in actual:
                yield Difference(where, "missing")
            else:
                of_terms = name in _TAXONOMIES or (terms and name not in _LISTS_OF_RECORDS)
                yield from self._any(value, actual[name], where, terms=of_terms)

    def _is_out_of_reach(self, recorded: dict[str, Any]) -> bool:
        is_linked = "title" not in recorded and ("venue" in recorded or "organizer" in recorded)
        number = recorded.get("id")
        return is_linked and isinstance(number, int) and number in self.numbering.out_of_reach

    def _is_passed_over(self, name: str, at: str) -> bool:
        if self.apart and (name == "count" or (not at and name in _COUNTED)):
            return True
        spoken_of = self.exchange.fields_of_update
        if at or spoken_of is None or name in ("id", "title", "slug"):
            return False
        # The reference resets what an update does not speak of.
        return not any(sent in name for sent in spoken_of)

    def _lists(
        self, recorded: list[Any], actual: Any, at: str, *, terms: bool
    ) -> Iterator[Difference]:
        if not isinstance(actual, list):
            if recorded or actual != {}:
                yield Difference(at, f"{type(actual).__name__}, recorded a list")
            return
        if self.apart and at in _COLLECTIONS and "total" in self.exchange.answer:
            return
        if wrong := self._wrong_members(recorded, actual, at, terms=terms):
            yield wrong
            return
        for i, (recorded_item, actual_item) in enumerate(zip(recorded, actual, strict=True)):
            yield from self._any(recorded_item, actual_item, f"{at}[{i}]", terms=terms)

    def _wrong_members(
        self, recorded: list[Any], actual: list[Any], at: str, *, terms: bool
    ) -> Difference | None:
        if all(isinstance(member, dict) and "id" in member for member in recorded + actual):
            expected_ids = [self.numbering.id_of(member["id"], terms=terms) for member in recorded]
            actual_ids = [member["id"] for member in actual]
            if expected_ids == actual_ids:
                return None
            order = " (order)" if sorted(expected_ids) == sorted(actual_ids) else ""
            return Difference(f"{at} ids{order}", f"{actual_ids}, recorded {expected_ids}")
        if len(recorded) != len(actual):
            return Difference(at, f"{len(actual)} items, recorded {len(recorded)}")
        return None


def error_differences(recorded: Any, actual: Any) -> Iterator[Difference]:
    """Compare the bodies of two errors of the same status."""
    if not isinstance(actual, dict):
        yield Difference("body", f"{type(actual).__name__}, recorded an error")
        return
    if actual.get("code") != recorded.get("code"):
        yield Difference("code", f"{actual.get('code')}, recorded {recorded.get('code')}")
    if not (isinstance(actual.get("message"), str) and actual["message"]):
        yield Difference("message", "missing")
    recorded_data, actual_data = recorded.get("data"), actual.get("data") or {}
    if not isinstance(recorded_data, dict):
        return
    if recorded_data.get("status") != actual_data.get("status"):
        yield Difference(
            "data.status", f"{actual_data.get('status')}, recorded {recorded_data.get('status')}"
        )
    names, actual_names = (
        sorted(recorded_data.get("params") or []),
        sorted(actual_data.get("params") or []),
    )
    if names and names != actual_names:
        yield Difference("data.params", f"{actual_names}, recorded {names}")
    if _stage(recorded_data) != _stage(actual_data):
        yield Difference("data.details", f"{_stage(actual_data)}, recorded {_stage(recorded_data)}")


def _stage(data: dict[str, Any]) -> str:
    """Return the stage of a refusal: of the validator, or of the type behind it."""
    return "type" if isinstance(data.get("details"), dict) else "validator"


def _methods(listed: str) -> set[str]:
    return set(listed.split(", "))


def _code(body: Any) -> str:
    return f"({body.get('code')})" if isinstance(body, dict) else "(no object)"

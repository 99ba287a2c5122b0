"""A list of sources: which of them are new, which change, and which stay as they are."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calendar_app.domain.kind import Record
from calendar_app.errors import InvalidParameters, Message
from calendar_app.sources.source import Source, identity_of

ADDED, CHANGED, UNCHANGED = "added", "changed", "unchanged"
_OF_IDENTITY = ("kind", "address", "name")
_TWICE = Message("The same source is in line {line}.")

Check = Callable[[Record, Source | None], Source]


@dataclass(frozen=True, slots=True)
class ListedSource:
    """One row: its line, and the settings in it."""

    line: int
    values: Mapping[str, Any]

    @property
    def identity(self) -> str:
        return identity_of(*(str(self.values.get(name, "")) for name in _OF_IDENTITY))


@dataclass(frozen=True, slots=True)
class ListedOutcome:
    """The outcome of a row: the source that it makes, and the settings that change."""

    outcome: str
    source: Source
    fields: Sequence[str] = ()


def plan_list(
    rows: Iterable[ListedSource], existing: Iterable[Source], check: Check
) -> list[ListedOutcome]:
    """Return the outcome of each row; raise ``InvalidParameters`` naming all wrong lines."""
    present = {identity_of(each.kind, each.address, each.name): each for each in existing}
    lines: dict[str, int] = {}
    outcomes: list[ListedOutcome] = []
    reasons: dict[str, str] = {}
    for row in rows:
        if row.identity in lines:
            reason = Message(_TWICE.pattern, line=lines[row.identity])
            reasons[f"line {row.line}"] = reason
            continue
        lines[row.identity] = row.line
        try:
            outcomes.append(_outcome(row, present.get(row.identity), check))
        except InvalidParameters as error:
            reasons |= {f"line {row.line}, {name}": why for name, why in error.reasons.items()}
    if reasons:
        raise InvalidParameters(reasons)
    return outcomes


def _outcome(row: ListedSource, before: Source | None, check: Check) -> ListedOutcome:
    values = dict(row.values)
    if before is None:
        return ListedOutcome(ADDED, check(values, None))
    stored = before.document
    for name, value in values.items():
        if isinstance(value, Mapping):
            values[name] = {**stored.get(name, {}), **value}
    after = check(values, before)
    changed = sorted(name for name in values if after.document[name] != stored[name])
    return ListedOutcome(CHANGED if changed else UNCHANGED, after, changed)

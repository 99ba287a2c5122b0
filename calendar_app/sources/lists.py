"""A list of sources: which of them are new, which change, and which stay as they are."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calendar_app.domain.kind import Record
from calendar_app.errors import InvalidParameters, Message
from calendar_app.sources.source import Source

ADDED, CHANGED, UNCHANGED = "added", "changed", "unchanged"
_TWICE = Message("The same source stands in line {line}.")

Check = Callable[[Record, Source | None], Source]


@dataclass(frozen=True, slots=True)
class ListedSource:
    """One row: its line, and the settings in it."""

    line: int
    values: Mapping[str, Any]

    @property
    def identity(self) -> tuple[str, str]:
        """Return by what a source is known again: its address, else its name."""
        kind, address = str(self.values.get("kind", "")), str(self.values.get("address", ""))
        return kind, address.strip() or str(self.values.get("name", "")).strip()


@dataclass(frozen=True, slots=True)
class ListedOutcome:
    """What becomes of a row: the source that it makes, and the settings that change."""

    outcome: str
    source: Source
    fields: Sequence[str] = ()


def plan_list(
    rows: Iterable[ListedSource], existing: Iterable[Source], check: Check
) -> list[ListedOutcome]:
    """Return what becomes of each row; raise ``InvalidParameters`` naming all wrong lines."""
    known = {(each.kind, each.address or each.name): each for each in existing}
    lines: dict[tuple[str, str], int] = {}
    outcomes: list[ListedOutcome] = []
    reasons: dict[str, str] = {}
    for row in rows:
        if row.identity in lines:
            reason = Message(_TWICE.pattern, line=lines[row.identity])
            reasons[f"line {row.line}"] = reason
            continue
        lines[row.identity] = row.line
        try:
            outcomes.append(_outcome(row, known.get(row.identity), check))
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

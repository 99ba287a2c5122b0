"""Let MongoDB explain the commands that the service sends."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bson import CodecOptions, DatetimeConversion
from pymongo import monitoring
from pymongo.database import Database

_READING = ("find", "aggregate", "count")
_LEFT_OUT = ("lsid", "txnNumber", "readConcern", "maxTimeMS")
_EVENTS = "events"
_COUNTS = ("$group", "$count")


class Commands(monitoring.CommandListener):
    """Record the commands that read events, in the order in which they were sent.

    A total that goes along with a question about others is kept as a command of its own.
    """

    def __init__(self) -> None:
        self.sent: list[Mapping[str, Any]] = []

    def started(self, event: monitoring.CommandStartedEvent) -> None:
        if event.command_name not in _READING:
            return
        if event.command[event.command_name] == _EVENTS:
            self.sent.append(dict(event.command))
            return
        for stage in event.command.get("pipeline", ()):
            along = stage.get("$unionWith", {})
            if along.get("coll") == _EVENTS and _is_counting(along["pipeline"]):
                alone = {"aggregate": _EVENTS, "pipeline": along["pipeline"], "cursor": {}}
                self.sent.append({**event.command, **alone})

    def succeeded(self, event: monitoring.CommandSucceededEvent) -> None:
        """Nothing is kept of answers."""

    def failed(self, event: monitoring.CommandFailedEvent) -> None:
        """Nothing is kept of failures."""


@dataclass(frozen=True, slots=True)
class Examined:
    """Index names, and numbers of keys and documents that a command examined."""

    indexes: tuple[str, ...]
    keys: int
    documents: int
    counting: bool

    def per(self, records: int) -> tuple[float, float]:
        """Return keys and documents for each of so many records."""
        return self.keys / max(records, 1), self.documents / max(records, 1)


def explained(
    database: Database[Any], commands: Commands, ask: Callable[[], object]
) -> list[Examined]:
    """Run ``ask`` and explain the commands it sends; ``commands`` must listen."""
    commands.sent.clear()
    ask()
    sent = list(commands.sent)
    return [_examined(database, command) for command in sent]


def _examined(database: Database[Any], command: Mapping[str, Any]) -> Examined:
    query = {name: value for name, value in command.items() if _is_explainable(name)}
    # Bounds of an index may lie outside the years that Python knows.
    options: CodecOptions[Any] = CodecOptions(datetime_conversion=DatetimeConversion.DATETIME_CLAMP)
    plan = database.command("explain", query, verbosity="executionStats", codec_options=options)
    statistics = list(_statistics(plan))
    return Examined(
        indexes=tuple(dict.fromkeys(_indexes(plan))),
        keys=sum(part["totalKeysExamined"] for part in statistics),
        documents=sum(part["totalDocsExamined"] for part in statistics),
        counting=_is_counting(query.get("pipeline", ())),
    )


def _is_counting(pipeline: Sequence[Mapping[str, Any]]) -> bool:
    stages = [name for stage in pipeline for name in stage]
    return any(name in stages for name in _COUNTS) and "$limit" not in stages


def _is_explainable(name: str) -> bool:
    return not name.startswith("$") and name not in _LEFT_OUT


def _statistics(plan: Any) -> Iterator[Mapping[str, int]]:
    """Yield the statistics of each part of a plan, look-ups included."""
    for part in _parts(plan):
        if "totalKeysExamined" in part:
            yield part


def _indexes(plan: Any) -> Iterator[str]:
    for part in _parts(plan):
        if part.get("stage") == "COLLSCAN":
            yield "(none)"
        elif "indexName" in part and "stage" in part:
            yield part["indexName"]


def _parts(plan: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the nodes of the winning plan."""
    if isinstance(plan, dict):
        yield plan
        for name, value in plan.items():
            if name not in ("rejectedPlans", "allPlansExecution", "queryPlanner", "command"):
                yield from _parts(value)
    elif isinstance(plan, list):
        for part in plan:
            yield from _parts(part)

"""How far the translation of the calendar has come."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from calendar_app.domain.kind import Kind
from calendar_app.domain.statuses import TRASH
from calendar_app.domain.translations import CURRENT, OUTDATED
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import differs
from calendar_app.query.stages import counted


@dataclass(frozen=True, slots=True)
class Progress:
    """How many records of a kind stand how in a language."""

    language: str
    kind: str
    current: int
    outdated: int
    missing: int


def progress(store: Store, kinds: Iterable[Kind], languages: Sequence[str]) -> Iterator[Progress]:
    """Count the records by language and kind, except trashed ones."""
    standings = {
        f"{language} {standing}": (f"standing.{language}", standing)
        for language in languages
        for standing in (CURRENT, OUTDATED)
    }
    stages = counted(differs("status", TRASH), standings)
    for kind in kinds:
        counts = next(iter(store.of(kind).aggregate(stages)), {})
        for language in languages:
            current, outdated = (
                int(counts.get(f"{language} {standing}", 0)) for standing in (CURRENT, OUTDATED)
            )
            missing = int(counts.get("total", 0)) - current - outdated
            yield Progress(language, kind.name, current, outdated, missing)

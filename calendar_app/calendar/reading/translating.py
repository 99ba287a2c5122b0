"""How far the translation of the calendar has come."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from calendar_app.domain.kind import Index, Kind
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


def standing_indexes(kind: Kind, languages: Iterable[str]) -> tuple[Index, ...]:
    """Return the indexes that find records waiting for a translation: one per language."""
    order: tuple[tuple[str, int], ...] = (("_id", -1), *((("status", 1),) * kind.has_status))
    if kind.fed:
        order = (("end_local", 1), ("_id", 1), ("status", 1))
    return tuple(
        Index(
            ((f"standing.{language}", 1), *order),
            f"translation_status: what is missing or outdated in {language}",
            deferred=True,
        )
        for language in languages
    )


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

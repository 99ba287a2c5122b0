"""Languages of the stored texts: how far translations have come, and which have no setting."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from calendar_app.domain.kind import Index, Kind
from calendar_app.domain.ledger import UNREVIEWED
from calendar_app.domain.statuses import TRASH
from calendar_app.domain.translations import CURRENT, OUTDATED
from calendar_app.errors import ConfigurationError
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import differs
from calendar_app.storage.query.languages import elsewhere, has_slug_in
from calendar_app.storage.query.stages import counted

# How far the translation of the calendar has come.


@dataclass(frozen=True, slots=True)
class TranslationProgress:
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
        order = (("end_local", 1), ("_id", 1), ("status", 1), ("series", 1))
    waiting = Index(
        ((UNREVIEWED, 1), *order),
        "translation_state=unreviewed: what nobody has checked",
        having=UNREVIEWED,
    )
    of_languages = (
        Index(
            ((f"standing.{language}", 1), *order),
            f"translation_status: what is missing or outdated in {language}",
            deferred=True,
        )
        for language in languages
    )
    return (waiting, *of_languages)


def progress(
    store: Store, kinds: Iterable[Kind], languages: Sequence[str]
) -> Iterator[TranslationProgress]:
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
            yield TranslationProgress(language, kind.name, current, outdated, missing)


# Languages of stored texts that the settings do not name.
#
# They come from a setting that has been changed: of a language that was given up nothing is
# shown, and of one that is spelled otherwise as little.

_REGION, _SCRIPT = 2, 4


@dataclass(frozen=True, slots=True)
class UnconfiguredLanguage:
    """How many records of a kind have texts in a language that is none of the site.

    ``alone`` of them have texts in none of the site's; ``first`` is the least id of these.
    """

    language: str
    kind: str
    records: int
    alone: int
    first: int | None


def unconfigured_languages(
    store: Store, kinds: Iterable[Kind], languages: Sequence[str]
) -> Iterator[UnconfiguredLanguage]:
    """Yield the unconfigured languages of each kind; trashed records are left out.

    A record without any text of the site's languages is listed with nothing to read.
    """
    for kind in kinds:
        for row in store.of(kind).aggregate(elsewhere(languages, TRASH)):
            counts = (row["records"], row["alone"], row["first"])
            yield UnconfiguredLanguage(row["_id"], kind.name, *counts)


def require_same_spelling(store: Store, kinds: Sequence[Kind], languages: Sequence[str]) -> None:
    """Refuse a language that is stored under another letter case only.

    None of them would be shown, and the next write would begin a second language beside it.
    """
    for language in languages:
        if not _is_written(store, kinds, language):
            for spelling in _other_spellings(language):
                if _is_written(store, kinds, spelling):
                    raise ConfigurationError(
                        f"The setting languages has {language}, and the texts of records are in "
                        f"{spelling}; write the code as it was."
                    )


def _is_written(store: Store, kinds: Iterable[Kind], language: str) -> bool:
    clause = has_slug_in(language)
    return any(store.of(kind).first(clause, ["_id"]) is not None for kind in kinds)


def _other_spellings(language: str) -> list[str]:
    """Return other letter cases of a language code (RFC 5646 section 2.1.1)."""
    first, *subtags = language.lower().split("-")
    usual = "-".join([first, *map(_usual_case, subtags)])
    return sorted({usual, language.lower(), language.upper()} - {language})


def _usual_case(subtag: str) -> str:
    return {_REGION: subtag.upper(), _SCRIPT: subtag.title()}.get(len(subtag), subtag)

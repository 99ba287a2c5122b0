"""Invented records in two languages, as the changes that create them; the same at each run."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, time, timedelta
from random import Random
from typing import Any

from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.moments import Moment
from calendar_app.resources.kinds import CATEGORY, EVENT, ORGANIZER, TAG, VENUE

LANGUAGES = ("de", "rm")
_SEED = 1816
_DAYS = 2 * 365
_PARAGRAPHS, _WORDS = 2, 40
_VOCABULARY = 3000
_SYLLABLES = ("ba", "der", "fil", "gon", "hut", "kar", "len", "mis", "nop", "rut", "sal", "tem")

Ids = Mapping[str, Sequence[int]]


class Invention:
    """Makes up records, one after the other, from today on."""

    def __init__(self) -> None:
        self._random = Random(_SEED)  # noqa: S311 - nothing secret, and the same at each run
        self._today = datetime.combine(datetime.now(UTC).date(), time.min)
        self.words = ["".join(self._some(_SYLLABLES, 2, 4)) for _ in range(_VOCABULARY)]

    def linked(self, kind: Kind, number: int) -> Record:
        """Return a venue, an organizer or a term."""
        changes: Record = {"variants": self._variants({kind.label: f"{kind.singular} {number}"})}
        if kind is VENUE:
            changes["geo"] = (self._random.uniform(46, 47), self._random.uniform(9, 10))
        return changes

    def event(self, ids: Ids, number: int) -> Record:
        """Return an event that links to some of the records of ``ids``."""
        start = self._today + timedelta(
            days=self._random.randrange(_DAYS), hours=self._random.randrange(8, 21)
        )
        return {
            "variants": self._variants({EVENT.label: f"event {number}"}),
            "status": "publish",
            "start": Moment(start),
            "end": Moment(start + timedelta(hours=2)),
            "venues": self._some(ids[VENUE.name], 1, 1),
            "organizers": self._some(ids[ORGANIZER.name], 1, 2),
            "categories": self._some(ids[CATEGORY.name], 1, 2),
            "tags": self._some(ids[TAG.name], 1, 3),
        }

    def _variants(self, names: Mapping[str, str]) -> dict[str, dict[str, str]]:
        """Return texts in every language: the names with a word or two behind, a description."""
        return {
            language: {
                **{field: f"{name} {self._text(2)}" for field, name in names.items()},
                "description": "".join(f"<p>{self._text(_WORDS)}.</p>" for _ in range(_PARAGRAPHS)),
            }
            for language in LANGUAGES
        }

    def _text(self, length: int) -> str:
        return " ".join(self._random.choices(self.words, k=length))

    def _some(self, of: Sequence[Any], least: int, most: int) -> list[Any]:
        return self._random.sample(of, self._random.randint(least, most))

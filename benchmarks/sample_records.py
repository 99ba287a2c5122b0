"""Invented records in two languages, as the changes that create them; the same at each run."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, time, timedelta
from random import Random
from typing import Any

from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import CATEGORY, ORGANIZER, TAG, VENUE
from calendar_app.domain.moments import Moment

LANGUAGES = ("de", "rm")
_SEED = 1816
_DAYS = 2 * 365
_PARAGRAPHS, _WORDS, _EXCERPT = 2, 40, 12
_VOCABULARY = 3000
_SYLLABLES = ("ba", "der", "fil", "gon", "hut", "kar", "len", "mis", "nop", "rut", "sal", "tem")

Ids = Mapping[str, Sequence[int]]


class SampleRecords:
    """Makes up records, one after the other, from today on."""

    def __init__(self) -> None:
        self._random = Random(_SEED)  # noqa: S311 - nothing secret, and the same at each run
        self._today = datetime.combine(datetime.now(UTC).date(), time.min)
        self.words = ["".join(self._sample(_SYLLABLES, 2, 3)) for _ in range(_VOCABULARY)]

    def linked(self, kind: Kind, number: int) -> Record:
        """Return a venue, an organizer or a term."""
        name = {kind.label: f"{kind.singular} {number}"}
        if kind not in (VENUE, ORGANIZER):
            return {"variants": dict.fromkeys(LANGUAGES, name)}
        texts = name | {"website": f"https://{kind.singular}{number}.example/"}
        if kind is VENUE:
            texts |= {"address": f"Street {number}", "city": "Chur", "country": "Switzerland"}
        return {"variants": dict.fromkeys(LANGUAGES, texts), "phone": f"+41 81 {number:07}"}

    def event(self, ids: Ids, number: int) -> Record:
        """Return an event that links to some of the records of ``ids``."""
        start = self._today + timedelta(
            days=self._random.randrange(_DAYS), hours=self._random.randrange(8, 21)
        )
        return {
            "variants": {language: self._texts(number) for language in LANGUAGES},
            "status": "publish",
            "start": Moment(start),
            "end": Moment(start + timedelta(hours=2)),
            "venues": self._sample(ids[VENUE.name], 1, 1),
            "organizers": self._sample(ids[ORGANIZER.name], 1, 1),
            "categories": self._sample(ids[CATEGORY.name], 1, 2),
            "tags": self._sample(ids[TAG.name], 1, 3),
        }

    def _texts(self, number: int) -> dict[str, str]:
        paragraphs = [f"<p>{self._text(_WORDS)}.</p>" for _ in range(_PARAGRAPHS)]
        return {
            "title": f"{self._text(2)} {number}",
            "description": "".join(paragraphs),
            "excerpt": f"<p>{self._text(_EXCERPT)}.</p>",
        }

    def _text(self, length: int) -> str:
        return " ".join(self._random.choices(self.words, k=length))

    def _sample(self, values: Sequence[Any], least: int, most: int) -> list[Any]:
        return self._random.sample(values, self._random.randint(least, most))

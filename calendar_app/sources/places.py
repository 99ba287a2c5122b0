"""Venues as a source names them, with each part of the address in a field of its own.

Calendars have one line for a place: its name, and behind a comma perhaps a street, a town or both.
A place of which no town is said lies in the ``town`` of its source.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from calendar_app.domain.kind import Record
from calendar_app.domain.postal import parse_line
from calendar_app.domain.words import fold
from calendar_app.sources.source import SOURCES
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import differs

# A street with its number, such as "Via Nova 3" or "Plaz 12a".
_NUMBERED = re.compile(r"[^\d,]+ \d+ ?[a-z]?", re.IGNORECASE)
# A part of a building with its number, such as "Saal 2" or "Salle 12a", which is no street.
_ROOM = re.compile(
    r"(?:\w*(?:saal|raum|zimmer)|halle|stock|etage|geschoss|bühne|foyer"
    r"|room|hall|floor|stage|salle|étage|scène|sala|aula|stanza|piano|palco|plaun)"
    r"\W+\d+ ?[a-z]?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Towns:
    """The town of a source, and the folded ``names`` of those of all sources."""

    own: str = ""
    names: Collection[str] = ()

    def place(self, venue: Record) -> Record:
        """Return a venue with its address in parts, and with a town where that is certain."""
        placed = {**venue, "variants": {}}
        for language, texts in venue["variants"].items():
            placed["variants"][language] = self._in_parts(placed, self._with_address(venue, texts))
        if self.own and not self._may_say_town(placed):
            for texts in placed["variants"].values():
                texts["city"] = self.own
        return placed

    def _with_address(self, venue: Record, texts: Record) -> Record:
        """Return the texts of a venue with the address that stands in its name, if it has none."""
        name, comma, rest = str(texts.get("venue") or "").partition(", ")
        says_more = venue.get("zip") or texts.get("address") or texts.get("city")
        is_street = _NUMBERED.fullmatch(rest) and not _ROOM.fullmatch(rest)
        if not comma or says_more or not (is_street or self._has_town(rest)):
            return texts
        return {**texts, "venue": name, "address": rest}

    def _has_town(self, line: str) -> bool:
        return parse_line(line) is not None or self._is_town(line.rpartition(",")[2])

    def _in_parts(self, venue: Record, texts: Record) -> Record:
        """Return the texts of a venue with the town of its address apart, and set its zip."""
        line = str(texts.get("address") or "")
        if not line or texts.get("city"):
            return dict(texts)
        rest = {name: text for name, text in texts.items() if name != "address"}
        parts = parse_line(line)
        if parts is None:
            street, _, last = line.rpartition(",")
            if not self._is_town(last):
                return dict(texts)
            return rest | _nonempty(address=street.strip(), city=last.strip())
        venue["zip"] = venue.get("zip") or parts.zip
        country = texts.get("country") or parts.country
        return rest | _nonempty(address=parts.street, city=parts.town, country=country)

    def _is_town(self, text: str) -> bool:
        folded = fold(text.strip())
        return bool(folded) and (folded in self.names or folded == fold(self.own))

    @staticmethod
    def _may_say_town(venue: Record) -> bool:
        """Say whether a venue names a town, or may do so: by a zip, or a line without a number.

        A name such as "Kirche, Sent" has such a line behind its comma.
        """
        texts = venue["variants"].values()
        names = [str(own.get("venue") or "").partition(", ")[2] for own in texts]
        lines = [*names, *(str(own.get("address") or "") for own in texts)]
        unnumbered = any(line and not any(map(str.isdecimal, line)) for line in lines)
        return bool(unnumbered or venue.get("zip") or any(own.get("city") for own in texts))


def town_names(store: Store) -> frozenset[str]:
    """Return the folded towns of all sources: what a line calls so is no street."""
    sources = store[SOURCES].find(differs("town", ""), fields=["town"])
    return frozenset(fold(each["town"]) for each in sources if each.get("town"))


def _nonempty(**texts: Any) -> Record:
    return {name: text for name, text in texts.items() if text}

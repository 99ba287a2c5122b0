"""The ids and slugs of the reference in terms of the service at hand, learned on the way.

Where the reference created record 7 and the service created 12, every later 7 is sent, and
expected, as 12. Terms are numbered apart from all other records.
"""

import re
from dataclasses import dataclass, field
from typing import Any

from replaying.recording import Exchange

_NUMBERS = re.compile(r"\s*-?\d+(\s*,\s*-?\d+)*\s*,?")
_LONE_NUMBER = re.compile(r"(?<![\w-])\d+(?![\w-])")
# The reference's fixture gave these two passwords, which the interface cannot.
_OUT_OF_REACH = ("fixture/v_pw", "fixture/o_pw")


@dataclass(slots=True)
class Numbering:
    """Ids of records, ids of terms and slugs: from the reference's to those of the service."""

    records: dict[int, int] = field(default_factory=dict)
    terms: dict[int, int] = field(default_factory=dict)
    slugs: dict[str, str] = field(default_factory=dict)
    out_of_reach: set[int] = field(default_factory=set)

    def id_of(self, number: int, *, terms: bool = False) -> int:
        """Return the service's id for the reference's, or the same if it is unknown."""
        return (self.terms if terms else self.records).get(number, number)

    def digits(self, text: str, *, terms: bool = False) -> str:
        """Renumber a text of digits and leave its leading zeros."""
        zeros = len(text) - len(text.lstrip("0"))
        return text[:zeros] + str(self.id_of(int(text), terms=terms)) if text[zeros:] else text

    def lone_numbers(self, text: str) -> str:
        """Renumber the term ids that stand between slugs and names."""
        return _LONE_NUMBER.sub(lambda match: self.digits(match[0], terms=True), text)

    def value(self, sent: Any, *, terms: bool = False) -> Any:
        """Renumber the ids in a field:ids, csv of ids, lists, objects."""
        match sent:
            case int() if not isinstance(sent, bool):
                return self.id_of(sent, terms=terms)
            case str() if _NUMBERS.fullmatch(sent):
                return re.sub(r"\d+", lambda match: self.digits(match[0], terms=terms), sent)
            case str() if "," in sent:
                return ",".join(self.value(part, terms=terms) for part in sent.split(","))
            case list():
                return [self.value(part, terms=terms) for part in sent]
            case {"id": number, **fields}:
                return fields | {"id": self.value(number, terms=terms)}
        return sent

    def learn(self, exchange: Exchange, answer: Any) -> None:
        """Add the ids of an answer to the numbering."""
        recorded = exchange.answer
        if exchange.status not in (200, 201) or not isinstance(recorded, dict):
            return
        self._learn(recorded, answer, terms=exchange.on_terms)
        if exchange.name in _OUT_OF_REACH:
            self.out_of_reach.add(recorded["id"])
        if exchange.method in ("POST", "PUT", "PATCH") and isinstance(answer, dict):
            slug, answered_slug = recorded.get("slug"), answer.get("slug")
            if slug and answered_slug:
                self.slugs[slug] = answered_slug

    def _learn(self, recorded: Any, answer: Any, *, terms: bool = False) -> None:
        if not (isinstance(recorded, dict) and isinstance(answer, dict)):
            return
        if isinstance(recorded.get("id"), int) and isinstance(answer.get("id"), int):
            ids = self.terms if terms else self.records
            ids.setdefault(recorded["id"], answer["id"])
        for taxonomy in ("categories", "tags"):
            self._learn_terms(recorded.get(taxonomy), answer.get(taxonomy))
        self._learn(recorded.get("venue"), answer.get("venue"))
        self._learn(recorded.get("image"), answer.get("image"))
        organizers, answered_organizers = recorded.get("organizer"), answer.get("organizer")
        if isinstance(organizers, list) and isinstance(answered_organizers, list):
            for recorded_organizer, organizer in zip(organizers, answered_organizers, strict=False):
                self._learn(recorded_organizer, organizer)

    def _learn_terms(self, recorded: Any, answer: Any) -> None:
        if isinstance(recorded, list) and isinstance(answer, list):
            by_slug = {term.get("slug"): term for term in answer if isinstance(term, dict)}
            for term in recorded:
                self._learn(term, by_slug.get(term.get("slug")), terms=True)

"""The rules of a source: which of its events come in how. The first rule that matches decides."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calendar_app.domain.words import fold
from calendar_app.sources.calendar_events import CalendarEvent
from calendar_app.sources.filters import venue_texts

PICTURE, PLACE, TEXT = "picture", "place", "text"
# What an event can have or lack, beside a title in one of the languages.
PARTS = (PICTURE, PLACE, TEXT)
_TEXTS = ("description", "excerpt")


@dataclass(frozen=True, slots=True)
class Decision:
    """The fate of one event: ``rule`` is the number of the rule that decides, 0 for none.

    Empty values leave everything else to the settings of the source.
    """

    rule: int = 0
    status: str = ""
    categories: Sequence[int] = ()
    tags: Sequence[int] = ()
    featured: bool | None = None
    leave_out: bool = False


UNDECIDED = Decision()


def decide(event: CalendarEvent, rules: Sequence[Mapping[str, Any]]) -> Decision:
    """Return the decision of the first rule that matches an event."""
    if not rules:
        return UNDECIDED
    facts = _Facts.of(event)
    for number, rule in enumerate(rules, 1):
        if facts.match(rule["if"]):
            return Decision(number, **rule["then"])
    return UNDECIDED


@dataclass(frozen=True, slots=True)
class _Facts:
    """The facts of an event for rules, from its source; texts are folded."""

    title: str
    categories: frozenset[str]
    places: str
    parts: frozenset[str]

    @classmethod
    def of(cls, event: CalendarEvent) -> "_Facts":
        changes = event.changes
        variants: Mapping[str, Mapping[str, Any]] = changes.get("variants", {})
        titles = {tag: texts["title"] for tag, texts in variants.items() if texts.get("title")}
        texts = (own.get(name) for own in variants.values() for name in _TEXTS)
        parts = {
            PICTURE: bool(changes.get("image")),
            PLACE: bool(changes.get("venues")),
            TEXT: any(texts),
            **dict.fromkeys(titles, not event.untitled),
        }
        return cls(
            fold(" ".join(map(str, titles.values()))),
            frozenset(map(fold, map(str, changes.get("categories", ())))),
            venue_texts(event),
            frozenset(name for name, is_there in parts.items() if is_there),
        )

    def match(self, conditions: Mapping[str, Sequence[str]]) -> bool:
        """Say whether all conditions hold; each names several values of which one is enough.

        All parts of ``has`` have to be there, and all of ``lacks`` have to be missing.
        """
        checks = {
            "categories": lambda names: any(fold(name) in self.categories for name in names),
            "words": lambda words: _contains(self.title, words),
            "places": lambda words: _contains(self.places, words),
            "has": self.parts.issuperset,
            "lacks": self.parts.isdisjoint,
        }
        return all(checks[name](values) for name, values in conditions.items() if values)


def _contains(text: str, words: Iterable[str]) -> bool:
    return any(fold(word) in text for word in words)

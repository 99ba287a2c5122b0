"""Finds events that a contribution may repeat: at its place that day, or titled like it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from calendar_app.calendar.search.vocabulary import EVERYBODY
from calendar_app.domain.fields import WORDS
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.richtext import decoded
from calendar_app.domain.statuses import IN_LISTS, REGISTERED, TRASH
from calendar_app.domain.words import fold, words_of
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import (
    EVERYTHING,
    Clause,
    all_of,
    any_of,
    at_least,
    before,
    one_of,
)
from calendar_app.storage.query.words import token, token_of_series

LentWords = Mapping[str, Collection[str]]
_DAY = timedelta(days=1)
# The longest words of a title say most; of each contribution so many are looked for.
_MOST_WORDS, _SHORTEST_WORD = 4, 4
_MOST_EACH, _MOST_SHOWN = 20, 3
_LOOKED_AT = tuple(status for status in REGISTERED if status != TRASH)
_FIELDS = ("variants", "start_local", "end_local", "all_day", "venues", "status")


@dataclass(frozen=True, slots=True)
class SimilarEvent:
    """An event that may be the same; ``same_place``: at the place of the contribution."""

    event: Record
    same_place: bool
    shared_words: int


@dataclass(frozen=True, slots=True)
class _Traits:
    """By which an event is recognized: its day, its places, the words of its title."""

    id: int
    day: date
    venues: frozenset[int]
    words: frozenset[str]
    tokens: frozenset[str]

    def clause(self, lent_words: LentWords) -> Clause:
        """Match events that are like it."""
        day = datetime.combine(self.day, datetime.min.time())
        own_day = [at_least("start_local", day), before("start_local", day + _DAY)]
        near = [at_least("start_local", day - _DAY), before("start_local", day + 2 * _DAY)]
        same_place = all_of([*own_day, one_of("venues", self.venues)])
        of_series = {
            each for each, words in lent_words.items() if not self.tokens.isdisjoint(words)
        }
        same_words = all_of([*near, one_of(WORDS, self.tokens | of_series)])
        listed = [one_of("status", _LOOKED_AT), one_of("hidden", IN_LISTS)]
        return any_of(all_of([*listed, each]) for each in (same_place, same_words))

    def compare(self, candidate: Record, label: str) -> SimilarEvent | None:
        """Return a match at the same place, or with half of the title's words; else ``None``."""
        apart = abs(candidate["start_local"].date() - self.day)
        same_place = not apart and not self.venues.isdisjoint(candidate["venues"])
        words = len(self.words & _title_words(candidate, label))
        has_same_title = self.words and 2 * words >= len(self.words)
        if candidate["_id"] == self.id or apart > _DAY or not (same_place or has_same_title):
            return None
        return SimilarEvent(candidate, same_place, words)


class SimilarEvents:
    """Looks for similar events; readers of each of the ``languages`` are shown other words."""

    def __init__(self, store: Store, kind: Kind, languages: Sequence[str]) -> None:
        self._events = store.of(kind)
        self._series = store["series"]
        self._label = kind.label
        self._tags = (EVERYBODY, *languages)

    def similar_to(
        self, events: Sequence[Record], readable: Clause = EVERYTHING
    ) -> Mapping[int, list[SimilarEvent]]:
        """Return the ``readable`` events most like each of these, by id, in two queries for all."""
        traits = [self._traits(event) for event in events]
        if not traits:
            return {}
        tokens = frozenset[str]().union(*(each.tokens for each in traits))
        series = self._series.find(one_of(WORDS, tokens), fields=[WORDS])
        lent_words = {
            token_of_series(each["_id"]): tokens.intersection(each[WORDS]) for each in series
        }
        clause = any_of(each.clause(lent_words) for each in traits)
        likely = all_of([clause, readable])
        candidates = self._events.find(likely, limit=_MOST_EACH * len(traits), fields=_FIELDS)
        return {each.id: _nearest(each, candidates, self._label) for each in traits}

    def _traits(self, event: Record) -> _Traits:
        words = _title_words(event, self._label)
        long_words = (word for word in words if len(word) >= _SHORTEST_WORD)
        telling = sorted(long_words, key=lambda word: (-len(word), word))[:_MOST_WORDS]
        return _Traits(
            event["_id"],
            event["start_local"].date(),
            frozenset(event["venues"]),
            frozenset(telling),
            frozenset(token(tag, word) for tag in self._tags for word in telling),
        )


def _title_words(event: Record, label: str) -> set[str]:
    """Return the words of the titles of an event, in all languages."""
    titles = (texts.get(label, "") for texts in event["variants"].values())
    return {word for title in titles for word in words_of(fold(decoded(title)))}


def _nearest(traits: _Traits, candidates: Sequence[Record], label: str) -> list[SimilarEvent]:
    compared = (traits.compare(event, label) for event in candidates)
    similar = [each for each in compared if each is not None]
    similar.sort(key=lambda each: (-each.shared_words, not each.same_place, each.event["_id"]))
    return similar[:_MOST_SHOWN]

"""How much two events are alike that begin at the same time: perhaps one, or certainly."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple

from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import VENUE
from calendar_app.domain.namesakes import Facts, compare, facts_of
from calendar_app.domain.provenance import notes_of
from calendar_app.domain.richtext import decoded
from calendar_app.domain.words import fold

_ALIKE, _CERTAIN = 85, 97  # per cent
_SHORT = 3  # letters of words that say little, such as "and" or "mit"
_NEAR = 0.005  # degrees, some hundred meters
# Characters that are compared of a title, or of the names of a venue: the time grows with the
# square of their words.
_LONGEST = 500


class VenueTraits(NamedTuple):
    """The compared facts of a venue: their names in all languages, folded, and where they are."""

    names: str
    facts: Facts

    @classmethod
    def of(cls, venue: Record) -> "VenueTraits":
        names = (own.get("venue") or "" for own in venue["variants"].values())
        return cls(fold(" ".join(names)[:_LONGEST]), facts_of(VENUE, venue))


Venues = Mapping[int, VenueTraits]


class Likeness(NamedTuple):
    """How much the titles of two events are alike, in per cent; and whether they are one."""

    score: int
    is_certain: bool


@dataclass(frozen=True, slots=True)
class ComparedEvent:
    """The compared facts of an event, or of one date of a series.

    Dates of one series have the same ``owner``. ``when`` is the instant of the start, of whole
    days the day. ``sources`` are those from which it comes, ``uids`` and ``addresses`` its own
    there.
    """

    id: int
    owner: int
    when: datetime | date
    titles: tuple[str, ...]
    venues: frozenset[int]
    point: tuple[float, float] | None = None
    sources: frozenset[int] = frozenset()
    uids: frozenset[str] = frozenset()
    addresses: frozenset[str] = frozenset()

    @classmethod
    def of(cls, event: Record, notes: Iterable[Record]) -> "ComparedEvent":
        """Return the compared facts of an event; a date of a series has the ``notes`` of that."""
        notes = [*notes_of(event), *notes]
        texts = event["variants"].values()
        addresses = {*(each.get("url") for each in notes), *(each.get("website") for each in texts)}
        point = event.get("location")
        return cls(
            id=event["_id"],
            owner=owner_of(event),
            when=event["start_local"].date() if event["all_day"] else event["start"],
            titles=tuple(_title(own["title"]) for own in texts if own.get("title")),
            venues=frozenset(event["venues"]),
            point=(point["latitude"], point["longitude"]) if point else None,
            sources=frozenset(each["source"] for each in notes),
            uids=frozenset(each["uid"] for each in notes),
            addresses=frozenset(filter(None, addresses)),
        )


def owner_of(event: Record) -> int:
    """Return the id of an event, or of the series of which it is a date."""
    owner: int = event["series"] if event.get("series") else event["_id"]
    return owner


def likeness(event: ComparedEvent, other: ComparedEvent, venues: Venues) -> Likeness | None:
    """Return how much two events are alike; ``None`` where they are two.

    ``venues`` are theirs, by id. No two events of one source are the same. Where only the names of
    the places are alike, as of halls in two towns, no title may say what the other does not.
    """
    is_same = event.owner == other.owner or event.when != other.when
    if is_same or event.sources & other.sources or not _is_near(event, other, venues):
        return None
    is_known = bool(event.uids & other.uids or event.addresses & other.addresses)
    may_differ = is_known or _share_place(event, other, venues)
    pairs = [
        (own, its)
        for own in event.titles
        for its in other.titles
        if may_differ or not name_two(own, its)
    ]
    score = max((alike(own, its) for own, its in pairs), default=0.0)
    if score < _ALIKE:
        return None
    at_one_place = bool(event.venues & other.venues)
    is_certain = any(
        _numbers(own) == _numbers(its)
        and (alike(own, its) >= _ALIKE if is_known else at_one_place and same(own, its) >= _CERTAIN)
        for own, its in pairs
    )
    return Likeness(round(score), is_certain)


def alike(first: str, second: str) -> float:
    """Return how many of their words two folded texts share, in per cent.

    Compounds may be written as one word or as several: Gospelabend, Gospel-Abend.
    """
    # Loaded late, since only readings of sources need it.
    from rapidfuzz.fuzz import ratio, token_set_ratio  # noqa: PLC0415

    own, other = _joined(first, second), _joined(second, first)
    in_one = ratio(own.replace(" ", ""), other.replace(" ", ""))
    return max(token_set_ratio(own, other), in_one)


def name_two(first: str, second: str) -> bool:
    """Say whether each of two folded titles has words of its own: hike to Trin, hike to Flims."""
    own, its = _joined(first, second).split(), _joined(second, first).split()
    return _has_own_words(own, its) and _has_own_words(its, own)


def _has_own_words(words: Collection[str], its_words: Collection[str]) -> bool:
    from rapidfuzz.fuzz import ratio  # noqa: PLC0415

    return any(
        (len(word) > _SHORT or _numbers(word))
        and all(ratio(word, its) < _ALIKE for its in its_words)
        for word in words
    )


def same(first: str, second: str) -> float:
    """Return how much two folded texts agree, in any order of words, in per cent."""
    from rapidfuzz.fuzz import token_sort_ratio  # noqa: PLC0415

    return token_sort_ratio(_joined(first, second), _joined(second, first))


def _joined(text: str, other: str) -> str:
    """Join the words of a text that are one word in the other text."""
    compounds = set(other.split())
    words: list[str] = []
    for word in text.split():
        if words and f"{words[-1]}{word}" in compounds:
            words[-1] += word
        else:
            words.append(word)
    return " ".join(words)


def _numbers(title: str) -> list[str]:
    """Return the numbers in a title: part 1 is not part 2."""
    return sorted(word for word in title.split() if any(map(str.isdigit, word)))


def _title(text: str) -> str:
    from rapidfuzz.utils import default_process  # noqa: PLC0415

    return default_process(fold(decoded(text[:_LONGEST])))


def _is_near(event: ComparedEvent, other: ComparedEvent, venues: Venues) -> bool:
    """Say whether two events may be at one place; one without a place may be anywhere."""
    if not event.venues or not other.venues or event.venues & other.venues:
        return True
    if event.point and other.point:
        return all(abs(a - b) <= _NEAR for a, b in zip(event.point, other.point, strict=True))
    return any(
        not compare(own.facts, its.facts).contradicts
        for own, its in _alike_venues(event, other, venues)
    )


def _share_place(event: ComparedEvent, other: ComparedEvent, venues: Venues) -> bool:
    """Say whether more than a name tells that two events that are near are at one place."""
    if event.venues & other.venues or (event.point and other.point):
        return True
    return any(
        compare(own.facts, its.facts).shared for own, its in _alike_venues(event, other, venues)
    )


def _alike_venues(
    event: ComparedEvent, other: ComparedEvent, venues: Venues
) -> Iterator[tuple[VenueTraits, VenueTraits]]:
    places, further_places = (
        [venues[each] for each in own.venues if each in venues] for own in (event, other)
    )
    return (
        (own, its)
        for own in places
        for its in further_places
        if alike(own.names, its.names) >= _ALIKE
    )

"""Which of several venues or organizers of one name is meant.

Two are the same unless something that both of them say contradicts: of venues the street, the town,
the zip, the country or a point 300 m away, of organizers the e-mail, the telephone or the website.
What one of them does not say contradicts nothing. But a name with a town does not mean a record
without one, unless the street is the same: two towns would share that record, and show neither.
"""

import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from babel import Locale

from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.postal import parse_line
from calendar_app.domain.words import fold

Point = tuple[float, float]

_NEAR = 0.3  # km
_EARTH = 6371.0  # km
_DIGITS_OF_PHONES = 9  # the last ones, without the code of the country
_WORD = re.compile(r"[^\W_]+")
_STREET = re.compile(r"str\b\.?")
_LANGUAGES = ("de", "fr", "it", "rm", "en")

# What many records of one name share.
_COMMON = "country"
# One of these tells where a place is, or who an organizer is.
_TELLING = frozenset({"town", "zip", "point", "email", "phone", "website"})

Words = frozenset[str]
# Facts by their names; each is in as many wordings as there are languages.
Facts = Mapping[str, Sequence[Any]]


class Comparison(NamedTuple):
    """How many facts two records share, without the country, and whether one contradicts."""

    shared: int
    contradicts: bool


def _none(_records: Sequence[Record]) -> Collection[int]:
    return ()


def _never(_record: Record) -> bool:
    return False


class Ties(NamedTuple):
    """What ties a sender to the records of one name.

    ``own`` are the ids of those that it has linked before; it ``completes`` a record with what that
    lacks. One that ``is_of_others`` was named by other senders alone.
    """

    own: Callable[[Sequence[Record]], Collection[int]] = _none
    completes: Callable[[Record], bool] = _never
    is_of_others: Callable[[Record], bool] = _never


_NO_TIES = Ties()


def meant(
    kind: Kind, candidates: Iterable[Record], sent: Record, ties: Ties = _NO_TIES
) -> Record | None:
    """Return the record of the same name that ``sent`` means; ``None`` where that stays open.

    It shares most with what was sent. Among several that differ from each other, it is one of the
    sender's own, else one that says the same, else the one that says nothing but its name. What is
    of others, and tells no more than a street, is none of several: nobody can know which town they
    mean.
    """
    facts = facts_of(kind, sent)
    fitting: list[tuple[Record, int]] = []
    for each in candidates:
        stored = facts_of(kind, each)
        result = compare(stored, facts)
        hides = not (result.shared or facts.keys() <= stored.keys() or _TELLING & stored.keys())
        if not result.contradicts and (not hides or ties.completes(each)):
            fitting.append((each, result.shared))
    most = max((shared for _, shared in fitting), default=0)
    best = [each for each, shared in fitting if shared == most]
    if len(best) > 1 and _differ(kind, best):
        ids = ties.own(best)
        best = [each for each in best if each["_id"] in ids] or best
        if _differ(kind, best):
            alike = [each for each in best if facts_of(kind, each) == facts]
            bare = [each for each in best if not facts_of(kind, each)]
            telling = (
                each
                for each in alike or bare
                if each["_id"] in ids
                or _TELLING & facts_of(kind, each).keys()
                or not ties.is_of_others(each)
            )
            return next(telling, None)
    return next(iter(best), None)


def facts_of(kind: Kind, record: Record) -> Facts:
    """Return the facts in a record, or in the changes that make one: its place and addresses."""
    facts = _place_facts(record) if kind.is_place else _contact_facts(record)
    stated = {name: [value for value in values if value] for name, values in facts.items()}
    return {name: values for name, values in stated.items() if values}


def _place_facts(record: Record) -> Facts:
    variants = record.get("variants", {}).values()
    streets, towns, zips = [], [], [str(record.get("zip") or "").strip().casefold()]
    for texts in variants:
        address = str(texts.get("address") or "")
        if parts := parse_line(address):
            streets.append(parts.street)
            zips.append(parts.zip)
            towns.append(parts.town)
        else:
            streets.append(address)
        towns.append(str(texts.get("city") or ""))
    return {
        "street": [_words(_STREET.sub("strasse", fold(text))) for text in streets],
        "town": [_words(fold(text)) for text in towns],
        "zip": zips,
        _COMMON: [_country(str(texts.get("country") or "")) for texts in variants],
        "point": [_point(record)],
    }


def _contact_facts(record: Record) -> Facts:
    variants = record.get("variants", {}).values()
    return {
        "email": [str(record.get("email") or "").strip().casefold()],
        "phone": [_phone(str(record.get("phone") or ""))],
        "website": [_site(str(texts.get("website") or "")) for texts in variants],
    }


def compare(own: Facts, sent: Facts) -> Comparison:
    """Compare the facts of two records of one name."""
    results = {name: _agree(name, own[name], sent[name]) for name in own.keys() & sent.keys()}
    contradicts = _elsewhere(own, sent) or _elsewhere(sent, own) or not all(results.values())
    return Comparison(sum(results[name] for name in results if name != _COMMON), contradicts)


def _differ(kind: Kind, records: Sequence[Record]) -> bool:
    facts = [facts_of(kind, each) for each in records]
    return any(
        compare(first, second).contradicts
        for place, first in enumerate(facts)
        for second in facts[place + 1 :]
    ) or any(not each for each in facts)


def _agree(name: str, own: Sequence[Any], sent: Sequence[Any]) -> bool:
    """Return whether one wording of a fact agrees with one of the other."""
    pairs = ((first, second) for first in own for second in sent)
    match name:
        case "street":
            return any(_same_words(*pair) and _same_numbers(*pair) for pair in pairs)
        case "town":
            return any(_same_words(*pair) for pair in pairs)
        case "point":
            return any(_kilometers(*pair) <= _NEAR for pair in pairs)
        case _:
            return any(first == second for first, second in pairs)


def _elsewhere(own: Facts, sent: Facts) -> bool:
    """Return whether an address without a number, which may be a town, is another town."""
    if "street" in own or "town" not in own or "town" in sent:
        return False
    unnumbered = [words for words in sent.get("street", ()) if not any(map(_has_digit, words))]
    towns: Sequence[Words] = own["town"]
    return bool(unnumbered) and not any(
        _same_words(town, words) for town in towns for words in unnumbered
    )


def _same_words(first: Words, second: Words) -> bool:
    """Return whether one says all that the other says, and perhaps more."""
    return first <= second or second <= first


def _same_numbers(first: Words, second: Words) -> bool:
    numbers = [{word for word in words if _has_digit(word)} for words in (first, second)]
    return not all(numbers) or numbers[0] == numbers[1]


def _has_digit(word: str) -> bool:
    return any(map(str.isdecimal, word))


def _words(text: str) -> Words:
    return frozenset(_WORD.findall(text))


def _phone(text: str) -> str:
    return "".join(filter(str.isdecimal, text))[-_DIGITS_OF_PHONES:]


def _site(address: str) -> str:
    return address.casefold().partition("://")[2].removeprefix("www.").rstrip("/")


def _point(record: Record) -> Point | None:
    if geo := record.get("geo"):
        return geo[0], geo[1]
    if location := record.get("location"):
        return location["latitude"], location["longitude"]
    return None


def _kilometers(first: Point, second: Point) -> float:
    """Return the distance of two points; on a plane, since it is about some hundred meters."""
    north = math.radians(second[0] - first[0])
    east = math.radians(second[1] - first[1]) * math.cos(math.radians(first[0]))
    return _EARTH * math.hypot(north, east)


def _country(name: str) -> str:
    """Return the code of a country that is named in one of our languages, else the folded name."""
    folded = fold(name)
    return _countries().get(folded, folded)


@cache
def _countries() -> Mapping[str, str]:
    return dict(_country_names())


def _country_names() -> Iterator[tuple[str, str]]:
    for language in _LANGUAGES:
        for code, name in Locale.parse(language).territories.items():
            if code.isalpha():
                yield fold(name), code.casefold()

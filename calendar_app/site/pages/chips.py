"""Chips: the filters that are set, in the words of readers, and how to leave each."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from calendar_app.accounts.callers import Caller
from calendar_app.api.http.lists.filtering import ExistingIds
from calendar_app.api.resources.events.filters import FILTERS, EventListSchema
from calendar_app.api.resources.events.participation import LanguageTags
from calendar_app.api.resources.events.provenance import PUBLISHER, PublisherFilter
from calendar_app.calendar.reading.facets import FacetCounts
from calendar_app.calendar.reading.reader import Reader
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import CATEGORY, TAG
from calendar_app.domain.statuses import PUBLISH
from calendar_app.domain.texts.messages import translated
from calendar_app.readmodel.records import LocalText, local_text, shown
from calendar_app.settings import Settings
from calendar_app.site.html import wording
from calendar_app.site.pages.places import Place, day_in_field
from calendar_app.site.pages.questions import Question, value_of

_FIELDS = EventListSchema().fields
_LENGTH_OF_DAY = len("2030-01-31")


@dataclass(frozen=True, slots=True)
class Together:
    """Filters that readers know as one; it is there where all that are ``needed`` are."""

    name: str
    needed: tuple[str, ...]
    names: tuple[str, ...]


_SPAN, _POINT = ("overlaps_from", "overlaps_to"), ("geoloc_lat", "geoloc_lng")
DATES = Together("dates", _SPAN, _SPAN)
NEAR = Together("near", _POINT, (*_POINT, "geoloc_radius", "orderby"))


@dataclass(frozen=True, slots=True)
class Naming:
    """Who reads the names of records, in which languages."""

    reader: Reader
    caller: Caller
    chain: tuple[str, ...]
    settings: Settings = field(compare=False, repr=False)

    def name(self, kind: Kind, record: Record) -> LocalText:
        return local_text(shown(record, self.settings), kind.label, self.chain)


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter that is set, and the address of the page without it."""

    name: str
    text: LocalText
    address: str


def plain_chips(naming: Naming, question: Question, place: Place) -> Iterable[Chip]:
    """Yield a chip for each filter that is no term."""
    together = [group for group in (DATES, NEAR) if question.sent.keys() >= set(group.needed)]
    covered = {name for group in together for name in group.names}
    for group in together:
        span = _span_text(question.sent, naming.chain[0]) if group is DATES else ""
        yield Chip(group.name, LocalText(span), place.without(*group.names, "page").address())
    for name in question.sent:
        has_chip = name not in FILTERS or FILTERS[name].chip
        if has_chip and name not in (CATEGORY.name, TAG.name, *covered):
            text = chip_text(naming, name, question)
            yield Chip(name, text, place.without(name, "page").address())


def term_chips(
    naming: Naming, kind: Kind, question: Question, counts: FacetCounts, place: Place
) -> Iterable[Chip]:
    """Yield a chip for each term that the query names."""
    if kind.name not in question.sent:
        return
    ids = value_of(kind.name, question.filters[kind.name])
    entries = question.sent[kind.name].split(",")
    for number, term_id in enumerate(ids):
        rest = ",".join(entry for place, entry in enumerate(entries) if place != number)
        remainder = place.having(**{kind.name: rest}) if rest else place.without(kind.name, "page")
        term = counts.terms[kind.name].get(term_id)
        name = naming.name(kind, term) if term else LocalText(entries[number])
        yield Chip(kind.name, name, remainder.address())


def chip_text(naming: Naming, name: str, question: Question) -> LocalText:
    """Return the value of a filter; venues and organizers have names in place of their ids."""
    value = question.sent[name]
    if value == "true":  # its name says all
        return LocalText("")
    if len(value) == _LENGTH_OF_DAY and day_in_field(value):
        return LocalText(wording.long_date(date.fromisoformat(value), naming.chain[0]))
    if name not in FILTERS or question.listing is None:
        return LocalText(value)
    field = _FIELDS[name]
    if FILTERS[name].words or isinstance(field, LanguageTags | PublisherFilter):
        words = (in_words(naming, name, word) for word in sent_words(name, question))
        return LocalText(wording.enumeration(words, naming.chain[0]))
    if isinstance(field, ExistingIds):
        return _names_text(naming, field.kind, value_of(name, question.filters[name]), value)
    return LocalText(value)


def _names_text(naming: Naming, kind: Kind, ids: Sequence[int], value: str) -> LocalText:
    """Return the names of records that readers may see; ``value`` where there are none."""
    records = naming.reader.records_of({kind.name: ids})
    names = [
        naming.name(kind, record)
        for each in ids
        if (record := records.get((kind.name, each))) and record["status"] == PUBLISH
    ]
    if len(names) == 1:
        return names[0]
    text = wording.enumeration((each.text for each in names), naming.chain[0])
    return LocalText(text or value)


def _span_text(sent: Mapping[str, str], language: str) -> str:
    """Return two days as people write them; as they were sent where they are no days."""
    first, last = (sent[name] for name in _SPAN)
    if not (day_in_field(first) and day_in_field(last)):
        return f"{first} \u2013 {last}"
    days = (date.fromisoformat(day_in_field(each)) for each in (first, last))
    return wording.date_range(*days, language)


def _publisher_names(naming: Naming) -> dict[str, str]:
    """Return the names of the publishers that the reader may know of, by slug."""
    publishers = naming.reader.provenance.publishers(naming.caller)
    return {each.slug: each.name for each in publishers.values()}


def sent_words(name: str, question: Question) -> list[str]:
    sent: list[str] = value_of(name, question.filters[name]) if name in question.filters else []
    return sent


def in_words(naming: Naming, name: str, word: str) -> str:
    """Return a value of a filter in the words of readers: its own, or a name."""
    words = FILTERS[name].words
    if word in words:
        text: str = translated(words[word], naming.chain)
        return text
    if name == PUBLISHER:
        return _publisher_names(naming).get(word, word)
    return wording.language_name(word, naming.chain[0])

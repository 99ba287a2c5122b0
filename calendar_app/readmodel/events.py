"""An event as one caller reads it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import Any

from markupsafe import escape

from calendar_app.calendar.reading.links import SeriesFacts, readable_overrides
from calendar_app.calendar.reading.provenance import Publisher
from calendar_app.calendar.reading.reader import unlocked
from calendar_app.domain import custom_fields
from calendar_app.domain.cost import FREE_VALUES, for_readers, in_language
from calendar_app.domain.evenings import days_of
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import EVENT
from calendar_app.domain.kinds.event_fields import PLAIN_TEXTS, TEXTS
from calendar_app.domain.ledger import mark_of
from calendar_app.domain.richtext import decoded, plain
from calendar_app.domain.slugs import shown_slug
from calendar_app.domain.statuses import CANCELED, OFFLINE, SCHEDULED
from calendar_app.domain.texts.directions import turned
from calendar_app.domain.texts.messages import translated
from calendar_app.domain.zones import abbreviation, wall_of, zone_of
from calendar_app.errors import Message
from calendar_app.readmodel.linked import ReadOrganizer, ReadTerm, ReadVenue
from calendar_app.readmodel.records import (
    LocalText,
    ReadContext,
    ReadPicture,
    ReadRecord,
    disclosure_among,
)

_DAY = timedelta(days=1)
_FREE = Message("Free")
# What a locked event shows of its texts.
_OPEN = frozenset({"slug", *(field.name for field in TEXTS if field.is_open)})


@dataclass(frozen=True, slots=True)
class Detail:
    """A text of an event, in HTML, and its label; each may be borrowed from another language."""

    label: LocalText
    text: LocalText


class ReadEvent(ReadRecord):
    """An event or a series.

    A locked one, whose password the caller lacks, has neither texts but its title, nor places,
    people, terms, price, picture or series. With ``is_withdrawn`` it is no longer public.
    """

    segment, label = "event", "title"
    kind = EVENT

    def __init__(self, record: Record, context: ReadContext, *, is_withdrawn: bool = False) -> None:
        super().__init__(record, context)
        self.is_withdrawn = is_withdrawn
        # On the clocks of the event's zone.
        self.start: datetime = record["start_local"]
        self.end: datetime = record["end_local"]
        self.all_day = bool(record["all_day"])
        open_record = {} if self.is_locked else self.record
        # The stored cost; ``None`` where there is none to be read.
        self.cost: Record | None = open_record.get("cost")
        self.attendance_mode: str | None = (
            None if self.is_locked else open_record.get("attendance_mode", OFFLINE)
        )
        self.is_online = self.attendance_mode not in (None, OFFLINE)
        self.online_url: str = open_record.get("online_url", "")
        self.accessibility: Sequence[str] = open_record.get("accessibility", ())
        # The languages in which it is held.
        self.in_language: Sequence[str] = open_record.get("in_language", ())
        # The stored ages and groups of the audience, and the stored registration.
        self.audience: Record | None = open_record.get("audience")
        self.registration: Record | None = open_record.get("registration")

    @cached_property
    def is_locked(self) -> bool:
        if not self.record.get("password"):
            return False
        return not unlocked(self.record, self.context.caller, self.context.password)

    def is_open(self, name: str) -> bool:
        return name in _OPEN or not self.is_locked

    # Texts

    @cached_property
    def title(self) -> LocalText:
        """The title as plain text."""
        return self.name

    @cached_property
    def excerpt(self) -> LocalText:
        """The excerpt as HTML."""
        return self.text("excerpt")

    @cached_property
    def summary(self) -> LocalText:
        """The words of the excerpt."""
        excerpt = self.excerpt
        if not excerpt.text:
            return excerpt
        return replace(excerpt, text=plain(excerpt.text))

    @cached_property
    def body(self) -> LocalText:
        """The description as HTML, else the excerpt."""
        return self.description or self.excerpt

    @cached_property
    def shown_disclosure(self) -> str:
        """The word for texts of machines, if one is among its own texts or the names it shows."""
        linked = (*self.organizers, *self.categories, *self.tags)
        places = [place.name_and_address for place in self.places]
        texts = (*self.marked_texts, *places, *(each.name for each in linked))
        return disclosure_among(texts)

    @cached_property
    def page_disclosure(self) -> str:
        """The word for texts of machines, if one is among them or describes its picture."""
        shown = self.shown_disclosure
        return max(shown, disclosure_among([self.picture.alt])) if self.picture else shown

    @cached_property
    def original_language(self) -> str:
        """The language from which marked texts are translated: its own, else its names."""
        if self.disclosure or self.is_recalled or not self.shown_disclosure:
            return super().original_language
        linked = (*self.places, *self.organizers, *self.categories, *self.tags)
        return next((each.original_language for each in linked if each.original_language), "")

    @cached_property
    def status_reason(self) -> LocalText:
        return self.text("status_reason")

    @cached_property
    def website(self) -> str:
        """The address of its own website; empty without one."""
        return self.text("website").text

    @cached_property
    def details(self) -> Sequence[Detail]:
        """The plain texts and the custom fields that have a value."""
        chain = self.context.chain
        texts = ((field.label, self.text(field.name)) for field in PLAIN_TEXTS)
        plain_texts = [
            Detail(LocalText(translated(label, chain)), replace(text, text=str(escape(text.text))))
            for label, text in texts
            if text
        ]
        return [*plain_texts, *self.custom_fields]

    @cached_property
    def custom_fields(self) -> Sequence[Detail]:
        """The custom fields that have a value, those of the site in its order before others."""
        return list(self._custom_fields()) if self.is_open(custom_fields.NAME) else []

    def _custom_fields(self) -> Iterator[Detail]:
        variants, chain = self.record["variants"], self.context.chain
        of_site = self.context.settings.custom_fields
        fields, _ = custom_fields.localize_fields(variants, chain, of_site)
        for key in dict.fromkeys((*(key for key in of_site if key in fields), *fields)):
            texts = {}
            for part, text in fields[key].items():
                language = custom_fields.language_of(key, part, variants, chain)
                mark = mark_of(self.record, language, custom_fields.NAME)
                way = turned(language, chain[0])
                texts[part] = LocalText(text, language, language != chain[0], mark, way)
            label = texts[custom_fields.LABEL]
            yield Detail(replace(label, text=decoded(label.text)), texts[custom_fields.VALUE])

    @property
    def shown_slug(self) -> str:
        """The slug as one segment of a path."""
        return shown_slug(self.slug)

    # Time

    @property
    def timezone_abbreviation(self) -> str:
        return abbreviation(self.record["timezone"], self.record["start"])

    @property
    def foreign_zone(self) -> str:
        """The abbreviation of its zone, where its clocks differ from those of the site."""
        of_site = self.context.settings.timezone
        if self.all_day or self.record["timezone"] == of_site:
            return ""
        is_alike = wall_of(self.record["start"], zone_of(of_site)) == self.start
        return "" if is_alike else self.timezone_abbreviation

    @cached_property
    def days(self) -> tuple[date, date]:
        """The first and the last day on which the event is on, on its own clocks."""
        return days_of(self.start, self.end, self.context.settings.day_end)

    @cached_property
    def is_long(self) -> bool:
        """Whether it is on for a whole day or longer."""
        first, last = self.days
        return self.all_day or (first != last and self.end - self.start >= _DAY)

    # Place and people

    @cached_property
    def places(self) -> Sequence[ReadVenue]:
        return [ReadVenue(venue, self.context) for venue in self.linked("venues")]

    @cached_property
    def where(self) -> LocalText:
        """Name and town of the first venue on one line."""
        return self.places[0].name_and_town if self.places else LocalText("", self.language)

    @cached_property
    def point(self) -> tuple[float, float] | None:
        """Longitude and latitude of the first venue that has them."""
        return next((place.point for place in self.places if place.point), None)

    @cached_property
    def organizers(self) -> Sequence[ReadOrganizer]:
        return [ReadOrganizer(each, self.context) for each in self.linked("organizers")]

    @cached_property
    def categories(self) -> Sequence[ReadTerm]:
        return self._terms("categories", "category")

    @cached_property
    def tags(self) -> Sequence[ReadTerm]:
        return self._terms("tags", "tag")

    def linked(self, name: str) -> list[Record]:
        """Return the linked records of a kind that the caller may read, in their order."""
        if self.is_locked:
            return []
        records = self.context.linked[name]
        return [records[number] for number in self.record[name] if number in records]

    @cached_property
    def picture(self) -> ReadPicture | None:
        return None if self.is_locked else super().picture

    # Price and state

    @cached_property
    def cost_text(self) -> str:
        """The cost as text, with the reader's word for free events."""
        if self.cost is None:
            return ""
        return in_language(self.cost, translated(_FREE, self.context.chain))

    @cached_property
    def price(self) -> str:
        """The cost as people write it, with the currency apart from the amount."""
        text = self.cost_text
        return for_readers(text, self.context.settings.currency_symbol) if text else ""

    @cached_property
    def is_free(self) -> bool:
        values = self.cost["values"] if self.cost else ()
        return bool(values) and all(value in FREE_VALUES for value in values)

    @cached_property
    def status(self) -> str:
        """``scheduled``, ``canceled`` or ``postponed``."""
        status: str = self.record.get("event_status", SCHEDULED)
        return CANCELED if self.is_withdrawn else status

    @cached_property
    def is_off(self) -> bool:
        """Whether it does not take place as planned."""
        return self.status != SCHEDULED

    @cached_property
    def is_featured(self) -> bool:
        return not self.is_locked and bool(self.record["featured"])

    def flag(self, name: str) -> bool | None:
        """Return a flag by its stored name; ``None`` where the password hides it."""
        return None if self.is_locked else bool(self.record.get(name))

    @property
    def lineage(self) -> Sequence[str]:
        """The ids by which other calendars know it, those of its series too."""
        of_series = self.series.record.get("lineage", ()) if self.series else ()
        return (*super().lineage, *of_series)

    @cached_property
    def publishers(self) -> Sequence[Publisher]:
        """Who publishes it, where it comes from sources that say so."""
        return () if self.is_locked else self.context.provenance.of(self.record)

    # Series

    @cached_property
    def series(self) -> SeriesFacts | None:
        """The series that it is a date of, if the caller may know of it."""
        facts = self.context.series.get(self.record.get("series", 0))
        if facts is None or self.is_locked:
            return None
        is_open = self.record["password"] is not None or unlocked(
            facts.record, self.context.caller, self.context.password
        )
        return facts if is_open else None

    @cached_property
    def overrides(self) -> Sequence[str]:
        """The stored paths in which it differs from its series, as far as they may be read."""
        facts = self.series
        return readable_overrides(self.record, facts.record, self.context.linked) if facts else []

    def _terms(self, collection: str, segment: str) -> list[ReadTerm]:
        terms = [ReadTerm(term, self.context, segment) for term in self.linked(collection)]
        return sorted(terms, key=lambda term: (term.name.text.casefold(), term.id))

    def open_fields(self, fields: Any) -> Any:
        return [name for name in fields if name in _OPEN] if self.is_locked else fields

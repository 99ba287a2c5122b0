"""An event or a series that is edited, and the values with which its form is filled."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from calendar_app.accounts.policy import may_edit
from calendar_app.api.http.request import current
from calendar_app.api.http.views import records
from calendar_app.calendar.reading.links import SeriesFacts
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import EVENT, ORGANIZER, SERIES, VENUE, event_fields
from calendar_app.domain.statuses import (
    DRAFT,
    PENDING,
    SCHEDULED,
    TRASH,
    UNFINISHED,
    is_hidden,
)
from calendar_app.domain.zones import wall_of
from calendar_app.errors import NotAllowed, NotFound
from calendar_app.readmodel.events import ReadEvent
from calendar_app.site.desk.event_form import participation
from calendar_app.site.desk.event_form.fields import (
    CHECKED,
    STORED_FLAGS,
    TEXTS,
    control_in,
    fields_in,
    languages_from,
)
from calendar_app.site.desk.event_form.times import Notation, choices_of
from calendar_app.site.desk.event_form.values import empty_values, stored_rows
from calendar_app.site.pages.forms import ControlValues, FormField


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event or a series that is edited, as the user reads it in the language of the texts.

    ``begins_rhythm`` where a date of a series begins another rhythm for itself and later dates.
    """

    kind: Kind
    read: ReadEvent
    begins_rhythm: bool = False

    @classmethod
    def find(
        cls, kind: Kind, record_id: int, language: str, *, begins_rhythm: bool = False
    ) -> Self:
        """Return the event to edit. Raises ``NotFound`` or ``NotAllowed``."""
        request_context = current.context()
        record = request_context.reader.find(kind, record_id)
        if record is None:
            raise NotFound(kind.singular, record_id)
        if not may_edit(request_context.caller, record):
            raise NotAllowed
        context = records.context_of(kind, [record])
        chain = request_context.settings.chain(language)
        begins_rhythm = begins_rhythm and kind is EVENT and "series" in record
        return cls(kind, ReadEvent(record, replace(context, chain=chain)), begins_rhythm)

    def in_language(self, language: str) -> "StoredEvent":
        if language == self.language:
            return self
        chain = self.read.context.settings.chain(language)
        return replace(self, read=ReadEvent(self.record, replace(self.read.context, chain=chain)))

    @property
    def languages(self) -> tuple[str, ...]:
        return languages_from(self.language)

    @property
    def record(self) -> Record:
        return self.read.record

    @property
    def language(self) -> str:
        return self.read.language

    @property
    def series_id(self) -> int | None:
        """The id of the series that this is an occurrence of, or is."""
        return self.record["_id"] if self.kind is SERIES else self.record.get("series")

    @property
    def is_one_date(self) -> bool:
        """Whether this is one date of a series, without the controls of its rhythm."""
        return self.kind is EVENT and self.series_id is not None and not self.begins_rhythm

    @property
    def fields(self) -> Mapping[str, FormField]:
        """The fields of its form."""
        fields = fields_in(self.languages)
        if self.is_one_date:
            return {name: each for name, each in fields.items() if name != "recurrence"}
        return fields

    @property
    def unpublished_links(self) -> dict[str, list[int]]:
        """The linked drafts and pending records that the user sees, by kind."""
        ids = {
            kind.name: [
                linked["_id"]
                for linked in self.read.linked(kind.name)
                if linked["status"] in (DRAFT, PENDING)
            ]
            for kind in (VENUE, ORGANIZER)
        }
        return {name: each for name, each in ids.items() if each} if self.kind is EVENT else {}

    def hidden_links(self, kind: Kind) -> list[int]:
        """Return the ids of linked records that the user may not see, those in the trash aside."""
        shown = {linked["_id"] for linked in self.read.linked(kind.name)}
        hidden = [each for each in self.record[kind.name] if each not in shown]
        records = current.context().reader.records_of({kind.name: set(hidden)}) if hidden else {}
        return [
            number
            for number in hidden
            if (linked := records.get((kind.name, number))) and linked["status"] != TRASH
        ]

    def values(self, notation: Notation) -> ControlValues:
        """Return the values with which the form is filled, with the texts of all languages."""
        record, read, languages = self.record, self.read, self.languages
        values = empty_values(record["timezone"], languages)
        values |= {
            control_in(name, tag, languages): record["variants"].get(tag, {}).get(name) or ""
            for tag in languages
            for name in TEXTS
        }
        values |= {name: CHECKED if record[name] else "" for name in STORED_FLAGS}
        values |= {
            flag.name: CHECKED if record.get(flag.attribute) else ""
            for flag in event_fields.PLAIN_FLAGS
        }
        values |= self._times(notation) | participation.stored_values(record, notation)
        values |= {
            "hide_from_listings": CHECKED if is_hidden(record["hidden"]) else "",
            "event_status": record.get("event_status", SCHEDULED),
            "attendance_mode": read.attendance_mode,
            "status": record["status"],
            "cost": read.price,
            "online_url": read.online_url,
            "image": str(read.picture.id or read.picture.full.url) if read.picture else "",
            "author": str(record["author"]),
            "post_parent": [str(record["parent"])] if record.get("parent") else [],
            "categories": _ids(read.linked("categories")),
            "tags": _ids(read.linked("tags")),
            "venue": _ids(read.linked("venues")),
            "organizer": _ids(read.linked("organizers")),
        }
        return values | stored_rows(record["variants"], languages)

    def _times(self, notation: Notation) -> ControlValues:
        read, record = self.read, self.record
        times = {"start_date": notation.day(read.start), "end_date": notation.day(read.end)}
        if not read.all_day:
            times |= {"start_time": f"{read.start:%H:%M}", "end_time": f"{read.end:%H:%M}"}
        if record["status"] not in UNFINISHED or record.get("dated"):
            published = wall_of(record["published"], read.context.zone)
            times |= {"date": notation.day(published), "date_time": f"{published:%H:%M}"}
        facts = self._facts
        if facts is None or self.is_one_date:
            return times
        timezone = record["timezone"]
        return times | choices_of(
            facts.recurrence, read.start, timezone, notation, all_day=read.all_day
        )

    @property
    def _facts(self) -> SeriesFacts | None:
        if self.kind is SERIES:
            return self.read.context.series.get(self.record["_id"])
        return self.read.series


def _ids(linked: Sequence[Record]) -> list[str]:
    return [str(record["_id"]) for record in linked]

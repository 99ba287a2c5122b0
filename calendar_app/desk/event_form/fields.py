"""The fields of the form of events, and the values of its controls: as sent, and as stored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Self

from werkzeug.datastructures import MultiDict

from calendar_app.accounts.policy import may_edit
from calendar_app.calendar.reading.links import SeriesFacts
from calendar_app.desk.event_form.times import Notation, choices_of
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.statuses import DRAFT, PENDING, SCHEDULED, UNFINISHED, is_hidden
from calendar_app.domain.zones import wall_of
from calendar_app.errors import Message, NotAllowed, NotFound
from calendar_app.http.request import current
from calendar_app.http.views import records
from calendar_app.kinds import EVENT, ORGANIZER, SERIES, VENUE
from calendar_app.pages.forms import Field, Values
from calendar_app.readmodel.events import ReadEvent

_TRUE = "1"


def _field(name: str, label: Message, focus: str = "", /, **parts: Message | None) -> Field:
    """Return a field of the form; ``None`` is for a control without a label of its own."""
    return Field(name, label, f"event-{focus or name}", parts)


_WEBSITE = Message("Website")
# In the order of the form, by the parameters of the interface.
FIELDS: Mapping[str, Field] = MappingProxyType(
    {
        each.name: each
        for each in (
            _field("title", Message("Title")),
            _field("description", Message("Description")),
            _field("excerpt", Message("Short text for lists")),
            _field("start_date", Message("Start"), start_date=None, start_time=Message("from")),
            _field("end_date", Message("End"), end_date=None, end_time=Message("until")),
            _field("all_day", Message("All day")),
            _field(
                "recurrence",
                Message("Repeats"),
                "repeat",
                repeat=None,
                repeat_until=Message("until the day"),
                repeat_count=Message("number of dates"),
                repeat_days=Message("on these weekdays"),
                repeat_by=Message("Day of the month"),
                repeat_rule=Message("As calendar programs write it, one rhythm a line"),
                repeat_dates=Message("Further dates, one a line"),
                repeat_except=Message("Left out, one a line"),
                repeat_moved=Message("Moved, one a line"),
                repeat_off=Message("Called off, one a line"),
            ),
            _field("timezone", Message("Time zone")),
            _field(
                "venue", Message("Place"), "venue_find", venue=None, venue_find=None, venue_new=None
            ),
            _field("attendance_mode", Message("How people take part")),
            _field("online_url", Message("Address to take part online")),
            _field(
                "organizer",
                Message("Organizer"),
                "organizer_find",
                organizer=None,
                organizer_find=None,
                organizer_new=None,
            ),
            _field("cost", Message("Price")),
            _field("website", _WEBSITE),
            _field("slug", Message("Name in the address")),
            _field("date", Message("Published on"), date=None, date_time=Message("at")),
            _field(
                "password", Message("Password for readers"), password=None, password_remove=None
            ),
            _field("sticky", Message("First on its day")),
            _field("hide_from_listings", Message("Left out of lists")),
            _field("show_map", Message("Show a map")),
            _field("show_map_link", Message("Show a link to a map")),
            _field("ticketed", Message("There are tickets")),
            _field(
                "custom_fields",
                Message("Further details"),
                "custom_key",
                custom_key=None,
                custom_label=None,
                custom_value=None,
            ),
            _field("author", Message("Author")),
            _field("post_parent", Message("Part of the event")),
            _field("status", Message("State")),
            _field("featured", Message("Featured")),
            _field("event_status", Message("Does it take place?")),
            _field("status_reason", Message("Reason")),
            _field("image", Message("Picture"), "image_file"),
            _field("categories", Message("Categories")),
            _field("tags", Message("Tags"), "tags_find", tags=None, tags_find=None),
        )
    }
)
# Records that are entered in place have controls such as ``venue_new[city]``.
NEW: Mapping[str, Mapping[str, Message]] = MappingProxyType(
    {
        "venue_new": {
            "venue": Message("Name of the place"),
            "address": Message("Street and number"),
            "zip": Message("Postal code"),
            "city": Message("Town"),
            "country": Message("Country"),
            "geo_lat": Message("Latitude"),
            "geo_lng": Message("Longitude"),
        },
        "organizer_new": {
            "organizer": Message("Name of the organizer"),
            "email": Message("E-mail"),
            "phone": Message("Phone"),
            "website": _WEBSITE,
        },
    }
)
# The labels of all controls, in the order of the form.
LABELS: Mapping[str, Message] = MappingProxyType(
    {
        name: label
        for each in FIELDS.values()
        for name, label in (
            *each.labels.items(),
            *(
                (f"{group}[{member}]", label)
                for group in each.controls
                for member, label in NEW.get(group, {}).items()
            ),
        )
    }
)
TEXTS = ("title", "description", "excerpt", "slug", "website", "status_reason")
# The fields with a text in each language.
WORDED: Mapping[str, Field] = {name: FIELDS[name] for name in (*TEXTS, "custom_fields")}
TEXT_CONTROLS = tuple(control for each in WORDED.values() for control in each.controls)
_FLAGS = ("featured", "sticky", "show_map", "show_map_link", "ticketed", "all_day")
FLAGS = (*_FLAGS, "hide_from_listings", "password_remove")
_ROWS = ("custom_key", "custom_label", "custom_value")
LISTS = ("categories", "tags", "venue", "organizer", "repeat_days", *_ROWS)
_NAMES = tuple(name for each in FIELDS.values() for name in each.controls)


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event or a series that is edited, as the user reads it in the language of the texts."""

    kind: Kind
    read: ReadEvent

    @classmethod
    def find(cls, kind: Kind, record_id: int, language: str) -> Self:
        """Return the event to edit. Raises ``NotFound`` or ``NotAllowed``."""
        asked = current.context()
        record = asked.reader.find(kind, record_id)
        if record is None:
            raise NotFound(kind.singular, record_id)
        if not may_edit(asked.caller, record):
            raise NotAllowed
        context = records.context_of(kind, [record])
        chain = asked.settings.chain(language)
        return cls(kind, ReadEvent(record, replace(context, chain=chain)))

    def in_language(self, language: str) -> "StoredEvent":
        if language == self.language:
            return self
        chain = self.read.context.settings.chain(language)
        return replace(self, read=ReadEvent(self.record, replace(self.read.context, chain=chain)))

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

    def values(self, notation: Notation) -> Values:
        """Return the values with which the form is filled; texts are those of its language."""
        record, read = self.record, self.read
        texts = record["variants"].get(self.language, {})
        values = empty_values(record["timezone"])
        values |= {name: texts.get(name) or "" for name in TEXTS}
        values |= {name: _TRUE if record[name] else "" for name in _FLAGS}
        values |= self._times(notation)
        values |= {
            "hide_from_listings": _TRUE if is_hidden(record["hidden"]) else "",
            "event_status": record.get("event_status", SCHEDULED),
            "attendance_mode": read.attendance_mode,
            "status": record["status"],
            "cost": read.price,
            "online_url": read.online_url,
            "image": str(read.picture.id or read.picture.full.url) if read.picture else "",
            "author": str(record["author"]),
            "post_parent": str(record.get("parent") or ""),
            "categories": _ids(read.linked("categories")),
            "tags": _ids(read.linked("tags")),
            "venue": _ids(read.linked("venues")),
            "organizer": _ids(read.linked("organizers")),
        }
        return values | _custom_rows(texts)

    def _times(self, notation: Notation) -> Values:
        read, record = self.read, self.record
        times = {"start_date": notation.day(read.start), "end_date": notation.day(read.end)}
        if not read.all_day:
            times |= {"start_time": f"{read.start:%H:%M}", "end_time": f"{read.end:%H:%M}"}
        if record["status"] not in UNFINISHED or record.get("dated"):
            published = wall_of(record["published"], read.context.zone)
            times |= {"date": notation.day(published), "date_time": f"{published:%H:%M}"}
        facts = self._facts
        if facts is None:
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


def sent_values(form: MultiDict[str, str]) -> Values:
    """Return the values of a form that was sent; line ends are those of Unix."""
    values: Values = {}
    for name in _NAMES:
        if name in LISTS:
            values[name] = form.getlist(name)
        elif name in NEW:
            new = {field: form.get(f"{name}[{field}]", "").strip() for field in NEW[name]}
            values[name] = {field: text for field, text in new.items() if text}
        else:
            values[name] = form.get(name, "").replace("\r\n", "\n")
    return values | _filled_rows(values)


def empty_values(timezone: str) -> Values:
    """Return the values of a form for a new event."""
    blank: Values = {name: [] if name in LISTS else "" for name in _NAMES}
    flags = {"show_map": _TRUE, "show_map_link": _TRUE}
    usual = {"event_status": "scheduled", "attendance_mode": "offline", "timezone": timezone}
    return blank | flags | usual | {name: {} for name in NEW}


def rows_of(values: Mapping[str, Sequence[str]]) -> dict[str, dict[str, str]]:
    """Return the further details by key: a label and a value."""
    rows = zip(*(values[name] for name in _ROWS), strict=False)
    return {
        key.strip(): {"label": label.strip(), "value": value.strip()}
        for key, label, value in rows
        if key.strip()
    }


def _filled_rows(values: Values) -> Values:
    """Return the rows of further details without the empty ones."""
    rows = zip(*(values[name] for name in _ROWS), strict=False)
    filled = [row for row in rows if any(text.strip() for text in row)]
    return {name: [row[place] for row in filled] for place, name in enumerate(_ROWS)}


def _custom_rows(texts: Record) -> Values:
    fields = texts.get("custom_fields") or {}
    return {
        "custom_key": list(fields),
        "custom_label": [part.get("label") or "" for part in fields.values()],
        "custom_value": [part.get("value") or "" for part in fields.values()],
    }


def _ids(linked: Sequence[Record]) -> list[str]:
    return [str(record["_id"]) for record in linked]


def is_recurring_control(name: str) -> bool:
    return name in FIELDS["recurrence"].controls


def text_values(values: Mapping[str, Any]) -> Values:
    """Return the values of the controls with a text in each language."""
    return {name: values[name] for name in TEXT_CONTROLS}

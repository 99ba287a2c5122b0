"""The fields of the form of events, and the values of its controls: as sent, and as stored."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import zip_longest
from types import MappingProxyType
from typing import Self

from werkzeug.datastructures import MultiDict

from calendar_app.accounts.policy import may_edit
from calendar_app.api.http.request import current
from calendar_app.api.http.views import records
from calendar_app.calendar.reading.links import SeriesFacts
from calendar_app.domain.custom_fields import LABEL, LONGEST_KEY, VALUE
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import EVENT, ORGANIZER, SERIES, VENUE, event_fields
from calendar_app.domain.slugs import slugify
from calendar_app.domain.statuses import (
    DRAFT,
    PENDING,
    SCHEDULED,
    TRASH,
    UNFINISHED,
    is_hidden,
)
from calendar_app.domain.texts.written_dates import clocks_in
from calendar_app.domain.zones import wall_of
from calendar_app.errors import Message, NotAllowed, NotFound
from calendar_app.readmodel.events import ReadEvent
from calendar_app.site.desk.event_form import participation
from calendar_app.site.desk.event_form.times import Notation, choices_of
from calendar_app.site.html.wording import own_name
from calendar_app.site.pages.forms import ControlValues, FormField, member_of

_TRUE = "1"


def _field(name: str, label: Message, focus: str = "", /, **parts: Message | None) -> FormField:
    """Return a field of the form; ``None`` is for a control without a label of its own."""
    return FormField(name, label, f"event-{focus or name}", parts)


def _declared(name: str, focus: str = "", /, **parts: Message | None) -> FormField:
    """Return the field of a text or a flag, which the table labels."""
    return _field(name, event_fields.LABELS[name], focus, **parts)


_WEBSITE = event_fields.LABELS["website"]
# In the order of the form, by the parameters of the interface.
FIELDS: Mapping[str, FormField] = MappingProxyType(
    {
        each.name: each
        for each in (
            _declared("title"),
            _declared("description"),
            _declared("excerpt"),
            _field("start_date", Message("Start"), start_date=None, start_time=Message("from")),
            _field("end_date", Message("End"), end_date=None, end_time=Message("until")),
            _declared("all_day"),
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
            _field("accessibility", Message("Accessibility")),
            _field(
                "in_language",
                Message("Languages of the event"),
                "in_language_other",
                in_language=None,
                in_language_other=Message("Other languages"),
            ),
            _field(
                "audience",
                Message("For whom"),
                "audience_min",
                audience_min=Message("from the age of"),
                audience_max=Message("up to the age of"),
                audience_groups=None,
            ),
            _field(
                "registration",
                Message("Registration"),
                "registration_url",
                registration_url=Message("Address of the registration"),
                registration_opens=Message("Registration opens"),
                registration_closes=Message("Registration closes"),
                registration_required=Message("Do people have to register?"),
            ),
            _field("cost", Message("Price")),
            _declared("website"),
            _field("slug", Message("Name in the address")),
            _field("date", Message("Published on"), date=None, date_time=Message("at")),
            _field(
                "password", Message("Password for readers"), password=None, password_remove=None
            ),
            _declared("sticky"),
            _declared("hide_from_listings"),
            _declared("show_map"),
            _declared("show_map_link"),
            _declared("ticketed"),
            _declared(
                "custom_fields",
                "custom_label",
                custom_key=None,
                custom_label=None,
                custom_value=None,
            ),
            _field("author", Message("Author")),
            _field(
                "post_parent",
                Message("Part of the event"),
                "post_parent_find",
                post_parent=None,
                post_parent_find=None,
            ),
            _field("status", Message("State")),
            _declared("featured"),
            _field("event_status", Message("Does it take place?")),
            _declared("status_reason"),
            _field("image", Message("Picture"), "image_file"),
            _field("categories", Message("Categories")),
            _field("tags", Message("Tags"), "tags_find", tags=None, tags_find=None),
            *(_declared(field.name) for field in event_fields.PLAIN),
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
_PLAIN_TEXTS = tuple(field.name for field in event_fields.PLAIN_TEXTS)
TEXTS = ("title", "description", "excerpt", "slug", "website", "status_reason", *_PLAIN_TEXTS)
# The fields with a text in each language.
WORDED: Mapping[str, FormField] = {name: FIELDS[name] for name in (*TEXTS, "custom_fields")}
_FLAGS = ("featured", "sticky", "show_map", "show_map_link", "ticketed", "all_day")
_PLAIN_FLAGS = tuple(field.name for field in event_fields.PLAIN_FLAGS)
FLAGS = (*_FLAGS, *_PLAIN_FLAGS, "hide_from_listings", "password_remove")
_KEY, _PARTS = "custom_key", ("custom_label", "custom_value")
# The key of a further detail that has no label to make one of.
_NAMELESS = "detail"
LISTS = (
    *("categories", "tags", "venue", "organizer", "post_parent", "repeat_days"),
    *("accessibility", "in_language", "audience_groups"),
    *(_KEY, *_PARTS),
)


def control_in(name: str, language: str, languages: Sequence[str]) -> str:
    """Return the control of a text in a language; that of the first one bears the bare name."""
    return name if language == languages[0] or name == _KEY else f"variants[{language}][{name}]"


@lru_cache(64)
def fields_in(languages: tuple[str, ...]) -> Mapping[str, FormField]:
    """Return the fields of the form in its order, each text in these languages."""
    return {
        each.name: each
        for each_field in FIELDS.values()
        for each in (
            each_field,
            *(_in_language(each_field, tag, languages) for tag in languages[1:]),
        )
        if each is each_field or each_field.name in WORDED
    }


def _in_language(form_field: FormField, language: str, languages: Sequence[str]) -> FormField:
    """Return a field for the text of another language."""
    parts = {
        control_in(name, language, languages): label for name, label in form_field.parts.items()
    }
    name = f"variants[{language}][{form_field.name}]"
    return FormField(
        name, form_field.label, f"{form_field.id}-{language}", parts, (Message(own_name(language)),)
    )


@lru_cache(64)
def labels_in(languages: tuple[str, ...]) -> Mapping[str, Message]:
    """Return the labels of all controls, in the order of the form."""
    return MappingProxyType(
        {
            name: label
            for each in fields_in(languages).values()
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


LABELS = labels_in(("",))


def languages_from(first: str) -> tuple[str, ...]:
    """Return the languages of the site, this one first."""
    return (first, *(tag for tag in current.context().settings.languages if tag != first))


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
        values |= {name: _TRUE if record[name] else "" for name in _FLAGS}
        values |= {
            flag.name: _TRUE if record.get(flag.attribute) else ""
            for flag in event_fields.PLAIN_FLAGS
        }
        values |= self._times(notation) | participation.stored_values(record, notation)
        values |= {
            "hide_from_listings": _TRUE if is_hidden(record["hidden"]) else "",
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
        return values | _custom_rows(record["variants"], languages)

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


def sent_values(form: MultiDict[str, str], languages: tuple[str, ...]) -> ControlValues:
    """Return the values of a form that was sent; line ends are those of Unix."""
    values: ControlValues = {}
    for name, is_list in _controls(languages).items():
        if is_list:
            values[name] = form.getlist(name)
        elif name in NEW:
            new = {field: form.get(f"{name}[{field}]", "").strip() for field in NEW[name]}
            values[name] = {field: text for field, text in new.items() if text}
        else:
            values[name] = form.get(name, "").replace("\r\n", "\n")
    if span := clocks_in(values["start_time"]):
        values |= dict(zip(("start_time", "end_time"), span, strict=True))
    return values | _filled_rows(values, languages)


def empty_values(timezone: str, languages: tuple[str, ...]) -> ControlValues:
    """Return the values of a form for a new event."""
    blank: ControlValues = {
        name: [] if is_list else "" for name, is_list in _controls(languages).items()
    }
    flags = {"show_map": _TRUE, "show_map_link": _TRUE}
    usual = {"event_status": "scheduled", "attendance_mode": "offline", "timezone": timezone}
    new: ControlValues = {name: {} for name in NEW}
    return blank | flags | usual | new | _custom_rows({}, languages)


@lru_cache(64)
def _controls(languages: tuple[str, ...]) -> Mapping[str, bool]:
    """Return each control of the form, and whether it has several values."""
    names = (name for each in fields_in(languages).values() for name in each.controls)
    return MappingProxyType({name: member_of(name) in LISTS for name in names})


# Further details: rows of a key that all languages share, and a label and a value in each.


def rows_of(
    values: ControlValues, language: str, languages: Sequence[str]
) -> dict[str, dict[str, str]]:
    """Return the further details of a language by key: a label and a value, not both empty."""
    labels, texts = (values[control_in(part, language, languages)] for part in _PARTS)
    keys = keys_of(values, languages)
    rows = zip(keys, *(_padded(part, len(keys)) for part in (labels, texts)), strict=True)
    of_site = current.context().settings.custom_fields
    return {
        key: {"label": label.strip() or of_site.get(key, {}).get(language, ""), "value": text}
        for key, label, text in ((key, label, text.strip()) for key, label, text in rows)
        if key and (label.strip() or text)
    }


def keys_of(values: ControlValues, languages: Sequence[str]) -> list[str]:
    """Return the key of each row; that of a new one is made of its first label."""
    texts = [values[name] for name in _row_controls(languages)]
    keys = [key.strip() for key in values[_KEY]]
    for place, (_, *row) in enumerate(zip_longest(*texts, fillvalue="")):
        keys = _padded(keys, place + 1)
        label = next((label.strip() for label in row[:: len(_PARTS)] if label.strip()), "")
        if not keys[place] and any(text.strip() for text in row):
            name = slugify(label)[:LONGEST_KEY] or _NAMELESS
            free = (name, *(f"{name}-{number}" for number in range(2, len(keys) + 2)))
            keys[place] = next(each for each in free if each not in keys)
    return keys


def _padded(row: Sequence[str], length: int) -> list[str]:
    return [*row, *[""] * (length - len(row))][: max(length, len(row))]


def _filled_rows(values: ControlValues, languages: Sequence[str]) -> ControlValues:
    """Return the rows of further details that have a text in any language."""
    names = list(_row_controls(languages))
    rows = list(zip_longest(*(values[name] for name in names), fillvalue=""))
    filled = [row for row in rows if any(text.strip() for text in row)]
    return {name: [row[place] for row in filled] for place, name in enumerate(names)}


def _row_controls(languages: Sequence[str]) -> Iterator[str]:
    yield _KEY
    for tag in languages:
        yield from (control_in(part, tag, languages) for part in _PARTS)


def _custom_rows(variants: Mapping[str, Record], languages: Sequence[str]) -> ControlValues:
    fields = {tag: variants.get(tag, {}).get("custom_fields") or {} for tag in languages}
    of_site: Iterable[str] = current.context().settings.custom_fields
    keys = list(dict.fromkeys((*(key for each in fields.values() for key in each), *of_site)))
    texts = {
        control_in(control, tag, languages): [
            fields[tag].get(key, {}).get(part) or "" for key in keys
        ]
        for tag in languages
        for control, part in zip(_PARTS, (LABEL, VALUE), strict=True)
    }
    return {_KEY: keys, **texts}


def _ids(linked: Sequence[Record]) -> list[str]:
    return [str(record["_id"]) for record in linked]


def is_recurring_control(name: str) -> bool:
    return name in FIELDS["recurrence"].controls

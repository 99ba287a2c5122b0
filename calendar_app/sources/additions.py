"""What the event that stays in a union gets from the other: what it lacks, and people's edits."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calendar_app.calendar.series.occurrences import TIME_PATHS
from calendar_app.domain import custom_fields
from calendar_app.domain.kind import Kind, Markup, Record
from calendar_app.domain.kinds import event_fields
from calendar_app.domain.ledger import entry_of, is_waiting
from calendar_app.domain.moments import Moment
from calendar_app.domain.provenance import notes_of
from calendar_app.domain.richtext import escape
from calendar_app.domain.statuses import is_hidden
from calendar_app.sources.merging import TEXTS, TIMES, changes_at
from calendar_app.sources.notes import memory_of
from calendar_app.sources.origins import edited_in

PARENT, _HIDDEN = "parent", "hidden"
_LISTS = ("venues", "organizers")
# Fields in which the event that stays has what both have.
ADDED_UP = ("categories", "tags")
_FLAGS = tuple(each.attribute for each in event_fields.FLAGS if each.name != "all_day")
_STATES = ("attendance_mode", "event_status")
_SINGLE = (
    *("image", "cost", "online_url", "accessibility", "in_language", "audience", "registration"),
    PARENT,
)
# Fields of which no value stands for nothing: only who has edited them has said something.
_ALWAYS = (*_FLAGS, *_STATES)
_VALUES = (*_SINGLE, *_ALWAYS)
# Texts of which the editor resolves entities.
_DECODED = (Markup.NAME, Markup.NOTE)


@dataclass(frozen=True, slots=True)
class UnitedEvent:
    """One of two events that become one, an event or a series; a date comes with its ``series``."""

    kind: Kind
    record: Record
    series: Record | None = None

    @property
    def id(self) -> int:
        record_id: int = self.record["_id"]
        return record_id

    @property
    def notes(self) -> Sequence[Record]:
        return [*notes_of(self.record), *notes_of(self.series or {})]

    @property
    def edited(self) -> set[str]:
        """The paths that people have edited; all that an event without a source says."""
        stated = {*self._stated()}
        if not self.notes:
            return stated | {TIMES}
        memories = [memory_of(note) for note in self.notes]
        spoken = {path for memory in memories for path in (*memory.said, *memory.wrote)}
        return edited_in(self.kind, self.record, self.series) | (stated - spoken)

    def value(self, name: str) -> Any:
        """Return the value of a field in the words of an edit."""
        value = self.record.get(name)
        if value is None:
            value = self.kind.usual.get(name, self.kind.defaults.get(name))
        return is_hidden(value) if name == _HIDDEN else value

    def _stated(self) -> Iterator[str]:
        """Yield the paths at which something stands that is not true of every new event."""
        for tag, texts in self.record[TEXTS].items():
            for name, text in texts.items():
                proposed = is_waiting(entry_of(self.record, tag, name))
                if name != "slug" and text and not proposed:
                    yield f"{TEXTS}.{tag}.{name}"
        for name in (*_VALUES, *_LISTS):
            usual = self.kind.usual.get(name, self.kind.defaults.get(name))
            if self.value(name) != usual:
                yield name


def additions(stays: UnitedEvent, goes: UnitedEvent) -> Record:
    """Return the fields missing in one event, and those edited in the other alone."""
    own = stays.edited
    takes = goes.edited - own
    changes: Record = {}
    if variants := _texts(stays.record, goes.record, takes):
        changes[TEXTS] = variants
    for name in _LISTS:
        present, other = stays.record.get(name), goes.record.get(name)
        if other and other != present and (not present or name in takes):
            changes[name] = other
    for name in _VALUES:
        present, other = stays.value(name), goes.value(name)
        is_lacking = name in _SINGLE and not present and name not in own
        if other != present and (name in takes or is_lacking):
            changes[name] = other
    for name in ADDED_UP:
        union = list(dict.fromkeys((*stays.record[name], *goes.record[name])))
        if len(union) > len(stays.record[name]):
            changes[name] = union
    if TIMES in takes and goes.kind is stays.kind and "recurrence" not in goes.record:
        changes |= _times(goes.record)
    return changes


def date_additions(stays: UnitedEvent, goes: UnitedEvent) -> Record:
    """Return the fields of one date that people edited in this series and not in the other."""
    takes = edits_of_date(goes) - edits_of_date(stays)
    texts = {f"{TEXTS}.{tag}.{name}" for tag, name, _ in _named_texts(goes.record)}
    values = {name: goes.value(name) for name in (*_VALUES, *_LISTS, *ADDED_UP)}
    whole = {**values, **_times(goes.record), TEXTS: _sent_texts(goes.record)}
    changes = changes_at(whole, frozenset(takes & {*values, TIMES, *texts}))
    # What stands there already needs no write.
    return {
        name: value
        for name, value in changes.items()
        if name not in values or value != stays.value(name)
    }


def edits_of_date(date: UnitedEvent) -> set[str]:
    """Return the paths at which people let a date differ from its series."""
    edited = edited_in(date.kind, date.record)
    memories = [memory_of(note) for note in notes_of(date.record)]
    stored_paths = {path for memory in memories for path in memory.wrote} - edited
    overrides = {TIMES if each in TIME_PATHS else each for each in date.record["overrides"]}
    return overrides - stored_paths


def _named_texts(record: Record) -> Iterator[tuple[str, str, Any]]:
    for tag, texts in record[TEXTS].items():
        for name, text in texts.items():
            if name != "slug":
                yield tag, name, text


def _sent_texts(record: Record) -> dict[str, Record]:
    variants: dict[str, Record] = {}
    for tag, name, text in _named_texts(record):
        variants.setdefault(tag, {})[name] = _sent(name, text)
    return variants


def _texts(stays: Record, goes: Record, takes: Collection[str]) -> dict[str, Record]:
    variants: dict[str, Record] = {}
    for tag, name, text in _named_texts(goes):
        present = stays[TEXTS].get(tag, {}).get(name)
        is_taken = f"{TEXTS}.{tag}.{name}" in takes
        added: Any
        if name == custom_fields.NAME:
            added = _further_fields(present or {}, text, is_taken=is_taken)
        else:
            added = _sent(name, text) if is_taken or not present else None
        if added and text != present:
            variants.setdefault(tag, {})[name] = added
    return variants


def _further_fields(
    present: Mapping[str, Any], other: Mapping[str, Any], *, is_taken: bool
) -> Record:
    """Return the custom fields that are not there, or another where those of the other count."""
    return {
        key: parts
        for key, parts in other.items()
        if key not in present or (is_taken and parts != present[key])
    }


def _sent(name: str, text: Any) -> Any:
    """Return a stored text in the words of an edit."""
    markup = next(each.markup for each in event_fields.TEXTS if each.name == name)
    return escape(text) if markup in _DECODED and text else text


def _times(record: Record) -> Record:
    edges: dict[str, Any] = {name: Moment(record[f"{name}_local"]) for name in ("start", "end")}
    return edges | {"timezone": record["timezone"], "all_day": bool(record["all_day"])}

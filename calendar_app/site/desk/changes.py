"""The differences between two states of a record, in words."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from calendar_app.api.http.request import current
from calendar_app.api.http.views import records
from calendar_app.api.presentation.records import field_names
from calendar_app.calendar.auditing import Door
from calendar_app.calendar.history import (
    BOOKKEEPING,
    HIDDEN,
    PASSWORD,
    SOURCES,
    TEXTS,
    changed_paths,
)
from calendar_app.domain.cost import for_readers, in_language
from calendar_app.domain.custom_fields import LABEL, VALUE
from calendar_app.domain.differences import Stretch, WordChange, difference, html_difference
from calendar_app.domain.kind import Kind, Markup, Record
from calendar_app.domain.kinds import BY_NAME, MEDIA
from calendar_app.domain.ledger import LEDGER
from calendar_app.domain.recurrence.rules import recurrence_of, span_of
from calendar_app.domain.statuses import CANCELED, POSTPONED, SCHEDULED, TRASH, is_hidden
from calendar_app.domain.texts.participation_words import ACCESSIBILITY_WORDS, audience_in_words
from calendar_app.domain.texts.recurrence_text.describing import describe
from calendar_app.errors import Message
from calendar_app.readmodel.records import ReadContext, local_text
from calendar_app.site.desk.event_form.fields import LABELS as OF_EVENTS
from calendar_app.site.desk.event_form.showing import ATTENDANCE, STATUSES
from calendar_app.site.desk.rendering import gettext, language, local_time, message_text
from calendar_app.site.html import wording

# What fields, doors and kinds are called.

_LABELS: Mapping[str, Message] = MappingProxyType(
    {
        **OF_EVENTS,
        "address": Message("Street and number"),
        "city": Message("Town"),
        "country": Message("Country"),
        "province": Message("Province"),
        "state": Message("State (region)"),
        "stateprovince": Message("State or province"),
        "zip": Message("Postal code"),
        "phone": Message("Phone"),
        "email": Message("E-mail"),
        "parent": Message("Category above"),
        "alt_text": Message("What the picture shows"),
        "geo_lat": Message("Point on the map"),
        "geo_lng": Message("Point on the map"),
        "translation_status": Message("Translation confirmed"),
        "translation_reviewed": Message("Texts checked"),
    }
)
_NAME = Message("Name")
DOORS: Mapping[str, Message] = MappingProxyType(
    {
        Door.INTERFACE: Message("by the interface"),
        Door.DESK: Message("at the desk"),
        Door.SUBMISSION: Message("by the form for visitors"),
        Door.IMPORT: Message("by an import"),
        Door.SERVICE: Message("by the service"),
    }
)
WORDS: Mapping[str, Mapping[str, Message]] = MappingProxyType(
    {
        "status": {**STATUSES, TRASH: Message("In the trash")},
        "attendance_mode": ATTENDANCE,
        "event_status": {
            SCHEDULED: Message("As planned"),
            CANCELED: Message("Called off"),
            POSTPONED: Message("Postponed"),
        },
    }
)
# The kinds that have a trash, by their collection.
KIND_NAMES: Mapping[str, Message] = MappingProxyType(
    {
        "events": Message("Events"),
        "venues": Message("Venues"),
        "organizers": Message("Organizers"),
        "series": Message("Recurring events"),
    }
)


_PLACES = {name: place for place, name in enumerate(_LABELS)}


def place_of(kind: Kind, name: str) -> int:
    """Return where a field stands among the others, as in forms; names come first."""
    return -1 if name == kind.label else _PLACES.get(name, len(_PLACES))


def label_of(kind: Kind, name: str) -> Message:
    """Return the label of a field, by its name in the interface."""
    is_name = name == kind.label and name != "title"
    return _NAME if is_name else _LABELS.get(name, Message(name))


# The values of two states.

# Told by other paths, or not for people.
_UNTOLD = frozenset({"start", "end", PASSWORD, SOURCES, LEDGER, *BOOKKEEPING})
_LINKS: Mapping[str, Kind] = MappingProxyType({**BY_NAME, "image": MEDIA})
_HTML = (Markup.HTML, Markup.INLINE)


@dataclass(frozen=True, slots=True)
class FieldDifference:
    """A field that differs, in one language where it is a text; its ``place`` sorts it."""

    place: int
    label: Message
    language: str
    stretches: Sequence[Stretch]


def differences(kind: Kind, before: Record, after: Record) -> list[FieldDifference]:
    """Return how one state of a record became another, field by field."""
    [fields] = differences_of(kind, [(before, after)])
    return fields


def differences_of(
    kind: Kind, pairs: Sequence[tuple[Record, Record]]
) -> list[list[FieldDifference]]:
    """Return the differences of several records, each before and after, read at once."""
    context = records.context_of(kind, [state for pair in pairs for state in pair])
    return [
        sorted(_differences(kind, before, after, context), key=lambda field: field.place)
        for before, after in pairs
    ]


def _differences(
    kind: Kind, before: Record, after: Record, context: ReadContext
) -> Iterator[FieldDifference]:
    for path in changed_paths(kind, before, after):
        first, *rest = path.split(".")
        if first == TEXTS:
            tag, name = rest
            texts = (state[TEXTS].get(tag, {}).get(name, "") for state in (before, after))
            stretches = _text_difference(kind, name, *texts)
            yield FieldDifference(place_of(kind, name), label_of(kind, name), tag, stretches)
        elif first not in _UNTOLD:
            values = (_value(kind, first, state, context) for state in (before, after))
            (name, *_) = field_names(kind, first)
            stretches = _replaced(*values)
            yield FieldDifference(place_of(kind, name), label_of(kind, name), "", stretches)


def _text_difference(kind: Kind, name: str, before: Any, after: Any) -> list[Stretch]:
    markup = kind.texts.get(name)
    if markup is Markup.FIELDS:
        return difference(_custom_fields(before), _custom_fields(after))
    compare: Callable[[str, str], list[Stretch]] = (
        html_difference if markup in _HTML else difference
    )
    return compare(before, after)


def _custom_fields(fields: Mapping[str, Mapping[str, str]] | str) -> str:
    if isinstance(fields, str):
        return ""
    return "\n".join(
        gettext(": ").join((parts.get(LABEL, key), parts.get(VALUE, "")))
        for key, parts in sorted(fields.items())
    )


def _replaced(before: str, after: str) -> list[Stretch]:
    stretches = (Stretch(WordChange.DELETED, before), Stretch(WordChange.INSERTED, after))
    return [stretch for stretch in stretches if stretch.text]


def _value(kind: Kind, name: str, state: Record, context: ReadContext) -> str:
    value = state.get(name, kind.usual.get(name))
    if name in WORDS:
        return message_text(WORDS[name].get(str(value), str(value)))
    if name in _SPECIAL:
        return _SPECIAL[name](state, value) if value is not None else ""
    if name in _LINKS or name == "parent":
        return _names(kind, name, value, context)
    if isinstance(value, bool):
        return gettext("Yes") if value else gettext("No")
    return "" if value is None else str(value)


def _names(kind: Kind, name: str, value: Any, context: ReadContext) -> str:
    """Return the names of linked records; an address of a picture stands for itself."""
    linked = _LINKS.get(name, kind)
    if isinstance(value, str):
        return value
    ids = value if isinstance(value, list) else [value] if value else []
    linked_records = context.linked.get(linked.name, {})
    return ", ".join(_name(linked, number, linked_records.get(number), context) for number in ids)


def _name(kind: Kind, number: int, record: Record | None, context: ReadContext) -> str:
    record = record or (
        current.context().reader.find(kind, number) if kind.name == "categories" else None
    )
    if record is None:
        return f"#{number}"
    name = local_text(record, kind.label, context.chain).text
    return name or str(record.get(kind.label, f"#{number}"))


def _day_and_time(state: Record, moment: Any) -> str:
    return wording.when(moment, moment, language(), all_day=state["all_day"])


def _hidden(_: Record, value: Any) -> str:
    return gettext("Yes") if is_hidden(value) else gettext("No")


def _cost(_: Record, cost: Any) -> str:
    text = in_language(cost, gettext("Free"))
    return for_readers(text, current.context().settings.currency_symbol)


def _recurrence(state: Record, _: Any) -> str:
    return describe(recurrence_of(state), span_of(state), language())


def _point(_: Record, location: Any) -> str:
    return f"{location['latitude']}, {location['longitude']}"


def _author(number: int) -> str:
    names = current.context().services.profiles.shown_names([number])
    return names.get(number) or (f"#{number}" if number else gettext("A visitor"))


def _registration(_: Record, entry: Record) -> str:
    times = (
        wording.when(entry[name], entry[name], language(), all_day=False)
        for name in ("opens", "closes")
        if name in entry
    )
    required = (
        [gettext("Yes") if entry["required"] else gettext("No")] if "required" in entry else []
    )
    return " \u00b7 ".join(filter(None, (entry.get("url"), *times, *required)))


def _joined(words: Iterable[str]) -> str:
    return " \u00b7 ".join(map(message_text, words))


_SPECIAL: Mapping[str, Callable[[Record, Any], str]] = MappingProxyType(
    {
        "start_local": _day_and_time,
        "end_local": _day_and_time,
        "published": lambda _, moment: local_time(moment),
        "author": lambda _, number: _author(number),
        HIDDEN: _hidden,
        "accessibility": lambda _, words: _joined(ACCESSIBILITY_WORDS[word] for word in words),
        "in_language": lambda _, tags: _joined(wording.language_name(t, language()) for t in tags),
        "audience": lambda _, audience: _joined(audience_in_words(audience)),
        "registration": _registration,
        "cost": _cost,
        "recurrence": _recurrence,
        "location": _point,
    }
)

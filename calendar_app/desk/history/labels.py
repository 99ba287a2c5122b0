"""The names of fields, and of their values that are words of the interface."""

from collections.abc import Mapping
from types import MappingProxyType

from calendar_app.calendar.auditing import Door
from calendar_app.desk.event_form.fields import LABELS as OF_EVENTS
from calendar_app.desk.event_form.showing import ATTENDANCE, STATUSES
from calendar_app.domain.kind import Kind
from calendar_app.domain.statuses import CANCELED, POSTPONED, SCHEDULED, TRASH
from calendar_app.errors import Message

_LABELS: Mapping[str, Message] = MappingProxyType(
    {
        **OF_EVENTS,
        "address": Message("Address"),
        "city": Message("City"),
        "country": Message("Country"),
        "province": Message("Province"),
        "state": Message("State (region)"),
        "stateprovince": Message("State or province"),
        "zip": Message("Postal code"),
        "phone": Message("Phone"),
        "email": Message("E-mail"),
        "parent": Message("Above"),
        "alt_text": Message("Description for people who cannot see it"),
        "geo_lat": Message("Point on the map"),
        "geo_lng": Message("Point on the map"),
        "translation_status": Message("Translation confirmed"),
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

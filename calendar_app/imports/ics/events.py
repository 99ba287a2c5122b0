"""A VEVENT as changes in the editor's words."""

from collections.abc import Mapping
from types import MappingProxyType

from icalendar import Event

from calendar_app.domain.attendance import CANCELED, MIXED, OFFLINE, ONLINE, POSTPONED, SCHEDULED
from calendar_app.domain.kind import Record
from calendar_app.domain.statuses import PRIVATE
from calendar_app.imports.ics.people import online_url_of, organizers_of, venues_of
from calendar_app.imports.ics.properties import parameter, text, texts, values
from calendar_app.imports.ics.times import EventTimes
from calendar_app.imports.ics.writing import Languages, address, texts_of

_STATUSES: Mapping[str, str] = MappingProxyType({"CANCELLED": CANCELED, "TENTATIVE": POSTPONED})
_HIDDEN_CLASSES = ("PRIVATE", "CONFIDENTIAL")


def changes_of(event: Event, times: EventTimes, languages: Languages) -> tuple[str, Record]:
    """Return the language of the title, and the changes; raise ``ValueError`` if unreadable."""
    language, variants = texts_of(event, languages)
    venues, online_url = venues_of(event, languages), online_url_of(event)
    mode = (MIXED if venues else ONLINE) if online_url else OFFLINE
    changes = {
        "variants": variants,
        "venues": venues,
        "organizers": organizers_of(event, languages),
        "categories": list(dict.fromkeys(texts(event, "CATEGORIES"))),
        "image": _image(event),
        "online_url": online_url,
        "attendance_mode": mode,
    }
    if text(event, "STATUS").upper() == "CANCELLED":
        # Cancellations often say nothing but the time.
        variants[language] = _nonempty(variants[language])
        changes = _nonempty(changes | {"attendance_mode": mode if online_url else ""})
    changes["event_status"] = _STATUSES.get(text(event, "STATUS").upper(), SCHEDULED)
    if text(event, "CLASS").upper() in _HIDDEN_CLASSES:
        changes["status"] = PRIVATE
    return language, changes | times.changes()


def _nonempty(changes: Record) -> Record:
    return {name: value for name, value in changes.items() if value}


def _image(event: Event) -> str | None:
    """Return the address of IMAGE, else of an ATTACH that is a picture."""
    attached = (
        prop
        for prop in values(event, "ATTACH")
        if parameter(prop, "FMTTYPE").lower().startswith("image/")
    )
    addresses = (address(str(prop)) for prop in (*values(event, "IMAGE"), *attached))
    return next(filter(None, addresses), None)

"""Events as octets: a quarter of the memory of objects, and as they come from another process.

That process reads what strangers have written, so nothing but events is made of its octets.
"""

import pickle
from collections.abc import Mapping
from io import BytesIO
from types import MappingProxyType
from typing import Any
from zoneinfo import ZoneInfo

from calendar_app.sources.calendar_events import CalendarEvent

# Everything that events consist of, beside plain values; the last ones are VTIMEZONEs.
_PARTS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "calendar_app.sources.calendar_events": frozenset({"CalendarEvent", "OverriddenDate"}),
        "calendar_app.domain.moments": frozenset({"Moment"}),
        "calendar_app.domain.recurrence.notation": frozenset({"SentRecurrence"}),
        "calendar_app.domain.recurrence.rules": frozenset({"Rule"}),
        "calendar_app.errors": frozenset({"Message"}),
        "calendar_app.sources.imports.ics.zones": frozenset({"OwnClocks"}),
        "datetime": frozenset({"date", "datetime", "time", "timedelta", "timezone"}),
        "zoneinfo": frozenset({"ZoneInfo"}),
        "dateutil.rrule": frozenset({"rrule", "rruleset", "weekday"}),
        "dateutil.tz.tz": frozenset({"_tzicalvtz", "_tzicalvtzcomp", "tzutc"}),
        # Of what is in this table alone: icalendar packs the rules of zones so.
        "functools": frozenset({"partial"}),
        "icalendar.timezone.zoneinfo": frozenset({"unpickle_rruleset_with_cache"}),
    }
)


def packed(event: CalendarEvent) -> bytes:
    """Return an event as octets."""
    return pickle.dumps(event, pickle.HIGHEST_PROTOCOL)


def unpacked(octets: bytes) -> CalendarEvent:
    """Return the event in octets; raise ``UnpicklingError`` where they are of anything else."""
    event = _Unpickler(BytesIO(octets)).load()
    if not isinstance(event, CalendarEvent):
        raise pickle.UnpicklingError("It is not an event.")
    return event


class _Unpickler(pickle.Unpickler):
    """Makes nothing but the parts of events."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == ("builtins", "getattr"):
            return _zone_maker
        if name not in _PARTS.get(module, ()):
            raise pickle.UnpicklingError(f"Events have no {module}.{name}.")
        return super().find_class(module, name)


def _zone_maker(owner: object, name: str) -> Any:
    """Return ``ZoneInfo._unpickle``, the only class attribute that pickled events may name."""
    if owner is not ZoneInfo or name != "_unpickle":
        raise pickle.UnpicklingError(f"Events have no {name} of {owner}.")
    return getattr(ZoneInfo, name)

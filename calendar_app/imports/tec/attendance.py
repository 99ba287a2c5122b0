"""Event status and attendance mode of imported events.

The Events Calendar has both in ``json_ld`` alone, Virtual Events in fields of its own, and this
calendar under its own names. Fields that are missing stay unchanged.
"""

from collections.abc import Mapping
from types import MappingProxyType

from calendar_app.domain.statuses import (
    ATTENDANCE_MODES,
    CANCELED,
    EVENT_STATUSES,
    MIXED,
    OFFLINE,
    ONLINE,
    POSTPONED,
    SCHEDULED,
)
from calendar_app.imports.tec import values
from calendar_app.imports.tec.values import Raw

_STATUSES: Mapping[str, str] = MappingProxyType(
    {"EventScheduled": SCHEDULED, "EventCancelled": CANCELED, "EventPostponed": POSTPONED}
)
_MODES: Mapping[str, str] = MappingProxyType(
    {
        "OfflineEventAttendanceMode": OFFLINE,
        "OnlineEventAttendanceMode": ONLINE,
        "MixedEventAttendanceMode": MIXED,
    }
)
_REASONS = ("status_reason", "event_status_reason")
_ADDRESSES = ("online_url", "virtual_url")
_HYBRID = "hybrid"


def attendance(raw: Raw) -> dict[str, str]:
    """Return ``event_status``, ``attendance_mode`` and ``online_url``, if the site has them."""
    status = _word(raw, "event_status", EVENT_STATUSES) or _STATUSES.get(_term(raw, "eventStatus"))
    mode = (
        _word(raw, "attendance_mode", ATTENDANCE_MODES)
        or _virtual(raw)
        or _MODES.get(_term(raw, "eventAttendanceMode"))
    )
    online = next((values.address(raw, name) for name in _ADDRESSES if name in raw), None)
    fields = {"event_status": status, "attendance_mode": mode, "online_url": online}
    return {name: value for name, value in fields.items() if value is not None}


def status_reason(raw: Raw) -> dict[str, str | None]:
    """Return the text ``status_reason``, if the site has it."""
    reasons = [values.text(raw, name) for name in _REASONS if name in raw]
    return {"status_reason": reasons[0] or None} if reasons else {}


def _word(raw: Raw, name: str, words: tuple[str, ...]) -> str | None:
    word = raw.get(name)
    return word if isinstance(word, str) and word in words else None


def _virtual(raw: Raw) -> str | None:
    """Return the attendance mode of Virtual Events."""
    virtual = raw.get("is_virtual")
    if virtual is None:
        return None
    if not virtual:
        return OFFLINE
    return MIXED if raw.get("virtual_event_type") == _HYBRID else ONLINE


def _term(raw: Raw, name: str) -> str:
    """Return the last part of a term of schema.org: ``https://schema.org/EventPostponed``."""
    json_ld = raw.get("json_ld")
    term = json_ld.get(name) if isinstance(json_ld, dict) else None
    return term.rpartition("/")[2] if isinstance(term, str) else ""

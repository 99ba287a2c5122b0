"""Whether an event takes place, and how people attend it.

The states are those of The Events Calendar's own status module, and of schema.org's ``eventStatus``
and ``eventAttendanceMode``. Most events are held as planned and at a place: their documents say
nothing of either.
"""

from collections.abc import Mapping
from types import MappingProxyType

SCHEDULED, CANCELED, POSTPONED = "scheduled", "canceled", "postponed"
EVENT_STATUSES = (SCHEDULED, CANCELED, POSTPONED)
OFFLINE, ONLINE, MIXED = "offline", "online", "mixed"
ATTENDANCE_MODES = (OFFLINE, ONLINE, MIXED)

# What is true of an event whose document does not say otherwise.
USUAL: Mapping[str, str] = MappingProxyType(
    {"event_status": SCHEDULED, "attendance_mode": OFFLINE, "online_url": ""}
)

"""The names that stored fields have in the interface."""

from collections.abc import Mapping
from types import MappingProxyType

from calendar_app.domain.kind import Kind

_NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "start": ("start_date",),
        "end": ("end_date",),
        "start_local": ("start_date",),
        "end_local": ("end_date",),
        "venues": ("venue",),
        "organizers": ("organizer",),
        "hidden": ("hide_from_listings",),
        "published": ("date",),
        "location": ("geo_lat", "geo_lng"),
    }
)


def field_names(kind: Kind, stored_name: str) -> tuple[str, ...]:
    """Return the names of a field in the interface; a point has two."""
    if stored_name == "parent" and kind.has_status:
        return ("post_parent",)
    return _NAMES.get(stored_name, (stored_name,))

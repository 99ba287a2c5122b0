"""The values of the form's controls: as a form sends them, and as a record fills them."""

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any

from werkzeug.datastructures import MultiDict

from calendar_app.desk.event_form.notation import Notation
from calendar_app.desk.event_form.repeating import choices_of
from calendar_app.domain.cost import for_readers
from calendar_app.domain.kind import Record
from calendar_app.domain.richtext import decoded
from calendar_app.http.request import current
from calendar_app.presentation.records import NEVER, JSONObject

Values = dict[str, Any]
_TRUE = "1"

# The controls of each parameter of the interface; most have one of their own name.
CONTROLS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        **{name: (name,) for name in ("title", "description", "excerpt", "slug", "website")},
        "start_date": ("start_date", "start_time"),
        "end_date": ("end_date", "end_time"),
        "all_day": ("all_day",),
        "timezone": ("timezone",),
        "recurrence": (
            "repeat",
            "repeat_interval",
            "repeat_days",
            "repeat_by",
            "repeat_until",
            "repeat_count",
            "repeat_rule",
            "repeat_dates",
            "repeat_except",
        ),
        "venue": ("venue", "venue_find", "venue_new"),
        "organizer": ("organizer", "organizer_find", "organizer_new"),
        "image": ("image",),
        "cost": ("cost",),
        "categories": ("categories",),
        "tags": ("tags", "tags_find"),
        "attendance_mode": ("attendance_mode",),
        "online_url": ("online_url",),
        "event_status": ("event_status",),
        "status_reason": ("status_reason",),
        "status": ("status",),
        "date": ("date", "date_time"),
        "password": ("password", "password_remove"),
        **{name: (name,) for name in ("featured", "sticky", "hide_from_listings")},
        **{name: (name,) for name in ("show_map", "show_map_link", "ticketed")},
        "custom_fields": ("custom_key", "custom_label", "custom_value"),
        "author": ("author",),
        "post_parent": ("post_parent",),
    }
)
TEXTS = ("title", "description", "excerpt", "slug", "website", "status_reason")
# The parameters with a text in each language.
WORDED = (*TEXTS, "custom_fields")
_SHOWN_FLAGS = ("sticky", "hide_from_listings", "show_map", "show_map_link", "ticketed")
FLAGS = ("all_day", "featured", *_SHOWN_FLAGS, "password_remove")
_ROWS = ("custom_key", "custom_label", "custom_value")
LISTS = ("categories", "tags", "venue", "organizer", "repeat_days", *_ROWS)
# Records that are entered in place have controls such as ``venue_new[city]``.
NEW: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "venue_new": ("venue", "address", "zip", "city", "country", "geo_lat", "geo_lng"),
        "organizer_new": ("organizer", "email", "phone", "website"),
    }
)
_NAMES = tuple(name for controls in CONTROLS.values() for name in controls)


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


def _filled_rows(values: Values) -> Values:
    """Return the rows of further details without the empty ones."""
    rows = zip(*(values[name] for name in _ROWS), strict=False)
    filled = [row for row in rows if any(text.strip() for text in row)]
    return {name: [row[place] for row in filled] for place, name in enumerate(_ROWS)}


def empty_values(timezone: str) -> Values:
    """Return the values of a form for a new event."""
    blank: Values = {name: [] if name in LISTS else "" for name in _NAMES}
    flags = {"show_map": _TRUE, "show_map_link": _TRUE}
    usual = {"event_status": "scheduled", "attendance_mode": "offline", "timezone": timezone}
    return blank | flags | usual | {name: {} for name in NEW}


def record_values(
    record: Record, presented: JSONObject, language: str, notation: Notation
) -> Values:
    """Return the values of a stored event; its texts are those of ``language`` alone."""
    texts = record["variants"].get(language, {})
    values = empty_values(presented["timezone"])
    values |= {name: texts.get(name) or "" for name in TEXTS}
    values |= {name: _TRUE if presented[name] else "" for name in FLAGS if name in presented}
    values |= _times(presented, notation)
    series = presented.get("series") or ("rrule" in presented and presented)
    values |= choices_of(series, presented, notation) if series else {}
    values |= {name: presented[name] for name in ("event_status", "attendance_mode", "status")}
    values |= {
        "cost": for_readers(decoded(presented["cost"]), current.settings().currency_symbol),
        "online_url": decoded(presented["online_url"]),
        "image": _image(presented["image"]),
        "author": presented["author"],
        "post_parent": str(record.get("parent") or ""),
    }
    values |= {name: _ids(presented[name]) for name in ("categories", "tags", "organizer")}
    venues = presented["venue"]
    values["venue"] = _ids(venues if isinstance(venues, list) else [venues])
    return values | _custom_fields(texts) | _publication(presented, notation)


def changed_parameters(values: Values, stored: Values) -> set[str]:
    """Return the parameters of which some control differs."""
    return {
        parameter
        for parameter, controls in CONTROLS.items()
        if any(_differ(values.get(name), stored.get(name)) for name in controls)
    }


def _differ(value: Any, stored: Any) -> bool:
    if isinstance(value, list) and isinstance(stored, list):
        return sorted(value) != sorted(stored)
    return bool(value != stored) and bool(value or stored)


def _times(presented: JSONObject, notation: Notation) -> Values:
    start, end = (datetime.fromisoformat(presented[f"{edge}_date"]) for edge in ("start", "end"))
    return {
        "start_date": notation.day(start.date()),
        "end_date": notation.day(end.date()),
        "start_time": "" if presented["all_day"] else f"{start:%H:%M}",
        "end_time": "" if presented["all_day"] else f"{end:%H:%M}",
    }


def _publication(presented: JSONObject, notation: Notation) -> Values:
    if presented["date_utc"] == NEVER:
        return {}
    moment = datetime.fromisoformat(presented["date"])
    return {"date": notation.day(moment.date()), "date_time": f"{moment:%H:%M}"}


def _image(image: Any) -> str:
    if not image:
        return ""
    return str(image["id"] or image["url"])


def _ids(linked: list[JSONObject]) -> list[str]:
    return [str(record["id"]) for record in linked]


def _custom_fields(texts: Record) -> Values:
    fields = texts.get("custom_fields") or {}
    return {
        "custom_key": list(fields),
        "custom_label": [part.get("label") or "" for part in fields.values()],
        "custom_value": [part.get("value") or "" for part in fields.values()],
    }

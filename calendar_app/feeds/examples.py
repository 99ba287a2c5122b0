"""Examples of feeds in the OpenAPI document: what a site with these settings would answer.

They are of the event of ``rest/openapi/examples.py``, and of a calendar with an identity of its
own.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from uuid import UUID
from xml.sax.saxutils import escape

from calendar_app.domain.richtext import legible
from calendar_app.feeds.content_lines import folded
from calendar_app.feeds.entry import event_uid
from calendar_app.feeds.feed import feed_uid
from calendar_app.feeds.values import escaped
from calendar_app.http.answers.feed_links import FEED_TYPES
from calendar_app.http.openapi.examples import SOMEWHERE, filled
from calendar_app.http.openapi.operations import Part
from calendar_app.http.request.addresses import Addresses
from calendar_app.settings import Settings

CALENDAR = UUID("00000000-0000-4000-8000-000000000000")
_ASKED = {"per_page": "1", "start_date": "2030-03-01", "end_date": "2030-03-31"}
_EVENT = 5
_TOLD = json.loads(Path(__file__).with_name("examples.json").read_text(encoding="utf-8"))
_CRLF = "\r\n"


def illustrate(document: Part, settings: Settings) -> Part:
    """Add the examples of feeds to the document of an interface, and return it."""
    for suffix, media_type in FEED_TYPES.items():
        answer = document["paths"][f"/events.{suffix}"]["get"]["responses"]["200"]
        told = filled(_TOLD[suffix], _filling(suffix, settings))
        shown = {"examples": {"concerts": {"value": _written(suffix, told)}}}
        answer["content"] = {media_type: answer["content"][media_type] | shown}
    file = {"examples": {"concert": {"value": _file_of_event(settings)}}}
    for path in ("/events/{id}.ics", "/events/by-slug/{slug}.ics"):
        answer = document["paths"][path]["get"]["responses"]["200"]
        answer["content"] = {
            media_type: content | file for media_type, content in answer["content"].items()
        }
    return document


def _file_of_event(settings: Settings) -> str:
    """Return the iCalendar file of the event alone; it differs in its source from the list."""
    name = f"events/{_EVENT}.ics"
    source = f"SOURCE;VALUE=URI:$base/{name}"
    lines = [source if line.startswith("SOURCE") else line for line in _TOLD["ics"]]
    filling = {**_filling("ics", settings), "feed": str(feed_uid(CALENDAR, name, {}))}
    text: str = _written("ics", filled(lines, filling))
    return text


def _filling(suffix: str, settings: Settings) -> Mapping[str, str]:
    """Return what depends on the settings, as the format writes it."""
    site = settings.site_url.rstrip("/") or SOMEWHERE
    filling = {
        "site": site,
        "base": Addresses(site, site, settings).base,
        "name": legible(settings.site_name),
        "language": settings.default_language,
        "timezone": settings.timezone,
        "event": str(event_uid(CALENDAR, _EVENT)),
        "feed": str(feed_uid(CALENDAR, f"events.{suffix}", _ASKED)),
    }
    match suffix:
        case "ics":
            return filling | {"name": escaped(filling["name"])}
        case "atom":
            return {name: escape(value) for name, value in filling.items()}
        case _:
            return filling


def _written(suffix: str, told: Any) -> Any:
    """Return an example as it is answered; what is told in lines ends as its format wants it."""
    match suffix:
        case "ics":
            return "".join(f"{folded(line.encode()).decode()}{_CRLF}" for line in told)
        case "csv":
            return "".join(f"{line}{_CRLF}" for line in told)
        case "atom":
            return "".join(f"{line}\n" for line in told)
        case _:
            return told

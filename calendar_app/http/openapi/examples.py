"""Examples in the OpenAPI document: what a site with these settings takes, and really answers.

The answers tell of one event, ``examples.json``, made on an empty calendar on 15 January 2030 at
noon UTC. What depends on the settings is filled in here.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from string import Template
from types import MappingProxyType
from typing import Any
from zoneinfo import ZoneInfo

from calendar_app import errors
from calendar_app.domain.translations import CURRENT, MISSING
from calendar_app.domain.zones import wall_of
from calendar_app.errors import Message
from calendar_app.http.answers.representation import JSON
from calendar_app.http.errors.messages import translated
from calendar_app.http.errors.refusals import invalid_parameters, missing_parameters, refusal_of
from calendar_app.http.openapi.operations import METHODS, Part
from calendar_app.http.presentation.linked_data import document
from calendar_app.http.presentation.presenting import date_text
from calendar_app.http.request.addresses import Addresses
from calendar_app.settings import Settings

_TOLD = json.loads(Path(__file__).with_name("examples.json").read_text(encoding="utf-8"))
_MADE = datetime(2030, 1, 15, 12, tzinfo=UTC).replace(tzinfo=None)
# The address of a site whose settings name none.
SOMEWHERE = "https://example.org"
_REFUSALS = MappingProxyType(
    {
        "missing": missing_parameters(["start_date", "end_date"]),
        "invalid": invalid_parameters(
            {"page": Message("{name} must be a whole number above 0.", name="page")}
        ),
        "stranger": refusal_of(errors.NotAuthenticated()),
        "not_allowed": refusal_of(errors.NotAllowed()),
        "unknown": refusal_of(errors.NotFound("event", 999)),
        "trashed": refusal_of(errors.AlreadyTrashed("event")),
        "changed": refusal_of(errors.PreconditionFailed()),
    }
)


def illustrate(document: Part, settings: Settings) -> Part:
    """Add the examples to the document of an interface, and return it."""
    told = _told(settings)
    for path, item in document["paths"].items():
        _show_sent(path, item, told["sent"])
    listed, one = document["paths"]["/events"], document["paths"]["/events/{id}"]
    _show(listed["post"]["responses"]["201"], "concert", told["event"])
    _show(listed["get"]["responses"]["200"], "concerts", told["page"])
    _show(one["get"]["responses"]["200"], "concert", told["alone"])
    listed, one = document["paths"]["/media"], document["paths"]["/media/{id}"]
    _show(listed["post"]["responses"]["201"], "logo", told["picture"])
    _show(listed["get"]["responses"]["200"], "logos", told["pictures"])
    _show(one["get"]["responses"]["200"], "logo", told["picture"])
    for path, item in document["paths"].items():
        _show_narrowed(path, item, told["narrowed"])
    for name, refusal in _REFUSALS.items():
        said = translated(refusal.body, settings.chain(settings.default_language))
        _show(document["components"]["responses"][str(refusal.status)], name, said)
    return document


def filled(told: Any, filling: Mapping[str, str]) -> Any:
    """Return an example with what depends on the site in every text."""
    match told:
        case dict():
            return {name: filled(value, filling) for name, value in told.items()}
        case list():
            return [filled(value, filling) for value in told]
        case str():
            return Template(told).substitute(filling)
        case _:
            return told


def _show_sent(path: str, item: Part, sent: Mapping[str, Any]) -> None:
    """Add what may be sent to a path: one body to a collection, and one to any record in it."""
    collection, of_one, _ = path.removeprefix("/").partition("/")
    for method in ("post", "put", "patch"):
        body = item.get(method, {}).get("requestBody", {})
        if JSON in body.get("content", {}):
            name = "changed" if of_one else "new"
            _show(body, name, sent[f"/{collection}{of_one}"])


def _show_narrowed(path: str, item: Part, records: Mapping[str, Any]) -> None:
    """Add an answer narrowed with ``_fields`` to each operation that has no other example."""
    collection = path.split("/")[1]
    operations = [item[method] for method in METHODS if method in item]
    for operation in operations:
        status = "200" if "200" in operation["responses"] else "201"
        answer = operation["responses"][status]
        media = answer["content"].get(JSON)
        if media is None or "examples" in media:
            continue
        listed = "X-TEC-Total" in answer.get("headers", {})
        value = {"total": 1} if listed else records[collection]
        summary = f"With _fields={','.join(value)}"
        shown = {"examples": {"narrowed": {"summary": summary, "value": value}}}
        answer["content"] = {JSON: media | shown}


def _show(place: Part, name: str, value: Any, form: str = JSON) -> None:
    """Add an example to a body, of a request or of an answer."""
    media = place["content"][form]
    shown = {**media, "examples": {**media.get("examples", {}), name: {"value": value}}}
    place["content"] = {**place["content"], form: shown}


def _told(settings: Settings) -> Mapping[str, Any]:
    """Return what is sent to each path, and the event as it is answered: new, listed, and alone."""
    site = settings.site_url.rstrip("/") or SOMEWHERE
    addresses = Addresses(site, site, settings)
    filling = {
        "site": site,
        "base": addresses.base,
        "namespace": settings.namespace,
        "host": addresses.global_id(0).removesuffix("?id=0"),
        "language": settings.default_language,
        "moment": date_text(wall_of(_MADE, ZoneInfo(settings.timezone))),
    }
    told: Part = filled(_TOLD, filling)
    event, json_ld = told["event"], told["json_ld"]
    for record, kind in ((event, "event"), (event["venue"], "venue")):
        record["translations"] = _translations(record, kind, addresses, settings)
    venue = {**event["venue"], "json_ld": document(json_ld["location"])}
    page = {"events": [event], "total": 1, "total_pages": 1} | told["list"]
    alone = {**event, "json_ld": json_ld, "venue": venue}
    return {**told, "page": page, "alone": alone, **_pictures(told["picture"], addresses, settings)}


def _pictures(told: Part, addresses: Addresses, settings: Settings) -> Part:
    """Return a picture as it is answered, by itself and in a list."""
    listed = {
        **told,
        "translations": {
            language: {
                "status": CURRENT if language == told["language"] else MISSING,
                "url": told["url"],
                "rest_url": addresses.translated_record("media", told["id"], language),
            }
            for language in settings.languages
        },
    }
    page = {"rest_url": f"{addresses.collection('media')}/", "total": 1, "total_pages": 1}
    alone = {**listed, "used_by": [], "uses": 0}
    return {"picture": alone, "pictures": {**page, "media": [listed]}}


def _translations(shown: Part, kind: str, addresses: Addresses, settings: Settings) -> Part:
    return {
        language: {
            "status": CURRENT if language == shown["language"] else MISSING,
            "url": addresses.page(kind, shown["slug"], language),
            "rest_url": addresses.translated_record(f"{kind}s", shown["id"], language),
        }
        for language in settings.languages
    }

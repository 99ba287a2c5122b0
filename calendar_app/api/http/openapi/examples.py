"""Examples in the OpenAPI document: requests, and the responses of a site with these settings.

The responses present one event, ``examples.json``, created as a draft on an empty calendar on 15
January 2030 at noon UTC, and published then. Values that depend on the settings are substituted
here.
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
from calendar_app.api.http.answers.answering import JSON, NDJSON
from calendar_app.api.http.errors.refusals import invalid_parameters, missing_parameters, refusal_of
from calendar_app.api.http.openapi.operations import METHODS, OperationPart
from calendar_app.api.presentation.nodes import document
from calendar_app.api.presentation.records import date_text
from calendar_app.domain import timespan
from calendar_app.domain.moments import Moment
from calendar_app.domain.recurrence.notation import parse, settle
from calendar_app.domain.texts.messages import translated
from calendar_app.domain.texts.recurrence_text.describing import describe, template_language
from calendar_app.domain.translations import CURRENT, MISSING
from calendar_app.domain.zones import wall_of
from calendar_app.errors import Message
from calendar_app.readmodel.addresses import Addresses
from calendar_app.readmodel.records import BY_PEOPLE
from calendar_app.settings import Settings

_TEMPLATES = json.loads(Path(__file__).with_name("examples.json").read_text(encoding="utf-8"))
_CREATED = datetime(2030, 1, 15, 12, tzinfo=UTC).replace(tzinfo=None)
# Used if the settings name no site.
DEFAULT_SITE = "https://example.org"
# Routes that a site may do without, with the name of an example and its place among the templates.
_OF_PARTS = (
    ("/translations/propose", "title", "proposals"),
    ("/translations/glossary", "terms", "glossary"),
)
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


def add_examples(document: OperationPart, settings: Settings) -> OperationPart:
    """Add the examples to a document, and return it."""
    examples = _build_examples(settings)
    for path, item in document["paths"].items():
        _add_request_examples(path, item, examples["sent"])
    list_path, item_path = document["paths"]["/events"], document["paths"]["/events/{id}"]
    _add_example(list_path["post"]["responses"]["201"], "concert", examples["draft"])
    _add_example(list_path["get"]["responses"]["200"], "concerts", examples["page"])
    _add_example(item_path["get"]["responses"]["200"], "concert", examples["alone"])
    list_path, item_path = document["paths"]["/media"], document["paths"]["/media/{id}"]
    _add_example(list_path["post"]["responses"]["201"], "logo", examples["picture"])
    _add_example(list_path["get"]["responses"]["200"], "logos", examples["pictures"])
    _add_example(item_path["get"]["responses"]["200"], "logo", examples["picture"])
    preview = document["paths"]["/recurrence/preview"]["post"]
    _add_example(preview["responses"]["200"], "wednesdays", examples["preview"])
    for path, name, example in _OF_PARTS:
        for operation in document["paths"].get(path, {}).values():
            _add_example(operation["responses"]["200"], name, examples[example])
    bulk, lines = document["paths"]["/bulk"]["post"], examples["lines"]
    _add_example(bulk["requestBody"], "lines", lines["sent"], NDJSON)
    _add_example(bulk["responses"]["200"], "lines", lines["answered"], NDJSON)
    for path, item in document["paths"].items():
        _add_narrowed_examples(path, item, examples["narrowed"])
    for name, refusal in _REFUSALS.items():
        body = translated(refusal.body, settings.chain(settings.default_language))
        _add_example(document["components"]["responses"][str(refusal.status)], name, body)
    return document


def substitute(template: Any, values: Mapping[str, str]) -> Any:
    """Fill the placeholders in all texts of a template."""
    match template:
        case dict():
            return {name: substitute(value, values) for name, value in template.items()}
        case list():
            return [substitute(value, values) for value in template]
        case str():
            return Template(template).substitute(values)
        case _:
            return template


def _add_request_examples(path: str, item: OperationPart, sent: Mapping[str, Any]) -> None:
    """Add the examples of request bodies: one for creation, one for changes."""
    collection, of_one, _ = path.removeprefix("/").partition("/")
    for method in ("post", "put", "patch"):
        body = item.get(method, {}).get("requestBody", {})
        if JSON in body.get("content", {}):
            name = "changed" if of_one else "new"
            own = path if path in sent else f"/{collection}{of_one}"
            _add_example(body, name, sent[own])


def _add_narrowed_examples(path: str, item: OperationPart, records: Mapping[str, Any]) -> None:
    """Add a response narrowed with ``_fields`` to operations without examples."""
    collection = path.split("/")[1]
    operations = [item[method] for method in METHODS if method in item]
    for operation in operations:
        status = "200" if "200" in operation["responses"] else "201"
        answer = operation["responses"][status]
        media = answer["content"].get(JSON)
        if media is None or "examples" in media:
            continue
        listed = "X-TEC-Total" in answer.get("headers", {})
        usual = {"total": 1} if listed else records.get(collection)
        value = records.get(path, usual)
        summary = f"With _fields={','.join(value)}"
        example = {"examples": {"narrowed": {"summary": summary, "value": value}}}
        answer["content"] = {JSON: media | example}


def _add_example(body: OperationPart, name: str, value: Any, form: str = JSON) -> None:
    """Add an example to a request or response body."""
    media = body["content"][form]
    media_with_example = {
        **media,
        "examples": {**media.get("examples", {}), name: {"value": value}},
    }
    body["content"] = {**body["content"], form: media_with_example}


def _build_examples(settings: Settings) -> Mapping[str, Any]:
    """Return the example bodies of requests and responses."""
    site = settings.site_url.rstrip("/") or DEFAULT_SITE
    addresses = Addresses(site, site, settings)
    values = {
        "site": site,
        "base": addresses.base,
        "namespace": settings.namespace,
        "host": addresses.global_id(0).removesuffix("?id=0"),
        "language": settings.default_language,
        "other_language": next(
            (tag for tag in settings.languages if tag != settings.default_language), "rm"
        ),
        "recurrence_text": _recurrence_text(settings),
        "moment": date_text(wall_of(_CREATED, ZoneInfo(settings.timezone))),
    }
    examples: OperationPart = substitute(_TEMPLATES, values)
    event, json_ld = examples["event"], examples["json_ld"]
    for record, kind in ((event, "event"), (event["venue"], "venue")):
        record["translations"] = _translations(record, kind, addresses, settings)
    venue = {**event["venue"], "json_ld": document(json_ld["location"])}
    page = {"events": [event], "total": 1, "total_pages": 1} | examples["list"]
    alone = {**event, "json_ld": json_ld, "venue": venue}
    return {
        **examples,
        "draft": _draft(event, examples["draft"], addresses),
        "page": page,
        "alone": alone,
        **_pictures(examples["picture"], addresses, settings),
    }


def _draft(event: OperationPart, differing: OperationPart, addresses: Addresses) -> OperationPart:
    """Return the example event in its state before publication."""
    translations = {
        language: {**state, "url": addresses.unpublished_page("event", event["id"], language)}
        for language, state in event["translations"].items()
    }
    page = translations[event["language"]]["url"]
    categories = [{**category, "count": 0} for category in event["categories"]]
    own = {"url": page, "website": page, "translations": translations, "categories": categories}
    return {**event, **differing, **own}


def _recurrence_text(settings: Settings) -> str:
    """Return the recurrence of the example of a preview in words."""
    sent, chain = _TEMPLATES["sent"]["/recurrence/"], settings.chain(settings.default_language)
    span = timespan.settle(
        None,
        start=Moment(datetime.fromisoformat(sent["start"])),
        end=Moment(datetime.fromisoformat(sent["end"])),
        timezone=sent["timezone"],
        all_day=False,
        site_timezone=sent["timezone"],
    )
    recurrence = settle(parse(sent["recurrence"], _CREATED.replace(tzinfo=UTC)), span, limit=4)
    return describe(recurrence, span, template_language(chain))


def _pictures(picture: OperationPart, addresses: Addresses, settings: Settings) -> OperationPart:
    """Return the example picture, alone and in a list."""
    listed = {
        **picture,
        "translations": {
            language: {
                **_translation_state(in_own=language == picture["language"]),
                "url": picture["url"],
                "rest_url": addresses.translated_record("media", picture["id"], language),
            }
            for language in settings.languages
        },
    }
    page = {"rest_url": f"{addresses.collection('media')}/", "total": 1, "total_pages": 1}
    alone = {**listed, "used_by": [], "uses": 0}
    return {"picture": alone, "pictures": {**page, "media": [listed]}}


def _translation_state(*, in_own: bool) -> Mapping[str, Any]:
    return {"status": CURRENT, **BY_PEOPLE} if in_own else {"status": MISSING}


def _translations(
    record: OperationPart, kind: str, addresses: Addresses, settings: Settings
) -> OperationPart:
    return {
        language: {
            **_translation_state(in_own=language == record["language"]),
            "url": addresses.page(kind, record["slug"], language),
            "rest_url": addresses.translated_record(f"{kind}s", record["id"], language),
        }
        for language in settings.languages
    }

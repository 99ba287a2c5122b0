"""Records in the JSON of WordPress, made from their presentation here.

Names and contexts are those of the REST API handbook. What WordPress has and a calendar has not,
such as comments, is left out.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from calendar_app.api.presentation.records import RecordView
from calendar_app.api.presentation.shapes import JSONObject
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import MEDIA
from calendar_app.parts.wordpress.attachments import present_attachment
from calendar_app.parts.wordpress.contexts import (
    CURIES,
    DISCLOSURE,
    EDIT,
    EMBED,
    VIEW,
    disclosed,
    text_of,
    time_of,
)
from calendar_app.parts.wordpress.names import (
    CATEGORIES,
    EVENTS,
    LINKS,
    META,
    NAMESPACE,
    TAGS,
    ContentType,
)
from calendar_app.readmodel.events import ReadEvent

FEATURED, TERMS = "wp:featuredmedia", "wp:term"
_TAXONOMIES = {each.kind.name: each for each in (TAGS, CATEGORIES)}
# What other records embed of one.
_EMBEDDED = frozenset(
    {
        *("id", "date", "slug", "type", "link", "title", "excerpt", "author", "featured_media"),
        *("name", "taxonomy", DISCLOSURE, "_links"),
    }
)


@dataclass(frozen=True, slots=True)
class Representation:
    """How a record is asked for: in which context, with which linked records embedded."""

    context: str = VIEW
    embeds: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        return " ".join((self.context, *sorted(self.embeds)))


def present(
    type_: ContentType,
    representation: Representation,
    record: Record,
    view: RecordView,
    *,
    single: bool = False,
) -> JSONObject:
    """Present a record, the same in lists and on its own."""
    del single
    make = _post if type_.kind.has_status else _term
    body = make(type_, representation, record, view)
    if representation.context == EMBED:
        body = {name: value for name, value in body.items() if name in _EMBEDDED}
    if representation.embeds:
        body["_embedded"] = _embedded(type_, representation.embeds, record, view)
    return body


def _post(
    type_: ContentType, representation: Representation, record: Record, view: RecordView
) -> JSONObject:
    fields, addresses = type_.present_shown(record, view), view.context.addresses
    is_edited, number = representation.context == EDIT, record["_id"]
    image, is_event = fields.get("image") or {}, type_ is EVENTS
    texts = ("content", "excerpt") if is_event else ("content",)
    is_protected = record.get("password") is not None
    page = addresses.short_page(number, view.context.chain[0])
    return {
        "id": number,
        "date": time_of(fields["date"]),
        "date_gmt": time_of(fields["date_utc"]),
        "guid": {"rendered": page},
        "modified": time_of(fields["modified"]),
        "modified_gmt": time_of(fields["modified_utc"]),
        "slug": fields["slug"],
        "status": fields["status"],
        "type": type_.name,
        "link": fields["url"],
        "title": text_of(fields[type_.kind.label], is_edited=is_edited),
        **{
            name: {
                **text_of(fields.get(type_.fields[name], ""), is_edited=is_edited),
                "protected": is_protected,
            }
            for name in texts
        },
        "author": int(fields["author"]),
        "featured_media": image.get("id", 0),
        "template": "",
        META: _meta(type_, fields, record, view),
        **_ids_of_terms(type_, record, view),
        **disclosed(fields),
        "_links": _links(type_, record, view, image.get("id", 0)),
    }


def _meta(type_: ContentType, fields: JSONObject, record: Record, view: RecordView) -> JSONObject:
    names = {**type_.meta, **type_.read_meta}
    meta = {
        name: _meta_value(fields.get(own, "")) for name, own in names.items() if name not in LINKS
    }
    if type_ is not EVENTS:
        return meta
    event, cost = ReadEvent(record, view.context), fields["cost_details"]
    links = {name: [each["_id"] for each in event.linked(own)] for name, own in LINKS.items()}
    # A website that is not there is shown as the page of the event.
    website = "" if fields["website"] == fields["url"] else fields["website"]
    return {
        **meta,
        **links,
        "_EventURL": website,
        "_EventCurrencySymbol": cost["currency_symbol"],
        "_EventCurrencyCode": cost["currency_code"],
        "_EventCurrencyPosition": cost["currency_position"],
    }


def _meta_value(value: Any) -> str | bool:
    """Return a value as the plugin keeps it: a text, or a flag."""
    return bool(value) if value is None or isinstance(value, bool) else str(value)


def _ids_of_terms(type_: ContentType, record: Record, view: RecordView) -> JSONObject:
    if not type_.terms:
        return {}
    event = ReadEvent(record, view.context)
    return {name: [term["_id"] for term in event.linked(own)] for own, name in type_.terms.items()}


def _links(type_: ContentType, record: Record, view: RecordView, picture: int) -> JSONObject:
    root, number = f"{view.context.addresses.index}{NAMESPACE}", record["_id"]
    links: JSONObject = _own_links(type_, record, view)
    if picture:
        href = f"{root}/{MEDIA.name}/{picture}"
        links[FEATURED] = [{"embeddable": True, "href": href}]
    if type_.terms:
        links[TERMS] = [
            {
                "taxonomy": _TAXONOMIES[own].taxonomy,
                "embeddable": True,
                "href": f"{root}/{name}?post={number}",
            }
            for own, name in type_.terms.items()
        ]
    return links | ({"curies": CURIES} if picture or type_.terms else {})


def _own_links(type_: ContentType, record: Record, view: RecordView) -> JSONObject:
    collection = f"{view.context.addresses.index}{NAMESPACE}/{type_.name}"
    return {
        "self": [{"href": f"{collection}/{record['_id']}"}],
        "collection": [{"href": collection}],
    }


def _term(
    type_: ContentType, representation: Representation, record: Record, view: RecordView
) -> JSONObject:
    del representation
    fields, number = type_.present_shown(record, view), record["_id"]
    links = _own_links(type_, record, view)
    above = {"parent": fields["parent"]} if "parent" in fields else {}
    if above.get("parent"):
        href = f"{links['collection'][0]['href']}/{above['parent']}"
        links["up"] = [{"embeddable": True, "href": href}]
    events = f"{view.context.addresses.index}{NAMESPACE}/{EVENTS.name}?{type_.name}={number}"
    return {
        "id": number,
        "count": fields["count"],
        "description": fields["description"],
        "link": fields["url"],
        "name": fields["name"],
        "slug": fields["slug"],
        "taxonomy": type_.taxonomy,
        **above,
        **disclosed(fields),
        META: [],
        "_links": {**links, "wp:post_type": [{"href": events}], "curies": CURIES},
    }


def _embedded(
    type_: ContentType, embeds: Collection[str], record: Record, view: RecordView
) -> JSONObject:
    """Return the linked records that are asked for, all of which are read already."""
    embedded: JSONObject = {}
    image = type_.present_shown(record, view).get("image") if FEATURED in embeds else None
    media = view.context.linked.get(MEDIA.name, {}).get(image["id"]) if image else None
    if media:
        embedded[FEATURED] = [present_attachment(media, view, EMBED)]
    if TERMS in embeds and type_.terms:
        event = ReadEvent(record, view.context)
        embedded[TERMS] = [
            [
                present(_TAXONOMIES[own], Representation(EMBED), term, view)
                for term in event.linked(own)
            ]
            for own in type_.terms
        ]
    return embedded

"""Presentation of categories and tags."""

from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.richtext import escape, plain
from calendar_app.http.presentation.linked_data import Node, document, node
from calendar_app.http.presentation.presenting import (
    JSONObject,
    View,
    localized,
    stored_texts,
    translation_state,
)

_TAXONOMIES = {"categories": "calendar_events_cat", "tags": "post_tag"}


def present_term(kind: Kind, term: Record, view: View, *, single: bool = False) -> JSONObject:
    """Present a term as its own routes do."""
    cache_name = f"{kind.name} alone" if single else f"{kind.name} in a list"
    return view.cached(cache_name, term["_id"], lambda: _present(kind, term, view, single=single))


def _present(kind: Kind, term: Record, view: View, *, single: bool) -> JSONObject:
    texts = localized(kind, term, view)
    body: JSONObject = {
        "id": term["_id"],
        "count": term["count"],
        "description": texts["description"],
        "name": escape(texts["name"]),
        "slug": texts["slug"],
        "taxonomy": _TAXONOMIES[kind.name],
    }
    if "parent" in term:
        body["parent"] = term["parent"]
    body |= {
        "meta": [],
        "url": view.addresses.page(kind.singular, texts["slug"], view.chain[0]),
        "urls": _addresses(kind, term, view),
        **translation_state(kind, term, texts, view),
    }
    if single:
        body["_links"] = _links(body["urls"])
    return body


def describe_term(kind: Kind, term: Record, view: View) -> Node:
    """Describe a term as a JSON-LD document."""
    texts = localized(kind, term, view)
    properties = {
        "name": texts["name"],
        "description": plain(texts["description"]),
        "termCode": texts["slug"],
        "url": view.addresses.page(kind.singular, texts["slug"], view.chain[0]),
        "inDefinedTermSet": view.addresses.collection(kind.name),
    }
    return document(node("DefinedTerm", properties))


def present_term_in_event(kind: Kind, term: Record, view: View) -> JSONObject:
    """Present a term inside an event, in the shape of WordPress' raw record."""
    return view.cached(kind.name, term["_id"], lambda: _in_event(kind, term, view))


def _in_event(kind: Kind, term: Record, view: View) -> JSONObject:
    texts = localized(kind, term, view)
    return {
        "name": escape(texts["name"]),
        "slug": texts["slug"],
        "term_group": 0,
        "term_taxonomy_id": term["_id"],
        "taxonomy": _TAXONOMIES[kind.name],
        "description": texts["description"],
        "parent": term.get("parent", 0),
        "count": term["count"],
        "filter": "raw",
        "id": term["_id"],
        "urls": _addresses(kind, term, view),
        "language": view.chain[0],
        "fallback_fields": list(texts.fallback_fields),
        **stored_texts(kind, term, view),
    }


def _addresses(kind: Kind, term: Record, view: View) -> JSONObject:
    urls = {
        "self": view.addresses.record(kind.name, term["_id"]),
        "collection": view.addresses.collection(kind.name),
    }
    if term.get("parent"):
        urls["up"] = view.addresses.record(kind.name, term["parent"])
    return urls


def _links(urls: JSONObject) -> JSONObject:
    """Return the addresses in the format of WordPress' link discovery."""
    return {
        relation: [{"href": address, **({"embeddable": True} if relation == "up" else {})}]
        for relation, address in urls.items()
    }

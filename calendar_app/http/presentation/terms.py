"""What categories and tags have in common when they are shown."""

from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.richtext import escape, plain
from calendar_app.http.presentation.linked_data import Node, document, node
from calendar_app.http.presentation.presenting import Shown, View, localized, standing, stored_texts

_TAXONOMIES = {"categories": "calendar_events_cat", "tags": "post_tag"}


def present_term(kind: Kind, term: Record, view: View, *, single: bool) -> Shown:
    """Return a term as its own routes show it."""
    as_what = f"{kind.name} alone" if single else f"{kind.name} in a list"
    return view.once(as_what, term["_id"], lambda: _present(kind, term, view, single=single))


def _present(kind: Kind, term: Record, view: View, *, single: bool) -> Shown:
    texts = localized(kind, term, view)
    shown: Shown = {
        "id": term["_id"],
        "count": term["count"],
        "description": texts["description"],
        "name": escape(texts["name"]),
        "slug": texts["slug"],
        "taxonomy": _TAXONOMIES[kind.name],
    }
    if "parent" in term:
        shown["parent"] = term["parent"]
    shown |= {
        "meta": [],
        "url": view.addresses.page(kind.singular, texts["slug"], view.chain[0]),
        "urls": _addresses(kind, term, view),
        **standing(kind, term, texts, view),
    }
    if single:
        shown["_links"] = _links(shown["urls"])
    return shown


def describe_term(kind: Kind, term: Record, view: View) -> Node:
    """Return a term as a document of JSON-LD; its set are all terms of its kind."""
    texts = localized(kind, term, view)
    described = {
        "name": texts["name"],
        "description": plain(texts["description"]),
        "termCode": texts["slug"],
        "url": view.addresses.page(kind.singular, texts["slug"], view.chain[0]),
        "inDefinedTermSet": view.addresses.collection(kind.name),
    }
    return document(node("DefinedTerm", described))


def present_term_in_event(kind: Kind, term: Record, view: View) -> Shown:
    """Return a term as it stands inside an event: another shape, after WordPress' raw record."""
    return view.once(kind.name, term["_id"], lambda: _in_event(kind, term, view))


def _in_event(kind: Kind, term: Record, view: View) -> Shown:
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


def _addresses(kind: Kind, term: Record, view: View) -> Shown:
    urls = {
        "self": view.addresses.record(kind.name, term["_id"]),
        "collection": view.addresses.collection(kind.name),
    }
    if term.get("parent"):
        urls["up"] = view.addresses.record(kind.name, term["parent"])
    return urls


def _links(urls: Shown) -> Shown:
    """Return the addresses as WordPress clients discover them."""
    return {
        relation: [{"href": address, **({"embeddable": True} if relation == "up" else {})}]
        for relation, address in urls.items()
    }

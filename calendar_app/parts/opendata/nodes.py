"""Records as nodes of one graph, in all their languages (JSON-LD 1.1).

The identity of a node is the address of its record in the interface. Texts are language-tagged,
days and times are typed. Nothing has to be fetched to read the graph: it has its own context.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import orjson

from calendar_app.api.presentation.json_ld import (
    Describing,
    event_node,
    organization_node,
    place_node,
    series_node,
    term_node,
)
from calendar_app.api.presentation.nodes import SCHEMA, Node, distinct, node, one_or_all
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import CATEGORY, EVENT, ORGANIZER, SERIES, TAG, VENUE
from calendar_app.readmodel.addresses import Addresses
from calendar_app.readmodel.events import ReadEvent
from calendar_app.readmodel.linked import ReadOrganizer, ReadTerm, ReadVenue
from calendar_app.readmodel.records import ReadContext, ReadRecord
from calendar_app.settings import Settings

_XSD = "http://www.w3.org/2001/XMLSchema#"
_ADDRESSES = (
    *(
        "url",
        "sameAs",
        "image",
        "license",
        "isBasedOn",
        "target",
        "eventStatus",
        "eventAttendanceMode",
    ),
    *("availability", "digitalSourceType", "inDefinedTermSet", "distribution"),
)
CONTEXT: Mapping[str, Any] = {
    "@vocab": f"{SCHEMA}/",
    "xsd": _XSD,
    "broader": {"@id": "http://www.w3.org/2004/02/skos/core#broader", "@type": "@id"},
    **{name: {"@type": "@id"} for name in _ADDRESSES},
}
# Texts that have a language each.
_TEXTS = frozenset(
    {
        *("name", "description", "caption"),
        *("streetAddress", "addressLocality", "addressRegion", "addressCountry"),
    }
)
_MOMENTS = ("startDate", "endDate", "startTime", "endTime", "validFrom", "exceptDate")
# What one language says of itself is not joined with what another one says.
_APART = frozenset({"subjectOf"})
_LENGTH_OF_DAY = len("2030-01-31")


def reference(context: ReadContext, kind: Kind, record_id: int) -> Node:
    """Return the node that points to a record."""
    return {"@id": context.addresses.identifier(kind.name, record_id)}


def encoded(node: Node) -> bytes:
    """Return a node as JSON that may stand inside ``<script>``."""
    return orjson.dumps(node).replace(b"<", rb"\u003c")


class Graph:
    """The nodes of records and of their links as JSON, each once."""

    def __init__(self) -> None:
        self._told: set[tuple[str, int]] = set()

    def nodes(self, kind: Kind, records: Sequence[Record], context: ReadContext) -> Iterator[bytes]:
        """Yield the nodes of a batch of records, with those of its links behind each.

        Those of events are kept, for there are many; all others are few.
        """
        for record in records:
            if kind is EVENT:
                yield from self._event(ReadEvent(record, context))
            else:
                yield from self._linked(kind, record, context)

    def _event(self, event: ReadEvent) -> Iterator[bytes]:
        context = event.context
        fragments, version = context.fragments, event.version
        if fragments is None or version is None:
            yield encoded(_event(event))
        else:
            yield fragments.of("node", version, lambda: encoded(_event(event)))
        for kind in (VENUE, ORGANIZER, CATEGORY, TAG):
            for record in event.linked(kind.name):
                yield from self._linked(kind, record, context)
        facts = event.series
        if facts is not None and self._is_new(SERIES, facts.record["_id"]):
            titles = {tag: each.title.text for tag, each in _by_language(event)}
            own = any(path.endswith(".title") for path in event.overrides)
            described = series_node(facts, None, "")
            described["name"] = [] if own else _tagged(titles)
            yield encoded(_identified(reference(context, SERIES, facts.record["_id"]), described))

    def _linked(self, kind: Kind, record: Record, context: ReadContext) -> Iterator[bytes]:
        if not self._is_new(kind, record["_id"]):
            return
        described = _merged(
            {tag: _node(kind, each) for tag, each in _in_each(kind, record, context)}
        )
        if record.get("parent") and kind is CATEGORY:
            described["broader"] = reference(context, kind, record["parent"])["@id"]
        yield encoded(_identified(reference(context, kind, record["_id"]), described))
        for above in record.get("ancestors", ()):
            if (term := context.linked[kind.name].get(above)) is not None:
                yield from self._linked(kind, term, context)

    def _is_new(self, kind: Kind, record_id: int) -> bool:
        key = (kind.name, record_id)
        is_new = key not in self._told
        self._told.add(key)
        return is_new


_READ = {VENUE.name: ReadVenue, ORGANIZER.name: ReadOrganizer}


def _node(kind: Kind, read: Any) -> Node:
    if kind is VENUE:
        return place_node(read)
    return organization_node(read) if kind is ORGANIZER else term_node(kind, read)


def _in_each(kind: Kind, record: Record, context: ReadContext) -> Iterator[tuple[str, ReadRecord]]:
    reader = _READ.get(kind.name)
    read = reader(record, context) if reader else ReadTerm(record, context, kind.singular)
    return _by_language(read)


def _by_language(read: Any) -> Iterator[tuple[str, Any]]:
    """Yield a record as readers of each of its languages see it, without any other language."""
    context, variants = read.context, read.record["variants"]
    languages = [tag for tag in context.settings.languages if read.label in variants.get(tag, ())]
    for tag in languages or context.chain[:1]:
        in_one = replace(context, chain=(tag,), fragments=None)
        is_term = isinstance(read, ReadTerm)
        filled = (read.stored, in_one, read.segment) if is_term else (read.stored, in_one)
        yield tag, type(read)(*filled)


def _event(event: ReadEvent) -> Node:
    """Return an event, with references to its linked records."""
    context = event.context
    describing = Describing(
        lambda place: reference(context, VENUE, place.id),
        lambda organizer: reference(context, ORGANIZER, organizer.id),
        lambda each: reference(context, SERIES, each.record["series"]) if each.series else None,
    )
    described = _merged({tag: event_node(each, describing) for tag, each in _by_language(event)})
    if not event.in_language:  # Else it is that of the texts.
        described.pop("inLanguage", None)
    # Search engines want no place of what is online alone; lists find it by its place.
    places = [reference(context, VENUE, place.id) for place in event.places]
    described["location"] = distinct([*places, described.get("location", [])])
    terms = [
        reference(context, kind, term["_id"])
        for kind in (CATEGORY, TAG)
        for term in event.linked(kind.name)
    ]
    words = described.pop("keywords", [])
    described["keywords"] = [*terms, *(words if isinstance(words, list) else [words])]
    return _identified(reference(context, EVENT, event.id), described)


def _identified(identity: Node, described: Node) -> Node:
    filled = {name: value for name, value in described.items() if value not in ([], None, "")}
    return {**identity, **{name: _typed(name, value) for name, value in filled.items()}}


def _typed(name: str, value: Any) -> Any:
    """Return a value with the type of days and times, at any depth."""
    if isinstance(value, list):
        return [_typed(name, each) for each in value]
    if isinstance(value, dict):
        return {inner: _typed(inner, each) for inner, each in value.items()}
    if name not in _MOMENTS or not isinstance(value, str):
        return value
    has_day = len(value) >= _LENGTH_OF_DAY and value[4] == "-"
    kind = ("date" if len(value) == _LENGTH_OF_DAY else "dateTime") if has_day else "time"
    return {"@value": value, "@type": f"xsd:{kind}"}


# Joins what a record is in each language.


def _merged(nodes: Mapping[str, Node]) -> Node:
    """Return one node with the texts of all languages; shared values stand once."""
    names = dict.fromkeys(name for each in nodes.values() for name in each)
    return {
        name: _joined(name, {tag: each[name] for tag, each in nodes.items() if name in each})
        for name in names
    }


def _joined(name: str, values: Mapping[str, Any]) -> Any:
    if name in _TEXTS:
        return _tagged(values)
    several = list(values.values())
    if name not in _APART and all(isinstance(value, dict) for value in several):
        return _merged(values)
    if isinstance(several[0], list) and _are_lists_of_nodes(several, len(several[0])):
        columns = zip(*several, strict=True)
        return [_merged(dict(zip(values, column, strict=True))) for column in columns]
    return one_or_all(list(distinct(several)))


def _are_lists_of_nodes(values: Sequence[Any], length: int) -> bool:
    return all(
        isinstance(value, list)
        and len(value) == length
        and all(isinstance(each, dict) for each in value)
        for value in values
    )


def _tagged(texts: Mapping[str, str]) -> Any:
    return one_or_all([{"@language": tag, "@value": text} for tag, text in texts.items() if text])


def dataset(addresses: Addresses, settings: Settings, name: str) -> Node:
    """Return the graph as a data set of its own, with its license."""
    properties = {
        "name": settings.site_name,
        "license": settings.data_license,
        "inLanguage": list(settings.languages),
        "url": addresses.root,
    }
    return {"@id": addresses.identifier(name), **node("Dataset", properties)}

"""All records of a list as one graph of linked data, in all languages."""

from collections.abc import Callable, Hashable, Iterator, MutableMapping
from dataclasses import replace
from tempfile import SpooledTemporaryFile
from typing import Any

import orjson
from flask import Response
from xxhash import xxh3_128

from calendar_app.api.http.answers.answering import JSON_LD
from calendar_app.api.http.lists.filtering import ListRequest
from calendar_app.api.http.request import current
from calendar_app.api.http.request.current import Context
from calendar_app.api.http.views import records
from calendar_app.api.resources.events.filters import EventListSchema
from calendar_app.calendar.pace import Pace
from calendar_app.domain.kind import Kind, Record
from calendar_app.feeds.answering import (
    IN_MEMORY,
    answer_file,
    answer_unchanged,
    claim_room,
    count_events,
    has_version,
    is_of_client,
    require_room,
)
from calendar_app.parts.opendata.nodes import CONTEXT, Graph, dataset, encoded
from calendar_app.storage.query.clauses import after, all_of
from calendar_app.storage.query.list_query import Listing, Window

_BATCH = 500  # records
_END = b"\n]}\n"
WriteBytes = Callable[[bytes], object]


class EventGraphSchema(EventListSchema):
    """Parameters of the graph of events; without dates it has all events of all times."""

    def default_bounds(self, _values: Record, _context: Context) -> Record:
        return {}


def answer_graph(kind: Kind, list_request: ListRequest) -> Response:
    """Answer all records of a list, whatever page is asked for.

    They are written to a file before the first byte is sent, so that a slow client occupies
    neither the database nor a slot.
    """
    context, listing = current.context(), list_request.listing
    tags, key = _tags(context), (kind.name, repr(listing), *_reader(context))
    if key in tags and (unchanged := answer_unchanged(JSON_LD, tags[key])):
        return unchanged
    may_be_unchanged = has_version(context)
    require_room(context, may_be_unchanged=may_be_unchanged)
    file = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - its response closes it
    digest = xxh3_128()

    def write(part: bytes) -> None:
        file.write(part)
        digest.update(part)

    try:
        number = _write_graph(kind, listing, context, write, counts=not may_be_unchanged)
        tag = tags[key] = digest.hexdigest()
        response = answer_file(file, JSON_LD, tag)
        if may_be_unchanged and not is_of_client(response, context):
            claim_room(context, number)
    except BaseException:
        file.close()
        raise
    response.headers["Content-Disposition"] = f'inline; filename="{kind.name}.jsonld"'
    return response


def _tags(context: Context) -> MutableMapping[Hashable, Any]:
    """Return the entity tags of graphs that were made since the last write."""
    # Each guessed password would add one.
    if "password" in context.parameters:
        return {}
    context.reader.edition()
    return context.reader.cached_values()


def _reader(context: Context) -> tuple[Hashable, ...]:
    return context.caller, context.chain, context.addresses.key


def _write_graph(
    kind: Kind,
    listing: Listing,
    context: Context,
    write: WriteBytes,
    *,
    counts: bool,
) -> int:
    """Write the graph batch by batch, and return how many records it has.

    One query reads each batch, and its links. Where it ``counts`` they do for the limit, at once.
    """
    graph, pace, number = Graph(), Pace(), 0
    write(b'{"@context":' + orjson.dumps(CONTEXT) + b',"@graph":[\n')
    write(encoded(dataset(context.addresses, context.settings, f"{kind.name}.jsonld")))
    for batch in _batches(kind, listing, context):
        number += len(batch)
        if counts:
            count_events(context, len(batch))
        for node in graph.nodes(kind, batch, records.context_of(kind, batch)):
            write(b",\n" + node)
            pace.keep()
    write(_END)
    return number


def _batches(kind: Kind, listing: Listing, context: Context) -> Iterator[list[Record]]:
    """Yield the records by id; which one is the first of a series shows among all alone."""
    number, last = 1, 0
    while True:
        window = Window(number if listing.first_in_series else 1, _BATCH)
        clause = listing.clause
        if not listing.first_in_series:
            clause = all_of([clause, after("_id", last)])
        part = replace(listing, window=window, order=[("_id", 1)], clause=clause)
        batch = context.reader.search(kind, part, context.caller).items
        yield batch
        if len(batch) < _BATCH:
            return
        number, last = number + 1, batch[-1]["_id"]

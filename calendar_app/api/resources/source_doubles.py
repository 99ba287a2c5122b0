"""Pairs of events that are perhaps one: listed, and decided."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from flask import Response

from calendar_app.accounts.policy import require_possible_keeper
from calendar_app.api.http.answers.answering import answer
from calendar_app.api.http.fields.scalars import OneOf
from calendar_app.api.http.fields.schema import RequestSchema, RequestValues
from calendar_app.api.http.lists.filtering import page_window
from calendar_app.api.http.lists.paging import answer_page
from calendar_app.api.http.presentation import page_of
from calendar_app.api.http.request import current
from calendar_app.api.http.views.blueprint import Blueprint
from calendar_app.api.http.views.guarding import managed
from calendar_app.api.http.views.records import context_of
from calendar_app.api.presentation.records import date_text
from calendar_app.api.presentation.shapes import Field, Shape, ShapeFields
from calendar_app.api.resources.managed import PageSchema, UncachedView, list_address
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import EVENT
from calendar_app.domain.numbers import parse_digits
from calendar_app.errors import NotFound
from calendar_app.readmodel.events import ReadEvent
from calendar_app.sources.doubles import DIFFERENT, MERGED, OPEN
from calendar_app.sources.source import SOURCES, UNITE

_PATH = f"{SOURCES}/doubles"
# As lists of them are paged.
_DOUBLE = Kind(name="doubles", singular="double", label="", texts={}, has_status=False)


class Side(NamedTuple):
    """One of two events, with the names of its sources by id."""

    event: ReadEvent
    sources: Mapping[int, str]


class EventPair(NamedTuple):
    """A pair with both of its events."""

    pair: Record
    sides: Sequence[Side]


# What is sent.


class DecisionSchema(RequestSchema):
    """Request body of a decision on two events."""

    decision = OneOf(
        (UNITE, DIFFERENT),
        required=True,
        description="Whether both become one event, or are remembered as different.",
    )


# What is answered.

_SOURCE_FIELDS: ShapeFields[tuple[int, str]] = {
    "id": Field("integer", lambda it: it[0], "The id of the source."),
    "name": Field("string", lambda it: it[1], "Its name."),
}
_PRESENTED_SOURCE = Shape("SourceOfDouble", _SOURCE_FIELDS)
_SIDE_FIELDS: ShapeFields[Side] = {
    "id": Field("integer", lambda it: it.event.id, "The id of the event, or date of a series."),
    "title": Field("string", lambda it: it.event.title.text, "Its title."),
    "status": Field("string", lambda it: it.event.record["status"], "Its status."),
    "start_date": Field(
        "string", lambda it: date_text(it.event.record["start_local"]), "In its own zone."
    ),
    "end_date": Field(
        "string", lambda it: date_text(it.event.record["end_local"]), "In its own zone."
    ),
    "timezone": Field("string", lambda it: it.event.record["timezone"], "Its time zone."),
    "all_day": Field("boolean", lambda it: it.event.all_day, "Whether it lasts whole days."),
    "venue": Field("string", lambda it: str(it.event.where), "Where it takes place, in words."),
    "sources": Field(
        [_PRESENTED_SOURCE],
        lambda it: [_PRESENTED_SOURCE.present(each) for each in it.sources.items()],
        "The sources it comes from; none for an event that was entered here.",
    ),
    "rest_url": Field(
        "string",
        lambda it: current.context().addresses.record(EVENT.name, it.event.id),
        "The address of the event in this interface.",
    ),
}
_PRESENTED_SIDE = Shape("SideOfDouble", _SIDE_FIELDS)
_PAIR_FIELDS: ShapeFields[EventPair] = {
    "id": Field("string", lambda it: "-".join(map(str, it.pair["events"])), "Both ids: `12-34`."),
    "score": Field(
        "integer", lambda it: it.pair["score"], "The similarity of the titles, in percent."
    ),
    "certain": Field(
        "boolean",
        lambda it: it.pair.get("certain", False),
        "Whether they have one address or UID, or title, time and venue in common.",
    ),
    "waits": Field(
        "boolean",
        lambda it: bool(it.pair.get("waits")),
        "Whether one of them is pending until somebody decides.",
    ),
    "found": Field(
        "string", lambda it: date_text(it.pair["at"]), "When the pair was found, in UTC."
    ),
    "events": Field(
        [_PRESENTED_SIDE],
        lambda it: [_PRESENTED_SIDE.present(each) for each in it.sides],
        "Both events, the older first.",
    ),
}
_PRESENTED = Shape("SourceDouble", _PAIR_FIELDS)
_DECIDED = Shape[tuple[str, str, int]](
    "SourceDoubleDecision",
    {
        "id": Field("string", lambda it: it[0], "Both ids: `12-34`."),
        "state": Field(
            (DIFFERENT, MERGED, OPEN),
            lambda it: it[1],
            "The decision; `open` if it was revoked.",
        ),
        "event": Field("integer", lambda it: it[2], "Which event stays; 0 where both do."),
    },
)


# The routes.

blueprint = Blueprint(
    "doubles", __name__, description="Possible duplicates among the events of sources"
)
for_keepers = managed(require_possible_keeper)


@blueprint.route(f"/{_PATH}")
class SourceDoubles(UncachedView):
    @for_keepers
    @blueprint.arguments(PageSchema, location="query")
    @blueprint.response(200, page_of(_PRESENTED, "doubles"))
    def get(self, sent: RequestValues) -> Response:
        """List the possible duplicates that nobody has decided on yet, the newest first.

        Keepers of sources see the pairs with an event of these. Everybody else needs to be an
        editor.
        """
        context = current.context()
        window = page_window(dict(sent), context.settings)
        page = context.services.sources.decisions.pairs(context.caller, window)
        items = [_PRESENTED.present(each) for each in event_pairs(page.items)]
        return answer_page(_DOUBLE, page, lambda: items, list_address(_PATH, context))


@blueprint.route(f"/{_PATH}/<id>")
class SourceDouble(UncachedView):
    @for_keepers
    @blueprint.arguments(DecisionSchema)
    @blueprint.response(200, _DECIDED)
    def post(self, sent: RequestValues, **path: str) -> Response:
        """Decide on a pair: unite both events, or remember that they are different.

        A pair that was decided before answers 404. Keepers unite what is theirs on both sides.
        """
        first, second = _ids_of(path["id"])
        context = current.context()
        if sent["decision"] == UNITE:
            event = context.services.sources.decisions.unite(first, second, context.caller)
            return answer(_DECIDED.present((path["id"], MERGED, event["_id"])))
        context.services.sources.decisions.differ(first, second, context.caller)
        return answer(_DECIDED.present((path["id"], DIFFERENT, 0)))

    @for_keepers
    @blueprint.response(200, _DECIDED)
    def delete(self, **path: str) -> Response:
        """Revoke the decision on a pair, so that it is open again.

        Two events that were united are as before; later edits by people stay. A pair that
        nobody has decided on answers 404.
        """
        first, second = _ids_of(path["id"])
        context = current.context()
        context.services.sources.decisions.take_back(first, second, context.caller)
        return answer(_DECIDED.present((path["id"], OPEN, 0)))


def event_pairs(pairs: Iterable[Record]) -> list[EventPair]:
    """Return pairs with their events as the caller reads them, in a few queries for all."""
    context = current.context()
    pairs = list(pairs)
    ids = {number for pair in pairs for number in pair["events"]}
    records = context.reader.records_of({EVENT.name: ids}) if ids else {}
    stored = [record for record in records.values() if record]
    reading = context_of(EVENT, stored)
    events = {record["_id"]: ReadEvent(record, reading) for record in stored}
    series_of = {number: each.record.get("series", 0) for number, each in events.items()}
    names = context.services.sources.provenance.of_events(series_of)
    return [
        EventPair(pair, [Side(events[each], names[each]) for each in pair["events"]])
        for pair in pairs
        if all(each in events for each in pair["events"])
    ]


def _ids_of(pair: str) -> tuple[int, int]:
    """Return the ids in that of a pair; raise ``NotFound`` where it is none."""
    first, _, second = pair.partition("-")
    ids = parse_digits(first), parse_digits(second)
    if not (ids[0] and ids[1]):
        raise NotFound("double")
    return ids[0], ids[1]

"""The events resource: its answers and its routes."""

from calendar_app.api.http.answers.headers import FEED_TYPES
from calendar_app.api.http.presentation import page_of
from calendar_app.api.http.request import current
from calendar_app.api.http.views.records import LockedReadSchema
from calendar_app.api.presentation.events import EVENT_SHAPE, feeds_schema, present_event
from calendar_app.api.presentation.json_ld import describe_event
from calendar_app.api.presentation.shapes import Field
from calendar_app.api.resources.events.filters import EventListSchema
from calendar_app.api.resources.events.schemas import EventChangeSchema, EventRemoveSchema
from calendar_app.api.resources.resource import Resource, routes_of
from calendar_app.domain.kinds import EVENT, MEDIA, ORGANIZER, VENUE
from calendar_app.domain.statuses import DRAFT, PENDING

EVENTS = page_of(
    EVENT_SHAPE, EVENT.name, {"feeds": Field(feeds_schema(FEED_TYPES), meaning="To subscribe to.")}
)
OTHER_KINDS = (VENUE, ORGANIZER, MEDIA)


def unpublished_links() -> dict[str, list[int]]:
    """Return the linked drafts and pending records that the caller sees, by kind."""
    presented = current.context().presented
    ids_by_kind = {}
    for kind in (VENUE, ORGANIZER):
        linked = presented[kind.singular]
        records_ = linked if isinstance(linked, list) else [linked]
        ids_by_kind[kind.name] = [
            record["id"] for record in records_ if record["status"] in (DRAFT, PENDING)
        ]
    return {name: ids for name, ids in ids_by_kind.items() if ids}


blueprint = routes_of(
    Resource(
        EVENT,
        present_event,
        EventListSchema,
        EventChangeSchema,
        EVENT_SHAPE,
        EVENTS,
        describe_event,
        LockedReadSchema,
        EventRemoveSchema,
        slug_rule="<event_slug:slug>/",
        order="the next ones first",
        other_kinds=OTHER_KINDS,
        unpublished=unpublished_links,
    ),
    "What takes place, when, where and for how much",
)

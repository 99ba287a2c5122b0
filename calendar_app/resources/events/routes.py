"""The events resource."""

from flask import Response

from calendar_app.domain.kind import Record
from calendar_app.domain.statuses import DRAFT, PENDING
from calendar_app.http.lists.filtering import Wanted
from calendar_app.http.request import current
from calendar_app.http.views import records
from calendar_app.http.views.blueprint import Blueprint
from calendar_app.http.views.guarding import addressing, guarded
from calendar_app.http.views.records import LockedReadSchema, LockedRemoveSchema
from calendar_app.http.views.resource_view import ResourceView
from calendar_app.resources.events.filters import EventListSchema
from calendar_app.resources.events.kind import EVENT
from calendar_app.resources.events.presentation import describe, present
from calendar_app.resources.events.schemas import EventChangeSchema, EventPageSchema, EventSchema
from calendar_app.resources.media.kind import MEDIA
from calendar_app.resources.organizers.kind import ORGANIZER
from calendar_app.resources.venues.kind import VENUE

blueprint = Blueprint("events", __name__, description="What takes place")
OTHERS = (VENUE, ORGANIZER, MEDIA)


def _shown(record: Record) -> Record:
    return records.present_one(EVENT, record, present)


def _unpublished() -> dict[str, list[int]]:
    """Return the linked records that the caller sees as drafts or pending, by their kind."""
    _, shown = current.addressed()
    found = {}
    for kind in (VENUE, ORGANIZER):
        linked = shown[kind.singular]
        some = linked if isinstance(linked, list) else [linked]
        found[kind.name] = [one["id"] for one in some if one["status"] in (DRAFT, PENDING)]
    return {name: ids for name, ids in found.items() if ids}


@blueprint.route("/events")
class Events(ResourceView):
    @blueprint.arguments(EventListSchema, location="query")
    @blueprint.response(200, EventPageSchema)
    def get(self, wanted: Wanted) -> Response:
        """List events, the next ones first."""
        return records.answer_list(EVENT, wanted, present)

    @guarded("create", EVENT)
    @blueprint.arguments(EventChangeSchema)
    @blueprint.response(201, EventSchema)
    def post(self, changes: Record) -> Response:
        """Create an event."""
        return records.create(EVENT, changes, present)


@blueprint.route("/events/<digits:record_id>")
class EventById(ResourceView):
    @addressing(records.by_id(EVENT))
    @blueprint.arguments(LockedReadSchema, location="query")
    @blueprint.response(200, EventSchema)
    def get(self, sent: Record, **_: object) -> Response:
        """Read an event by id."""
        return records.read(EVENT, records.existing(EVENT, OTHERS), present, sent, describe)

    @guarded("edit", EVENT)
    @addressing(records.by_id(EVENT), _shown)
    @blueprint.arguments(EventChangeSchema(partial=True))
    @blueprint.response(200, EventSchema)
    def post(self, changes: Record, **_: object) -> Response:
        """Change an event by id; what is not sent stays."""
        record = records.existing(EVENT, OTHERS, write=True)
        return records.change(EVENT, record, changes, present, _unpublished())

    put = patch = post

    @guarded("delete", EVENT)
    @addressing(records.by_id(EVENT))
    @blueprint.arguments(LockedRemoveSchema, location="query")
    @blueprint.response(200, EventSchema)
    def delete(self, sent: Record, **_: object) -> Response:
        """Move an event to the trash."""
        return records.remove(EVENT, records.existing(EVENT, OTHERS), sent, present)


@blueprint.route("/events/by-slug/<slug>")
class EventBySlug(ResourceView):
    @addressing(records.by_slug(EVENT))
    @blueprint.arguments(LockedReadSchema, location="query")
    @blueprint.response(200, EventSchema)
    def get(self, sent: Record, **_: object) -> Response:
        """Read an event by slug."""
        return records.read(EVENT, records.existing(EVENT, OTHERS), present, sent, describe)

    @guarded("edit", EVENT)
    @addressing(records.by_slug(EVENT), _shown)
    @blueprint.arguments(EventChangeSchema(partial=True))
    @blueprint.response(200, EventSchema)
    def post(self, changes: Record, **_: object) -> Response:
        """Change an event by slug; what is not sent stays."""
        record = records.existing(EVENT, OTHERS, write=True)
        return records.change(EVENT, record, changes, present, _unpublished())

    put = patch = post

    @guarded("delete", EVENT)
    @addressing(records.by_slug(EVENT))
    @blueprint.arguments(LockedRemoveSchema, location="query")
    @blueprint.response(200, EventSchema)
    def delete(self, sent: Record, **_: object) -> Response:
        """Move an event to the trash."""
        return records.remove(EVENT, records.existing(EVENT, OTHERS), sent, present)

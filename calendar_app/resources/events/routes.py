"""The events resource."""

from flask import Response

from calendar_app.domain.kind import Record
from calendar_app.domain.statuses import DRAFT, PENDING
from calendar_app.http.lists.filtering import ListRequest
from calendar_app.http.request import current
from calendar_app.http.views import records
from calendar_app.http.views.blueprint import Blueprint
from calendar_app.http.views.guarding import existing, load_record, require_permission
from calendar_app.http.views.history import add_history
from calendar_app.http.views.records import LockedReadSchema
from calendar_app.http.views.resource_view import ResourceView
from calendar_app.kinds import EVENT, MEDIA, ORGANIZER, VENUE
from calendar_app.presentation.events import present_event as present
from calendar_app.presentation.json_ld import describe_event as describe
from calendar_app.resources.events.filters import EventListSchema
from calendar_app.resources.events.response_schemas import EventPageSchema, EventSchema
from calendar_app.resources.events.schemas import EventChangeSchema, EventRemoveSchema

blueprint = Blueprint("events", __name__, description="What takes place")
OTHER_KINDS = (VENUE, ORGANIZER, MEDIA)


def unpublished_links() -> dict[str, list[int]]:
    """Return the linked drafts and pending records that the caller sees, by kind."""
    _, presented = current.target_record()
    ids_by_kind = {}
    for kind in (VENUE, ORGANIZER):
        linked = presented[kind.singular]
        records_ = linked if isinstance(linked, list) else [linked]
        ids_by_kind[kind.name] = [
            record["id"] for record in records_ if record["status"] in (DRAFT, PENDING)
        ]
    return {name: ids for name, ids in ids_by_kind.items() if ids}


@blueprint.route("/events")
class Events(ResourceView):
    @blueprint.arguments(EventListSchema, location="query")
    @blueprint.response(200, EventPageSchema)
    def get(self, list_request: ListRequest) -> Response:
        """List events, the next ones first."""
        return records.answer_list(EVENT, list_request, present)

    @require_permission("create", EVENT)
    @blueprint.arguments(EventChangeSchema)
    @blueprint.response(201, EventSchema)
    def post(self, changes: Record) -> Response:
        """Create an event."""
        return records.create(EVENT, changes, present)


@blueprint.route("/events/by-slug/<event_slug:slug>/")
@blueprint.route("/events/<digits:id>")
class Event(ResourceView):
    @load_record(EVENT)
    @blueprint.arguments(LockedReadSchema, location="query")
    @blueprint.response(200, EventSchema)
    def get(self, sent: Record, **_: object) -> Response:
        """Read an event, by id or slug."""
        return records.read(EVENT, existing(EVENT, OTHER_KINDS), present, sent, describe)

    @require_permission("edit", EVENT)
    @load_record(EVENT, present)
    @blueprint.arguments(EventChangeSchema(partial=True))
    @blueprint.response(200, EventSchema)
    def post(self, changes: Record, **_: object) -> Response:
        """Change an event, by id or slug; omitted fields stay."""
        record = existing(EVENT, OTHER_KINDS, write=True)
        return records.change(EVENT, record, changes, present, unpublished_links())

    put = patch = post

    @require_permission("delete", EVENT)
    @load_record(EVENT)
    @blueprint.arguments(EventRemoveSchema, location="query")
    @blueprint.response(200, EventSchema)
    def delete(self, sent: Record, **_: object) -> Response:
        """Move an event to the trash."""
        return records.remove(EVENT, existing(EVENT, OTHER_KINDS), sent, present)


add_history(blueprint, EVENT, EventSchema, present)

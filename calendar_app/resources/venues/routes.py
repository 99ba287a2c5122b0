"""The venues resource."""

from flask import Response

from calendar_app.domain.kind import Record
from calendar_app.http.lists.filtering import ListRequest
from calendar_app.http.views import records
from calendar_app.http.views.blueprint import Blueprint
from calendar_app.http.views.guarding import existing, load_record, require_permission
from calendar_app.http.views.history import add_history
from calendar_app.http.views.records import ReadSchema, RemoveSchema
from calendar_app.http.views.resource_view import ResourceView
from calendar_app.kinds import VENUE
from calendar_app.presentation.json_ld import describe_venue as describe
from calendar_app.presentation.linked import present_venue as present
from calendar_app.resources.venues.filters import VenueListSchema
from calendar_app.resources.venues.schemas import VenueChangeSchema, VenuePageSchema, VenueSchema

blueprint = Blueprint("venues", __name__, description="Where it takes place")


@blueprint.route("/venues")
class Venues(ResourceView):
    @blueprint.arguments(VenueListSchema, location="query")
    @blueprint.response(200, VenuePageSchema)
    def get(self, list_request: ListRequest) -> Response:
        """List venues, the newest first."""
        return records.answer_list(VENUE, list_request, present)

    @require_permission("create", VENUE)
    @blueprint.arguments(VenueChangeSchema)
    @blueprint.response(201, VenueSchema)
    def post(self, changes: Record) -> Response:
        """Create a venue."""
        return records.create(VENUE, changes, present)


@blueprint.route("/venues/by-slug/<slug>")
@blueprint.route("/venues/<digits:id>")
class Venue(ResourceView):
    @load_record(VENUE)
    @blueprint.arguments(ReadSchema, location="query")
    @blueprint.response(200, VenueSchema)
    def get(self, sent: Record, **_: object) -> Response:
        """Read a venue, by id or slug."""
        return records.read(VENUE, existing(VENUE), present, sent, describe)

    @require_permission("edit", VENUE)
    @load_record(VENUE, present)
    @blueprint.arguments(VenueChangeSchema(partial=True))
    @blueprint.response(200, VenueSchema)
    def post(self, changes: Record, **_: object) -> Response:
        """Change a venue, by id or slug; omitted fields stay."""
        return records.change(VENUE, existing(VENUE), changes, present)

    put = patch = post

    @require_permission("delete", VENUE)
    @load_record(VENUE)
    @blueprint.arguments(RemoveSchema, location="query")
    @blueprint.response(200, VenueSchema)
    def delete(self, sent: Record, **_: object) -> Response:
        """Move a venue to the trash."""
        return records.remove(VENUE, existing(VENUE), sent, present)


add_history(blueprint, VENUE, VenueSchema, present)

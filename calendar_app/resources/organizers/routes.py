"""The organizers resource."""

from flask import Response

from calendar_app.domain.kind import Record
from calendar_app.http.lists.filtering import ListRequest
from calendar_app.http.lists.linked_lists import list_schema
from calendar_app.http.views import records
from calendar_app.http.views.blueprint import Blueprint
from calendar_app.http.views.guarding import existing, load_record, require_permission
from calendar_app.http.views.history import add_history
from calendar_app.http.views.records import ReadSchema, RemoveSchema
from calendar_app.http.views.resource_view import ResourceView
from calendar_app.kinds import ORGANIZER
from calendar_app.presentation.json_ld import describe_organizer as describe
from calendar_app.presentation.linked import present_organizer as present
from calendar_app.resources.organizers.schemas import (
    OrganizerChangeSchema,
    OrganizerPageSchema,
    OrganizerSchema,
)

blueprint = Blueprint("organizers", __name__, description="Who holds it")


@blueprint.route("/organizers")
class Organizers(ResourceView):
    @blueprint.arguments(list_schema(ORGANIZER), location="query")
    @blueprint.response(200, OrganizerPageSchema)
    def get(self, list_request: ListRequest) -> Response:
        """List organizers, the newest first."""
        return records.answer_list(ORGANIZER, list_request, present)

    @require_permission("create", ORGANIZER)
    @blueprint.arguments(OrganizerChangeSchema)
    @blueprint.response(201, OrganizerSchema)
    def post(self, changes: Record) -> Response:
        """Create an organizer."""
        return records.create(ORGANIZER, changes, present)


@blueprint.route("/organizers/by-slug/<slug>")
@blueprint.route("/organizers/<digits:id>")
class Organizer(ResourceView):
    @load_record(ORGANIZER)
    @blueprint.arguments(ReadSchema, location="query")
    @blueprint.response(200, OrganizerSchema)
    def get(self, sent: Record, **_: object) -> Response:
        """Read an organizer, by id or slug."""
        return records.read(ORGANIZER, existing(ORGANIZER), present, sent, describe)

    @require_permission("edit", ORGANIZER)
    @load_record(ORGANIZER, present)
    @blueprint.arguments(OrganizerChangeSchema(partial=True))
    @blueprint.response(200, OrganizerSchema)
    def post(self, changes: Record, **_: object) -> Response:
        """Change an organizer, by id or slug; omitted fields stay."""
        return records.change(ORGANIZER, existing(ORGANIZER), changes, present)

    put = patch = post

    @require_permission("delete", ORGANIZER)
    @load_record(ORGANIZER)
    @blueprint.arguments(RemoveSchema, location="query")
    @blueprint.response(200, OrganizerSchema)
    def delete(self, sent: Record, **_: object) -> Response:
        """Move an organizer to the trash."""
        return records.remove(ORGANIZER, existing(ORGANIZER), sent, present)


add_history(blueprint, ORGANIZER, OrganizerSchema, present)

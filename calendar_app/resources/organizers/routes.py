"""The organizers resource."""

from flask import Response

from calendar_app.domain.kind import Record
from calendar_app.http.lists.filtering import ListRequest
from calendar_app.http.views import records
from calendar_app.http.views.blueprint import Blueprint
from calendar_app.http.views.guarding import load_record, require_permission
from calendar_app.http.views.records import ReadSchema, RemoveSchema
from calendar_app.http.views.resource_view import ResourceView
from calendar_app.resources.organizers.filters import OrganizerListSchema
from calendar_app.resources.organizers.kind import ORGANIZER
from calendar_app.resources.organizers.presentation import describe, present
from calendar_app.resources.organizers.schemas import (
    OrganizerChangeSchema,
    OrganizerPageSchema,
    OrganizerSchema,
)

blueprint = Blueprint("organizers", __name__, description="Who holds it")


def _present_single(record: Record) -> Record:
    return records.present_one(ORGANIZER, record, present)


@blueprint.route("/organizers")
class Organizers(ResourceView):
    @blueprint.arguments(OrganizerListSchema, location="query")
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


@blueprint.route("/organizers/<digits:record_id>")
class OrganizerById(ResourceView):
    @load_record(records.by_id(ORGANIZER))
    @blueprint.arguments(ReadSchema, location="query")
    @blueprint.response(200, OrganizerSchema)
    def get(self, sent: Record, **_: object) -> Response:
        """Read an organizer by id."""
        return records.read(ORGANIZER, records.existing(ORGANIZER), present, sent, describe)

    @require_permission("edit", ORGANIZER)
    @load_record(records.by_id(ORGANIZER), _present_single)
    @blueprint.arguments(OrganizerChangeSchema(partial=True))
    @blueprint.response(200, OrganizerSchema)
    def post(self, changes: Record, **_: object) -> Response:
        """Change an organizer by id; omitted fields stay."""
        record = records.existing(ORGANIZER)
        return records.change(ORGANIZER, record, changes, present)

    put = patch = post

    @require_permission("delete", ORGANIZER)
    @load_record(records.by_id(ORGANIZER))
    @blueprint.arguments(RemoveSchema, location="query")
    @blueprint.response(200, OrganizerSchema)
    def delete(self, sent: Record, **_: object) -> Response:
        """Move an organizer to the trash."""
        return records.remove(ORGANIZER, records.existing(ORGANIZER), sent, present)


@blueprint.route("/organizers/by-slug/<slug>")
class OrganizerBySlug(ResourceView):
    @load_record(records.by_slug(ORGANIZER))
    @blueprint.arguments(ReadSchema, location="query")
    @blueprint.response(200, OrganizerSchema)
    def get(self, sent: Record, **_: object) -> Response:
        """Read an organizer by slug."""
        return records.read(ORGANIZER, records.existing(ORGANIZER), present, sent, describe)

    @require_permission("edit", ORGANIZER)
    @load_record(records.by_slug(ORGANIZER), _present_single)
    @blueprint.arguments(OrganizerChangeSchema(partial=True))
    @blueprint.response(200, OrganizerSchema)
    def post(self, changes: Record, **_: object) -> Response:
        """Change an organizer by slug; omitted fields stay."""
        record = records.existing(ORGANIZER)
        return records.change(ORGANIZER, record, changes, present)

    put = patch = post

    @require_permission("delete", ORGANIZER)
    @load_record(records.by_slug(ORGANIZER))
    @blueprint.arguments(RemoveSchema, location="query")
    @blueprint.response(200, OrganizerSchema)
    def delete(self, sent: Record, **_: object) -> Response:
        """Move an organizer to the trash."""
        return records.remove(ORGANIZER, records.existing(ORGANIZER), sent, present)

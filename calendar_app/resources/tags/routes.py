"""The tags resource."""

from functools import partial

from flask import Response

from calendar_app.domain.kind import Record
from calendar_app.http.lists.filtering import ListRequest
from calendar_app.http.lists.term_lists import term_list_schema
from calendar_app.http.views import records
from calendar_app.http.views.blueprint import Blueprint
from calendar_app.http.views.guarding import existing, load_record, require_permission
from calendar_app.http.views.history import add_history
from calendar_app.http.views.records import ReadSchema, RemoveSchema
from calendar_app.http.views.resource_view import ResourceView
from calendar_app.kinds import TAG
from calendar_app.presentation.json_ld import describe_term
from calendar_app.presentation.linked import present_term
from calendar_app.resources.tags.schemas import TagChangeSchema, TagPageSchema, TagSchema

blueprint = Blueprint("tags", __name__, description="Terms without hierarchy")
present, describe = partial(present_term, TAG), partial(describe_term, TAG)


@blueprint.route("/tags")
class Tags(ResourceView):
    @blueprint.arguments(term_list_schema(TAG), location="query")
    @blueprint.response(200, TagPageSchema)
    def get(self, list_request: ListRequest) -> Response:
        """List tags."""
        return records.answer_list(TAG, list_request, present)

    @require_permission("create", TAG)
    @blueprint.arguments(TagChangeSchema)
    @blueprint.response(201, TagSchema)
    def post(self, changes: Record) -> Response:
        """Create a tag."""
        return records.create(TAG, changes, present)


@blueprint.route("/tags/<digits:id>")
class Tag(ResourceView):
    @load_record(TAG)
    @blueprint.arguments(ReadSchema, location="query")
    @blueprint.response(200, TagSchema)
    def get(self, sent: Record, **_: object) -> Response:
        """Read a tag."""
        return records.read(TAG, existing(TAG), present, sent, describe)

    @require_permission("edit", TAG)
    @load_record(TAG, present)
    @blueprint.arguments(TagChangeSchema(partial=True))
    @blueprint.response(200, TagSchema)
    def post(self, changes: Record, **_: object) -> Response:
        """Change a tag; omitted fields stay."""
        return records.change(TAG, existing(TAG), changes, present)

    put = patch = post

    @require_permission("delete", TAG)
    @load_record(TAG)
    @blueprint.arguments(RemoveSchema, location="query")
    @blueprint.response(200, TagSchema)
    def delete(self, sent: Record, **_: object) -> Response:
        """Delete a tag for good."""
        return records.remove(TAG, existing(TAG), sent, present)


add_history(blueprint, TAG, TagSchema, present)

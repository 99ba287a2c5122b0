"""The categories resource."""

from functools import partial

from flask import Response

from calendar_app.domain.kind import Record
from calendar_app.http.lists.filtering import ListRequest
from calendar_app.http.views import records
from calendar_app.http.views.blueprint import Blueprint
from calendar_app.http.views.guarding import existing, load_record, require_permission
from calendar_app.http.views.history import add_history
from calendar_app.http.views.records import ReadSchema, RemoveSchema
from calendar_app.http.views.resource_view import ResourceView
from calendar_app.kinds import CATEGORY
from calendar_app.presentation.json_ld import describe_term
from calendar_app.presentation.linked import present_term
from calendar_app.resources.categories.filters import CategoryListSchema
from calendar_app.resources.categories.schemas import (
    CategoryChangeSchema,
    CategoryPageSchema,
    CategorySchema,
)

blueprint = Blueprint("categories", __name__, description="Terms of a hierarchy")
present, describe = partial(present_term, CATEGORY), partial(describe_term, CATEGORY)


@blueprint.route("/categories")
class Categories(ResourceView):
    @blueprint.arguments(CategoryListSchema, location="query")
    @blueprint.response(200, CategoryPageSchema)
    def get(self, list_request: ListRequest) -> Response:
        """List categories."""
        return records.answer_list(CATEGORY, list_request, present)

    @require_permission("create", CATEGORY)
    @blueprint.arguments(CategoryChangeSchema)
    @blueprint.response(201, CategorySchema)
    def post(self, changes: Record) -> Response:
        """Create a category."""
        return records.create(CATEGORY, changes, present)


@blueprint.route("/categories/<digits:id>")
class Category(ResourceView):
    @load_record(CATEGORY)
    @blueprint.arguments(ReadSchema, location="query")
    @blueprint.response(200, CategorySchema)
    def get(self, sent: Record, **_: object) -> Response:
        """Read a category."""
        return records.read(CATEGORY, existing(CATEGORY), present, sent, describe)

    @require_permission("edit", CATEGORY)
    @load_record(CATEGORY, present)
    @blueprint.arguments(CategoryChangeSchema(partial=True))
    @blueprint.response(200, CategorySchema)
    def post(self, changes: Record, **_: object) -> Response:
        """Change a category; omitted fields stay."""
        return records.change(CATEGORY, existing(CATEGORY), changes, present)

    put = patch = post

    @require_permission("delete", CATEGORY)
    @load_record(CATEGORY)
    @blueprint.arguments(RemoveSchema, location="query")
    @blueprint.response(200, CategorySchema)
    def delete(self, sent: Record, **_: object) -> Response:
        """Delete a category for good."""
        return records.remove(CATEGORY, existing(CATEGORY), sent, present)


add_history(blueprint, CATEGORY, CategorySchema, present)

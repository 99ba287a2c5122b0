"""Two venues, or two organizers, become one: the routes of that and of its undo."""

from collections.abc import Mapping

from flask import Response

from calendar_app.api.http.fields.scalars import Flag, PositiveInteger
from calendar_app.api.http.fields.schema import Parameter, RequestSchema, RequestValues
from calendar_app.api.http.request import current
from calendar_app.api.http.views import records
from calendar_app.api.http.views.blueprint import Blueprint
from calendar_app.api.http.views.guarding import existing, load_record, require_permission
from calendar_app.api.http.views.resource_view import ResourceView
from calendar_app.api.resources.resource import Resource, described
from calendar_app.calendar.uniting import UnionRequest
from calendar_app.domain.kind import Record

# The parameter has the name of a keyword of Python.
_WITH = "with"
_OTHER: Mapping[str, Parameter] = {
    _WITH: PositiveInteger(
        required=True, description="The id of the record to merge into this one."
    )
}
_UnionSchema = RequestSchema.from_dict(
    {
        **_OTHER,
        "fill": Flag(
            load_default=True,
            description="Whether the record that stays takes over fields that it lacks.",
        ),
    },
    name="Union",
)
_SeparationSchema = RequestSchema.from_dict({**_OTHER}, name="Separation")


def add_union(blueprint: Blueprint, resource: Resource) -> None:
    """Add the route that unites two records of a kind."""
    kind, present = resource.kind, resource.present

    class Union(ResourceView):
        @described(
            f"Unite another {kind.singular} with this one.\n\n"
            f"Its events link to this one, its addresses redirect here, and it moves to the trash."
        )
        @require_permission("edit", kind)
        @load_record(kind)
        @blueprint.arguments(_UnionSchema)
        @blueprint.response(200, resource.answers)
        def post(self, sent: RequestValues, **_: object) -> Response:
            record = existing(kind, write=True)
            revision = records.expected_revision_of(kind, record, present)
            request = _request(resource, record, sent, revision)
            return _answer(resource, current.context().services.uniting.unite(request))

        @described(
            f"Undo the union of another {kind.singular} with this one.\n\n"
            f"The other record and its events are as before; later changes stay."
        )
        @require_permission("edit", kind)
        @load_record(kind)
        @blueprint.arguments(_SeparationSchema, location="query")
        @blueprint.response(200, resource.answers)
        def delete(self, sent: RequestValues, **_: object) -> Response:
            record = existing(kind, write=True)
            request = _request(resource, record, sent)
            return _answer(resource, current.context().services.uniting.separate(request))

    blueprint.route(f"/{kind.name}/<digits:id>/unite")(Union)


def _request(
    resource: Resource, record: Record, sent: RequestValues, revision: int | None = None
) -> UnionRequest:
    context = current.context()
    return UnionRequest(
        resource.kind,
        record["_id"],
        sent[_WITH],
        context.caller,
        context.language,
        fill=sent.get("fill", True),
        revision=revision,
    )


def _answer(resource: Resource, record: Record) -> Response:
    view = records.view_of(resource.kind, [record])
    return records.answer_write(record, view, resource.present)

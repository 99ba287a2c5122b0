"""A resource: its kind, schemas and presenter, from which its routes follow."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import marshmallow as ma
from flask import Response

from calendar_app.api.http.fields.changes import ChangeSchema
from calendar_app.api.http.lists.filtering import ListRequest, ListSchema
from calendar_app.api.http.request import current
from calendar_app.api.http.views import records
from calendar_app.api.http.views.blueprint import Blueprint
from calendar_app.api.http.views.guarding import (
    ViewFunction,
    existing,
    load_record,
    redirect_united,
    require_permission,
)
from calendar_app.api.http.views.history import add_history
from calendar_app.api.http.views.records import Describe, Present, ReadSchema, RemoveSchema
from calendar_app.api.http.views.resource_view import ResourceView
from calendar_app.api.presentation.records import RecordView
from calendar_app.api.presentation.shapes import JSONObject, Shape
from calendar_app.calendar.writing.references import NO_LINKS, LinkedIds
from calendar_app.domain.kind import Kind, Record


@dataclass(frozen=True, slots=True)
class Resource:
    """One kind of record in the interface.

    ``lists``, ``changes``, ``reads`` and ``removes`` are the schemas of requests, ``answers`` and
    ``pages`` those of answers. ``slug_rule`` is the rule of its slugs, empty without a route by
    slug. ``order`` ends the description of the list, ``words`` replaces descriptions. Ids of the
    ``other_kinds`` are known to be none of this kind.
    """

    kind: Kind
    present: Present
    lists: type[ListSchema]
    changes: type[ChangeSchema]
    answers: Shape[Any]
    pages: Shape[Any]
    describe: Describe | None = None
    reads: type[ma.Schema] = ReadSchema
    removes: type[ma.Schema] = RemoveSchema
    slug_rule: str = ""
    order: str = ""
    words: Mapping[str, str] = field(default_factory=dict)
    is_created: bool = True
    other_kinds: Iterable[Kind] = ()
    # Linked records that are published with the one that is changed.
    unpublished: Callable[[], LinkedIds] = lambda: NO_LINKS

    def sentence(self, action: str) -> str:
        """Return the description of an action."""
        kind = self.kind
        a_record = f"{'an' if kind.singular[0] in 'aeiou' else 'a'} {kind.singular}"
        chosen = f"{a_record}, by id or slug" if self.slug_rule else a_record
        sentences = {
            "list": f"List {kind.name}{self.order and f', {self.order}'}.",
            "create": f"Create {a_record}.",
            "read": f"Read {chosen}.",
            "change": f"Change {chosen}; omitted fields stay.",
            "remove": f"Move {a_record} to the trash."
            if kind.has_status
            else f"Delete {a_record} for good.",
        }
        return {**sentences, **self.words}[action]

    def present_compared(self, record: Record, view: RecordView) -> JSONObject:
        """Present the fields of a record with which a write is compared."""
        names = self.changes.compared | current.context().parameters.keys()
        shape = self.answers.only(name for name in self.answers.fields if name in names)
        return self.present(record, view, shape=shape)


def routes_of(resource: Resource, description: str) -> Blueprint:
    """Return the routes of a resource that has no others."""
    blueprint = Blueprint(resource.kind.name, __name__, description=description)
    add_records(blueprint, resource)
    add_history(blueprint, resource.kind, resource.answers, resource.present)
    return blueprint


def add_records(blueprint: Blueprint, resource: Resource) -> None:
    """Add the routes of the list and of single records."""
    path = f"/{resource.kind.name}"
    blueprint.route(path)(_collection(blueprint, resource))
    record_view = _record(blueprint, resource)
    blueprint.route(f"{path}/<digits:id>")(record_view)
    if resource.slug_rule:
        blueprint.route(f"{path}/by-slug/{resource.slug_rule}")(record_view)


def described(sentence: str) -> Callable[[ViewFunction], ViewFunction]:
    """Give a view its description."""

    def describe(view: ViewFunction) -> ViewFunction:
        view.__doc__ = sentence
        return view

    return describe


def _collection(blueprint: Blueprint, resource: Resource) -> type[ResourceView]:
    kind, present = resource.kind, resource.present

    class Collection(ResourceView):
        @described(resource.sentence("list"))
        @blueprint.arguments(resource.lists, location="query")
        @blueprint.response(200, resource.pages)
        def get(self, list_request: ListRequest) -> Response:
            return records.answer_list(kind, list_request, present)

    if not resource.is_created:
        return Collection

    class OpenCollection(Collection):
        @described(resource.sentence("create"))
        @require_permission("create", kind)
        @blueprint.arguments(resource.changes)
        @blueprint.response(201, resource.answers)
        def post(self, changes: Record) -> Response:
            return records.create(kind, changes, present)

    return OpenCollection


def _record(blueprint: Blueprint, resource: Resource) -> type[ResourceView]:
    kind, present, other_kinds = resource.kind, resource.present, resource.other_kinds

    class OneRecord(ResourceView):
        @described(resource.sentence("read"))
        @load_record(kind)
        @blueprint.arguments(resource.reads, location="query")
        @blueprint.response(200, resource.answers)
        def get(self, sent: Record, **_: object) -> Response:
            redirect_united(kind)
            return records.read(kind, existing(kind, other_kinds), present, sent, resource.describe)

        @described(resource.sentence("change"))
        @require_permission("edit", kind)
        @load_record(kind, resource.present_compared)
        @blueprint.arguments(resource.changes(partial=True))
        @blueprint.response(200, resource.answers)
        def post(self, changes: Record, **_: object) -> Response:
            record = existing(kind, other_kinds, write=True)
            return records.change(kind, record, changes, present, resource.unpublished())

        put = patch = post

        @described(resource.sentence("remove"))
        @require_permission("delete", kind)
        @load_record(kind)
        @blueprint.arguments(resource.removes, location="query")
        @blueprint.response(200, resource.answers)
        def delete(self, sent: Record, **_: object) -> Response:
            return records.remove(kind, existing(kind, other_kinds), sent, present)

    return OneRecord

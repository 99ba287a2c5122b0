"""The views of one type: its list, one record, and their writes."""

from collections.abc import Callable
from functools import partial, wraps
from typing import Any

import marshmallow as ma
from flask import Response

from calendar_app.accounts.callers import Right
from calendar_app.accounts.policy import may_edit, may_read
from calendar_app.api.http.answers.answering import answer
from calendar_app.api.http.errors.refusals import Refusal
from calendar_app.api.http.fields.scalars import Flag, OneOf
from calendar_app.api.http.fields.schema import RequestSchema
from calendar_app.api.http.lists.filtering import ListRequest
from calendar_app.api.http.request import current
from calendar_app.api.http.views import records
from calendar_app.api.http.views.guarding import ViewFunction, load_record, require_permission
from calendar_app.api.http.views.loading import Refused, load_parameters
from calendar_app.api.http.views.resource_view import ResourceView
from calendar_app.api.presentation.records import RecordView
from calendar_app.api.presentation.shapes import JSONObject
from calendar_app.domain.kind import Record
from calendar_app.errors import Message
from calendar_app.parts.wordpress.contexts import CONTEXTS, EDIT, VIEW
from calendar_app.parts.wordpress.lists import LISTS
from calendar_app.parts.wordpress.names import NAMESPACE, ContentType
from calendar_app.parts.wordpress.pages import answer_page
from calendar_app.parts.wordpress.presenting import FEATURED, TERMS, Representation, present
from calendar_app.parts.wordpress.writing import (
    forbidden_context,
    own_values,
    refusing_as_wordpress,
    sent_names,
    unknown,
)

_EMBEDS = frozenset({FEATURED, TERMS})
_NO_TRASH = Message("Terms have no trash. Send force=true to delete one.")


class RemovalSchema(RequestSchema):
    """The parameters of a delete."""

    force = Flag(load_default=False, description="Delete permanently.")


def representation(context: str = VIEW) -> Representation:
    """Return how the request wants records, in a ``context`` that has been checked."""
    sent = current.context().parameters
    if "_embed" not in sent:
        return Representation(context)
    relations = (
        sent["_embed"] if isinstance(sent["_embed"], list) else str(sent["_embed"]).split(",")
    )
    return Representation(context, frozenset(relations) & _EMBEDS or _EMBEDS)


def collection_view(type_: ContentType) -> type[ResourceView]:
    """Return the view of the list of a type."""
    kind, lists, changes = type_.kind, LISTS[type_.name](), type_.changes()

    class Collection(ResourceView):
        def get(self) -> Response:
            list_request = load_parameters(lists, current.context().parameters)
            return _answer_list(type_, list_request)

        @_refusing(type_, "create")
        @require_permission("create", kind)
        def post(self) -> Response:
            context = current.context()
            sent = own_values(type_, context, is_new=True)
            loaded = load_parameters(changes, sent, sent_names(type_))
            record = context.services.editor.create(kind, loaded, context.caller, context.language)
            address = f"{context.addresses.index}{NAMESPACE}/{type_.name}/{record['_id']}"
            view = records.view_of(kind, [record])
            presenter = partial(present, type_, representation(EDIT))
            return records.answer_write(record, view, presenter, 201, {"Location": address})

    return Collection


def record_view(type_: ContentType) -> type[ResourceView]:
    """Return the view of one record of a type."""
    kind, reads, changes = type_.kind, _read_schema(type_)(), type_.changes(partial=True)
    removal = RemovalSchema()

    class OneRecord(ResourceView):
        @load_record(kind)
        def get(self, **_: object) -> Response:
            sent = load_parameters(reads, current.context().parameters)
            return _answer_record(type_, sent)

        @_refusing(type_, "edit" if kind.has_status else "update")
        @require_permission("edit", kind)
        @load_record(kind, type_.whole)
        def post(self, **_: object) -> Response:
            sent = own_values(type_, current.context(), is_new=False)
            loaded = load_parameters(changes, sent, sent_names(type_))
            return _change(type_, loaded)

        put = patch = post

        @_refusing(type_, "delete")
        @require_permission("delete", kind)
        @load_record(kind)
        def delete(self, **_: object) -> Response:
            sent = load_parameters(removal, current.context().parameters)
            return _remove(type_, is_final=sent["force"])

    return OneRecord


def _read_schema(type_: ContentType) -> type[ma.Schema]:
    class OneSchema(type_.reads):  # type: ignore[misc,name-defined]  # that of the type
        context = OneOf(CONTEXTS, load_default=VIEW)

    return OneSchema


def _refusing(type_: ContentType, action: str) -> Callable[[ViewFunction], ViewFunction]:
    """Let a view refuse with the codes of WordPress."""

    def decorate(view: ViewFunction) -> ViewFunction:
        @wraps(view)
        def refusing(*args: Any, **path: Any) -> Any:
            with refusing_as_wordpress(type_, action):
                return view(*args, **path)

        return refusing

    return decorate


def _existing(type_: ContentType) -> Record:
    """Return the record of the path; raise for unreadable ones as for missing ones."""
    record, caller = current.context().record, current.context().caller
    if record is None or (type_.kind.has_status and not may_read(caller, record)):
        raise unknown(type_)
    existing: Record = record
    return existing


def _answer_record(type_: ContentType, sent: Record) -> Response:
    context, record = current.context(), _existing(type_)
    if sent.get("password"):
        with refusing_as_wordpress(type_, "read"):
            context.reader.require_readable(type_.kind, record, context.caller, sent["password"])
    if sent["context"] == EDIT:
        _require_editor(type_, record)
    view, how = records.view_of(type_.kind, [record]), representation(sent["context"])
    return answer(_item(type_, how, record, view))


def _require_editor(type_: ContentType, record: Record | None = None) -> None:
    """Refuse the context of editors to all others."""
    caller = current.context().caller
    kind = type_.kind
    own = kind.has_status and record is not None
    if caller.may(Right.EDIT) and not (own and record and not may_edit(caller, record)):
        return
    raise forbidden_context(caller)


def _item(type_: ContentType, how: Representation, record: Record, view: RecordView) -> Any:
    """Return the JSON of a record, which is kept."""
    name = f"{type_.name} of WordPress, {how.name}"
    version = view.context.version(record)
    return view.fragment(name, version, lambda: present(type_, how, record, view))


def _answer_list(type_: ContentType, list_request: ListRequest) -> Response:
    """Answer one page: a plain list, with totals and links in the headers."""
    context = current.context()
    purpose = str(context.parameters.get("context", VIEW))
    if purpose == EDIT:
        _require_editor(type_)
    page = context.reader.search(type_.kind, list_request.listing, context.caller)
    view, how = records.view_of(type_.kind, page.items, in_list=True), representation(purpose)
    items = [_item(type_, how, record, view) for record in page.items]
    return answer_page(type_.name, page, items, refuses_beyond=type_.kind.has_status)


def _change(type_: ContentType, changes: Record) -> Response:
    """Change the record of the path, and answer it as editors see it."""
    context, before, kind = current.context(), _existing(type_), type_.kind
    record = context.services.editor.change(
        kind,
        before["_id"],
        changes,
        context.caller,
        context.language,
        revision=_expected_revision(type_, before),
        unpublished=type_.unpublished(),
    )
    presenter = partial(present, type_, representation(EDIT))
    return records.answer_write(record, records.view_of(kind, [record]), presenter)


def _expected_revision(type_: ContentType, record: Record) -> int | None:
    """Return the revision that ``If-Match`` names, by a read of editors or of anybody."""

    def presented(record: Record, view: RecordView, *, single: bool = False) -> JSONObject:
        return present(
            type_, Representation(EDIT if view.origins else VIEW), record, view, single=single
        )

    return records.expected_revision_of(type_.kind, record, presented)


def _remove(type_: ContentType, *, is_final: bool) -> Response:
    """Delete a record for good, or put it in the trash; terms have none."""
    context, record, kind = current.context(), _existing(type_), type_.kind
    if not (is_final or kind.has_status):
        raise Refused(Refusal(501, "rest_trash_not_supported", _NO_TRASH))
    presenter = partial(present, type_, Representation())
    before = records.present_one(kind, record, presenter)
    after = context.services.editor.remove(
        kind,
        record["_id"],
        context.caller,
        force=is_final,
        revision=_expected_revision(type_, record),
    )
    if is_final:
        return answer({"deleted": True, "previous": before})
    return answer(records.present_one(kind, after, presenter))

"""The routes of the history of records, the same for every kind."""

from typing import Any

import marshmallow as ma
from flask import Response

from calendar_app.accounts.policy import has_owner, may_edit
from calendar_app.api.http.answers.answering import answer
from calendar_app.api.http.fields.scalars import PositiveInteger
from calendar_app.api.http.lists.filtering import page_window
from calendar_app.api.http.lists.paging import ListAddress, answer_page, echo
from calendar_app.api.http.presentation import HISTORY_PAGE, present_entries
from calendar_app.api.http.request import current
from calendar_app.api.http.views import records
from calendar_app.api.http.views.blueprint import Blueprint
from calendar_app.api.http.views.guarding import existing, load_record, require_permission
from calendar_app.api.http.views.records import Present
from calendar_app.api.http.views.resource_view import ResourceView
from calendar_app.api.presentation.shapes import Shape
from calendar_app.domain.kind import Kind, Record
from calendar_app.errors import NoSuchPage, NotAllowed, NotInHistory

# A list of entries is paged as one of records with a status.
_ENTRIES = Kind(name="history", singular="history", label="", texts={})


class HistoryListSchema(ma.Schema):
    """Parameters of the list of saves."""

    class Meta:
        unknown = ma.EXCLUDE

    page = PositiveInteger(load_default=1, description="The page to return.")
    per_page = PositiveInteger(description="Saves per page, up to a limit.")


class StateSchema(ma.Schema):
    """Parameters of an earlier state, and of going back to it."""

    class Meta:
        unknown = ma.EXCLUDE


def add_history(blueprint: Blueprint, kind: Kind, shape: Shape[Any], present: Present) -> None:
    """Add the history of a kind's records to its routes; ``shape`` describes a record."""
    path = f"/{kind.name}/<digits:id>/history"
    blueprint.route(path)(_list_view(blueprint, kind))
    state_view = _state_view(blueprint, kind, shape, present)
    blueprint.route(f"{path}/<digits:revision>")(state_view)
    restore_view = _restore_view(blueprint, kind, shape, present)
    blueprint.route(f"{path}/<digits:revision>/restore")(restore_view)


def _list_view(blueprint: Blueprint, kind: Kind) -> type[ResourceView]:
    class History(ResourceView):
        @require_permission("edit", kind)
        @load_record(kind)
        @blueprint.arguments(HistoryListSchema, location="query")
        @blueprint.response(200, HISTORY_PAGE)
        def get(self, sent: Record, **_: object) -> Response:
            """List the saves of a record, the latest first.

            Each entry has who saved what, when, and through which part of the service.
            """
            return _answer_list(kind, _editable(kind), sent)

    return History


def _state_view(
    blueprint: Blueprint, kind: Kind, shape: Shape[Any], present: Present
) -> type[ResourceView]:
    class State(ResourceView):
        @require_permission("edit", kind)
        @load_record(kind)
        @blueprint.arguments(StateSchema, location="query")
        @blueprint.response(200, shape)
        def get(self, _: Record, revision: int, **__: object) -> Response:
            """Read a record as it was after a save.

            Linked records are shown as they are now.
            """
            state = state_of(kind, _editable(kind), revision)
            return answer(present_state(kind, state, present))

    return State


def _restore_view(
    blueprint: Blueprint, kind: Kind, shape: Shape[Any], present: Present
) -> type[ResourceView]:
    class Restore(ResourceView):
        @require_permission("edit", kind)
        @load_record(kind)
        @blueprint.arguments(StateSchema, location="query")
        @blueprint.response(200, shape)
        def post(self, _: Record, revision: int, **__: object) -> Response:
            """Go back to an earlier state of a record.

            Writes a new revision with the earlier values; author and password stay.
            """
            return _restore(kind, _editable(kind), revision, present)

    return Restore


def state_of(kind: Kind, record: Record, revision: int) -> Record:
    """Return a record at a revision; raise ``NotInHistory`` where history does not tell."""
    state = current.context().services.history.state(kind, record, revision)
    if state is None:
        raise NotInHistory(kind.singular, revision)
    return state


def present_state(kind: Kind, state: Record, present: Present) -> Record:
    """Present an earlier state."""
    return records.present_one(kind, state, present, single=True)


def _editable(kind: Kind) -> Record:
    """Return the record of the path, if the caller may edit it."""
    record = existing(kind)
    if has_owner(kind.singular) and not may_edit(current.context().caller, record):
        raise NotAllowed
    return record


def _answer_list(kind: Kind, record: Record, sent: Record) -> Response:
    context = current.context()
    window = page_window(sent, context.settings)
    page = context.services.history.page(kind, record["_id"], window)
    if not page.items and window.number > max(page.pages, 1):
        raise NoSuchPage(kind.singular)
    items = present_entries(kind, record, page.items, window.skip, context)
    address = f"{kind.name}/{record['_id']}/history"
    echoed = echo({}, window, context, with_status=False)
    return answer_page(_ENTRIES, page, lambda: items, ListAddress(address, echoed, context))


def _restore(kind: Kind, record: Record, revision: int, present: Present) -> Response:
    context = current.context()
    restored = context.services.restorer.restore(
        kind,
        record["_id"],
        revision,
        context.caller,
        context.language,
        expected=records.expected_revision_of(kind, record, present),
    )
    return records.answer_write(restored, records.view_of(kind, [restored]), present)

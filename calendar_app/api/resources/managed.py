"""What some callers manage: its list, and adding, reading, changing and removing one of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import marshmallow as ma
from flask import Response, views

from calendar_app.accounts.callers import Caller
from calendar_app.accounts.policy import Action
from calendar_app.api.http.answers.answering import answer, is_matched
from calendar_app.api.http.fields.scalars import PositiveInteger
from calendar_app.api.http.fields.schema import RequestSchema, RequestValues
from calendar_app.api.http.lists.filtering import page_window
from calendar_app.api.http.lists.paging import ListAddress, answer_page, link_parameters
from calendar_app.api.http.presentation import page_of
from calendar_app.api.http.request import current
from calendar_app.api.http.request.current import Context
from calendar_app.api.http.views.blueprint import Blueprint
from calendar_app.api.http.views.guarding import ViewFunction
from calendar_app.api.presentation.shapes import JSONObject, Shape
from calendar_app.api.resources.resource import described
from calendar_app.domain.kind import Kind
from calendar_app.errors import PreconditionFailed
from calendar_app.storage.query.list_query import Page


class PageSchema(RequestSchema):
    """Parameters of a list that is paged."""

    page = PositiveInteger(load_default=1, description="The page to return.")
    per_page = PositiveInteger(description="Entries per page, up to a limit.")


class SingleReadSchema(RequestSchema):
    """Parameters of reads and deletes."""

    context = ma.fields.Raw(
        metadata={"description": "Accepted for compatibility; it has no effect."}
    )


class UncachedView(views.MethodView):
    """A view with answers that nobody caches, since its subject goes on meanwhile."""

    init_every_request = False


class Managing(Protocol):
    """The use cases of managed entries."""

    def get(self, entry_id: int, caller: Caller, /) -> Any: ...

    def change(self, entry_id: int, changes: Mapping[str, Any], caller: Caller, /) -> Any: ...

    def remove(self, entry_id: int, caller: Caller, /) -> Any: ...


@dataclass(frozen=True, slots=True)
class Managed:
    """A kind of entries that some callers manage, in the interface.

    ``guard`` returns the decorator that refuses all others an action. ``lists``, ``adds`` and
    ``changes`` are the schemas of requests, ``answers`` and ``added`` those of answers.
    ``read_page`` returns the entries of a page, and the page. ``add`` adds one and returns its id
    and the answer. ``words`` are the descriptions of the routes, ``view`` is the base of their
    views.
    """

    kind: Kind
    guard: Callable[[Action], Callable[[ViewFunction], ViewFunction]]
    managing: Callable[[], Managing]
    read_page: Callable[[Any], tuple[Sequence[Any], Page]]
    adds: ma.Schema
    changes: ma.Schema
    answers: Shape[Any]
    added: Shape[Any]
    add: Callable[[RequestValues], tuple[int, JSONObject]]
    words: Mapping[str, str]
    lists: type[ma.Schema] = PageSchema
    view: type[views.MethodView] = UncachedView

    def answer(self, entry_id: int) -> Response:
        """Answer with one of it."""
        return answer(self._presented(entry_id))

    def remove(self, entry_id: int) -> Response:
        """Remove an entry, and answer with it."""
        self.require_unchanged(entry_id)
        answered = self.answer(entry_id)
        self.managing().remove(entry_id, current.context().caller)
        return answered

    def require_unchanged(self, entry_id: int) -> None:
        """Raise ``PreconditionFailed`` where ``If-Match`` has another tag than the entry has."""
        if_match = current.context().request.if_match
        if not if_match or if_match.star_tag:
            return
        if not is_matched(if_match, self.answer(entry_id).get_data()):
            raise PreconditionFailed

    def _presented(self, entry_id: int) -> JSONObject:
        return self.answers.present(self.managing().get(entry_id, current.context().caller))


def add_managed(blueprint: Blueprint, resource: Managed) -> None:
    """Add the routes of the list and of each entry."""
    path = f"/{resource.kind.name}"
    blueprint.route(path)(_collection(blueprint, resource))
    blueprint.route(f"{path}/<digits:id>")(_single(blueprint, resource))


def page_of_all(
    entries: Callable[[Caller], Sequence[Any]],
) -> Callable[[RequestValues], tuple[Sequence[Any], Page]]:
    """Return a ``read_page`` for a list that is short enough to read whole."""

    def page(sent: RequestValues) -> tuple[Sequence[Any], Page]:
        context = current.context()
        window = page_window(dict(sent), context.settings)
        all_entries = entries(context.caller)
        on_page = all_entries[window.skip : window.skip + window.size]
        return on_page, Page([], window, lambda: len(all_entries))

    return page


def list_address(path: str, context: Context) -> ListAddress:
    """Return the address of a list below the interface's own."""
    return ListAddress(path, link_parameters(context), context)


def _collection(blueprint: Blueprint, resource: Managed) -> type[views.MethodView]:
    name = resource.kind.name

    class ManagedCollection(resource.view):  # type: ignore[name-defined]  # that of the resource
        @described(resource.words["list"])
        @resource.guard("edit")
        @blueprint.arguments(resource.lists, location="query")
        @blueprint.response(200, page_of(resource.answers, name))
        def get(self, sent: Any) -> Response:
            entries, page = resource.read_page(sent)
            items = [resource.answers.present(each) for each in entries]
            address = list_address(name, current.context())
            return answer_page(resource.kind, page, lambda: items, address)

        @described(resource.words["create"])
        @resource.guard("create")
        @blueprint.arguments(resource.adds)
        @blueprint.response(201, resource.added)
        def post(self, sent: RequestValues) -> Response:
            entry_id, body = resource.add(sent)
            location = current.context().addresses.record(name, entry_id)
            return answer(body, 201, {"Location": location})

    return ManagedCollection


def _single(blueprint: Blueprint, resource: Managed) -> type[views.MethodView]:
    class OneManaged(resource.view):  # type: ignore[name-defined]  # that of the resource
        @described(resource.words["read"])
        @resource.guard("edit")
        @blueprint.arguments(SingleReadSchema, location="query")
        @blueprint.response(200, resource.answers)
        def get(self, _sent: RequestValues, **path: int) -> Response:
            return resource.answer(path["id"])

        @described(resource.words["change"])
        @resource.guard("edit")
        @blueprint.arguments(resource.changes)
        @blueprint.response(200, resource.answers)
        def post(self, sent: RequestValues, **path: int) -> Response:
            resource.require_unchanged(path["id"])
            resource.managing().change(path["id"], sent, current.context().caller)
            return resource.answer(path["id"])

        put = patch = post

        @described(resource.words["remove"])
        @resource.guard("delete")
        @blueprint.arguments(SingleReadSchema, location="query")
        @blueprint.response(200, resource.answers)
        def delete(self, _sent: RequestValues, **path: int) -> Response:
            return resource.remove(path["id"])

    return OneManaged

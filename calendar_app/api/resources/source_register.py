"""The names of a source for venues and organizers, and ours."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from flask import Response

from calendar_app.api.http.answers.answering import answer
from calendar_app.api.http.errors.problems import refuse
from calendar_app.api.http.fields.scalars import Flag, OneOf, whole_number
from calendar_app.api.http.fields.schema import Parameter, RequestSchema, RequestValues
from calendar_app.api.http.lists.filtering import page_window
from calendar_app.api.http.lists.paging import answer_page
from calendar_app.api.http.presentation import page_of
from calendar_app.api.http.request import current
from calendar_app.api.http.request.current import Context
from calendar_app.api.presentation.shapes import Field, Shape, ShapeFields
from calendar_app.api.resources.managed import PageSchema, UncachedView, list_address
from calendar_app.api.resources.sources import blueprint, for_keepers
from calendar_app.calendar.reading.links import LINKED
from calendar_app.domain.kind import Kind
from calendar_app.domain.kinds import BY_NAME
from calendar_app.sources.managing import Sources
from calendar_app.sources.register_editing import NO_RECORD, RegisterLine
from calendar_app.sources.source import SOURCES

__all__ = ["blueprint"]

_SINGULAR = {name: BY_NAME[name].singular for name in LINKED}
_PLURAL = {singular: name for name, singular in _SINGULAR.items()}
_ENTRY = Kind(name="entries", singular="entry", label="", texts={}, has_status=False)


class LinkedId(Parameter):
    """The id of a record, or 0."""

    schema: Mapping[str, Any] = MappingProxyType({"type": "integer", "minimum": 0})

    def read(self, value: Any, _context: Context) -> int:
        number = whole_number(value)
        if number is None or number < 0:
            refuse(NO_RECORD)
        return number


class RegisterListSchema(PageSchema):
    """Parameters of the register of a source."""

    kind = OneOf(tuple(_PLURAL), description="Only venues, or only organizers.")


class RegisterCorrectionSchema(RequestSchema):
    """Request body of a correction."""

    record = LinkedId(
        required=True, description="The venue or organizer it stands for; 0 looks for it again."
    )
    same = Flag(
        load_default=False, description="Correct all entries that mean the same record as this one."
    )
    was = LinkedId(description="The record that it meant; 412 if that has changed meanwhile.")


def _name(line: RegisterLine) -> str:
    variants, label = line.record.get("variants", {}), BY_NAME[line.entry["kind"]].label
    tags = (*current.context().chain, *variants)
    return next((variants[tag][label] for tag in tags if variants.get(tag, {}).get(label)), "")


_FIELDS: ShapeFields[RegisterLine] = {
    "id": Field("string", lambda it: it.entry["key"], "The id of the entry."),
    "kind": Field(tuple(_PLURAL), lambda it: _SINGULAR[it.entry["kind"]], "What it is."),
    "name": Field("string", lambda it: it.entry["name"], "The name in the source."),
    "address": Field(
        "string",
        lambda it: it.entry["address"],
        "Its address or contact, according to the source.",
    ),
    "external_id": Field(
        "string", lambda it: it.entry["external_id"], "Its id at the source; empty without one."
    ),
    "record": Field(
        "integer",
        lambda it: 0 if it.is_open else it.entry["record"],
        "The venue or organizer it stands for; 0 if the next reading looks for it again.",
    ),
    "record_name": Field("string", _name, "The name of that record."),
    "events": Field("integer", lambda it: it.events, "The number of events of the source with it."),
}
_PRESENTED = Shape("SourceRegisterEntry", _FIELDS)


def _sources() -> Sources:
    return current.context().services.sources


@blueprint.route("/sources/<digits:id>/register")
class SourceRegister(UncachedView):
    @for_keepers
    @blueprint.arguments(RegisterListSchema, location="query")
    @blueprint.response(200, page_of(_PRESENTED, "entries"))
    def get(self, sent: RequestValues, **path: int) -> Response:
        """List the names of a source for venues and organizers, each with our record."""
        context = current.context()
        window = page_window(dict(sent), context.settings)
        kind = _PLURAL.get(sent.get("kind", ""), "")
        page, lines = _sources().register(path["id"], context.caller, window, kind)
        items = [_PRESENTED.present(each) for each in lines]
        address = list_address(f"{SOURCES}/{path['id']}/register", context)
        return answer_page(_ENTRY, page, lambda: items, address)


@blueprint.route("/sources/<digits:id>/register/<entry>")
class SourceRegisterEntry(UncachedView):
    @for_keepers
    @blueprint.arguments(RegisterCorrectionSchema)
    @blueprint.response(200, _PRESENTED)
    def patch(self, sent: RequestValues, **path: Any) -> Response:
        """Correct which venue or organizer a name stands for.

        Events that are linked already follow at the next reading, unless they were edited here.
        """
        caller, changes = current.context().caller, dict(sent)
        line = _sources().correct(path["id"], path["entry"], caller, **changes)
        return answer(_PRESENTED.present(line))

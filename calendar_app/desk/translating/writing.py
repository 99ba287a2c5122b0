"""Writes of the desk, read and checked as those of the interface."""

from collections.abc import Mapping
from typing import Any

import marshmallow as ma

from calendar_app.domain.kind import Kind, Record
from calendar_app.http.errors.problems import first_failed_stage
from calendar_app.http.errors.refusals import staged_parameters
from calendar_app.http.fields.changes import ChangeSchema
from calendar_app.http.request import current
from calendar_app.http.views.blueprint import Refused
from calendar_app.resources.events.schemas import EventChangeSchema
from calendar_app.resources.linked import OrganizerChangeSchema, VenueChangeSchema
from calendar_app.resources.media import MediaChangeSchema
from calendar_app.resources.series import SeriesChangeSchema
from calendar_app.resources.terms import CategoryChangeSchema, TagChangeSchema

_SCHEMAS: Mapping[str, ChangeSchema] = {
    schema.kind.name: schema(partial=True)
    for schema in (
        EventChangeSchema,
        SeriesChangeSchema,
        VenueChangeSchema,
        OrganizerChangeSchema,
        CategoryChangeSchema,
        TagChangeSchema,
        MediaChangeSchema,
    )
}


def change(
    kind: Kind, record_id: int, body: Mapping[str, Any], language: str, revision: int | None
) -> Record:
    """Change the texts of a record in a language, as a PATCH with this body does.

    Raises ``Refused`` with the reasons by field, and what the editor raises.
    """
    current.context().chain = current.settings().chain(language)
    try:
        changes = _SCHEMAS[kind.name].load(dict(body))
    except ma.ValidationError as error:
        messages = {str(name): reasons for name, reasons in error.messages_dict.items()}
        raise Refused(staged_parameters(*first_failed_stage(messages))) from error
    caller = current.caller()
    return current.editor().change(kind, record_id, changes, caller, language, revision=revision)

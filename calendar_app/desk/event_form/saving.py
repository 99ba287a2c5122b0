"""Saving a form: the checks and the editor of the interface, and all refusals at once."""

from collections.abc import Collection, Mapping
from datetime import UTC
from types import MappingProxyType

from marshmallow import Schema, ValidationError

from calendar_app.calendar.writing.references import NO_LINKS
from calendar_app.desk.event_form.body import NEEDED, Body, Problems, body_of
from calendar_app.desk.event_form.notation import Notation
from calendar_app.desk.event_form.stored import StoredEvent
from calendar_app.desk.event_form.values import CONTROLS, WORDED, Values
from calendar_app.domain.kind import Record
from calendar_app.errors import InvalidParameters
from calendar_app.http.errors.problems import INVALID, Missing
from calendar_app.http.request import current
from calendar_app.kinds import EVENT, SERIES
from calendar_app.resources.events.routes import unpublished_links
from calendar_app.resources.events.schemas import EventChangeSchema
from calendar_app.resources.series import SeriesChangeSchema

_ALWAYS = ("title", "start_date", "end_date")
_SCHEMAS: Mapping[str, Schema] = MappingProxyType(
    {EVENT.name: EventChangeSchema(partial=True), SERIES.name: SeriesChangeSchema(partial=True)}
)
_NEW = EventChangeSchema()


def create(
    values: Values, names: Collection[str], language: str, notation: Notation, problems: Problems
) -> Record:
    """Create an event from a form; ``problems`` of the form itself are refused with all others.

    Raises ``InvalidParameters``.
    """
    body, unread = _body(values, {*names, *_ALWAYS}, notation)
    sent = body | {current.settings().translation_parameter: language}
    with current.acting_on(sent):
        changes = _load(_NEW, sent, unread | problems)
        return current.editor().create(EVENT, changes, current.caller(), language)


def change(  # noqa: PLR0913  # what of which event, as it was written, how far
    event: StoredEvent,
    values: Values,
    names: Collection[str],
    notation: Notation,
    problems: Problems,
    *,
    scope: str = "",
) -> Record:
    """Change the fields of a form in an event or a series, at the revision read.

    Raises ``InvalidParameters`` with all that is wrong, or ``PreconditionFailed``.
    """
    body, unread = _body(values, names, notation)
    sent = _scoped(body, scope) | {current.settings().translation_parameter: event.language}
    with current.acting_on(sent, event.record, event.presented):
        changes = _load(_SCHEMAS[event.kind.name], sent, unread | problems)
        return current.editor().change(
            event.kind,
            event.record["_id"],
            changes,
            current.caller(),
            event.language,
            revision=event.record["revision"],
            unpublished=unpublished_links() if event.kind is EVENT else NO_LINKS,
        )


def change_values(event: StoredEvent, values: Values, notation: Notation) -> Record:
    """Change some values of a stored event, as its form does."""
    return change(event, event.values(notation) | values, values, notation, {})


def lies_in_past(values: Values, notation: Notation) -> bool:
    """Return whether an event that is written so would be over already."""
    body, problems = body_of(values, ["start_date"], notation)
    if problems or body.get("recurrence"):
        return False
    try:
        with current.acting_on({}):
            loaded = _SCHEMAS[EVENT.name].load({"end_date": body["end_date"]}, partial=True)
        ends = loaded["end"].instant(current.site_zone())
    except (ValidationError, ValueError, KeyError):
        return False
    return bool(ends < current.now().astimezone(UTC).replace(tzinfo=None))


def _body(values: Values, names: Collection[str], notation: Notation) -> tuple[Body, Problems]:
    """Return the body of a form with its texts in other languages, and what cannot be read."""
    body, unread = body_of(values, names, notation)
    variants: Body = {}
    for language, texts in values.get("other_languages", {}).items():
        worded = [name for name in WORDED if texts.keys() >= {*CONTROLS[name]}]
        variants[language], wrong = body_of(texts, worded, notation)
        unread |= wrong
    return body | ({"variants": variants} if variants else {}), unread


def _scoped(body: Body, scope: str) -> Body:
    return body | ({"scope": scope} if scope else {})


def _load(schema: Schema, body: Body, problems: Problems) -> Record:
    """Return the changes of a body; the ``problems`` of the form itself come first."""
    reasons: Problems = {}
    changes: Record = {}
    try:
        changes = schema.load(body)
    except ValidationError as error:
        reasons = {name: _reason(messages) for name, messages in error.messages_dict.items()}
    if "start_date" in problems and "end_date" not in body:
        reasons.pop("end_date", None)
    if reasons or problems:
        raise InvalidParameters(reasons | problems)
    return changes


def _reason(messages: object) -> str:
    """Return the first reason in nested messages of marshmallow."""
    while isinstance(messages, Mapping | list):
        members = list(messages.values()) if isinstance(messages, Mapping) else messages
        messages = members[0] if members else INVALID
    if isinstance(messages, Missing):
        return NEEDED
    return messages if isinstance(messages, str) else INVALID

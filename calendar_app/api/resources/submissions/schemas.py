"""Request and response schemas of contributions."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar

import marshmallow as ma

from calendar_app.accounts.callers import ANYONE
from calendar_app.api.http.errors.problems import refuse, refuse_unknown
from calendar_app.api.http.fields.changes import DATE_TIME, moment
from calendar_app.api.http.fields.scalars import (
    Converted,
    Flag,
    Name,
    PositiveInteger,
    Text,
    whole_number,
)
from calendar_app.api.http.fields.schema import NamesRecords, Parameter, RequestSchema
from calendar_app.api.http.request.current import Context
from calendar_app.api.http.request.forms import MULTIPART
from calendar_app.api.http.request.negotiation import named_language
from calendar_app.api.resources.events.schemas import (
    COST,
    EventChangeSchema,
    plain_fields,
    read_cost,
)
from calendar_app.domain.addresses import is_email
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import ORGANIZER, VENUE, event_fields
from calendar_app.domain.statuses import PENDING
from calendar_app.domain.texts.sanitizing import clean_name
from calendar_app.errors import Message

LONGEST_NAME = 200
LONGEST_TEXT = 20_000
LONGEST_ALT_TEXT = 1_000
_LONGEST_EMAIL = 254
# A contribution with its picture is a form; without one it may be JSON.
BINARY: Mapping[str, Any] = MappingProxyType({"type": "string", "format": "binary"})
_FORM: Mapping[str, Any] = MappingProxyType({"type": "object", "properties": {"image": {**BINARY}}})
WITH_PICTURE: Mapping[str, Any] = MappingProxyType({"content": {MULTIPART: {"schema": {**_FORM}}}})
_EVENT_FIELDS = (
    *("variants", "title", "start_date", "end_date", "all_day", "description", "website", "cost"),
    *("categories", "venue", "organizer", "image", "alt_text"),
    *(field.name for field in event_fields.PLAIN),
)
_CONTACT_FIELDS = ("contact_name", "contact_email", "consent")


def _require_short(most: int) -> Any:
    """Return a validator of the length of a text."""

    def validate(text: str) -> None:
        if len(text) > most:
            refuse(Message("This may be {most} characters long at most.", most=most))

    return validate


def _short_cost(value: Any, context: Context) -> Record | None:
    _require_short(LONGEST_NAME)(str(value))
    return read_cost(value, context)


def _require_email(text: str) -> None:
    if text and not is_email(text):
        refuse("This is not an e-mail address. One looks like name@example.org.")


class KnownOrNamed(NamesRecords):
    """A public record by id, or the name of one, which may be new."""

    schema: Mapping[str, Any] = {"anyOf": [{"type": "integer"}, {"type": "string"}]}

    def __init__(self, kind: Kind, **options: Any) -> None:
        super().__init__(**options)
        self._kind = kind

    def read(self, value: Any, context: Context) -> list[int | Record]:
        number = whole_number(value)
        if number is not None:
            return [number] if number else []
        if not isinstance(value, str):
            refuse(Message("{name} must be an id or a name.", name=self.sent_name))
        name = clean_name(value)
        if len(name) > LONGEST_NAME:
            refuse(Message("This may be {most} characters long at most.", most=LONGEST_NAME))
        texts = {context.language: {self._kind.label: name}}
        return [{"variants": texts, "status": PENDING}] if name else []

    def resolve(self, value: list[int | Record], context: Context) -> list[int | Record]:
        for number in value:
            if isinstance(number, int) and (
                number < 1 or context.reader.missing(self._kind, [number], ANYONE)
            ):
                refuse_unknown(self._kind.singular, number)
        return value


class NoPicture(Parameter):
    """Takes the picture away; another one is sent as a file."""

    schema: Mapping[str, Any] = {"type": "string"}

    def read(self, value: Any, _context: Context) -> None:
        if value not in (False, ""):
            refuse("A picture is sent as a file, in a form of the type multipart/form-data.")


class AltTexts(Parameter):
    """The alternative text in the language of the request, or those of several by language."""

    schema: Mapping[str, Any] = {
        "anyOf": [
            {"type": "string"},
            {"type": "object", "additionalProperties": {"type": "string"}},
        ]
    }

    def read(self, value: Any, context: Context) -> dict[str, str]:
        texts = {context.language: value} if isinstance(value, str) else value
        if not isinstance(texts, dict) or not all(isinstance(each, str) for each in texts.values()):
            refuse(Message("{name} must be a text.", name=self.sent_name))
        by_language: dict[str, str] = {}
        for code, text in texts.items():
            language = named_language(code, context.settings.languages)
            if language is None:
                refuse(Message("{language} is not a language of the site.", language=code))
            _require_short(LONGEST_ALT_TEXT)(text)
            by_language[language] = text
        return by_language


class SubmissionChangeSchema(EventChangeSchema):
    """The event of a contribution."""

    class Meta(EventChangeSchema.Meta):
        fields: ClassVar[tuple[str, ...]] = _EVENT_FIELDS
        include: ClassVar[dict[str, ma.fields.Field[Any]]] = plain_fields(
            validate=_require_short(LONGEST_NAME)
        )

    title = Name(required=True, validate=_require_short(LONGEST_NAME), description="The title.")
    end_date = Converted(
        moment, DATE_TIME, attribute="end", description="The end; else it ends as it starts."
    )
    description = Text(
        blank=True,
        allow_none=True,
        validate=_require_short(LONGEST_TEXT),
        description="Plain text or HTML.",
    )
    cost = Converted(_short_cost, COST, allow_none=True, description="A price, or a text.")
    venue = KnownOrNamed(VENUE, attribute="venues", description="A venue, by id or name.")
    organizer = KnownOrNamed(
        ORGANIZER, attribute="organizers", description="An organizer, by id or name."
    )

    image = NoPicture(
        allow_none=True, description="A file in a form; on mending null takes the picture away."
    )
    alt_text = AltTexts(
        description="What the picture shows, by language or in that of the request."
    )

    @ma.post_load
    def end_as_it_starts(self, values: Record, **_: Any) -> Record:
        """Let an event without an end end when it starts."""
        return {"end": values["start"], **values} if "start" in values else values


class SubmissionSchema(SubmissionChangeSchema):
    """Request body of a contribution."""

    class Meta(SubmissionChangeSchema.Meta):
        fields: ClassVar[tuple[str, ...]] = (*_EVENT_FIELDS, *_CONTACT_FIELDS)

    contact_name = Text(
        blank=True,
        validate=_require_short(LONGEST_NAME),
        description="The name of the sender; shown to nobody.",
    )
    contact_email = Text(
        blank=True,
        validate=[_require_short(_LONGEST_EMAIL), _require_email],
        description="Where questions and the decision are sent; shown to nobody.",
    )
    consent = Flag(
        required=True,
        description="Whether the sender agrees that the event is published; must be true.",
    )

    @ma.validates("consent")
    def require_consent(self, consent: bool, **_: Any) -> None:
        """Refuse a contribution without the consent of its sender."""
        if not consent:
            refuse("Without consent nothing can be published.")


class TokenSchema(RequestSchema):
    """The secret of a sender."""

    token = Text(required=True, description="The secret that the sender was given.")


class QuestionSchema(RequestSchema):
    """A question to the sender."""

    question = Name(required=True, validate=_require_short(LONGEST_TEXT), description="Plain text.")


class AnswerSchema(RequestSchema):
    """The answer of a sender."""

    answer = Name(required=True, validate=_require_short(LONGEST_TEXT), description="Plain text.")


class ReasonSchema(RequestSchema):
    """Why a contribution is refused."""

    reason = Name(required=True, validate=_require_short(LONGEST_TEXT), description="Plain text.")


class QueueSchema(RequestSchema):
    """Which page of the queue."""

    page = PositiveInteger(load_default=1, description="Counted from 1.")
    per_page = PositiveInteger(description="How many each page has.")

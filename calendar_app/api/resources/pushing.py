"""Events that programs send to a source: one by its UID, or many as lines of JSON (NDJSON)."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import wraps
from http import HTTPStatus
from os import SEEK_END
from tempfile import SpooledTemporaryFile
from typing import IO, Any, ClassVar
from wsgiref.types import WSGIEnvironment

import marshmallow as ma
import orjson
from flask import Flask, Response, views
from flask.typing import ResponseReturnValue
from werkzeug.wsgi import FileWrapper

from calendar_app.accounts.callers import Right
from calendar_app.api.http.answers.answering import NDJSON, add_common_headers
from calendar_app.api.http.errors.problems import first_reasons, refuse
from calendar_app.api.http.errors.refusals import refused_parameters
from calendar_app.api.http.fields.linking import LinkedRecords, LinkedTerms
from calendar_app.api.http.fields.scalars import Flag, PositiveInteger, Text
from calendar_app.api.http.fields.schema import Parameter, RequestSchema, RequestValues, Values
from calendar_app.api.http.presentation import ERROR
from calendar_app.api.http.request import current
from calendar_app.api.http.request.authentication import authenticate
from calendar_app.api.http.request.bodies import BodyTooLarge, MalformedJson, limit_body
from calendar_app.api.http.request.current import Context
from calendar_app.api.http.request.parameters import parse_object
from calendar_app.api.http.request.state import get_services
from calendar_app.api.http.views import records
from calendar_app.api.http.views.blueprint import Blueprint
from calendar_app.api.http.views.guarding import ViewFunction, require_permission
from calendar_app.api.presentation.events import EVENT_SHAPE, present_event
from calendar_app.api.presentation.shapes import ABSENT, Field, Shape, ShapeFields
from calendar_app.api.resources.events.schemas import EventChangeSchema
from calendar_app.api.resources.linked import OrganizerChangeSchema, VenueChangeSchema
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import CATEGORY, EVENT, ORGANIZER, TAG, VENUE
from calendar_app.domain.texts.messages import translated
from calendar_app.errors import CalendarError, InvalidParameters, Message
from calendar_app.sources.calendar_events import EXTERNAL_ID
from calendar_app.sources.managing import Sources
from calendar_app.sources.pushing import SentFile, SentLine, pushed_event
from calendar_app.sources.results import Outcome, Result
from calendar_app.sources.source import Source

MOST_BYTES = 64 << 20
_MOST_LINES = 50_000
_LONGEST_UID = 1000
_BULK = re.compile(r"/bulk/?$", re.IGNORECASE)
_IN_MEMORY = 1 << 20  # bytes; more of a file goes to the disk
_PIECE = 1 << 16  # bytes
# Short lines have long errors: so many say all, and each of their texts is clipped.
_MOST_ERRORS = 1000
_LONGEST_REASON = 300

_NO_UID = Message("{name} must be a text of 1 to {longest} characters.", name="uid", longest=1000)
_NO_OBJECT = Message("A line must be an object of JSON.")
_NO_JSON = Message("The line is not JSON.")
_TOO_LONG = Message("The line is too long.")
_TOO_MANY = Message("The body has more than {most} lines.", most=_MOST_LINES)


class PushedTerms(LinkedTerms):
    """Terms by id, or words for which the source has terms of ours."""

    def resolve(self, value: list[int | str], context: Context) -> list[int | str]:
        ids: list[int | str] = [each for each in value if isinstance(each, int)]
        super().resolve(ids, context)
        return value


class PushedLinks(LinkedRecords):
    """Venues or organizers by id or data; ``id_name`` names their id at the source."""

    def __init__(self, kind: Kind, make_schema: Callable[[], ma.Schema], id_name: str) -> None:
        super().__init__(
            kind,
            make_schema,
            allow_none=True,
            attribute=kind.name,
            description=f"By id, or as data of new ones; {id_name} is the id at the source.",
        )
        self._id_name = id_name

    def _changes(self, entry: int | Record, context: Context) -> int | Record:
        changes = super()._changes(entry, context)
        own = entry.get(self._id_name) if isinstance(entry, dict) else None
        if own in (None, "") or not isinstance(changes, dict):
            return changes
        if isinstance(own, bool) or not isinstance(own, str | int) or len(str(own)) > _LONGEST_UID:
            name = f"{self.sent_name}.{self._id_name}"
            refuse(Message(_NO_UID.pattern, name=name, longest=_LONGEST_UID))
        return {**changes, EXTERNAL_ID: str(own)}


class PushedEventSchema(EventChangeSchema):
    """A pushed event; the source decides on its author and status."""

    class Meta(EventChangeSchema.Meta):
        exclude: ClassVar = (
            *("author", "status", "date", "date_utc", "password", "scope", "force"),
            *("translated_from", "translation_status", "translation_origin"),
            *("translation_reviewed",),
        )

    venue = PushedLinks(VENUE, VenueChangeSchema, "place_id")
    organizer = PushedLinks(ORGANIZER, OrganizerChangeSchema, "organizer_id")
    categories = PushedTerms(CATEGORY, allow_none=True, description="Categories, by id or word.")
    tags = PushedTerms(TAG, allow_none=True, description="Tags, by id or word.")


class WithdrawSchema(RequestSchema):
    """Parameters of a delete of an event that was sent."""

    context = ma.fields.Raw(
        metadata={"description": "Accepted for compatibility; it has no effect."}
    )


class BulkSchema(RequestSchema):
    """Parameters of a file of events."""

    source: Parameter = PositiveInteger(required=True, description="The id of the source.")
    dry_run = Flag(
        load_default=False, description="Store nothing, and report what would be stored."
    )
    complete = Flag(
        load_default=False,
        description="The file has all events of the source; the others have vanished.",
    )
    accept = Text(
        load_default="",
        blank=True,
        description="The id of a reading that was held back, to apply it now.",
    )


# The answers.


@dataclass(frozen=True, slots=True)
class _Answered:
    """A line with its result, and the error of a refused one."""

    line: SentLine
    result: Result
    error: Any = None

    @property
    def status(self) -> int:
        if self.result.outcome is Outcome.REFUSED:
            return HTTPStatus.BAD_REQUEST
        return HTTPStatus.CREATED if self.result.outcome is Outcome.NEW else HTTPStatus.OK


_LINE: ShapeFields[_Answered] = {
    "line": Field(
        "integer",
        lambda it: it.line.number,
        "The number of the line; 0: the event is in no line, and has vanished.",
    ),
    "uid": Field("string", lambda it: it.line.uid, "The identifier of the event in the source."),
    "status": Field(
        "integer", lambda it: it.status, "The status code, as if the line had been sent alone."
    ),
    "outcome": Field(tuple(Outcome), lambda it: it.result.outcome, "The result for the event."),
    "event": Field("integer", lambda it: it.result.event, "Its id here; 0 if it has none."),
    "fields": Field(["string"], lambda it: it.result.fields, "The fields that changed."),
    "kept": Field(
        ["string"], lambda it: it.result.kept, "The fields that stay as they were edited here."
    ),
    "error": Field(
        ERROR,
        lambda it: it.error or ABSENT,
        f"Of the first {_MOST_ERRORS:,} refused lines.",
        sometimes=True,
    ),
}
_ANSWERED = Shape("PushedLine", _LINE)
_BODY = {"required": True, "content": {NDJSON: {"schema": {"type": "string"}}}}


# The routes.


blueprint = Blueprint("push", __name__, description="Events that programs push to a source")


class PushView(views.MethodView):
    """A view on events of a source; the same request again changes nothing."""

    init_every_request = False


def for_source(view: ViewFunction) -> ViewFunction:
    """Look the source of the path up, and let its language be that of the texts."""

    @wraps(view)
    def looked_up(*args: Any, **path: Any) -> ResponseReturnValue:
        context, uid = current.context(), path["uid"]
        if not 0 < len(uid) <= _LONGEST_UID:
            raise InvalidParameters({"uid": _NO_UID})
        source = _sources().sent_to(path.pop("source"), context.caller)
        _speak(source, context)
        answered: ResponseReturnValue = view(*args, source=source, **path)
        return answered

    return looked_up


@blueprint.route("/events/by-source/<digits:source>/<path:uid>")
class PushedEvent(PushView):
    @require_permission("create", EVENT)
    @for_source
    @blueprint.arguments(PushedEventSchema)
    @blueprint.response(200, EVENT_SHAPE)
    @blueprint.alt_response(201, schema=EVENT_SHAPE.name)
    def put(self, changes: RequestValues, source: Source, uid: str) -> Response:
        """Send an event to a source, by its UID there.

        The body is that of a new event. Fields it leaves out become empty; edits made here stay.
        It is answered with 201 where the event is new, and else with 200. Where nothing changes
        there is no new revision.
        """
        pushed = _sources().push(source, uid, dict(changes))
        view = records.view_of(EVENT, [pushed.record])
        status = HTTPStatus.CREATED if pushed.is_new else HTTPStatus.OK
        return records.answer_write(pushed.record, view, present_event, status)

    @require_permission("delete", EVENT)
    @for_source
    @blueprint.arguments(WithdrawSchema, location="query")
    @blueprint.response(200, EVENT_SHAPE)
    def delete(self, _sent: RequestValues, source: Source, uid: str) -> Response:
        """Remove an event of a source, by its UID there.

        It is canceled if the source says so for vanished events; otherwise it moves to the trash.
        """
        record = _sources().withdraw(source, uid)
        return records.answer_write(record, records.view_of(EVENT, [record]), present_event)


def with_file(view: ViewFunction) -> ViewFunction:
    """Leave the body unread: it is a file of lines."""

    @wraps(view)
    def prepared(*args: Any, **path: Any) -> ResponseReturnValue:
        current.context().ignore_body()
        answered: ResponseReturnValue = view(*args, **path)
        return answered

    return prepared


@blueprint.route("/bulk")
class Bulk(PushView):
    @with_file
    @require_permission("create", EVENT)
    @blueprint.arguments(BulkSchema, location="query")
    @blueprint.doc(requestBody=_BODY)
    @blueprint.response(200, _ANSWERED, content_type=NDJSON)
    def post(self, sent: RequestValues) -> Response:
        """Send many events to a source, one JSON object a line, each with its `uid`.

        There is a line of answer for each line, in their order. With `complete` what is not in the
        file has vanished; a line for each of these comes last. A file that would change or take
        away too much is held back.
        """
        context = current.context()
        source = _sources().sent_to(sent["source"], context.caller)
        _speak(source, context)
        with _received(context) as body, ExitStack() as open_files:
            answers = _Answers(context)
            open_files.callback(answers.file.close)
            file = SentFile(
                lambda: _lines(body, source, context),
                answers.add,
                sent["complete"],
            )
            options = {"dry_run": sent["dry_run"], "accept": sent["accept"]}
            _sources().push_file(source, file, context.caller, **options)
            response = _response(answers.file)
            if response.is_streamed:
                open_files.pop_all()  # The server closes what it still reads.
        return response


def _sources() -> Sources:
    return current.context().services.sources


def _speak(source: Source, context: Context) -> None:
    """Let texts be in the language of the source, where the request names none."""
    if not context.names_language:
        context.use_languages(context.settings.chain(source.language))


# A file of lines.


def most_bytes(app: Flask, environ: WSGIEnvironment) -> int:
    """Return how many bytes of a body may be a file of events; 0 where it is none."""
    is_file = environ["REQUEST_METHOD"] == "POST" and _BULK.search(environ["PATH_INFO"])
    if not is_file or "HTTP_AUTHORIZATION" not in environ:
        return 0
    with suppress(CalendarError):
        caller = authenticate(get_services(app).accounts, app.request_class(environ))
        return MOST_BYTES if caller.may(Right.EDIT) else 0
    return 0


@contextmanager
def _received(context: Context) -> Iterator[IO[bytes]]:
    """Give the body as a file, on the disk where it is long."""
    request = context.request
    limit_body(request, MOST_BYTES)
    with _file() as body:
        lines, size = 0, 0
        while piece := request.stream.read(_PIECE):
            lines += piece.count(b"\n")
            size += body.write(piece)
        if size > MOST_BYTES:
            raise BodyTooLarge(MOST_BYTES)
        if lines > _MOST_LINES:
            raise InvalidParameters({"lines": _TOO_MANY})
        yield body


def _lines(body: IO[bytes], source: Source, context: Context) -> Iterator[SentLine]:
    """Yield the lines of a file that are not empty, each read by the rules of new events."""
    most = context.settings.max_body
    body.seek(0)
    number = 0
    while text := body.readline(most + 1):
        number += 1
        is_too_long = len(text) > most
        while is_too_long and not text.endswith(b"\n") and text:
            text = body.readline(most + 1)
        if is_too_long:
            yield SentLine(number, "", refused={"line": _TOO_LONG})
        elif text.strip():
            yield _line(number, text, source, context)


def _line(number: int, text: bytes, source: Source, context: Context) -> SentLine:
    try:
        values = parse_object(text)
    except MalformedJson:
        return SentLine(number, "", refused={"line": _NO_JSON})
    if values is None:
        return SentLine(number, "", refused={"line": _NO_OBJECT})
    uid = values.pop("uid", None)
    if not isinstance(uid, str) or not 0 < len(uid) <= _LONGEST_UID:
        return SentLine(number, "", refused={"uid": _NO_UID})
    context.begin_attempt()
    try:
        changes = _PUSHED.load(Values(values, context))
    except ma.ValidationError as error:
        return SentLine(number, uid, refused=first_reasons(error.messages_dict))
    return SentLine(number, uid, pushed_event(uid, changes, source))


_PUSHED = PushedEventSchema()


class _Answers:
    """The lines of an answer, spooled to a file; the size of the request limits its size."""

    def __init__(self, context: Context) -> None:
        self.file = _file()
        self._context = context
        self._errors = 0

    def add(self, line: SentLine, result: Result) -> None:
        """Write the answer to a line, with the error of a refused one."""
        error = None
        if result.outcome is Outcome.REFUSED and self._errors < _MOST_ERRORS:
            self._errors += 1
            reasons = dict(result.reasons) or {"line": result.reason}
            body = refused_parameters(reasons).body
            error = _clipped(translated(body, self._context.message_chain))
        self.file.write(orjson.dumps(_ANSWERED.present(_Answered(line, result, error))) + b"\n")


def _clipped(value: Any) -> Any:
    """Return an error with long texts shortened, as they may quote the request."""
    if isinstance(value, str) and len(value) > _LONGEST_REASON:
        return f"{value[: _LONGEST_REASON - 1]}…"
    if isinstance(value, Mapping):
        return {name: _clipped(each) for name, each in value.items()}
    return value


def _file() -> IO[bytes]:
    """Return a file that goes to the disk where it is long."""
    return SpooledTemporaryFile(_IN_MEMORY)


def _response(answers: IO[bytes]) -> Response:
    """Return the answers; the server reads many of them from their file."""
    size = answers.seek(0, SEEK_END)
    answers.seek(0)
    content = FileWrapper(answers, _PIECE) if size > _IN_MEMORY else answers.read()
    response = Response(content, content_type=f"{NDJSON}; charset=utf-8")
    if size > _IN_MEMORY:
        response.direct_passthrough = True
        response.content_length = size
    return add_common_headers(response)

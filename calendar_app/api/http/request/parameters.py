"""Parameters of query, form and JSON body, merged.

Brackets (``tags[]=a``, ``venue[city]=Chur``) follow PHP. Path arguments are separate, so that an
``id`` or ``slug`` in the body cannot select another record.
See ``docs/reference/requests.md``, section "Parameters".
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

import flask
import orjson
import qs_codec
from flask import Request
from werkzeug.exceptions import BadRequest, RequestEntityTooLarge, UnsupportedMediaType
from werkzeug.formparser import FormDataParser

from calendar_app.errors import InvalidParameters, Message
from calendar_app.settings import Settings

# Request bodies: size limits with and without ``Content-Length``, and malformed JSON.


class BodyTooLarge(RequestEntityTooLarge):
    """A body of more than ``most`` bytes."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most


class MalformedJson(BadRequest):
    """A JSON body that is invalid or nested too deep."""


def limit_body(request: Request, most: int) -> None:
    """Refuse a body that announces more bytes, and cut any other at the limit.

    A body without a length ends one byte behind the limit, by which ``read_body`` detects it.
    """
    if (request.content_length or 0) > most:
        raise BodyTooLarge(most)
    request.max_content_length = most + 1


def read_body(request: Request, most: int) -> bytes:
    """Return a limited body; raise ``BodyTooLarge`` beyond ``most`` bytes."""
    data = request.get_data()
    if len(data) > most:
        raise BodyTooLarge(most)
    return data


# Parameters in PHP's bracket notation: ``tags[]=a`` a list, ``venue[city]=Chur`` an object.

_LIMITS = qs_codec.DecodeOptions(depth=8, list_limit=1000)
# PHP's limit; the decoder merges each value with all before it, in quadratic time.
_MOST_BRACKETED = 1000
# Longer than any parameter; the numbering of brackets is quadratic.
_LONGEST = 200
_MEMBER = re.compile(r"\[([0-9]{0,9})\]")


def parse_brackets(pairs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Return parameters in their order; the last one of a name wins, ``page[]`` and ``page`` alike.

    Raises ``InvalidParameters`` for too many brackets.
    """
    plain: dict[str, str] = {}
    bracketed: dict[str, _Members] = {}
    number = 0
    for name, value in pairs:
        parameter, bracket, _ = name.partition("[")
        if not parameter or not bracket:
            bracketed.pop(name, None)
            plain[name] = value
            continue
        number += 1
        _limit_brackets(parameter, name, number)
        plain.pop(parameter, None)
        bracketed.setdefault(parameter, _Members()).add(name, value)
    plain.pop("", None)
    members = {name: value for each in bracketed.values() for name, value in each.values.items()}
    return plain | qs_codec.decode(members, _LIMITS)


def _limit_brackets(parameter: str, name: str, number: int) -> None:
    if number > _MOST_BRACKETED:
        raise InvalidParameters({parameter: Message("There are too many values.")})
    if len(name) > _LONGEST:
        raise InvalidParameters({parameter: Message("There are too many brackets.")})


class _Members:
    """The values of one parameter by their names, with a number in each bracket."""

    def __init__(self) -> None:
        self.values: dict[str, str] = {}
        self._free: Counter[str] = Counter()

    def add(self, name: str, value: str) -> None:
        """Add a value; an empty bracket appends to those before."""
        self.values[_MEMBER.sub(self._numbered, name)] = value

    def _numbered(self, bracket: re.Match[str]) -> str:
        place = bracket.string[: bracket.start()]
        number = int(bracket[1] or self._free[place])
        self._free[place] = max(self._free[place], number + 1)
        return f"[{number}]"


# Strict form parsing: unreadable forms, and texts that are not UTF-8, are refused.
#
# Werkzeug would drop such a form, and replace such texts.

URL_ENCODED = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"
# Decoders put it in place of undecodable bytes.
_REPLACEMENT = "\ufffd"


class _StrictForms(FormDataParser):
    """Multipart parser that raises ``BadRequest`` for an unreadable form."""

    def parse(self, *args: Any, **options: Any) -> Any:
        self.silent = False
        try:
            return super().parse(*args, **options)
        except ValueError as error:
            raise BadRequest from error


class FormRequest(flask.Request):
    """A request with strict multipart forms."""

    form_data_parser_class = _StrictForms


def multipart_fields(request: Request) -> Iterator[tuple[str, str]]:
    """Yield the texts of a multipart form; parts without a name have no field."""
    return _decoded((name, text) for name, text in request.form.items(multi=True) if name)


def url_encoded_fields(data: bytes) -> Iterator[tuple[str, str]]:
    """Yield the texts of a URL-encoded form."""
    return _decoded(parse_qsl(data.decode(errors="replace"), keep_blank_values=True))


def _decoded(fields: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the fields; raise ``InvalidParameters`` for undecodable text."""
    for name, text in fields:
        if _REPLACEMENT in name or _REPLACEMENT in text:
            reason = Message("{name} cannot be read as {charset}.", name=name, charset="utf-8")
            raise InvalidParameters({name: reason})
        yield name, text


# The parameters of all sources.

# A presented record has about eight levels.
_DEEPEST = 32
_READING = ("GET", "HEAD")
_WITHOUT_BODY = frozenset({"DELETE", "OPTIONS"})


@dataclass(frozen=True, slots=True)
class SentParameters:
    """The parameters of one request: merged, and those of the body alone."""

    merged: Mapping[str, Any]
    body: Mapping[str, Any]


def read_parameters(request: Request, settings: Settings) -> SentParameters:
    """Return all parameters: JSON wins over form, form over query, ``null`` loses.

    Bodies of reads are ignored, since caches know a read by its URL.
    Raises ``BodyTooLarge``, ``UnsupportedMediaType`` or ``MalformedJson``, and
    ``InvalidParameters`` for an undecodable form.
    """
    if request.method in _READING:
        return read_query(request)
    query = parse_brackets(request.args.items(multi=True))
    body = _body(request, settings)
    values = {name: value for name, value in body.items() if value is not None or name not in query}
    return SentParameters(query | values, body)


def read_query(request: Request) -> SentParameters:
    """Return the parameters of the query."""
    return SentParameters(parse_brackets(request.args.items(multi=True)), {})


def read_form(request: Request) -> SentParameters:
    """Return the parameters of query and form, without files."""
    query = parse_brackets(request.args.items(multi=True))
    form = parse_brackets(multipart_fields(request))
    return SentParameters(query | form, form)


def _body(request: Request, settings: Settings) -> dict[str, Any]:
    limit_body(request, settings.max_body)
    kind = request.mimetype
    if kind == MULTIPART:
        return parse_brackets(multipart_fields(request))
    data = read_body(request, settings.max_body)
    if not data:
        return {}
    if kind == "application/json" or kind.endswith("+json"):
        # Only an object has parameters.
        return parse_object(data) or {}
    if kind == URL_ENCODED or (not kind and request.method in ("PUT", "PATCH", "DELETE")):
        return parse_brackets(url_encoded_fields(data))
    if request.method in _WITHOUT_BODY:
        return {}
    raise UnsupportedMediaType


def parse_object(data: bytes) -> dict[str, Any] | None:
    """Return an object of JSON; ``None`` for any other value. Raises ``MalformedJson``."""
    try:
        parsed = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise MalformedJson(str(error)) from error
    if not isinstance(parsed, dict):
        return None
    if _is_too_deep(parsed):
        raise MalformedJson(f"The body is nested more than {_DEEPEST} levels deep.")
    return parsed


def _is_too_deep(parsed: dict[str, Any]) -> bool:
    layer: list[Any] = [parsed]
    for _ in range(_DEEPEST):
        layer = [
            inner
            for outer in layer
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
    return bool(layer)

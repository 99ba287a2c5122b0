"""Strict form parsing: undecodable text is refused.

Werkzeug would replace such text, or drop the whole form.
"""

import codecs
from collections.abc import Iterable, Mapping
from typing import IO, Any, cast
from urllib.parse import parse_qsl

import flask
from werkzeug.datastructures import Headers, MultiDict
from werkzeug.exceptions import BadRequest
from werkzeug.formparser import FormDataParser, MultiPartParser
from werkzeug.http import parse_options_header

from calendar_app.errors import InvalidParameters, Message

URL_ENCODED = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"

_DEFAULT = "utf-8"
# Python's names; some of its other codecs decode no text, or are slow.
_CHARSETS = frozenset({_DEFAULT, "ascii", "iso8859-1", "iso8859-15", "cp1252"})
# Maps each byte to one character, and back.
_BYTES = "latin-1"

Parsed = tuple[IO[bytes], MultiDict[str, Any], MultiDict[str, Any]]


def charset_of(parameters: Mapping[str, str]) -> str:
    """Return the charset of a content type, UTF-8 if it names none of ours."""
    try:
        announced = codecs.lookup(parameters.get("charset", _DEFAULT)).name
    except (LookupError, ValueError):
        return _DEFAULT
    return announced if announced in _CHARSETS else _DEFAULT


def url_encoded(data: bytes, charset: str) -> Iterable[tuple[str, str]]:
    """Yield the pairs of a form; raise ``InvalidParameters`` for undecodable text."""
    for name, value in parse_qsl(data.decode(_BYTES), keep_blank_values=True, encoding=_BYTES):
        field = name.encode(_BYTES).decode(charset, "replace")
        yield _read(name, charset, field), _read(value, charset, field)


def _read(text: str, charset: str, field: str) -> str:
    """Decode a text in which each character is a byte."""
    try:
        return text.encode(_BYTES).decode(charset)
    except UnicodeDecodeError as error:
        reason = Message("{name} cannot be read as {charset}.", name=field, charset=charset)
        raise InvalidParameters({field: reason}) from error


class _Parts(MultiPartParser):
    """Multipart parser that returns texts as bytes, and records their charsets in order."""

    def __init__(self, **options: Any) -> None:
        # A dictionary would lose the order.
        super().__init__(cls=cast("type[MultiDict[str, Any]]", list), **options)
        self.charsets: list[str] = []

    def get_part_charset(self, headers: Headers) -> str:
        self.charsets.append(charset_of(parse_options_header(headers.get("Content-Type"))[1]))
        return _BYTES


class StrictForms(FormDataParser):
    """Multipart form parser; other bodies have no fields."""

    def parse(
        self,
        stream: IO[bytes],
        mimetype: str,
        content_length: int | None,
        options: dict[str, str] | None = None,
    ) -> Parsed:
        options = options or {}
        if mimetype == MULTIPART and options.get("boundary"):
            return self._parts(stream, content_length, options["boundary"])
        return stream, self.cls(), self.cls()

    def _parts(self, stream: IO[bytes], content_length: int | None, boundary: str) -> Parsed:
        parser = _Parts(
            stream_factory=self.stream_factory,
            max_form_memory_size=self.max_form_memory_size,
            max_form_parts=self.max_form_parts,
        )
        try:
            form, files = parser.parse(stream, boundary.encode("ascii"), content_length)
        except UnicodeDecodeError as error:
            # The name of a field, or of a file.
            raise BadRequest from error
        except ValueError:
            return stream, self.cls(), self.cls()
        texts = cast("list[tuple[str | None, str]]", form)
        fields = [
            (name, _read(value, charset, name))
            for (name, value), charset in zip(texts, parser.charsets, strict=True)
            # A part need not have a name.
            if name
        ]
        return stream, self.cls(fields), self.cls(files)


class FormRequest(flask.Request):
    """A request with strict multipart forms."""

    form_data_parser_class = StrictForms

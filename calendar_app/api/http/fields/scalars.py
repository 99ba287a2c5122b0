"""Fields for scalar values, in the notations that the reference accepts.

Each reports its errors in one of two stages: invalid, or of the wrong type
(``api/http/errors/problems.py``).
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any
from urllib.parse import unquote, urlsplit

import marshmallow as ma

from calendar_app.api.http.errors.problems import INVALID, refuse, refuse_type
from calendar_app.api.http.fields.schema import Parameter
from calendar_app.api.http.request.current import Context
from calendar_app.domain.addresses import in_ascii, is_email
from calendar_app.domain.numbers import LARGEST, parse_digits
from calendar_app.domain.pictures import FOCUS_POINT
from calendar_app.domain.texts.sanitizing import clean_name, clean_url, is_url
from calendar_app.errors import Message

_TRUTHY = ("1", "enable", "enabled", "on", "y", "yes", "true")
_NUMERIC = re.compile(
    r"[ \t\n\r\v\f]*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?[ \t\n\r\v\f]*", re.ASCII
)
_BLANK = " \t\n\r\v\f"
_LONGEST = 400  # characters of a number that is meant as one


def truthy(value: Any) -> bool:
    """Return whether a value means yes: for example ``1``, ``on``, ``yes``."""
    if isinstance(value, str):
        return value.strip().lower() in _TRUTHY
    return bool(value)


def whole_number(value: Any) -> int | None:
    """Return ``value`` as a whole number, clamped to 64 bits, else ``None``."""
    if isinstance(value, int) and not isinstance(value, bool):
        return max(-LARGEST, min(value, LARGEST))
    digits = parse_digits(value.strip(_BLANK)) if isinstance(value, str) else None
    if digits is not None:
        return digits
    number = finite_number(value)
    if number is None or not number.is_integer():
        return None
    return int(max(-LARGEST, min(number, LARGEST)))


def finite_number(value: Any) -> float | None:
    """Return ``value`` as a finite number, else ``None``."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and (len(value) > _LONGEST or not _NUMERIC.fullmatch(value)):
        return None
    if not isinstance(value, int | float | str):
        return None
    number = float(value)
    return number if math.isfinite(number) else None


def as_text(value: Any, reason: str) -> str:
    """Return a text unchanged; raise ``ValueError`` with ``reason`` for anything else."""
    if isinstance(value, str):
        return value
    raise ValueError(reason)


def listed(value: Any) -> list[Any]:
    """Return the members of a list or of a comma-separated text, without empty ones.

    A PHP array with keys is a list too. The text may be percent-encoded once more, commas
    included.
    """
    if isinstance(value, dict):
        value = list(value.values())
    members = value if isinstance(value, list) else _percent_decoded(str(value)).split(",")
    stripped = (member.strip() if isinstance(member, str) else member for member in members)
    return [member for member in stripped if member not in ("", None)]


def _percent_decoded(text: str) -> str:
    """Percent-decode a text; return it unchanged if the result is not UTF-8."""
    try:
        return unquote(text, errors="strict")
    except UnicodeDecodeError:
        return text


_TRUE, _FALSE = ("true", "1"), ("false", "0")


class PositiveInteger(Parameter):
    """A positive whole number in any notation: ``5``, ``"5.0"``, ``"1e1"``."""

    schema: Mapping[str, Any] = MappingProxyType({"type": "integer", "minimum": 1})

    def read(self, value: Any, _context: Context) -> int:
        number = whole_number(value)
        if number is None or number < 1:
            refuse(Message("{name} must be a whole number above 0.", name=self.sent_name))
        return number


class Number(Parameter):
    """A finite number between two bounds; if nullable, an empty text is null."""

    def __init__(self, low: float, high: float, **options: Any) -> None:
        super().__init__(**options)
        self._low, self._high = low, high
        self.schema = {"type": "number", "format": "double", "minimum": low, "maximum": high}

    def read(self, value: Any, _context: Context) -> float | None:
        if value == "" and self.allow_none:
            return None
        number = finite_number(value)
        if number is None:
            refuse(
                Message("{name} must be a number with a point, such as 46.85.", name=self.sent_name)
            )
        if not self._low <= number <= self._high:
            bounds = {"low": f"{self._low:g}", "high": f"{self._high:g}"}
            refuse(
                Message("{name} must lie between {low} and {high}.", name=self.sent_name, **bounds)
            )
        return number


class Flag(Parameter):
    """A boolean: ``true``, ``false``, ``1``, ``0``, as JSON or text."""

    schema: Mapping[str, Any] = MappingProxyType({"type": "boolean"})

    def read(self, value: Any, _context: Context) -> bool:
        if value in (True, False) and not isinstance(value, float):
            return bool(value)
        text = value.lower() if isinstance(value, str) else ""
        if text not in (*_TRUE, *_FALSE):
            refuse_type(self.sent_name, "boolean")
        return text in _TRUE


class Provided(Flag):
    """A boolean, or a list of providers, of which only the presence is stored."""

    def read(self, value: Any, context: Context) -> bool:
        if isinstance(value, list) and all(isinstance(name, str) for name in value):
            return any(value)
        return super().read(value, context)


class LenientBoolean(Parameter):
    """A boolean that accepts any value; see ``truthy``."""

    schema: Mapping[str, Any] = MappingProxyType({"type": "boolean"})

    def read(self, value: Any, _context: Context) -> bool:
        return truthy(value)


class StrictBoolean(LenientBoolean):
    """A boolean that accepts texts, booleans, 0 and 1 only."""

    def read(self, value: Any, context: Context) -> bool:
        if not isinstance(value, str | int) or (isinstance(value, int) and value not in (0, 1)):
            refuse_type(self.sent_name, "boolean")
        return super().read(value, context)


# Each distinct word becomes an index entry; a book of 500 pages has fewer.
_MOST_WORDS = 20_000
_WORD = re.compile(r"\w+")


def _refuse_too_many_words(text: str) -> None:
    """Refuse a text with more distinct words than one write can index."""
    if len(text) > _MOST_WORDS and len(set(_WORD.findall(text))) > _MOST_WORDS:
        refuse(Message("The text has too many different words."))


class Text(Parameter):
    """A text; empty only with ``blank``."""

    def __init__(self, *, blank: bool = False, **options: Any) -> None:
        super().__init__(**options)
        self._blank = blank
        self.schema = {"type": "string"} if blank else {"type": "string", "minLength": 1}

    def read(self, value: Any, _context: Context) -> str:
        if not isinstance(value, str) or not (value or self._blank):
            refuse(
                Message("{name} must be a text.", name=self.sent_name)
                if self._blank
                else Message("{name} must be a text that is not empty.", name=self.sent_name)
            )
        _refuse_too_many_words(value)
        return value


class Email(Text):
    """An e-mail address, or empty; whether anybody is reached there is not asked."""

    def __init__(self, **options: Any) -> None:
        super().__init__(blank=True, **options)
        self.schema = {"type": "string", "format": "email"}

    def read(self, value: Any, context: Context) -> str:
        text = super().read(value, context).strip()
        if text and not is_email(text):
            refuse(
                Message(
                    "{name} must be an e-mail address, such as name@example.org.",
                    name=self.sent_name,
                )
            )
        return text


class FocusPoint(Text):
    """A point of a picture as ``object-position`` of CSS writes it, or empty."""

    def __init__(self, **options: Any) -> None:
        super().__init__(blank=True, **options)
        self.schema = {"type": "string", "pattern": FOCUS_POINT.pattern}

    def read(self, value: Any, context: Context) -> str:
        text = super().read(value, context).strip()
        if not FOCUS_POINT.fullmatch(text):
            refuse(
                Message(
                    "{name} must be two percentages, such as 30% 20%: from the left and the top.",
                    name=self.sent_name,
                )
            )
        return text


class Unvalidated(Parameter):
    """Accepts any value without validation."""

    def _validate_missing(self, value: Any) -> None:
        """Accept ``null``, without documenting it."""

    def read(self, value: Any, _context: Context) -> Any:
        return value


class Boolean(Text):
    """A boolean, or a text that is not empty."""

    def read(self, value: Any, context: Context) -> Any:
        if isinstance(value, int):
            return truthy(value)
        return truthy(super().read(value, context))


class NumericText(Text):
    """A text that may be sent as a number, for example a postal code."""

    def read(self, value: Any, context: Context) -> str:
        if isinstance(value, int | float) and not isinstance(value, bool):
            value = str(value)
        return super().read(value, context)


class Name(Text):
    """A text that is not blank once markup and white space are removed."""

    def read(self, value: Any, context: Context) -> str:
        text = super().read(value, context)
        if not clean_name(text):
            refuse(Message("{name} must not be blank.", name=self.sent_name))
        return text


class OneOf(Parameter):
    """One word of an enumeration."""

    def __init__(self, words: Sequence[str], **options: Any) -> None:
        super().__init__(**options)
        self._words = tuple(words)
        self.schema = {"type": "string", "enum": list(words)}

    def read(self, value: Any, _context: Context) -> str:
        if not isinstance(value, str) or value not in self._words:
            refuse(_not_among(self.sent_name, self._words))
        return value


def _not_among(name: str, words: Sequence[str]) -> Message:
    if len(words) == 1:
        return Message("{name} must be {word}.", name=name, word=words[0])
    return Message("{name} must be one of {words}.", name=name, words=", ".join(words))


class SomeOf(Parameter):
    """Several words of an enumeration, as a list or comma-separated."""

    def __init__(self, words: Sequence[str], **options: Any) -> None:
        super().__init__(**options)
        self._words = tuple(words)
        self.schema = {"type": "array", "items": {"type": "string", "enum": list(words)}}

    def read(self, value: Any, _context: Context) -> list[str]:
        chosen = listed(value)
        if not chosen or not all(word in self._words for word in chosen):
            refuse(_not_among(self.sent_name, self._words))
        return chosen


class Converted(Parameter):
    """A value that a function of value and context converts; its ``ValueError`` is the refusal."""

    def __init__(
        self, convert: Callable[[Any, Context], Any], schema: Mapping[str, Any], **options: Any
    ) -> None:
        super().__init__(**options)
        self._convert = convert
        self.schema = schema

    def read(self, value: Any, context: Context) -> Any:
        try:
            return self._convert(value, context)
        except ValueError as error:
            refuse(next(iter(error.args), INVALID))


def openapi_schema(_converter: object, field: ma.fields.Field[Any], **_: Any) -> dict[str, Any]:
    """Return the OpenAPI schema of our fields, which apispec does not know."""
    if not isinstance(field, Parameter):
        return {}
    # A text field may be documented by its meaning, for example as a boolean.
    documented_type = field.metadata.get("type")
    schema = {"type": documented_type} if documented_type else dict(field.schema)
    if "enum" in field.metadata:
        schema["enum"] = field.metadata["enum"]
    if field.allow_none and "anyOf" in schema:
        schema["anyOf"] = [*schema["anyOf"], {"type": "null"}]
    elif field.allow_none:
        schema["type"] = [schema["type"], "null"]
    return schema


_LONGEST = 2000  # characters of one that is written anew


class Url(Parameter):
    """An absolute URL, or empty."""

    schema: Mapping[str, Any] = MappingProxyType({"type": "string", "format": "uri"})

    def read(self, value: Any, _context: Context) -> str:
        if value in ("", False, 0) or value == []:
            return ""
        if not isinstance(value, str) or not is_url(value):
            refuse_non_ascii_url(self.sent_name, value)
            refuse(
                Message(
                    "{name} must be an absolute address such as https://example.org/.",
                    name=self.sent_name,
                )
            )
        return value


class WebUrl(Url):
    """An absolute http or https URL, or empty."""

    def read(self, value: Any, context: Context) -> str:
        address = clean_url(super().read(value, context))
        if address and urlsplit(address).scheme not in ("http", "https"):
            refuse(Message("{name} must begin with https:// or http://.", name=self.sent_name))
        return address


def refuse_non_ascii_url(name: str, value: Any) -> None:
    """Refuse a URL with non-ASCII characters, and suggest its ASCII form."""
    if not isinstance(value, str) or value.isascii() or len(value) > _LONGEST:
        return
    try:
        ascii_url = in_ascii(value.strip())
    except ValueError:
        return
    if is_url(ascii_url):
        refuse(
            Message("{name} must be written in ASCII, as {address}", name=name, address=ascii_url)
        )

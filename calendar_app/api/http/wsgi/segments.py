"""Ids, slugs and the segment of the language in URLs."""

from collections.abc import Iterable
from string import ascii_lowercase, ascii_uppercase
from typing import Any

from werkzeug.routing import BaseConverter

from calendar_app.api.http.request.state import (
    LANGUAGE,
    SENT_SEGMENT,
    Wsgi,
)
from calendar_app.domain.numbers import LARGEST, parse_digits

# ASCII only, since WSGI paths are bytes of UTF-8.
ASCII_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)


class Digits(BaseConverter):
    """An id of any length; beyond 64 bits it matches no record."""

    regex = "[0-9]+"

    def to_python(self, value: str) -> int:
        number = parse_digits(value)
        return LARGEST if number is None else number


class EventSlug(BaseConverter):
    """A slug; that of an occurrence may have its date behind a slash: ``market/2026-12-24``.

    Its rules end with a slash, without which Werkzeug would match none in the address.
    """

    regex = r"[^/]+(?:/[0-9]{4}-[0-9]{2}-[0-9]{2}(?:-[0-9]+)?)?"
    part_isolating = False


class LanguageSegment:
    """Strips a language segment (``/rm``) off the path.

    It matches in any letter case; links use that of the settings.
    """

    def __init__(self, app: Wsgi, languages: Iterable[str]) -> None:
        self._app = app
        self._languages = {language.translate(ASCII_LOWER): language for language in languages}

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        path: str = environ.get("PATH_INFO", "")
        _, first, *rest = [*path.split("/", 2), ""]
        segment = self._languages.get(first.translate(ASCII_LOWER))
        if segment:
            environ[LANGUAGE], environ[SENT_SEGMENT] = segment, first
            environ["SCRIPT_NAME"] = f"{environ.get('SCRIPT_NAME', '')}/{segment}"
            environ["PATH_INFO"] = f"/{rest[0]}"
        return self._app(environ, start_response)

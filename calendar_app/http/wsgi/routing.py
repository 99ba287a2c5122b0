"""Reads addresses: digits as ids, and a language segment in front."""

from collections.abc import Iterable
from string import ascii_lowercase, ascii_uppercase
from typing import Any

from werkzeug.routing import BaseConverter

from calendar_app.domain.numbers import LARGEST
from calendar_app.http.request.exchange import LANGUAGE, SENT_SEGMENT, Wsgi

_MOST_DIGITS = 19
# Of ASCII alone: all other bytes of a path belong to characters of several bytes.
ASCII_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)


class Digits(BaseConverter):
    """An id of any number of digits; one of more than 64 bits is one that no record has."""

    regex = "[0-9]+"

    def to_python(self, value: str) -> int:
        digits = value.lstrip("0") or "0"
        return LARGEST if len(digits) > _MOST_DIGITS else min(int(digits), LARGEST)


class LanguageSegment:
    """Takes ``/rm`` off the front of a path, where ``rm`` is a language of the site.

    It is in any letter case there, and in the one of the settings in all that is shown.
    """

    def __init__(self, app: Wsgi, languages: Iterable[str]) -> None:
        self._app = app
        self._languages = {language.translate(ASCII_LOWER): language for language in languages}

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        path: str = environ.get("PATH_INFO", "")
        _, asked, *rest = [*path.split("/", 2), ""]
        segment = self._languages.get(asked.translate(ASCII_LOWER))
        if segment:
            environ[LANGUAGE], environ[SENT_SEGMENT] = segment, asked
            environ["SCRIPT_NAME"] = f"{environ.get('SCRIPT_NAME', '')}/{segment}"
            environ["PATH_INFO"] = f"/{rest[0]}"
        return self._app(environ, start_response)

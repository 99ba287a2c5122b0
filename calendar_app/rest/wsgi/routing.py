"""How addresses are read: digits as ids, a language segment in front, any letter case."""

import re
from collections.abc import Iterable
from string import ascii_lowercase, ascii_uppercase
from typing import Any

from werkzeug.routing import BaseConverter

from calendar_app.domain.numbers import LARGEST
from calendar_app.rest.request.exchange import LANGUAGE, Wsgi

_MOST_DIGITS = 19
# The route to which WordPress takes files, below the prefix of the interface.
UPLOADS = "/wp/v2/media"
# Of ASCII alone: all other bytes of a path belong to characters of several bytes.
_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)


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
        self._languages = {language.translate(_LOWER): language for language in languages}

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        path: str = environ.get("PATH_INFO", "")
        _, asked, *rest = [*path.split("/", 2), ""]
        segment = self._languages.get(asked.translate(_LOWER))
        if segment:
            environ[LANGUAGE] = segment
            environ["SCRIPT_NAME"] = f"{environ.get('SCRIPT_NAME', '')}/{segment}"
            environ["PATH_INFO"] = f"/{rest[0]}"
        return self._app(environ, start_response)


class AnyCase:
    """Reads paths below ``base`` in any letter case, as clients of the reference may write them."""

    def __init__(self, app: Wsgi, base: str) -> None:
        self._app = app
        self._base = base

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        path: str = environ.get("PATH_INFO", "")
        if path[: len(self._base)].translate(_LOWER) == self._base.translate(_LOWER):
            environ["PATH_INFO"] = self._base + path[len(self._base) :].translate(_LOWER)
        return self._app(environ, start_response)


class UploadsOfWordPress:
    """Reads ``UPLOADS`` below ``api_prefix`` as the pictures below ``base``.

    Programs upload a picture there, and name it in an event by the id that they get. The list is
    not to be had there, since that of WordPress has another shape.
    """

    def __init__(self, app: Wsgi, api_prefix: str, base: str) -> None:
        self._app = app
        self._media = f"{base}/media"
        self._route = re.compile(rf"{re.escape(api_prefix + UPLOADS)}(/[0-9]+)?/?", re.IGNORECASE)

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        found = self._route.fullmatch(environ.get("PATH_INFO", ""))
        if found and (found[1] or environ["REQUEST_METHOD"] == "POST"):
            environ["PATH_INFO"] = f"{self._media}{found[1] or ''}"
        return self._app(environ, start_response)

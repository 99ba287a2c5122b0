"""Addresses of requests and clients: URLs, trusted proxies, and limits by client."""

from collections.abc import Callable, Iterable
from string import ascii_lowercase, ascii_uppercase
from typing import Any

from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import BaseConverter

from calendar_app.domain.addresses import Peers
from calendar_app.domain.numbers import LARGEST, parse_digits
from calendar_app.http.request.state import LANGUAGE, SENT_SEGMENT, Environ, Wsgi, exchange_of

# Ids and language segments in URLs.

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


# Forwarded headers of trusted proxies.

_SCHEMES = ("http", "https")


class TrustedProxies:
    """Applies the forwarded address, scheme and host of trusted proxies."""

    def __init__(self, app: Wsgi, trusted: Iterable[str]) -> None:
        self._trusted = Peers.named("trusted_proxies", trusted)
        self._direct = app
        self._forwarded = ProxyFix(app, x_for=1, x_proto=1, x_host=1, x_prefix=0)

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if not self._trusted.have(environ.get("REMOTE_ADDR", "")):
            return self._direct(environ, start_response)
        # ProxyFix does not validate the scheme.
        forwarded = environ.get("HTTP_X_FORWARDED_PROTO", "").rpartition(",")[2].strip()
        if forwarded not in _SCHEMES:
            environ.pop("HTTP_X_FORWARDED_PROTO", None)
        return self._forwarded(environ, start_response)


# Rate limit for anonymous reads, before the response cache.

_READING = ("GET", "HEAD")
# Monitoring polls often.
_UNLIMITED = ("/livez", "/readyz", "/metrics")


class ReadRate:
    """Passes reads to ``app``, and those above the limit to ``refuse``.

    ``retry_after`` counts a read of an address, and returns the seconds to wait above the limit.
    Requests with credentials are counted after authentication.
    """

    def __init__(self, app: Wsgi, refuse: Wsgi, retry_after: Callable[[str], int]) -> None:
        self._app = app
        self._refuse = refuse
        self._retry_after = retry_after

    def __call__(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        if _is_anonymous_read(environ):
            seconds = self._retry_after(environ.get("REMOTE_ADDR", ""))
            if seconds:
                exchange_of(environ).retry_after = seconds
                return self._refuse(environ, start_response)
        return self._app(environ, start_response)


def _is_anonymous_read(environ: Environ) -> bool:
    return (
        environ["REQUEST_METHOD"] in _READING
        and "HTTP_AUTHORIZATION" not in environ
        and environ["PATH_INFO"].rstrip("/") not in _UNLIMITED
    )

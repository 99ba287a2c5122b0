"""Fetches files that others have named: no more of them than is wanted, and not from everywhere."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import PurePosixPath
from urllib.parse import quote, unquote, urljoin, urlsplit

import httpcore

from calendar_app.domain.iris import LEGAL
from calendar_app.domain.networks import Network
from calendar_app.imports.network import ForbiddenAddress, PublicNetwork

_HEADERS = (
    ("User-Agent", "calendar-app"),
    ("Accept", "image/*"),
    ("Accept-Encoding", "identity"),
)
_SILENCE, _WHOLE = 30.0, 300.0  # seconds
_TIMEOUT = dict.fromkeys(("connect", "read", "write", "pool"), _SILENCE)
_REDIRECTS = frozenset(
    {
        HTTPStatus.MOVED_PERMANENTLY,
        HTTPStatus.FOUND,
        HTTPStatus.SEE_OTHER,
        HTTPStatus.TEMPORARY_REDIRECT,
        HTTPStatus.PERMANENT_REDIRECT,
    }
)
_MOST_REDIRECTS = 5
_NOT_NOW = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE})
_WAITS, _LONGEST_WAIT = (1.0, 2.0, 4.0), 60.0  # seconds


class DownloadError(Exception):
    """A file cannot be had; the message says why, in one line."""


class _NotNow(DownloadError):
    """The host asks to be asked later, ``retry_after`` seconds from now if it says so."""

    def __init__(self, answer: httpcore.Response) -> None:
        super().__init__(f"It is answered with {answer.status}.")
        seconds = _header(answer, b"retry-after")
        self.retry_after = min(float(seconds), _LONGEST_WAIT) if seconds.isdecimal() else None


@dataclass(frozen=True, slots=True)
class Downloaded:
    """A file, and what it is called where it comes from."""

    data: bytes
    name: str


class Downloader:
    """Fetches pictures of up to ``limit`` bytes; see ``PublicNetwork`` for ``permitted``."""

    def __init__(self, limit: int, permitted: Sequence[Network] = ()) -> None:
        self._limit = limit
        self._pool = httpcore.ConnectionPool(network_backend=PublicNetwork(permitted))

    def close(self) -> None:
        self._pool.close()

    def fetch(self, address: str) -> Downloaded:
        """Return the file at ``address``, wherever that leads; raise ``DownloadError``.

        A host that is asked too much is asked again a little later.
        """
        for wait in _WAITS:
            try:
                return self._fetched(address)
            except _NotNow as error:
                time.sleep(wait if error.retry_after is None else error.retry_after)
        return self._fetched(address)

    def _fetched(self, address: str) -> Downloaded:
        ends = time.monotonic() + _WHOLE
        at = address
        for _ in range(_MOST_REDIRECTS + 1):
            with self._asked(at) as answer:
                if answer.status not in _REDIRECTS:
                    return Downloaded(self._read(answer, ends), _name(address))
                at = _led_to(at, answer)
        raise DownloadError("It leads from one address to the next without an end.")

    @contextmanager
    def _asked(self, address: str) -> Iterator[httpcore.Response]:
        host = _host(address)
        extensions = {"timeout": _TIMEOUT}
        try:
            with self._pool.stream(
                "GET", address, headers=_HEADERS, extensions=extensions
            ) as answer:
                yield answer
        except ForbiddenAddress as error:
            raise DownloadError(f"{error}.") from error
        except (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError) as error:
            raise DownloadError(f"{host} gives no answer.") from error

    def _read(self, answer: httpcore.Response, ends: float) -> bytes:
        """Return the body; stop where it turns out too long, in bytes or in time."""
        if answer.status in _NOT_NOW:
            raise _NotNow(answer)
        if answer.status != HTTPStatus.OK:
            raise DownloadError(f"It is answered with {answer.status}.")
        kind = _header(answer, b"content-type").partition(";")[0].strip().lower()
        if kind and not kind.startswith("image/"):
            raise DownloadError(f"It is no picture, but {kind}.")
        data = bytearray()
        for part in answer.iter_stream():
            data += part
            if len(data) > self._limit:
                raise DownloadError(f"It is larger than {self._limit} bytes.")
            if time.monotonic() > ends:
                raise DownloadError("It takes too long.")
        return bytes(data)


def _host(address: str) -> str:
    try:
        parts = urlsplit(address)
        # A port that is no number shows only when it is asked for.
        known = parts.scheme in ("http", "https") and parts.port != 0
    except ValueError:
        known = False
    if not known or not parts.hostname:
        raise DownloadError(f"{address} is no address of a file on the web.")
    return parts.hostname


def _led_to(address: str, answer: httpcore.Response) -> str:
    return urljoin(address, quote(_header(answer, b"location"), safe=LEGAL))


def _header(answer: httpcore.Response, name: bytes) -> str:
    return next(
        (value.decode("latin-1") for key, value in answer.headers if key.lower() == name), ""
    )


def _name(address: str) -> str:
    return unquote(PurePosixPath(urlsplit(address).path).name)

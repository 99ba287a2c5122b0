"""Downloads files from public addresses, limited in size and time."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import PurePosixPath
from urllib.parse import quote, unquote, urljoin, urlsplit

import httpcore

from calendar_app.domain.addresses import LEGAL, Network
from calendar_app.imports.network import ForbiddenAddress, PublicNetwork

PICTURES = "image/*"
_HEADERS = (("User-Agent", "calendar-app"), ("Accept-Encoding", "identity"))
_TIMEOUTS = dict.fromkeys(("connect", "read", "write", "pool"), 30.0)  # seconds
_TOTAL_TIMEOUT = 300.0
_REDIRECTS = frozenset(
    {
        HTTPStatus.MOVED_PERMANENTLY,
        HTTPStatus.FOUND,
        HTTPStatus.SEE_OTHER,
        HTTPStatus.TEMPORARY_REDIRECT,
        HTTPStatus.PERMANENT_REDIRECT,
    }
)
_MAX_REDIRECTS = 5
_BUSY = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE})
_RETRY_DELAYS = (1.0, 2.0, 4.0)  # seconds
_MAX_RETRY_AFTER = 60.0


class DownloadError(Exception):
    """A download failed; the message is one line."""


class _Busy(DownloadError):
    """The host is busy; ``retry_after`` are seconds, if it says so."""

    def __init__(self, response: httpcore.Response) -> None:
        super().__init__(f"It is answered with {response.status}.")
        seconds = _header(response, b"retry-after")
        self.retry_after = min(float(seconds), _MAX_RETRY_AFTER) if seconds.isdecimal() else None


class Downloader:
    """Downloads files of up to ``limit`` bytes; see ``PublicNetwork`` for ``permitted``.

    ``accept`` is sent as the header; those of ``PICTURES`` have to be some.
    """

    def __init__(
        self, limit: int, permitted: Sequence[Network] = (), *, accept: str = PICTURES
    ) -> None:
        self._limit = limit
        self._accept = accept
        self._pool = httpcore.ConnectionPool(network_backend=PublicNetwork(permitted))

    def close(self) -> None:
        self._pool.close()

    def fetch(self, address: str) -> tuple[bytes, str]:
        """Return content and name of a file; raise ``DownloadError``, after retries if busy."""
        for delay in _RETRY_DELAYS:
            try:
                return self._follow(address)
            except _Busy as error:
                time.sleep(delay if error.retry_after is None else error.retry_after)
        return self._follow(address)

    def _follow(self, address: str) -> tuple[bytes, str]:
        """Download a file, through redirects; it keeps the name of the first address."""
        deadline = time.monotonic() + _TOTAL_TIMEOUT
        target = address
        for _ in range(_MAX_REDIRECTS + 1):
            with self._request(target) as response:
                if response.status not in _REDIRECTS:
                    name = unquote(PurePosixPath(urlsplit(address).path).name)
                    return self._read(response, deadline), name
                location = quote(_header(response, b"location"), safe=LEGAL)
                target = urljoin(target, location)
        raise DownloadError("It leads from one address to the next without an end.")

    @contextmanager
    def _request(self, address: str) -> Iterator[httpcore.Response]:
        headers = [*_HEADERS, ("Accept", self._accept)]
        try:
            with self._pool.stream(
                "GET", address, headers=headers, extensions={"timeout": _TIMEOUTS}
            ) as response:
                yield response
        except (httpcore.UnsupportedProtocol, ValueError) as error:
            raise DownloadError(f"{address} is no address of a file on the web.") from error
        except ForbiddenAddress as error:
            raise DownloadError(f"{error}.") from error
        except (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError) as error:
            raise DownloadError(f"{address} gives no answer.") from error

    def _read(self, response: httpcore.Response, deadline: float) -> bytes:
        """Return the body; stop where it is too long, in bytes or in time."""
        if response.status in _BUSY:
            raise _Busy(response)
        if response.status != HTTPStatus.OK:
            raise DownloadError(f"It is answered with {response.status}.")
        mime = _header(response, b"content-type").partition(";")[0].strip().lower()
        if self._accept == PICTURES and mime and not mime.startswith("image/"):
            raise DownloadError(f"It is no picture, but {mime}.")
        data = bytearray()
        for part in response.iter_stream():
            data += part
            if len(data) > self._limit:
                raise DownloadError(f"It is larger than {self._limit} bytes.")
            if time.monotonic() > deadline:
                raise DownloadError("It takes too long.")
        return bytes(data)


def _header(response: httpcore.Response, name: bytes) -> str:
    values = (value for key, value in response.headers if key.lower() == name)
    return next(values, b"").decode("latin-1")

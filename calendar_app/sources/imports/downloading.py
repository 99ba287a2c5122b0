"""Downloads files from public addresses, limited in size and time."""

import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from pathlib import PurePosixPath
from types import MappingProxyType
from urllib.parse import quote, unquote, urljoin, urlsplit, urlunsplit

import httpcore

from calendar_app.domain.addresses import LEGAL, Network
from calendar_app.errors import Message
from calendar_app.storage.network import ForbiddenAddress, PublicNetwork, UnknownHost

PICTURES = "image/*"
_USER_AGENT = ("User-Agent", "calendar-app")
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
# Addresses of subscriptions; the protocol is that of the web.
_SCHEMES: Mapping[str, str] = MappingProxyType(
    {"http": "http", "https": "https", "webcal": "https", "webcals": "https"}
)
_PLAIN, _GZIPPED = ("", "identity"), ("gzip", "x-gzip")
GZIP = b"\x1f\x8b"  # with which each member begins
_GZIP_WINDOW = 16 + zlib.MAX_WBITS


class DownloadError(Exception):
    """A download failed; the message is one line."""


class _Busy(DownloadError):
    """The host is busy; ``retry_after`` are seconds, if it says so."""

    def __init__(self, response: "Response") -> None:
        super().__init__(f"It is answered with {response.status}.")
        self.retry_after = asked_delay(response.headers.get("retry-after", ""))


@dataclass(frozen=True, slots=True)
class Response:
    """The answer at the end of all redirects; ``address`` is where it came from.

    ``headers`` are by their names in lower case, ``content`` is decompressed.
    """

    status: int
    address: str
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes = b""


def download_address(address: str) -> str:
    """Return the address of a subscription as one of the web; empty for anything else."""
    parts = urlsplit(address.strip())
    scheme = _SCHEMES.get(parts.scheme.lower())
    return urlunsplit(parts._replace(scheme=scheme)) if scheme and parts.netloc else ""


class Downloader:
    """Downloads up to ``limit`` bytes within ``seconds``; see ``PublicNetwork`` for ``permitted``.

    ``accept`` is sent as the header; those of ``PICTURES`` have to be some.
    """

    def __init__(
        self,
        limit: int,
        permitted: Sequence[Network] = (),
        *,
        accept: str = PICTURES,
        seconds: float = _TOTAL_TIMEOUT,
        redirects: int = _MAX_REDIRECTS,
    ) -> None:
        self._limit = limit
        self._accept = accept
        self._seconds = seconds
        self._redirects = redirects
        self._network = PublicNetwork(permitted)
        self._pool = httpcore.ConnectionPool(network_backend=self._network)

    def close(self) -> None:
        self._pool.close()

    def fetch(
        self, address: str, sleep: Callable[[float], object] = time.sleep
    ) -> tuple[bytes, str]:
        """Return content and name of a file; raise ``DownloadError``, after retries if busy.

        The file keeps the name of the first address. ``sleep`` waits before each retry.
        """
        name = unquote(PurePosixPath(urlsplit(address).path).name)
        for delay in _RETRY_DELAYS:
            try:
                return self._file(address), name
            except _Busy as error:
                sleep(delay if error.retry_after is None else error.retry_after)
        return self._file(address), name

    def request(self, address: str, headers: Mapping[str, str] | None = None) -> Response:
        """Return the answer to a request, through redirects, whatever its status.

        Content comes with status 200 alone. Raises ``DownloadError`` without an answer.
        """
        self._network.deadline = time.monotonic() + self._seconds
        target, passed = address, set[str]()
        while True:
            with self._opened(target, headers or {}) as response:
                answer = Response(response.status, target, _headers(response))
                if answer.status not in _REDIRECTS:
                    is_whole = answer.status == HTTPStatus.OK
                    return replace(answer, content=self._read(response)) if is_whole else answer
            passed.add(target)
            target = _next_address(target, answer.headers.get("location", ""))
            if target in passed:
                raise DownloadError(
                    Message("It leads in a circle without an end, back to {target}.", target=target)
                )
            if len(passed) > self._redirects:
                raise DownloadError("It leads from one address to the next without an end.")

    def _file(self, address: str) -> bytes:
        response = self.request(address)
        if response.status in _BUSY:
            raise _Busy(response)
        if response.status != HTTPStatus.OK:
            raise DownloadError(Message("It is answered with {status}.", status=response.status))
        return response.content

    @contextmanager
    def _opened(self, address: str, headers: Mapping[str, str]) -> Iterator[httpcore.Response]:
        encodings = "identity" if self._accept == PICTURES else "gzip"
        own = {"Accept-Encoding": encodings, "Accept": self._accept, **headers}
        try:
            with self._pool.stream(
                "GET",
                address,
                headers=[_USER_AGENT, *own.items()],
                extensions={"timeout": _TIMEOUTS},
            ) as response:
                yield response
        except (httpcore.UnsupportedProtocol, ValueError) as error:
            raise DownloadError(
                Message("{address} is not the web address of a file.", address=address)
            ) from error
        except ForbiddenAddress as error:
            raise DownloadError(f"{error}.") from error
        except (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError) as error:
            if self._network.is_late:
                words: str = Message(
                    "It takes too long: more than {seconds} s.", seconds=f"{self._seconds:g}"
                )
            elif isinstance(error, UnknownHost):
                words = f"{error}."
            elif isinstance(error, httpcore.ConnectError):
                words = Message("It cannot be reached.")
            else:
                words = Message("It gives no answer, or no whole one.")
            raise DownloadError(words) from error

    def _read(self, response: httpcore.Response) -> bytes:
        """Return the body, decompressed; stop where it is too long, in bytes or in time."""
        headers = _headers(response)
        mime = headers.get("content-type", "").partition(";")[0].strip().lower()
        if self._accept == PICTURES and mime and not mime.startswith("image/"):
            raise DownloadError(Message("It is not a picture, but {mime}.", mime=mime))
        require_bounded(int(headers.get("content-length", "0")), self._limit)
        data = bytearray()
        for part in _decompressed(response, headers.get("content-encoding", ""), self._limit):
            data += part
            require_bounded(len(data), self._limit)
            self._network.remaining(None)
        return bytes(data)


def require_bounded(size: int, limit: int) -> None:
    """Raise ``DownloadError`` where a content has more bytes than the limit."""
    if size > limit:
        raise DownloadError(Message("It is larger than {size}.", size=size_in_words(limit)))


def size_in_words(size: int) -> str:
    """Return a number of bytes for people."""
    megabytes = size // 10**6
    return f"{megabytes} MB" if megabytes else f"{size} bytes"


def asked_delay(retry_after: str) -> float | None:
    """Return for how many seconds a busy host wants to be left alone, if it says so."""
    return min(float(retry_after), _MAX_RETRY_AFTER) if retry_after.isdecimal() else None


def _headers(response: httpcore.Response) -> dict[str, str]:
    """Return the headers by their names in lower case; of several with one name the first."""
    headers: dict[str, str] = {}
    for name, value in response.headers:
        headers.setdefault(name.decode("latin-1").lower(), value.decode("latin-1"))
    return headers


def _next_address(address: str, location: str) -> str:
    """Return where a redirect leads; the fragment goes nowhere."""
    return urljoin(address, quote(location, safe=LEGAL)).partition("#")[0]


def _decompressed(response: httpcore.Response, encoding: str, limit: int) -> Iterator[bytes]:
    """Yield the parts of a body, each of at most ``limit`` bytes and one."""
    name = encoding.strip().lower()
    if name in _PLAIN:
        yield from response.iter_stream()
        return
    if name not in _GZIPPED:
        raise DownloadError(
            Message("It comes compressed as {name}, and only gzip was asked for.", name=name)
        )
    yield from unzipped(response.iter_stream(), limit)


def unzipped(parts: Iterable[bytes], limit: int) -> Iterator[bytes]:
    """Decompress the members of a gzip file (RFC 1952), in parts of ``limit`` + 1 bytes at most.

    Trailing data after the last member is ignored.
    """
    unzipper = zlib.decompressobj(_GZIP_WINDOW)
    try:
        for part in parts:
            rest = part
            while rest:
                if unzipper.eof:
                    if not rest.startswith(GZIP[: len(rest)]):
                        return
                    unzipper = zlib.decompressobj(_GZIP_WINDOW)
                yield unzipper.decompress(rest, limit + 1)
                rest = unzipper.unused_data
    except zlib.error as error:
        raise DownloadError("It is damaged: it cannot be decompressed.") from error
    if not unzipper.eof:
        raise DownloadError("It breaks off in the middle.")

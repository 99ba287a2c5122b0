"""Downloads files from public addresses, limited in size and time."""

import ipaddress
import socket
import ssl
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from http import HTTPStatus
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any
from urllib.parse import quote, unquote, urljoin, urlsplit, urlunsplit

import httpcore

from calendar_app.domain.addresses import LEGAL, Network

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# The global unicast addresses of IPv6 (RFC 4291), and IPv4 addresses within (RFC 6052).
_GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_IPV4_BITS = 0xFFFF_FFFF


class ForbiddenAddress(Exception):
    """A name has no address in a permitted network."""


class OutOfTime(httpcore.TimeoutException):
    """The deadline of a download is over."""


class PublicNetwork(httpcore.NetworkBackend):
    """Connects to public addresses, and to those in the ``permitted`` networks.

    After ``deadline`` (monotonic seconds), if it is set, each connection times out.
    """

    def __init__(self, permitted: Sequence[Network] = ()) -> None:
        self._permitted = permitted
        self._backend = httpcore.SyncBackend()
        self.deadline: float | None = None

    @property
    def is_late(self) -> bool:
        return self.deadline is not None and time.monotonic() >= self.deadline

    def remaining(self, timeout: float | None) -> float | None:
        """Return the seconds that are left, at most ``timeout``; raise ``OutOfTime``."""
        if self.deadline is None:
            return timeout
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise OutOfTime
        return left if timeout is None else min(left, timeout)

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """Connect to the first allowed address of ``host`` that answers.

        Raises ``ForbiddenAddress`` if none is allowed.
        """
        allowed = [each for each in _addresses(host, port) if is_allowed(each, self._permitted)]
        if not allowed:
            raise ForbiddenAddress(f"{host} lies in a network that is not public")
        connect = partial(
            self._backend.connect_tcp,
            port=port,
            local_address=local_address,
            socket_options=socket_options,
        )
        for address in allowed[:-1]:
            with suppress(httpcore.ConnectError, httpcore.ConnectTimeout):
                return self._timed(connect(str(address), timeout=self.remaining(timeout)))
        return self._timed(connect(str(allowed[-1]), timeout=self.remaining(timeout)))

    def _timed(self, stream: httpcore.NetworkStream) -> httpcore.NetworkStream:
        return _TimedStream(stream, self)

    def connect_unix_socket(self, path: str, *_: Any, **__: Any) -> httpcore.NetworkStream:
        raise ForbiddenAddress(f"{path} is no address of the internet")


class _TimedStream(httpcore.NetworkStream):
    """A connection that ends at the deadline of its network.

    The timeouts of httpcore begin anew with each byte of the headers.
    """

    def __init__(self, stream: httpcore.NetworkStream, network: PublicNetwork) -> None:
        self._stream = stream
        self._network = network

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._network.remaining(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._network.remaining(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        left = self._network.remaining(timeout)
        return _TimedStream(
            self._stream.start_tls(ssl_context, server_hostname, left), self._network
        )

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def is_allowed(address: Address, permitted: Iterable[Network] = ()) -> bool:
    """Return whether an address is public, or in one of the ``permitted`` networks."""
    target = _embedded_ipv4(address)
    if any(target in network or address in network for network in permitted):
        return True
    if isinstance(target, ipaddress.IPv6Address) and target not in _GLOBAL_UNICAST:
        return False
    return target.is_global and not (target.is_multicast or target.is_reserved)


def _embedded_ipv4(address: Address) -> Address:
    """Return the IPv4 address within an IPv6 address, or the address itself."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address in _NAT64:
        return ipaddress.IPv4Address(int(address) & _IPV4_BITS)
    return address.ipv4_mapped or address.sixtofour or address


def _addresses(host: str, port: int) -> list[Address]:
    try:
        entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise httpcore.ConnectError(f"{host} cannot be found") from error
    return [ipaddress.ip_address(address[0]) for *_, address in entries]


# Downloads through such connections.

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


def web_address(address: str) -> str:
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

    def fetch(self, address: str) -> tuple[bytes, str]:
        """Return content and name of a file; raise ``DownloadError``, after retries if busy.

        The file keeps the name of the first address.
        """
        name = unquote(PurePosixPath(urlsplit(address).path).name)
        for delay in _RETRY_DELAYS:
            try:
                return self._file(address), name
            except _Busy as error:
                time.sleep(delay if error.retry_after is None else error.retry_after)
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
                raise DownloadError(f"It leads in a circle without an end, back to {target}.")
            if len(passed) > self._redirects:
                raise DownloadError("It leads from one address to the next without an end.")

    def _file(self, address: str) -> bytes:
        response = self.request(address)
        if response.status in _BUSY:
            raise _Busy(response)
        if response.status != HTTPStatus.OK:
            raise DownloadError(f"It is answered with {response.status}.")
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
            raise DownloadError(f"{address} is no address of a file on the web.") from error
        except ForbiddenAddress as error:
            raise DownloadError(f"{error}.") from error
        except (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError) as error:
            if self._network.is_late:
                words = f"It takes too long: more than {self._seconds:g} s."
                raise DownloadError(words) from error
            raise DownloadError(f"{address} gives no answer, or no whole one.") from error

    def _read(self, response: httpcore.Response) -> bytes:
        """Return the body, decompressed; stop where it is too long, in bytes or in time."""
        headers = _headers(response)
        mime = headers.get("content-type", "").partition(";")[0].strip().lower()
        if self._accept == PICTURES and mime and not mime.startswith("image/"):
            raise DownloadError(f"It is no picture, but {mime}.")
        if int(headers.get("content-length", "0")) > self._limit:
            raise self._too_large()
        data = bytearray()
        for part in _decompressed(response, headers.get("content-encoding", ""), self._limit):
            data += part
            if len(data) > self._limit:
                raise self._too_large()
            self._network.remaining(None)
        return bytes(data)

    def _too_large(self) -> DownloadError:
        return DownloadError(f"It is larger than {self._limit} bytes.")


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
        raise DownloadError(f"It comes compressed as {name}, and only gzip was asked for.")
    decompressor = zlib.decompressobj(_GZIP_WINDOW)
    try:
        for part in response.iter_stream():
            yield decompressor.decompress(part, limit + 1)
    except zlib.error as error:
        raise DownloadError("It is damaged: it cannot be decompressed.") from error
    if not decompressor.eof:
        raise DownloadError("It breaks off in the middle.")

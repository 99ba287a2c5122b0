"""Downloads files from public addresses, limited in size and time."""

import ipaddress
import socket
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from http import HTTPStatus
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote, unquote, urljoin, urlsplit

import httpcore

from calendar_app.domain.addresses import LEGAL, Network
from calendar_app.errors import CalendarError

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# The global unicast addresses of IPv6 (RFC 4291), and IPv4 addresses within (RFC 6052).
_GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_IPV4_BITS = 0xFFFF_FFFF


class ForbiddenAddress(Exception):
    """A name has no address in a permitted network."""


class PublicNetwork(httpcore.NetworkBackend):
    """Connects to public addresses, and to those in the ``permitted`` networks."""

    def __init__(self, permitted: Sequence[Network] = ()) -> None:
        self._permitted = permitted
        self._backend = httpcore.SyncBackend()

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
            timeout=timeout,
            local_address=local_address,
            socket_options=socket_options,
        )
        for address in allowed[:-1]:
            with suppress(httpcore.ConnectError, httpcore.ConnectTimeout):
                return connect(str(address))
        return connect(str(allowed[-1]))

    def connect_unix_socket(self, path: str, *_: Any, **__: Any) -> httpcore.NetworkStream:
        raise ForbiddenAddress(f"{path} is no address of the internet")


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


class SourceError(CalendarError):
    """The source of an import cannot be read; the message is one line."""


class DownloadError(Exception):
    """A download failed; the message is one line."""


class _Busy(DownloadError):
    """The host is busy; ``retry_after`` are seconds, if it says so."""

    def __init__(self, response: httpcore.Response) -> None:
        super().__init__(f"It is answered with {response.status}.")
        self.retry_after = asked_delay(_header(response, b"retry-after"))


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


def asked_delay(retry_after: str) -> float | None:
    """Return for how many seconds a busy host wants to be left alone, if it says so."""
    return min(float(retry_after), _MAX_RETRY_AFTER) if retry_after.isdecimal() else None


def _header(response: httpcore.Response, name: bytes) -> str:
    values = (value for key, value in response.headers if key.lower() == name)
    return next(values, b"").decode("latin-1")

"""Connections to addresses on the web that others have given, within networks and time."""

import ipaddress
import socket
import ssl
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import httpcore

from calendar_app.domain.addresses import Network

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# The global unicast addresses of IPv6 (RFC 4291), and IPv4 addresses within (RFC 6052).
_GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_IPV4_BITS = 0xFFFF_FFFF


class ForbiddenAddress(Exception):
    """A name has no address in a permitted network."""


class UnknownHost(httpcore.ConnectError):
    """The name of the host leads nowhere."""


class OutOfTime(httpcore.TimeoutException):
    """The deadline of a connection is over."""


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
        seconds = self.deadline - time.monotonic()
        if seconds <= 0:
            raise OutOfTime
        return seconds if timeout is None else min(seconds, timeout)

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
        seconds = self._network.remaining(timeout)
        return _TimedStream(
            self._stream.start_tls(ssl_context, server_hostname, seconds), self._network
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
        raise UnknownHost(f"{host} cannot be found") from error
    return [ipaddress.ip_address(address[0]) for *_, address in entries]

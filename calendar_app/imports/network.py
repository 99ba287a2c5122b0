"""Connections that lead to the public internet alone, and to networks that the operator names.

An address in what somebody else has written may lead anywhere: to this machine, to its neighbours,
to the service that tells machines their secrets (169.254.169.254). So every name is looked up here,
each of its addresses is judged, and the connection goes to the very address that was judged:
whatever the name leads to a moment later does not count. See ``docs/reference/settings.md``,
``import_networks``.
"""

import ipaddress
import socket
from collections.abc import Iterable, Sequence
from typing import Any

import httpcore

from calendar_app.domain.networks import Network

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# What is given out of IPv6 (RFC 4291), and where IPv4 goes on in it (RFC 6052).
_GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")
_TRANSLATED = ipaddress.IPv6Network("64:ff9b::/96")
_IPV4_BITS = 0xFFFF_FFFF


class ForbiddenAddress(Exception):
    """All that a name leads to lies in networks that are not to be reached."""


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
        """Connect to the first address of ``host`` that may be reached and answers.

        Raises ``ForbiddenAddress`` where none may be reached.
        """
        known = _addresses(host, port)
        allowed = [one for one in known if is_allowed(one, self._permitted)]
        if not allowed:
            raise ForbiddenAddress(f"{host} lies in a network that is not public")
        *others, last = allowed
        for one in others:
            try:
                return self._backend.connect_tcp(
                    str(one), port, timeout, local_address, socket_options
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                continue
        return self._backend.connect_tcp(str(last), port, timeout, local_address, socket_options)

    def connect_unix_socket(self, path: str, *_: Any, **__: Any) -> httpcore.NetworkStream:
        raise ForbiddenAddress(f"{path} is no address of the internet")


def is_allowed(address: Address, permitted: Iterable[Network] = ()) -> bool:
    """Say whether an address is public, or lies in one of the ``permitted`` networks."""
    meant = _meant(address)
    if any(meant in network or address in network for network in permitted):
        return True
    if isinstance(meant, ipaddress.IPv6Address) and meant not in _GLOBAL_UNICAST:
        return False
    return meant.is_global and not (meant.is_multicast or meant.is_reserved)


def _meant(address: Address) -> Address:
    """Return the address of IPv4 that one of IPv6 stands for, or the address itself."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address in _TRANSLATED:
        return ipaddress.IPv4Address(int(address) & _IPV4_BITS)
    return address.ipv4_mapped or address.sixtofour or address


def _addresses(host: str, port: int) -> list[Address]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise httpcore.ConnectError(f"{host} cannot be found") from error
    return [ipaddress.ip_address(address[0]) for *_, address in found]

"""Who is at the other end of a connection, as settings name them."""

from collections.abc import Iterable
from ipaddress import IPv6Address, ip_address
from typing import NamedTuple, Self

from calendar_app.domain.networks import Network, networks_of

# Whoever came by a socket of the machine has no address of the internet.
_SOCKET = "unix"


class Peers(NamedTuple):
    """Peers in some networks and, if ``by_socket``, behind a Unix socket."""

    networks: tuple[Network, ...]
    by_socket: bool

    @classmethod
    def named(cls, setting: str, texts: Iterable[str]) -> Self:
        """Return the peers of a setting; raise ``ConfigurationError`` on anything else."""
        listed = list(texts)
        networks = networks_of(setting, (text for text in listed if text != _SOCKET))
        return cls(networks, by_socket=_SOCKET in listed)

    def have(self, address: str) -> bool:
        """Say whether somebody is one of them; the ``address`` is empty behind a Unix socket."""
        if not address:
            return self.by_socket
        try:
            ip = ip_address(address)
        except ValueError:
            return False
        # A socket that listens to both kinds shows clients of the old one in this clothing.
        if isinstance(ip, IPv6Address):
            ip = ip.ipv4_mapped or ip
        return any(ip in network for network in self.networks)

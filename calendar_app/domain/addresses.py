"""Addresses on the web, of e-mail, and of networks."""

import ipaddress
import re
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import NamedTuple, Self
from urllib.parse import quote, urlsplit

import idna
from email_validator import EmailNotValidError, validate_email

from calendar_app.errors import ConfigurationError

# What may stand in an address, and so is not encoded once more.
LEGAL = "%!#$&'()*+,/:;=?@[]~"
_LONGEST_HOST = 253
# As people say it: "dorta.ch", "www.dorta.ch/konzert", but no number and no address of e-mail.
_BARE = re.compile(r"(?:[\w-]+\.)+[^\W\d_]{2,}(?::\d+)?(?P<rest>[/?#]\S*)?")


def in_ascii(address: str) -> str:
    """Return an address with its host as the domain name system knows it, and the rest encoded.

    Raises ``ValueError`` where the host is none.
    """
    if address.isascii():
        return quote(address, safe=LEGAL)
    before, host, after = _around_host(address)
    if not host.isascii():
        host = _encoded(host)
    return f"{quote(before, safe=LEGAL)}{host}{quote(after, safe=LEGAL)}"


def has_credentials(address: str) -> bool:
    """Return whether an address names a user, who may have a password, before its host."""
    return "@" in urlsplit(address).netloc


def _around_host(address: str) -> tuple[str, str, str]:
    """Split an address before and behind its host."""
    place = urlsplit(address).netloc
    before, match, rest = address.partition(place) if place else (address, "", "")
    if match != place:
        raise idna.IDNAError("A host has no white space.")
    user, at, host = place.rpartition("@")
    name, colon, port = host.partition(":")
    return f"{before}{user}{at}", name, f"{colon}{port}{rest}"


def _encoded(host: str) -> str:
    if len(host) > _LONGEST_HOST:
        raise idna.IDNAError("A host is not so long.")
    return idna.encode(host, uts46=True).decode()


def is_email(address: str, *, public: bool = True) -> bool:
    """Return whether a text has the form of an e-mail address.

    Without ``public`` it may be one of a network of its own, such as ``anna@mail.local``.
    """
    try:
        validate_email(address, check_deliverability=False, globally_deliverable=public)
    except EmailNotValidError:
        return False
    return True


# Networks of the internet, as settings name them.

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def networks_of(setting: str, texts: Iterable[str]) -> tuple[Network, ...]:
    """Return the networks that a setting names; ``ConfigurationError`` where one is none.

    An address with the size of a network behind it is none: it may mean either.
    """
    networks = []
    for text in texts:
        try:
            networks.append(ipaddress.ip_network(text))
        except ValueError as error:
            raise ConfigurationError(
                f"The setting {setting} has {text}, which is no address and no network: {error}."
            ) from error
    return tuple(networks)


def is_public(address: str) -> bool:
    """Say whether an address is one of the internet, and of no local network."""
    try:
        return _unclothed(ip_address(address)).is_global
    except ValueError:
        return False


def _unclothed(ip: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """Return an address of the old kind as it is.

    A socket that listens to both kinds shows clients of the old one in the clothing of the new one.
    """
    return (ip.ipv4_mapped or ip) if isinstance(ip, IPv6Address) else ip


# Who is at the other end of a connection, as settings name them.

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
            ip = _unclothed(ip_address(address))
        except ValueError:
            return False
        return any(ip in network for network in self.networks)


def whole_address(text: str) -> str:
    """Return a typed address with its scheme; any other text unchanged."""
    bare = _BARE.fullmatch(text.strip())
    if bare is None:
        return text
    address = f"https://{bare[0]}" if bare["rest"] else f"https://{bare[0]}/"
    try:
        return in_ascii(address)
    except ValueError:
        return text

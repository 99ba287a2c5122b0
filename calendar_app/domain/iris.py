"""International addresses (IRIs) and their ASCII form (URIs, RFC 3987); addresses of e-mail."""

from urllib.parse import quote, urlsplit

import idna
from email_validator import EmailNotValidError, validate_email

# What may stand in an address, and so is not encoded once more.
LEGAL = "%!#$&'()*+,/:;=?@[]~"
_LONGEST_HOST = 253


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
    """Return whether a text can be an address of e-mail; whether it is one nobody is asked.

    Without ``public`` it may be one of a network of its own, such as ``anna@mail.local``.
    """
    try:
        validate_email(address, check_deliverability=False, globally_deliverable=public)
    except EmailNotValidError:
        return False
    return True

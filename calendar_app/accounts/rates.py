"""How many requests an address may send in a span of time."""

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Self

_SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}
# Who has an address of IPv6 mostly has all those that begin with the same 64 bits.
_HOST_BITS = 64


@dataclass(frozen=True, slots=True)
class Rate:
    """At most ``amount`` requests in each window of so many ``seconds``."""

    amount: int
    seconds: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a rate like ``600/minute``."""
        amount, _, unit = text.partition("/")
        return cls(int(amount), _SECONDS[unit])


def client_of(address: str) -> str:
    """Return one key for all addresses of a client; empty if there is no valid address."""
    try:
        parsed: IPv4Address | IPv6Address = ip_address(address)
    except ValueError:
        return ""
    if isinstance(parsed, IPv4Address):
        return str(parsed)
    # A socket that listens to both kinds shows clients of the old one in this form.
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return f"{IPv6Address(int(parsed) >> _HOST_BITS << _HOST_BITS)}/{_HOST_BITS}"

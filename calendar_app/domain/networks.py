"""Networks of the internet, as settings name them."""

import ipaddress
from collections.abc import Iterable

from calendar_app.errors import ConfigurationError

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

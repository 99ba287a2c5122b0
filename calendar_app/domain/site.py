"""What the rules of a calendar need to know of the site that shows it."""

from typing import NamedTuple

from calendar_app.domain.zones import is_iana
from calendar_app.errors import ConfigurationError


class Site(NamedTuple):
    """``timezone`` is that of events that tell none; ``url`` is empty where it is not known."""

    timezone: str
    url: str = ""
    languages: tuple[str, ...] = ()


def require_zone(timezone: str) -> None:
    """Raise ``ConfigurationError`` where the setting of this name is not one that events have."""
    if not is_iana(timezone):
        raise ConfigurationError("The setting timezone must be an IANA zone.")

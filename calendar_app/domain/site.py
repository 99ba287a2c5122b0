"""The site of a calendar, as far as rules depend on it."""

from typing import NamedTuple

from calendar_app.domain.zones import is_iana
from calendar_app.errors import ConfigurationError


class Site(NamedTuple):
    """``timezone`` is that of events that tell none; ``url`` is empty where it is not known.

    With ``history_days`` 0 no history is written.
    """

    timezone: str
    url: str = ""
    languages: tuple[str, ...] = ()
    history_days: int = 365


def require_zone(timezone: str) -> None:
    """Raise ``ConfigurationError`` where a setting is no time zone."""
    if not is_iana(timezone):
        raise ConfigurationError("The setting timezone must be an IANA zone.")

"""What the rules of a calendar need to know of the site that shows it."""

from typing import NamedTuple


class Site(NamedTuple):
    """``timezone`` is that of events that tell none; ``url`` is empty where it is not known."""

    timezone: str
    url: str = ""

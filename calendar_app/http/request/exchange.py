"""What the layers around Flask and the views in it tell each other about one request."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Any

Environ = dict[str, Any]
Wsgi = Callable[[Environ, Any], Iterable[bytes]]

_KEY = "calendar.exchange"
# In the environment of a request whose address begins with a language: that language.
LANGUAGE = "calendar.language"
# The language segment in the letters of the address.
SENT_SEGMENT = "calendar.sent_segment"


@dataclass(slots=True)
class Exchange:
    """One request and its answer.

    ``cluster_time`` is the one of the snapshot that was read; ``None`` where the answer needs more
    than reading at one moment. An answer that is not ``lasting`` changes with the clock. One that
    is ``to_be_kept`` is made whole, though its client may have it already. ``user`` is the id of
    a caller that was recognised. ``retry_after`` is in seconds, 0 unless a client reads too much.
    """

    request_id: str = ""
    route: str = "unknown"
    cluster_time: Hashable = None
    lasting: bool = True
    wanted_whole: bool = False
    to_be_kept: bool = False
    user: int | None = None
    refused_secret: bool = False
    retry_after: int = 0
    password_outcomes: set[bool] | None = None

    @property
    def may_be_kept(self) -> bool:
        """Whether the answer holds until the next write, and there is a cache for it."""
        return self.wanted_whole and self.lasting and self.cluster_time is not None


def begin(environ: Environ, request_id: str) -> Exchange:
    """Return what is known of a request that has just come."""
    environ[_KEY] = begun = Exchange(request_id)
    return begun


def of(environ: Environ) -> Exchange:
    found: Exchange = environ.setdefault(_KEY, Exchange())
    return found

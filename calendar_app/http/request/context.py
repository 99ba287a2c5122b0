"""Context of one request, shared by the WSGI layers and the views."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Any

Environ = dict[str, Any]
Wsgi = Callable[[Environ, Any], Iterable[bytes]]

_KEY = "calendar.context"
# In the environment of a request whose address begins with a language: that language.
LANGUAGE = "calendar.language"
# The language segment in the letters of the address.
SENT_SEGMENT = "calendar.sent_segment"


@dataclass(slots=True)
class RequestContext:
    """One request and its response.

    ``cluster_time`` is the time of the snapshot read; ``None`` where the response needs more than
    one snapshot. ``is_time_independent`` is false if the response changes with the clock.
    ``is_cached`` responses are made whole, without a 304. ``user`` is the id of an authenticated
    caller. ``retry_after`` is in seconds, 0 unless a client reads too much.
    """

    request_id: str = ""
    route: str = "unknown"
    cluster_time: Hashable = None
    is_time_independent: bool = True
    has_cache: bool = False
    is_cached: bool = False
    user: int | None = None
    refused_secret: bool = False
    retry_after: int = 0
    password_outcomes: set[bool] | None = None

    @property
    def is_cacheable(self) -> bool:
        """Whether the response is valid until the next write, and there is a cache."""
        return self.has_cache and self.is_time_independent and self.cluster_time is not None


def begin_context(environ: Environ, request_id: str) -> RequestContext:
    """Attach a new context to a request."""
    environ[_KEY] = context = RequestContext(request_id)
    return context


def get_context(environ: Environ) -> RequestContext:
    context: RequestContext = environ.setdefault(_KEY, RequestContext())
    return context

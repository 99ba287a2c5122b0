"""Headers that lead to other addresses: feeds (RFC 8288), and the interface of a site."""

from collections.abc import Mapping
from types import MappingProxyType

from calendar_app.api.http.request import current
from calendar_app.api.http.request.negotiation import language_parameter
from calendar_app.domain.kind import Kind
from calendar_app.readmodel.addresses import Addresses

# The media type of every format of ours, by the suffix of its address.
FEED_TYPES: Mapping[str, str] = MappingProxyType(
    {
        "ics": "text/calendar",
        "atom": "application/atom+xml",
        "geojson": "application/geo+json",
        "csv": "text/csv",
    }
)
# Feeds have pages of another size, and no field selection.
_OF_LISTS = frozenset({"page", "per_page", "_fields", "context"})
# Proxies accept about four kilobytes of headers; each feed repeats the query.
_LONGEST = 2000


def feeds_of_list(kind: Kind, list_parameters: Mapping[str, str]) -> dict[str, str]:
    """Return the feed URLs for the filters of a list, by suffix."""
    parameters = {name: value for name, value in list_parameters.items() if name not in _OF_LISTS}
    context = current.context()
    addresses, language = context.addresses, context.language
    if language != addresses.implied_language:
        parameters.setdefault(language_parameter(parameters, context.settings), language)
    return addresses.feeds(kind.name, context.services.feed_types, parameters)


def discovery_headers(addresses: Addresses, root: str = "") -> dict[str, str]:
    """Return the headers by which importers of The Events Calendar discover the interface.

    ``root`` is the address of what a page shows; without one, that of the whole interface.
    """
    return {
        "X-TEC-API-VERSION": "v1",
        "X-TEC-API-ROOT": root or f"{addresses.base}/",
        "X-TEC-API-ORIGIN": addresses.site,
    }


def feed_link_header(feeds: Mapping[str, str]) -> dict[str, str]:
    """Return a ``Link`` header to feeds by their suffix, unless it grows too long."""
    types = current.context().services.feed_types
    links = ", ".join(
        f'<{address}>; rel="alternate"; type="{types[suffix]}"' for suffix, address in feeds.items()
    )
    return {"Link": links} if 0 < len(links) <= _LONGEST else {}

"""Reads an iCalendar file, from disk or from the web."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from calendar_app.domain.addresses import Network
from calendar_app.errors import CalendarError
from calendar_app.imports.downloading import Downloader, DownloadError

# Addresses of subscriptions; the protocol is that of the web.
_SCHEMES = {"http": "http", "https": "https", "webcal": "https", "webcals": "https"}


class SourceError(CalendarError):
    """The source is no calendar, or cannot be read; the message is one line."""


def read_source(source: str, limit: int, permitted: Sequence[Network]) -> bytes:
    """Return the content of a file or an address; raise ``SourceError``.

    Downloads have up to ``limit`` bytes; see ``PublicNetwork`` for ``permitted``.
    """
    parts = urlsplit(source)
    if parts.scheme not in _SCHEMES:
        return Path(source).read_bytes()
    address = urlunsplit(parts._replace(scheme=_SCHEMES[parts.scheme]))
    with closing(Downloader(limit, permitted, accept="text/calendar, */*")) as downloader:
        try:
            content, _ = downloader.fetch(address)
        except DownloadError as error:
            raise SourceError(f"{address}: {error}") from error
    return content

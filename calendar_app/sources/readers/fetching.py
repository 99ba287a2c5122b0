"""Fetches sources, within limits of time, size and network."""

import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http import HTTPStatus

from calendar_app.domain.addresses import Network, in_ascii
from calendar_app.errors import Message
from calendar_app.sources.charsets import as_utf8
from calendar_app.sources.imports.downloading import (
    GZIP,
    Downloader,
    DownloadError,
    Response,
    download_address,
    require_bounded,
    size_in_words,
    unzipped,
)
from calendar_app.sources.parsed import Fetched, SourceError, Validators

CALENDARS = "text/calendar, */*;q=0.5"
PAGES = "text/html, application/ld+json, application/xml;q=0.8, */*;q=0.5"
TABLES = "text/csv, */*;q=0.5"
RECORDS = "application/json"

_REASONS: Mapping[int, str] = {
    HTTPStatus.UNAUTHORIZED: Message("it wants a login; give an address that is public"),
    HTTPStatus.FORBIDDEN: Message("it may not be read; give an address that is public"),
    HTTPStatus.NOT_FOUND: Message("there is nothing at this address"),
    HTTPStatus.GONE: Message("there is nothing at this address any more"),
    HTTPStatus.TOO_MANY_REQUESTS: Message("it is read too often"),
}
_SERVER_ERROR = Message("the site is out of order")
_PAGE = re.compile(rb"<(?:!doctype\s+html|html|head)\b", re.IGNORECASE)
_WHITE = re.compile(rb"\s*")
_COMMENT, _COMMENT_END = b"<!--", b"-->"
_BOM = b"\xef\xbb\xbf"
# Octets of a page in which its title and its fields are looked for, and characters of the title.
_START, _LONGEST_TITLE = 1_000_000, 200


class AnsweredError(SourceError):
    """A site answers with another ``status`` than 200."""

    def __init__(self, words: str, status: int) -> None:
        super().__init__(words)
        self.status = status


class _Refusal(DownloadError):
    """An answer that is no content."""

    def __init__(self, response: Response) -> None:
        super().__init__(_words_of(response))
        self.status = response.status


@dataclass(frozen=True, slots=True)
class Limits:
    """The bounds of one request: seconds, bytes after decompression, redirects.

    All pages of a site together have as many bytes, and ``whole`` seconds.
    """

    seconds: float = 60.0
    size: int = 50_000_000
    redirects: int = 5
    whole: float = 3600.0


class Fetcher:
    """Fetches addresses of one site; close it in the end.

    Private networks are refused when a connection is made, unless ``networks`` have them.
    """

    def __init__(
        self,
        networks: Sequence[Network] = (),
        limits: Limits | None = None,
        *,
        accept: str = CALENDARS,
    ) -> None:
        self._limits = limits or Limits()
        self._downloader = Downloader(
            self._limits.size,
            networks,
            accept=accept,
            seconds=self._limits.seconds,
            redirects=self._limits.redirects,
        )

    def close(self) -> None:
        self._downloader.close()

    def fetch(self, address: str, validators: Validators | None = None) -> Fetched | None:
        """Return the content of an address; ``None`` where ``validators`` say it is unchanged.

        A text is in UTF-8, if the header of the response names a charset that fits.

        Raises ``SourceError`` with the reason in one line. No address leads to a file.
        """
        conditions = validators or Validators()
        with _naming(address):
            target = in_ascii(download_address(address))
            if not target:
                raise DownloadError("It is not a web address (https:, http: or webcal:).")
            response = self._downloader.request(target, conditions.headers)
            if response.status == HTTPStatus.NOT_MODIFIED and conditions.headers:
                return None
            if response.status != HTTPStatus.OK:
                raise _Refusal(response)
            content = self._unzipped(response)
        return Fetched(
            content=as_utf8(content, response.headers.get("content-type", "")),
            etag=response.headers.get("etag", ""),
            modified=response.headers.get("last-modified", ""),
            address=response.address,
        )

    def _unzipped(self, response: Response) -> bytes:
        """Return the content of a response; decompress gzip files like ``sitemap.xml.gz``."""
        if not response.content.startswith(GZIP):
            return response.content
        content = bytearray()
        for part in unzipped([response.content], self._limits.size):
            content += part
            require_bounded(len(content), self._limits.size)
        return bytes(content)

    def joined(self, pages: Iterable[bytes]) -> bytes:
        """Join the data extracted from the pages of a site, one line for each page in order.

        Raises ``SourceError`` as soon as they are too large together, or take too long.
        """
        lines: list[bytes] = []
        size, begun = 0, time.monotonic()
        for line in pages:
            size += len(line) + 1
            if size > self._limits.size:
                words = size_in_words(self._limits.size)
                raise SourceError(Message("Its pages are larger than {size} together.", size=words))
            if time.monotonic() - begun > self._limits.whole:
                raise SourceError(
                    Message(
                        "Its pages take longer than {seconds} s together.",
                        seconds=f"{self._limits.whole:g}",
                    )
                )
            lines.append(line)
        return b"\n".join(lines)


def fetch(
    address: str,
    validators: Validators | None = None,
    networks: Sequence[Network] = (),
    limits: Limits | None = None,
    *,
    accept: str = CALENDARS,
) -> Fetched | None:
    """Fetch one address; see ``Fetcher.fetch``."""
    with closing(Fetcher(networks, limits, accept=accept)) as fetcher:
        return fetcher.fetch(address, validators)


def refuse_page(content: bytes, expected: str) -> None:
    """Raise ``SourceError`` where a web page came instead of the ``expected`` content."""
    if not _is_page(content.removeprefix(_BOM)):
        return
    from calendar_app.sources.readers.markup import page_of  # noqa: PLC0415  # calendars need no parser

    page = page_of(content[:_START].decode("utf-8", "replace"))
    name = f' "{page.title[:_LONGEST_TITLE]}"' if page.title else ""
    if page.wants_login:
        raise SourceError(
            Message(
                "It is no {expected}, but a page{name} that wants a login.",
                expected=expected,
                name=name,
            )
        )
    raise SourceError(
        Message("It is no {expected}, but a page of the web{name}.", expected=expected, name=name)
    )


def _is_page(content: bytes) -> bool:
    """Say whether a content begins as a web page does, perhaps behind comments."""
    place = _after_white(content, 0)
    while content.startswith(_COMMENT, place):
        end = content.find(_COMMENT_END, place)
        if end < 0:
            return False
        place = _after_white(content, end + len(_COMMENT_END))
    return _PAGE.match(content, place) is not None


def _after_white(content: bytes, place: int) -> int:
    match = _WHITE.match(content, place)
    return match.end() if match else place


@contextmanager
def _naming(address: str) -> Iterator[None]:
    """Raise failures as ``SourceError``, with the address."""
    try:
        yield
    except _Refusal as error:
        words = Message("{address}: {reason}", address=address, reason=error)
        raise AnsweredError(words, error.status) from error
    except DownloadError as error:
        raise SourceError(Message("{address}: {reason}", address=address, reason=error)) from error
    except ValueError as error:
        raise SourceError(
            Message("{address}: It is not a web address.", address=address)
        ) from error


def _words_of(response: Response) -> str:
    """Return why an answer is no content, with its status."""
    status = response.status
    is_error = status >= HTTPStatus.INTERNAL_SERVER_ERROR
    reason = _SERVER_ERROR if is_error else _REASONS.get(status, "")
    if not reason:
        return Message("It is answered with {status}.", status=status)
    return Message("It is answered with {status}: {reason}.", status=status, reason=reason)

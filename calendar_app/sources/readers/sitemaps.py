"""Collects the JSON-LD of all pages that a sitemap names, politely.

The content is one line of JSON a page, ``{"address", "documents", "reasons", "left_out",
"whole"}``, in the order of their addresses, so that it is the same as long as the pages are.
"""

import json
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from urllib.parse import urljoin, urlsplit
from urllib.robotparser import RobotFileParser

from calendar_app.domain.kind import Record
from calendar_app.errors import Message
from calendar_app.sources.charsets import GUESSED, decode, is_guess
from calendar_app.sources.parsed import Fetched, SourceError, Validators
from calendar_app.sources.readers.fetching import Fetcher
from calendar_app.sources.readers.json_ld import json_ld_of
from calendar_app.sources.readers.markup import sitemap_entries

_SITEMAP = re.compile(r"<(urlset|sitemapindex)\b", re.IGNORECASE)
_START = 2000  # characters, in which a sitemap says that it is one
_MAX_PAGES = 500
_MOST_HOSTS = 10  # that a report names
_PORTS = {"http": 80, "https": 443}
_LONGEST_HOST = 100  # characters of what is no address
_MAX_SITEMAPS = 20
_PAUSE, _LONGEST_PAUSE = 0.2, 5.0  # seconds between two pages
_AGENT = "calendar-app"


def fetch_pages(
    fetcher: Fetcher, address: str, validators: Validators, most: int = _MAX_PAGES
) -> Fetched | None:
    """Return a page, or the JSON-LD of all pages of a sitemap; ``None`` where it is unchanged.

    At most ``most`` pages are read, those that changed last.
    """
    fetched = fetcher.fetch(address, validators)
    if fetched is None or not _SITEMAP.search(decode(fetched.content)[:_START]):
        return fetched
    crawler = _Crawler(fetcher, fetched.address)
    content = fetcher.joined(crawler.pages(fetched.content, most))
    # A sitemap may be the same while its pages change.
    return Fetched(content, "", "", fetched.address)


class _Crawler:
    """Reads pages of one host, as far as its robots.txt lets it."""

    def __init__(self, fetcher: Fetcher, address: str) -> None:
        self._fetcher = fetcher
        self._host = _host(address)
        self._other_hosts: Counter[str] = Counter()
        self._rules = RobotFileParser()
        self._rules.parse(self._robots(address))
        delay = self._rules.crawl_delay(_AGENT)
        self._pause = min(float(delay or _PAUSE), _LONGEST_PAUSE)

    def pages(self, sitemap: bytes, most: int) -> Iterator[bytes]:
        """Yield the line of each page, those of other hosts, and whether this is the whole site."""
        entries, is_whole = self._entries(sitemap)
        newest = sorted(entries, key=lambda page: (entries[page], page), reverse=True)
        for address in sorted(newest[:most]):
            yield json.dumps(self._page(address)).encode()
        for host, number in self._other_hosts.most_common(_MOST_HOSTS):
            words = Message(
                "Another host has {number} of its pages; only those of its own host are read.",
                number=number,
            )
            yield json.dumps({"address": host, "documents": [], "left_out": [words]}).encode()
        whole = is_whole and len(newest) <= most
        yield json.dumps({"address": "", "documents": [], "whole": whole}).encode()

    def _entries(self, sitemap: bytes) -> tuple[dict[str, str], bool]:
        """Return the address of each page with its last change, and whether these are all."""
        text = decode(sitemap)
        entries = dict(sitemap_entries(text))
        if not text[:_START].lower().count("<sitemapindex"):
            return self._allowed(entries), True
        pages: dict[str, str] = {}
        for address in list(self._allowed(entries))[:_MAX_SITEMAPS]:
            if fetched := self._fetcher.fetch(address):
                pages |= sitemap_entries(decode(fetched.content))
        # A part at another host has pages that nobody has read.
        is_whole = len(entries) <= _MAX_SITEMAPS and not self._other_hosts
        return self._allowed(pages), is_whole

    def _allowed(self, entries: dict[str, str]) -> dict[str, str]:
        """Return the pages of this host that programs may read; count those of others."""
        hosts = {address: _host(address) for address in entries}
        self._other_hosts.update(host for host in hosts.values() if host != self._host)
        return {
            address: modified
            for address, modified in entries.items()
            if hosts[address] == self._host and self._rules.can_fetch(_AGENT, address)
        }

    def _page(self, address: str) -> Record:
        time.sleep(self._pause)
        try:
            fetched = self._fetcher.fetch(address)
            content = fetched.content if fetched else b""
            documents = list(json_ld_of(decode(content)))
        except SourceError as error:
            return {"address": address, "documents": [], "reasons": [str(error)], "whole": False}
        return {
            "address": address,
            "documents": [document for document, reason in documents if not reason],
            "reasons": [reason for _, reason in documents if reason],
            "left_out": [GUESSED] if is_guess(content) else [],
        }

    def _robots(self, address: str) -> Iterable[str]:
        with suppress(SourceError):
            if fetched := self._fetcher.fetch(urljoin(address, "/robots.txt")):
                return decode(fetched.content).splitlines()
        return ()


def _host(address: str) -> str:
    """Return the host of an address with its port, unless that is the usual one.

    What is no address of the web is no host either, and is named as it is.
    """
    with suppress(KeyError, ValueError):
        parts = urlsplit(address)
        usual = _PORTS[parts.scheme]
        return f"{parts.hostname}{'' if parts.port in (None, usual) else f':{parts.port}'}"
    return address[:_LONGEST_HOST]

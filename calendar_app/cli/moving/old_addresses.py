"""Former addresses of a site, with their recorded answers.

They come from a recording of its REST interface, from files with one address a line, or from the
running site: its REST interface, sitemaps, pages and feeds.
"""

import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any

from lxml import etree

from calendar_app.cli.moving.fetching import Site, SiteAway, origin_of, path_of
from calendar_app.sources.imports.tec.pages import COLLECTIONS, RecordedPages, RemoteSite
from calendar_app.sources.parsed import SourceError

_INTERFACE = "/wp-json/tribe/events/v1"
_LISTS = (".txt", ".list")
_RECORDINGS = (".jsonl", ".gz")
_SITEMAPS = ("/sitemap.xml", "/sitemap_index.xml", "/wp-sitemap.xml")
_MOST_SITEMAPS = 50
# The pages and feeds that subscribers, search engines and menus know.
_KNOWN = (
    *("/events/", "/events/list/", "/events/month/", "/events/today/"),
    *("/events/?ical=1", "/events/list/?ical=1", "/?post_type=tribe_events&ical=1"),
    *("/events/feed/", "/?post_type=tribe_events&feed=rss2", "/events/list/?eventDisplay=past"),
)
# The first segments of the pages of a calendar; other pages of a site stay where they are.
_OF_CALENDAR = ("event", "events", "series", "venue", "organizer")


@dataclass(frozen=True, slots=True)
class OldAddress:
    """A path with its query; ``body`` is the JSON that stood there, where that is recorded.

    ``is_asked``: the old site is asked what it answers there.
    """

    path: str
    body: Any = None
    is_asked: bool = False


@dataclass(frozen=True, slots=True)
class OldSite:
    """The addresses, each once, and the site that had them; empty where they do not name it."""

    origin: str
    addresses: Mapping[str, OldAddress]


def recorded_site(place: Path) -> OldSite:
    """Return the addresses in a file or a folder; raise ``SourceError`` where there are none."""
    files = sorted(place.iterdir()) if place.is_dir() else [place]
    addresses: list[OldAddress] = []
    origins: list[str] = []
    for file in files:
        if file.suffix in _RECORDINGS:
            origin, in_file = _of_recording(file)
        elif file.suffix in _LISTS:
            origin, in_file = _of_list(file)
        else:
            continue
        addresses += in_file
        origins += [origin] if origin else []
    if not addresses:
        raise SourceError(f"There are no addresses in {place}.")
    return OldSite(next(iter(origins), ""), _each_once(addresses))


def running_site(site: Site) -> OldSite:
    """Return the addresses of a running site; raise ``SourceError`` where it has no calendar."""
    with tempfile.TemporaryDirectory() as folder:
        file, interface = Path(folder) / "site.jsonl.gz", f"{site.origin}{_INTERFACE}"
        try:
            RemoteSite(interface).record(file, lambda *_: None)
        except SourceError as error:
            raise SourceError(f"OLD has no calendar at {interface}: {error}") from error
        _, addresses = _of_recording(file)
    to_ask = [OldAddress(path, is_asked=True) for path in (*_KNOWN, *_of_sitemaps(site))]
    return OldSite(site.origin, _each_once([*addresses, *to_ask]))


def _each_once(addresses: Iterable[OldAddress]) -> dict[str, OldAddress]:
    """Return addresses by path; a recorded answer wins over a bare address."""
    once: dict[str, OldAddress] = {}
    for address in addresses:
        if address.path not in once or address.body is not None:
            once[address.path] = address
    return once


def _of_list(file: Path) -> tuple[str, list[OldAddress]]:
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise SourceError(f"{file} is not in UTF-8.") from error
    lines = [line.strip() for line in text.splitlines()]
    addresses = [line for line in lines if line and not line.startswith("#")]
    origin = next(filter(None, map(origin_of, addresses)), "")
    return origin, [OldAddress(path_of(line)) for line in addresses]


def _of_recording(file: Path) -> tuple[str, list[OldAddress]]:
    """Return the site of a recording, its lists, and each record with its page."""
    addresses: list[OldAddress] = []
    pages = list(RecordedPages(file).bodies())
    bases = (_base_of(body.get("rest_url", "")) for _, body in pages)
    base = next(filter(None, bases), "")
    for path, body in pages:
        addresses.append(OldAddress(f"{path_of(base)}{path}", body))
        for collection in COLLECTIONS:
            for record in body.get(collection, ()):
                addresses += _of_record(record)
    return origin_of(base), addresses


def _base_of(address: str) -> str:
    """Return the address of an interface of which that of a list is known."""
    base, _, collection = address.partition("?")[0].rstrip("/").rpartition("/")
    return base if collection in COLLECTIONS else ""


def _of_record(record: Mapping[str, Any]) -> Iterator[OldAddress]:
    urls = record.get("urls")
    own = record.get("rest_url") or (urls.get("self") if isinstance(urls, dict) else "")
    if isinstance(own, str) and own:
        yield OldAddress(path_of(own), record)
    if isinstance(record.get("url"), str) and record["url"]:
        yield OldAddress(path_of(record["url"]))


def _of_sitemaps(site: Site) -> Iterator[str]:
    """Yield the calendar's pages in the sitemaps of a site, nested sitemaps included."""
    waiting, read = list(_SITEMAPS), set[str]()
    while waiting and len(read) < _MOST_SITEMAPS:
        path = waiting.pop(0)
        if path in read:
            continue
        read.add(path)
        for kind, address in _entries(site, path):
            if origin_of(address) not in ("", site.origin):
                continue
            if kind == "sitemap":
                waiting.append(path_of(address))
            elif path_of(address).split("/")[1] in _OF_CALENDAR:
                yield path_of(address)


def _entries(site: Site, path: str) -> list[tuple[str, str]]:
    """Return the kind and the address of each entry of a sitemap; none where there is none."""
    try:
        answer = site.get(path)
    except SiteAway:
        return []
    if answer.status != HTTPStatus.OK:
        return []
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    try:
        root = etree.fromstring(answer.content, parser)
    except etree.XMLSyntaxError:
        return []
    entries = [
        (etree.QName(entry).localname, entry.findtext("{*}loc") or "")
        for entry in root.iterchildren("{*}url", "{*}sitemap")
    ]
    return [(kind, address.strip()) for kind, address in entries]

"""Parses untrusted HTML and XML, in time linear in the length of the text.

The parser keeps no tree, fetches nothing, and knows no entities but those of the language.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from lxml import etree

from calendar_app.errors import Message
from calendar_app.sources.parsed import SourceError

_JSON_LD = "application/ld+json"
_ENTRIES = frozenset({"url", "sitemap"})
_DEEPEST = 100


class MarkupPage(NamedTuple):
    """The title of a page, and whether it asks for a password."""

    title: str
    wants_login: bool


class SitemapEntry(NamedTuple):
    """An address in a sitemap, and when it was changed last, empty where that is not told."""

    address: str
    modified: str


def json_ld_scripts(text: str) -> list[str]:
    """Return the scripts of a page that are JSON-LD."""
    scripts = _Scripts()
    _parse_html(text, scripts)
    return ["".join(parts) for parts in scripts.found]


def page_of(text: str) -> MarkupPage:
    """Return the title of a page, and whether it asks for a login."""
    outline = _Outline()
    _parse_html(text, outline)
    return MarkupPage(" ".join("".join(outline.title).split()), outline.wants_login)


def sitemap_entries(text: str) -> Iterator[SitemapEntry]:
    """Yield the entries of a sitemap; raise ``SourceError`` where it defines entities of its own.

    What is no well-formed XML is read as far as that goes.
    """
    collected = _Sitemap()
    parser = etree.XMLParser(
        target=collected,
        encoding="utf-8",
        recover=True,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
    )
    parser.feed(text.encode("utf-8", "replace"))
    parser.close()
    for entry in collected.entries:
        if address := "".join(entry.get("loc", ())).strip():
            yield SitemapEntry(address, "".join(entry.get("lastmod", ())).strip())


def _parse_html(text: str, target: "_Target") -> None:
    parser = etree.HTMLParser(target=target, encoding="utf-8", huge_tree=True)
    parser.feed(text.encode("utf-8", "replace"))
    parser.close()


class _Target:
    """The callbacks of the parser for tags and texts."""

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Take the beginning of an element."""

    def end(self, tag: str) -> None:
        """Take its end."""

    def data(self, text: str) -> None:
        """Take a part of a text."""

    def close(self) -> None:
        """Take the end of the document."""


class _Scripts(_Target):
    def __init__(self) -> None:
        self.found: list[list[str]] = []
        self._is_inside = False

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        kind = attributes.get("type", "").partition(";")[0].strip().lower()
        self._is_inside = tag == "script" and kind == _JSON_LD
        if self._is_inside:
            self.found.append([])

    def end(self, _: str) -> None:
        self._is_inside = False

    def data(self, text: str) -> None:
        if self._is_inside:
            self.found[-1].append(text)


class _Outline(_Target):
    def __init__(self) -> None:
        self.title: list[str] = []
        self.wants_login = False
        self._is_title = False

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._is_title = tag == "title" and not self.title
        is_password = attributes.get("type", "").strip().lower() == "password"
        self.wants_login = self.wants_login or (tag == "input" and is_password)

    def end(self, _: str) -> None:
        self._is_title = False

    def data(self, text: str) -> None:
        if self._is_title:
            self.title.append(text)


class _Sitemap(_Target):
    """Collects the texts of the elements right below each entry, by their names."""

    def __init__(self) -> None:
        self.entries: list[dict[str, list[str]]] = []
        self._path: list[str] = []

    def doctype(self, *_: str | None) -> None:
        raise SourceError("Its sitemap has a DOCTYPE, which none may have.")

    def start(self, tag: str, _: Mapping[str, str]) -> None:
        name = tag.rpartition("}")[2].lower()
        if name in _ENTRIES:
            self.entries.append({})
        self._path.append(name)
        if len(self._path) > _DEEPEST:
            raise SourceError(
                Message("Its sitemap is nested deeper than {number} elements.", number=_DEEPEST)
            )

    def end(self, _: str) -> None:
        if self._path:
            self._path.pop()

    def data(self, text: str) -> None:
        if len(self._path) > 1 and self._path[-2] in _ENTRIES:
            self.entries[-1].setdefault(self._path[-1], []).append(text)

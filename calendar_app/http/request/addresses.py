"""The addresses of everything that this service shows."""

import re
from collections.abc import Mapping
from functools import lru_cache
from urllib.parse import urlencode, urlsplit

from calendar_app.domain.kind import Record
from calendar_app.settings import Settings

# So many characters of a query leave no doubt that servers take it.
_SHORT = 2000
# The files of pictures stand outside the interface, at the root of the site.
_PICTURES = "media"


def query_of(asked: Mapping[str, str]) -> str:
    """Return parameters as an address has them.

    In a long one commas stand as they are: written as three characters each, they would make the
    address of a long list of ids one that servers refuse.
    """
    query = urlencode(asked)
    return query if len(query) <= _SHORT else urlencode(asked, safe=",")


class Addresses:
    """Addresses below ``site``, which carries the language segment of the request, if any.

    ``root`` is the public address of the service without that segment; none ends with a slash.
    """

    def __init__(self, site: str, root: str, settings: Settings) -> None:
        self.site = site
        self.root = root
        self._path = f"{settings.api_prefix}/{settings.namespace}"
        self.base = f"{site}{self._path}"
        self._api = f"{site}{settings.api_prefix}/"
        self._asking = {
            language: urlencode({settings.translation_parameter: language})
            for language in settings.languages
        }
        # The language of who asks without naming one; none where that depends on who it is.
        usual = "" if settings.negotiate_language else settings.default_language
        self.spoken = site.removeprefix(root).strip("/") or usual
        # Pages in the default language have it in their path only for who asks that way.
        self._unnamed = settings.default_language if site == root else ""
        self._template = settings.page_template
        parts = urlsplit(root)
        self._global = f"{parts.hostname}{parts.path}"

    @property
    def index(self) -> str:
        """The address of the index of all namespaces."""
        return self._api

    def collection(self, kind: str) -> str:
        return f"{self.base}/{kind}"

    def record(self, kind: str, record_id: int) -> str:
        return f"{self.base}/{kind}/{record_id}"

    def picture_folder(self, record_id: int, token: str) -> str:
        """Return the address below which the files of a picture stand, in every language."""
        return f"{self.root}/{_PICTURES}/{record_id}/{token}"

    def picture_file(self, address: str, host: str) -> tuple[str, str | None, str] | None:
        """Return id, token and file name where an address can be that of a picture's file here.

        Here is ``root``, and also the ``host`` that was asked, whose address it may not be.
        Addresses of earlier versions have no token.
        """
        languages = "|".join(map(re.escape, self._asking))
        here = "|".join(re.escape(one) for one in (self.root.partition("://")[2], host) if one)
        # Programs write the scheme of the page on which they show the picture.
        folder = f"https?://(?:{here})(?:/(?:{languages}))?/{_PICTURES}/([0-9]+)(?:/([^/?#]+))?"
        found = re.fullmatch(f"{folder}/([^/?#]+)(?:[?#].*)?", address, re.IGNORECASE)
        return (found[1], found[2], found[3]) if found else None

    def feed(self, kind: str, suffix: str, asked: Mapping[str, str]) -> str:
        """Return the address of a selection of records in a format: ``…/events.ics?…``."""
        query = query_of(asked)
        return f"{self.base}/{kind}.{suffix}{'?' if query else ''}{query}"

    def feeds_of(self, kind: str, record_id: int, language: str) -> dict[str, str]:
        """Return the feeds of one record, in the language in which it is shown."""
        asking = "" if language == self.spoken else f"?{self._asking[language]}"
        return {"ics": f"{self.record(kind, record_id)}.ics{asking}"}

    def translated_record(self, kind: str, record_id: int, language: str) -> str:
        """Return the address at which a record is read in another language.

        It names the language as the request did: in front of the path, or in a parameter.
        """
        if self.site != self.root:
            return f"{self.root}/{language}{self._path}/{kind}/{record_id}"
        return f"{self.record(kind, record_id)}?{self._asking[language]}"

    def global_id(self, record_id: int) -> str:
        return f"{self._global}?id={record_id}"

    def page(self, segment: str, slug: str, language: str) -> str:
        """Return the address of the page for people: ``/rm/event/concert-da-primavaira/``.

        Slugs hold nothing that an address would have to quote. A site that keeps its own pages
        has them where the setting ``page_template`` says.
        """
        if self._template:
            return _filled(self._template, segment, slug, language)
        return f"{self._pages(language)}/{segment}/{slug}/"

    def unpublished_page(self, segment: str, record_id: int, language: str) -> str:
        """Return the address of the page of a record that the public does not see."""
        return f"{self._pages(language)}/?post_type={segment}&p={record_id}"

    def is_page(self, segment: str, address: str) -> bool:
        """Say whether an address is that of the page of a record, in any language."""
        if self._template and _page_pattern(self._template, segment).fullmatch(address):
            return True
        path = address.removeprefix(self.root)
        languages = "|".join(map(re.escape, self._asking))
        slug, number = f"{segment}/[^/?#]+/?", rf"\?(?:post_type={segment}&)?p=\d+"
        page = re.fullmatch(f"(?:/(?:{languages}))?/(?:{slug}|{number})", path)
        return path != address and page is not None

    def pages(self, segment: str, record: Record) -> set[str]:
        """Return all addresses under which the record's page is shown, in whatever language."""
        sites = (self.root, *(f"{self.root}/{language}" for language in self._asking))
        slugs = {texts["slug"] for texts in record["variants"].values() if "slug" in texts}
        paths = [f"{segment}/{slug}/" for slug in slugs]
        unpublished = (f"?p={record['_id']}", f"?post_type={segment}&p={record['_id']}")
        own = {f"{site}/{path}" for site in sites for path in (*paths, *unpublished)}
        if not self._template:
            return own
        tags = self._asking
        return own | {_filled(self._template, segment, slug, tag) for slug in slugs for tag in tags}

    def _pages(self, language: str) -> str:
        return self.root if language == self._unnamed else f"{self.root}/{language}"


def _filled(template: str, segment: str, slug: str, language: str) -> str:
    """Return the address that a template of pages has for a record."""
    gaps = {"{type}": segment, "{slug}": slug, "{language}": language}
    for gap, filling in gaps.items():
        template = template.replace(gap, filling)
    return template


@lru_cache
def _page_pattern(template: str, segment: str) -> re.Pattern[str]:
    """Return the pattern of all addresses that a template of pages has."""
    pattern = re.escape(template).replace(re.escape("{type}"), re.escape(segment))
    for gap in ("{slug}", "{language}"):
        pattern = pattern.replace(re.escape(gap), "[^/?#]+")
    return re.compile(pattern)

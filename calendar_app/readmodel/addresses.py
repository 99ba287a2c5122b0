"""URLs of all resources of this service."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from urllib.parse import urlencode, urlsplit

from calendar_app.domain.kind import Record
from calendar_app.domain.slugs import shown_slug
from calendar_app.settings import Settings

# Every server accepts a query of this length.
_SHORT = 2000
# Picture files are served from the root of the site.
_PICTURES = "media"
# Stands behind the slug of a series, for one of its events.
_DATE = r"\d{4}-\d\d-\d\d(?:-\d+)?"


def encode_query(parameters: Mapping[str, str]) -> str:
    """Encode parameters as a query string.

    In a long one commas stay unencoded: a list of ids would grow beyond the limit of servers.
    """
    query = urlencode(parameters)
    return query if len(query) <= _SHORT else urlencode(parameters, safe=",")


class Addresses:
    """Addresses below ``site``, which carries the language segment of the request, if any.

    ``root`` is the public address of the service without that segment; none ends with a slash.
    Files of pictures that wait to be published are below ``withheld``.
    """

    def __init__(self, site: str, root: str, settings: Settings, withheld: str = _PICTURES) -> None:
        self.site = site
        self.root = root
        self._path = f"{settings.api_prefix}/{settings.namespace}"
        self.base = f"{site}{self._path}"
        self._api = f"{site}{settings.api_prefix}/"
        self._asking = {
            language: urlencode({settings.translation_parameter: language})
            for language in settings.languages
        }
        # The language of a request that names none; empty if it is negotiated.
        default = "" if settings.negotiate_language else settings.default_language
        self.implied_language = site.removeprefix(root).strip("/") or default
        self._default = settings.default_language
        # Page URLs include the default language only if the request did.
        self._unnamed = settings.default_language if site == root else ""
        self._withheld = withheld
        self._template = settings.page_template
        parts = urlsplit(root)
        self._global = f"{parts.hostname}{parts.path}"
        # The path of the site, in front of any language.
        self.root_path = parts.path
        self._usual = "" if settings.negotiate_language else settings.default_language
        # All by which addresses of one service differ.
        self.key = (site, root, withheld)

    @property
    def index(self) -> str:
        """The address of the index of all namespaces."""
        return self._api

    def collection(self, kind: str) -> str:
        return f"{self.base}/{kind}"

    def record(self, kind: str, record_id: int) -> str:
        return f"{self.base}/{kind}/{record_id}"

    def identifier(self, *segments: object) -> str:
        """Return an address of the interface that is the same in every language."""
        return "/".join((f"{self.root}{self._path}", *map(str, segments)))

    def picture_folder(self, picture: Record) -> str:
        """Return the URL prefix of the files of a picture, the same in every language."""
        room = self._withheld if picture.get("contributed") else _PICTURES
        return f"{self.root}/{room}/{picture['_id']}/{picture['token']}"

    def picture_file(self, address: str, host: str) -> tuple[str, str | None, str] | None:
        """Return id, token and file name if an address can be a picture of this site.

        Addresses below ``root`` count, and below the ``host`` of the request.

        Addresses of earlier versions have no token.
        """
        languages = "|".join(map(re.escape, self._asking))
        hosts = "|".join(re.escape(name) for name in (self.root.partition("://")[2], host) if name)
        # Clients use the scheme of the page that embeds the picture.
        folder = f"https?://(?:{hosts})(?:/(?:{languages}))?/{_PICTURES}/([0-9]+)(?:/([^/?#]+))?"
        match = re.fullmatch(f"{folder}/([^/?#]+)(?:[?#].*)?", address, re.IGNORECASE)
        return (match[1], match[2], match[3]) if match else None

    def feeds(
        self, kind: str, suffixes: Iterable[str], parameters: Mapping[str, str]
    ) -> dict[str, str]:
        """Return the URLs of the feeds of one list, by suffix."""
        query = encode_query(parameters)
        asking = f"?{query}" if query else ""
        return {suffix: f"{self.base}/{kind}.{suffix}{asking}" for suffix in suffixes}

    def feed(self, kind: str, suffix: str, parameters: Mapping[str, str]) -> str:
        """Return the URL of a feed: ``…/events.ics?…``."""
        return self.feeds(kind, (suffix,), parameters)[suffix]

    @property
    def hub_topics(self) -> tuple[str, ...]:
        """The feeds published to a hub: all events, in each language."""
        feed = f"{self.root}{self._path}/events.atom"
        return (feed, *(f"{feed}?{asking}" for asking in self._asking.values()))

    def feeds_of(self, kind: str, record_id: int, language: str) -> dict[str, str]:
        """Return the feeds of one record, in the presented language."""
        asking = "" if language == self.implied_language else f"?{self._asking[language]}"
        return {"ics": f"{self.record(kind, record_id)}.ics{asking}"}

    def translated_record(self, kind: str, record_id: int, language: str) -> str:
        """Return the URL of a record in another language.

        It names the language as the request does: in the path, or in a parameter.
        """
        if self.site != self.root:
            return f"{self.root}/{language}{self._path}/{kind}/{record_id}"
        return f"{self.record(kind, record_id)}?{self._asking[language]}"

    def global_id(self, record_id: int) -> str:
        return f"{self._global}?id={record_id}"

    def page(self, segment: str, slug: str, language: str) -> str:
        """Return the URL of a page: ``/rm/event/concert-da-primavaira/``.

        Slugs need no quoting. The setting ``page_template`` overrides the form; its gap takes one
        segment.
        """
        if self._template:
            return _filled(self._template, segment, shown_slug(slug), language)
        return f"{self._pages(language)}/{segment}/{slug}/"

    def home(self, language: str) -> str:
        """Return the first page in a language, relative to the host; it ends with a slash."""
        return f"{self.root_path}/" if language == self._usual else f"{self.root_path}/{language}/"

    def path(self, address: str) -> str:
        """Drop scheme and host from an address of this site."""
        if not address.startswith(f"{self.root}/"):
            return address
        path = address.removeprefix(self.root)
        # The interface names the usual language too, where it is asked for below one.
        prefix = f"/{self._default}/"
        if path.startswith(prefix):
            return self.home(self._default) + path.removeprefix(prefix)
        return self.root_path + path

    def unpublished_page(self, segment: str, record_id: int, language: str) -> str:
        """Return the page URL of a record that is not public."""
        return f"{self._pages(language)}/?post_type={segment}&p={record_id}"

    def short_page(self, record_id: int, language: str) -> str:
        """Return the shortest page URL of a record, which lives longer than its slug."""
        return f"{self._pages(language)}/?p={record_id}"

    def is_page(self, segment: str, address: str) -> bool:
        """Return whether an address is the page of a record, in any language."""
        if self._template and _page_pattern(self._template, segment).fullmatch(address):
            return True
        path = address.removeprefix(self.root)
        languages = "|".join(map(re.escape, self._asking))
        slug, number = rf"{segment}/[^/?#]+(?:/{_DATE})?/?", rf"\?(?:post_type={segment}&)?p=\d+"
        page = re.fullmatch(f"(?:/(?:{languages}))?/(?:{slug}|{number})", path)
        return path != address and page is not None

    def pages(self, segment: str, record: Record) -> set[str]:
        """Return all URLs of the record's page, in all languages."""
        sites = (self.root, *(f"{self.root}/{language}" for language in self._asking))
        slugs = {texts["slug"] for texts in record["variants"].values() if "slug" in texts}
        paths = [f"{segment}/{slug}/" for slug in slugs]
        unpublished = (f"?p={record['_id']}", f"?post_type={segment}&p={record['_id']}")
        addresses = {f"{site}/{path}" for site in sites for path in (*paths, *unpublished)}
        if not self._template:
            return addresses
        tags = self._asking
        shown_slugs = map(shown_slug, slugs)
        return addresses | {
            _filled(self._template, segment, slug, tag) for slug in shown_slugs for tag in tags
        }

    def _pages(self, language: str) -> str:
        return self.root if language == self._unnamed else f"{self.root}/{language}"


def _filled(template: str, segment: str, slug: str, language: str) -> str:
    """Fill in a page template."""
    gaps = {"{type}": segment, "{slug}": slug, "{language}": language}
    for gap, filling in gaps.items():
        template = template.replace(gap, filling)
    return template


@lru_cache
def _page_pattern(template: str, segment: str) -> re.Pattern[str]:
    """Return the pattern of all URLs of a page template."""
    pattern = re.escape(template).replace(re.escape("{type}"), re.escape(segment))
    for gap in ("{slug}", "{language}"):
        pattern = pattern.replace(re.escape(gap), "[^/?#]+")
    return re.compile(pattern)

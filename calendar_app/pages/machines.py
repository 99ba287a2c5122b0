"""Addresses for machines: what search engines and browsers look for at the root of a site."""

from datetime import UTC, datetime
from xml.sax.saxutils import escape, quoteattr

import orjson
from flask import Response, abort

from calendar_app.accounts.policy import ANYONE, listed_for
from calendar_app.domain.kind import Record
from calendar_app.http.request import current
from calendar_app.kinds import EVENT, ORGANIZER, VENUE
from calendar_app.pages.answers import theme
from calendar_app.pages.languages import record_alternates
from calendar_app.pages.links import absolute, home, root
from calendar_app.query.clauses import EVERYTHING
from calendar_app.query.list_query import Listing, Page, Window

_KINDS = {kind.name: kind for kind in (EVENT, VENUE, ORGANIZER)}
_PART = 1000  # records in one part of the sitemap
_MISSING = 404
_XML = "application/xml"
_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
_SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
_XHTML = "http://www.w3.org/1999/xhtml"


def robots() -> Response:
    """Tell crawlers where the sitemap is, and to leave endless lists alone."""
    languages = current.settings().languages
    frames = sorted({f"{root()}/embed/", *(f"{home(each)}embed/" for each in languages)})
    lines = (
        "User-agent: *",
        *(f"Disallow: {folder}" for folder in frames),
        f"Sitemap: {absolute(f'{root()}/sitemap.xml')}",
    )
    return Response("\n".join((*lines, "")), mimetype="text/plain")


def manifest() -> Response:
    """Describe the site to browsers that pin it to a start screen."""
    icon = {"src": _static("favicon.svg"), "sizes": "any", "type": "image/svg+xml"}
    described = {
        "name": current.settings().site_name,
        "start_url": f"{root()}/",
        "display": "browser",
        "icons": [icon],
    }
    return Response(orjson.dumps(described), mimetype="application/manifest+json")


def sitemap() -> Response:
    """Return the index of the parts of the sitemap."""
    parts = []
    for name in _KINDS:
        pages = _records(name, 1).pages
        parts += [f"{name}-{number}" for number in range(1, pages + 1)]
    folder = absolute(f"{root()}/sitemap-")
    entries = "".join(
        f"<sitemap><loc>{escape(folder + part)}.xml</loc></sitemap>" for part in parts
    )
    return _xml(f'<sitemapindex xmlns="{_SITEMAP}">{entries}</sitemapindex>')


def sitemap_part(name: str, number: int) -> Response:
    """Return the addresses of some records in every language in which they are written."""
    if name not in _KINDS or number < 1:
        abort(_MISSING)
    page = _records(name, number)
    if not page.items:
        abort(_MISSING)
    entries = "".join(_entries(name, record) for record in page.items)
    return _xml(f'<urlset xmlns="{_SITEMAP}" xmlns:xhtml="{_XHTML}">{entries}</urlset>')


def _records(name: str, number: int) -> Page:
    kind = _KINDS[name]
    clause = listed_for(ANYONE, by_title=False) if kind is EVENT else EVERYTHING
    listing = Listing(Window(number, _PART), [("_id", 1)], clause, ("publish",))
    return current.reader().search(kind, listing, ANYONE)


def _entries(name: str, record: Record) -> str:
    own = [each for each in record_alternates(_KINDS[name], record) if each.is_written]
    links = "".join(
        f'<xhtml:link rel="alternate" hreflang={quoteattr(each.language)}'
        f" href={quoteattr(absolute(each.address))}/>"
        for each in own
    )
    changed: datetime = record["modified"].replace(tzinfo=UTC)
    lastmod = f"<lastmod>{changed.isoformat(timespec='seconds')}</lastmod>"
    return "".join(
        f"<url><loc>{escape(absolute(each.address))}</loc>{lastmod}{links}</url>" for each in own
    )


def _xml(text: str) -> Response:
    return Response(f"{_DECLARATION}{text}", mimetype=_XML)


def _static(name: str) -> str:
    return f"{root()}/static/{theme().static.hashed_name(name)}"

"""Addresses for machines: what search engines, browsers and other sites look for."""

from datetime import UTC, datetime
from html import escape
from urllib.parse import SplitResult, urlsplit
from xml.sax.saxutils import escape as xml_text
from xml.sax.saxutils import quoteattr

import orjson
from flask import Response, abort

from calendar_app.accounts.callers import ANYONE
from calendar_app.accounts.policy import listed_for
from calendar_app.api.http.request import current
from calendar_app.api.http.request.current import Context
from calendar_app.calendar.reading.reader import readable
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import EVENT, ORGANIZER, VENUE
from calendar_app.domain.ledger import MARKS
from calendar_app.domain.numbers import parse_digits
from calendar_app.domain.slugs import slugify
from calendar_app.readmodel.records import local_text, shown
from calendar_app.site.pages.answers import PageResponse, surface
from calendar_app.site.pages.corrections import correction_of
from calendar_app.site.pages.events import picture, read_events
from calendar_app.site.pages.places import PageLinks, record_alternates
from calendar_app.site.pages.questions import PageQuery
from calendar_app.storage.query.clauses import EVERYTHING
from calendar_app.storage.query.list_query import Listing, Page, Window

_KINDS = {kind.name: kind for kind in (EVENT, VENUE, ORGANIZER)}
_PART = 1000  # records in one part of the sitemap
_SUGGESTED = 6  # titles
_BAD, _MISSING = 400, 404
_XML = "application/xml"
_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
_SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
_XHTML = "http://www.w3.org/1999/xhtml"
# Frames in other sites, in pixels.
_WIDTH, _HEIGHT = 800, 700
_SMALLEST = 200
_UNKNOWN_FORMAT = 501
_VERSION = "1.0"


def robots() -> Response:
    """Serve robots.txt: the address of the sitemap, and the endless lists to skip."""
    context = current.context()
    links, root = PageLinks(context), context.addresses.root_path
    homes = {links.home(each) for each in context.settings.languages}
    frames = sorted(f"{home}embed/" for home in {f"{root}/", *homes})
    lines = (
        f"# Programs that want the data begin at {links.absolute(f'{root}/llms.txt')}",
        "User-agent: *",
        *(f"Disallow: {folder}" for folder in frames),
        f"Sitemap: {links.absolute(f'{root}/sitemap.xml')}",
    )
    return Response("\n".join((*lines, "")), mimetype="text/plain")


def llms() -> Response:
    """Tell programs that read texts where the data is (https://llmstxt.org)."""
    context = current.context()
    settings, identifier = context.settings, context.addresses.identifier
    data_license = (
        f"License of the data: {settings.data_license}\n\n" if settings.data_license else ""
    )
    languages, links = ", ".join(settings.languages), PageLinks(context)
    pages = "\n".join(
        f"- [Calendar, {each}]({links.absolute(links.home(each))}events/)"
        for each in settings.languages
    )
    graphs = data_set = ""
    if settings.open_data:
        graphs = f"""\
- [All events]({identifier("events.jsonld")}): one graph of schema.org (JSON-LD), in all languages
- [Venues]({identifier("venues.jsonld")}), [organizers]({identifier("organizers.jsonld")}): likewise
"""
        data_set = f"- [The data set]({identifier('dcat.jsonld')}): DCAT-AP\n"
    text = f"""# {settings.site_name}

> A calendar of public events, in these languages: {languages}.

{data_license}The data is there for programs; nothing has to be read from pages.

## Data

{graphs}- [Coming events]({identifier("events")}): JSON, page by page, with filters and search
- [iCalendar]({identifier("events.ics")}), [Atom]({identifier("events.atom")}), \
[GeoJSON]({identifier("events.geojson")}), [CSV]({identifier("events.csv")}): with the same filters
- [Changes]({identifier("changes")}): what came, changed and went since a token
{data_set}
## Pages

{pages}

## Interface

- [OpenAPI]({identifier("doc")}): all routes, parameters and fields
- Filters: `search`, `start_date`, `end_date`, `categories`, `venue`, `accessibility`, \
`in_language`, `age`, `geoloc_lat` with `geoloc_lng`
- `{settings.translation_parameter}` says in which language texts are shown
"""
    return Response(text, mimetype="text/plain")


def manifest() -> Response:
    """Describe the site to browsers that pin it to a start screen."""
    context = current.context()
    address = surface().static_address("favicon.svg")
    icon = {"src": address, "sizes": "any", "type": "image/svg+xml"}
    described = {
        "name": context.settings.site_name,
        "start_url": f"{context.addresses.root_path}/",
        "display": "browser",
        "icons": [icon],
    }
    return Response(orjson.dumps(described), mimetype="application/manifest+json")


def sitemap() -> Response:
    """Return the index of the parts of the sitemap."""
    context, parts = current.context(), []
    for name in _KINDS:
        pages = _records(context, name, 1).pages
        parts += [f"{name}-{number}" for number in range(1, pages + 1)]
    folder = PageLinks(context).absolute(f"{context.addresses.root_path}/sitemap-")
    entries = "".join(
        f"<sitemap><loc>{xml_text(folder + part)}.xml</loc></sitemap>" for part in parts
    )
    return _xml(f'<sitemapindex xmlns="{_SITEMAP}">{entries}</sitemapindex>')


def sitemap_part(name: str, number: int) -> Response:
    """Return the addresses of some records in every language in which they are written."""
    if name not in _KINDS or number < 1:
        abort(_MISSING)
    context = current.context()
    page = _records(context, name, number)
    if not page.items:
        abort(_MISSING)
    entries = "".join(_entries(context, name, record) for record in page.items)
    return _xml(f'<urlset xmlns="{_SITEMAP}" xmlns:xhtml="{_XHTML}">{entries}</urlset>')


def _records(context: Context, name: str, number: int) -> Page:
    kind = _KINDS[name]
    clause = listed_for(ANYONE, by_title=False) if kind is EVENT else EVERYTHING
    listing = Listing(Window(number, _PART), [("_id", 1)], clause, ("publish",))
    names = (kind.label, "slug")
    texts = [f"variants.{tag}.{name}" for tag in context.settings.languages for name in names]
    return context.reader.search(kind, listing, ANYONE, ["modified", MARKS, *texts])


def _entries(context: Context, name: str, record: Record) -> str:
    site = PageLinks(context)
    pages = record_alternates(context.settings, site, _KINDS[name], record)
    translated_pages, absolute = [each for each in pages if each.is_written], site.absolute
    links = "".join(
        f'<xhtml:link rel="alternate" hreflang={quoteattr(each.language)}'
        f" href={quoteattr(absolute(each.address))}/>"
        for each in translated_pages
    )
    changed: datetime = record["modified"].replace(tzinfo=UTC)
    lastmod = f"<lastmod>{changed.isoformat(timespec='seconds')}</lastmod>"
    return "".join(
        f"<url><loc>{xml_text(absolute(each.address))}</loc>{lastmod}{links}</url>"
        for each in translated_pages
    )


def _xml(text: str) -> Response:
    return Response(f"{_DECLARATION}{text}", mimetype=_XML)


def suggestions() -> Response:
    """Return titles of events with the words that somebody types, and count nothing.

    Without any it is the search that was perhaps meant. What names no word asks for nothing.
    """
    context = current.context()
    context.settle_languages()
    question = PageQuery.by(context, {"per_page": _SUGGESTED}).question()
    if question.listing is None:
        abort(_BAD)
    search_query = question.listing.search_query
    if search_query is None or not search_query.words:
        return PageResponse(orjson.dumps([]), mimetype="application/json")
    events = context.reader.search(EVENT, question.listing, context.caller).items
    records = (shown(event, context.settings) for event in events)
    titles = [local_text(event, EVENT.label, context.chain).text for event in records]
    if not titles and (correction := correction_of(context, question)):
        titles = [correction.text]
    return PageResponse(orjson.dumps([*dict.fromkeys(titles)]), mimetype="application/json")


def oembed() -> Response:
    """Tell how a page of this site is shown on another one (https://oembed.com)."""
    context = current.context()
    asking, root, absolute = (
        context.request.args,
        context.addresses.root_path,
        PageLinks(context).absolute,
    )
    if asking.get("format", "json") != "json":
        abort(_UNKNOWN_FORMAT)
    site, target = urlsplit(absolute(f"{root}/")), _split(asking.get("url", ""))
    if target.netloc != site.netloc or not target.path.startswith(site.path):
        abort(_MISSING)
    language, segments = _segments(context, target.path.removeprefix(site.path))
    answer = {
        "version": _VERSION,
        "provider_name": context.settings.site_name,
        "provider_url": absolute(f"{root}/"),
        "cache_age": 3600,
    }
    match segments:
        case ["event", slug]:
            answer |= _event(context, slug)
        case [] | ["events", *_]:
            path = "/".join(("embed", *segments[1:]))
            query = f"?{target.query}" if target.query else ""
            answer |= _frame(context, f"{root}{language}/{path}/{query}")
        case _:
            abort(_MISSING)
    return Response(orjson.dumps(answer), mimetype="application/json")


def _split(address: str) -> SplitResult:
    try:
        return urlsplit(address)
    except ValueError:
        abort(_MISSING)


def _segments(context: Context, path: str) -> tuple[str, list[str]]:
    """Return the language segment of a path, if it has one, and the others."""
    segments = [segment for segment in path.split("/") if segment]
    if segments and segments[0] in context.settings.languages:
        return f"/{segments[0]}", segments[1:]
    return "", segments


def _event(context: Context, slug: str) -> dict[str, object]:
    clause = readable(EVENT, context.caller)
    record = context.reader.find_by_slug(EVENT, slugify(slug), context.chain, clause)
    if record is None:
        abort(_MISSING)
    (event,) = read_events([record])
    link: dict[str, object] = {"type": "link", "title": event.title.text}
    image = picture(event.picture)
    if image:
        link |= {
            "thumbnail_url": PageLinks(context).absolute(image.url),
            "thumbnail_width": image.width,
            "thumbnail_height": image.height,
        }
    return link


def _frame(context: Context, address: str) -> dict[str, object]:
    args = context.request.args
    width, height = (
        _bound(args.get(name, ""), usual)
        for name, usual in (("maxwidth", _WIDTH), ("maxheight", _HEIGHT))
    )
    name, source = context.settings.site_name, PageLinks(context).absolute(address)
    html = (
        f'<iframe src="{escape(source)}" title="{escape(name)}" width="{width}"'
        f' height="{height}" loading="lazy"></iframe>'
    )
    return {"type": "rich", "title": name, "html": html, "width": width, "height": height}


def _bound(text: str, usual: int) -> int:
    sent = parse_digits(text)
    pixels = usual if sent is None else sent
    return max(min(pixels, usual), _SMALLEST)

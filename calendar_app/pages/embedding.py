"""Embedding in other sites: frames, and oEmbed."""

from html import escape
from urllib.parse import SplitResult, urlsplit

import orjson
from flask import Response, abort

from calendar_app.calendar.reading.reader import readable
from calendar_app.domain.numbers import parse_digits
from calendar_app.domain.slugs import slugify
from calendar_app.http.request import current
from calendar_app.kinds import EVENT
from calendar_app.pages.events import picture, read_events
from calendar_app.pages.links import absolute, root

_WIDTH, _HEIGHT = 800, 700
_SMALLEST = 200
_FOREIGN, _UNKNOWN_FORMAT = 404, 501
_VERSION = "1.0"


def oembed() -> Response:
    """Tell how a page of this site is shown on another one (https://oembed.com)."""
    asking = current.request().args
    if asking.get("format", "json") != "json":
        abort(_UNKNOWN_FORMAT)
    site, asked = urlsplit(absolute(f"{root()}/")), _split(asking.get("url", ""))
    if asked.netloc != site.netloc or not asked.path.startswith(site.path):
        abort(_FOREIGN)
    language, segments = _segments(asked.path.removeprefix(site.path))
    settings = current.settings()
    answer = {
        "version": _VERSION,
        "provider_name": settings.site_name,
        "provider_url": absolute(f"{root()}/"),
        "cache_age": 3600,
    }
    match segments:
        case ["event", slug]:
            answer |= _event(slug)
        case [] | ["events", *_]:
            path = "/".join(("embed", *segments[1:]))
            query = f"?{asked.query}" if asked.query else ""
            answer |= _frame(f"{root()}{language}/{path}/{query}")
        case _:
            abort(_FOREIGN)
    return Response(orjson.dumps(answer), mimetype="application/json")


def _split(address: str) -> SplitResult:
    try:
        return urlsplit(address)
    except ValueError:
        abort(_FOREIGN)


def _segments(path: str) -> tuple[str, list[str]]:
    """Return the language segment of a path, if it has one, and the others."""
    segments = [segment for segment in path.split("/") if segment]
    if segments and segments[0] in current.settings().languages:
        return f"/{segments[0]}", segments[1:]
    return "", segments


def _event(slug: str) -> dict[str, object]:
    clause = readable(EVENT, current.caller())
    record = current.reader().find_by_slug(EVENT, slugify(slug), current.chain(), clause)
    if record is None:
        abort(_FOREIGN)
    (event,) = read_events([record])
    link: dict[str, object] = {"type": "link", "title": event.title.text}
    image = picture(event.picture)
    if image:
        link |= {
            "thumbnail_url": absolute(image.url),
            "thumbnail_width": image.width,
            "thumbnail_height": image.height,
        }
    return link


def _frame(address: str) -> dict[str, object]:
    width, height = _bound("maxwidth", _WIDTH), _bound("maxheight", _HEIGHT)
    name = current.settings().site_name
    html = (
        f'<iframe src="{escape(absolute(address))}" title="{escape(name)}" width="{width}"'
        f' height="{height}" loading="lazy"></iframe>'
    )
    return {"type": "rich", "title": name, "html": html, "width": width, "height": height}


def _bound(name: str, usual: int) -> int:
    sent = parse_digits(current.request().args.get(name, ""))
    pixels = usual if sent is None else sent
    return max(min(pixels, usual), _SMALLEST)

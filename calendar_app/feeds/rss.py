"""RSS 2.0 (https://www.rssboard.org/rss-specification), at the addresses of The Events Calendar.

As there, the date of an item is that on which the event starts.
"""

from datetime import UTC, datetime
from email.utils import format_datetime
from xml.etree.ElementTree import Element, SubElement, tostring

from calendar_app.domain.richtext import legible
from calendar_app.domain.statuses import Stamp
from calendar_app.feeds.entries import summary_of, title_of
from calendar_app.feeds.feed import Feed, Format
from calendar_app.readmodel.events import ReadEvent

_MODULES = {
    "xmlns:content": "http://purl.org/rss/1.0/modules/content/",
    "xmlns:georss": "http://www.georss.org/georss",
}
_DECLARATION = b'<?xml version="1.0" encoding="utf-8"?>\n'
_END_TAGS, _END = b"</channel></rss>", b"</channel></rss>\n"


def _head(feed: Feed) -> bytes:
    """Return the bytes before the first item."""
    root = Element("rss", {"version": "2.0", **_MODULES})
    channel = SubElement(root, "channel")
    _add(channel, "title", feed.title)
    _add(channel, "link", f"{feed.context.addresses.site}/")
    _add(channel, "description", feed.title)
    _add(channel, "language", feed.language)
    _add(channel, "lastBuildDate", _moment(feed.selection.changed))
    whole: bytes = tostring(root, "utf-8")
    return _DECLARATION + whole.removesuffix(_END_TAGS)


def _item(event: ReadEvent, _stamp: Stamp, feed: Feed) -> bytes:
    """Return an event as an item."""
    item = Element("item")
    _add(item, "title", title_of(event).text)
    _add(item, "link", event.url)
    _add(item, "guid", feed.uid_of(event.id).urn).set("isPermaLink", "false")
    _add(item, "pubDate", _moment(event.record["start"]))
    for term in (*event.categories, *event.tags):
        _add(item, "category", term.name.text)
    _add(item, "description", summary_of(event))
    if event.body:
        _add(item, "content:encoded", event.body.text)
    if event.point:
        longitude, latitude = event.point
        _add(item, "georss:point", f"{latitude:.6f} {longitude:.6f}")
    xml: bytes = tostring(item, "utf-8")
    return xml + b"\n"


def _add(parent: Element, name: str, text: str) -> Element:
    element = SubElement(parent, name)
    element.text = legible(text)
    return element


def _moment(instant: datetime) -> str:
    """Return naive UTC as RFC 822 has it."""
    return format_datetime(instant.replace(tzinfo=UTC), usegmt=True)


RSS = Format("rss", "application/rss+xml", _head, _item, end=_END)

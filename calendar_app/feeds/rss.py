"""RSS 2.0 (https://www.rssboard.org/rss-specification), at the addresses of The Events Calendar.

As there, the date of an item is that on which the event starts.
"""

from datetime import UTC, datetime
from email.utils import format_datetime
from xml.etree.ElementTree import Element, SubElement, tostring

from calendar_app.domain.statuses import Stamp
from calendar_app.feeds.entries import DECLARATION, add_point, add_text, summary_of, title_of
from calendar_app.feeds.feed import Feed, Format, credits_of
from calendar_app.readmodel.events import ReadEvent

_MODULES = {
    "xmlns:content": "http://purl.org/rss/1.0/modules/content/",
    "xmlns:dc": "http://purl.org/dc/elements/1.1/",
    "xmlns:georss": "http://www.georss.org/georss",
}
_END_TAGS, _END = b"</channel></rss>", b"</channel></rss>\n"


def _head(feed: Feed) -> bytes:
    """Return the bytes before the first item."""
    root = Element("rss", {"version": "2.0", **_MODULES})
    channel = SubElement(root, "channel")
    add_text(channel, "title", feed.title)
    add_text(channel, "link", f"{feed.context.addresses.site}/")
    add_text(channel, "description", feed.title)
    add_text(channel, "language", feed.language)
    add_text(channel, "lastBuildDate", _moment(feed.selection.changed))
    whole: bytes = tostring(root, "utf-8")
    return DECLARATION + whole.removesuffix(_END_TAGS)


def _item(event: ReadEvent, _stamp: Stamp, feed: Feed) -> bytes:
    """Return an event as an item."""
    item = Element("item")
    add_text(item, "title", title_of(event).text)
    add_text(item, "link", event.url)
    add_text(item, "guid", feed.uid_of(event.id).urn).set("isPermaLink", "false")
    add_text(item, "pubDate", _moment(event.record["start"]))
    for term in (*event.categories, *event.tags):
        add_text(item, "category", term.name.text)
    for publisher in event.publishers:
        add_text(item, "dc:publisher", publisher.name)
    for credit in credits_of(event):
        add_text(item, "dc:rights", credit)
    add_text(item, "description", summary_of(event))
    if event.body:
        add_text(item, "content:encoded", event.body.text)
    add_point(item, event)
    xml: bytes = tostring(item, "utf-8")
    return xml + b"\n"


def _moment(instant: datetime) -> str:
    """Return naive UTC as RFC 822 has it."""
    return format_datetime(instant.replace(tzinfo=UTC), usegmt=True)


RSS = Format("rss", "application/rss+xml", _head, _item, end=_END)

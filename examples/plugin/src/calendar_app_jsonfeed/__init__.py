"""Events as a JSON Feed (version 1.1, https://www.jsonfeed.org/version/1.1/), and from jCal."""

from datetime import datetime

import orjson
from markupsafe import Markup

from calendar_app.plugins import Block, Feed, Format, Plugin, ReadEvent, Stamp
from calendar_app_jsonfeed.jcal import JCAL

_VERSION = "https://jsonfeed.org/version/1.1"
_ADDRESS = "https://www.jsonfeed.org/"


def _head(feed: Feed) -> bytes:
    """Return everything before the first item; the list of items stays open."""
    top = {
        "version": _VERSION,
        "title": feed.title,
        "home_page_url": f"{feed.context.addresses.site}/",
        "feed_url": feed.address,
        "language": feed.language,
    }
    if feed.next_url:
        top["next_url"] = feed.next_url
    return orjson.dumps(top).removesuffix(b"}") + b',"items":['


def _item(event: ReadEvent, stamp: Stamp, feed: Feed) -> bytes:
    return orjson.dumps(
        {
            "id": feed.uid_of(event.id).urn,
            "url": event.url,
            "title": event.title.text,
            "language": event.title.language,
            "content_html": event.body.text if event.body else "",
            "summary": f"{event.start:%Y-%m-%d %H:%M}",
            "date_published": _moment(event.record["published"]),
            "date_modified": _moment(stamp.changed),
            "tags": [term.name.text for term in (*event.categories, *event.tags)],
        }
    )


def _moment(instant: datetime) -> str:
    """Return naive UTC as RFC 3339 has it."""
    return f"{instant.isoformat(timespec='seconds')}Z"


def _note(block: Block) -> str:
    """Name the format below lists, in the language of the reader."""
    text = "Auch als" if block.languages[0] == "de" else "Also as"
    return Markup('<p class="also">{} <a href="{}">JSON Feed</a></p>').format(text, _ADDRESS)


PLUGIN = Plugin(
    formats=[
        Format("json", "application/feed+json", _head, _item, separator=b",", end=b"]}"),
    ],
    source_kinds={"jcal": JCAL},
    blocks={"list": _note},
)

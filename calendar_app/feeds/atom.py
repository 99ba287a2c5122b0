"""Atom feed (RFC 4287), for news readers."""

from datetime import datetime
from xml.etree.ElementTree import Element, SubElement, tostring

from calendar_app.api.http.answers.headers import FEED_TYPES
from calendar_app.domain.ledger import DISCLOSURE_WORDS
from calendar_app.domain.richtext import legible
from calendar_app.domain.statuses import Stamp
from calendar_app.feeds.entries import DECLARATION, add_point, add_text, summary_of, title_of
from calendar_app.feeds.feed import Feed, Format, credits_of
from calendar_app.readmodel.events import ReadEvent
from calendar_app.readmodel.records import LocalText

_NAMESPACE = "http://www.w3.org/2005/Atom"
_GEORSS = "http://www.georss.org/georss"
_LANGUAGE = "xml:lang"
_END_TAG, _END = b"</feed>", b"</feed>\n"


def _head(feed: Feed) -> bytes:
    """Return the bytes before the first entry."""
    root = Element("feed", {"xmlns": _NAMESPACE, "xmlns:georss": _GEORSS, _LANGUAGE: feed.language})
    _add(root, "id", feed.uid.urn)
    _add(root, "title", feed.title)
    _add(root, "updated", _moment(feed.selection.changed))
    author = SubElement(root, "author")
    _add(author, "name", feed.site)
    _link(root, "self", feed.address, "application/atom+xml")
    hub = feed.context.settings.websub_hub
    if hub and feed.address in feed.context.addresses.hub_topics:
        _link(root, "hub", hub, "")
    _link(root, "alternate", f"{feed.context.addresses.site}/", "")
    if feed.next_url:
        _link(root, "next", feed.next_url, "application/atom+xml")
    whole: bytes = tostring(root, "utf-8")
    return DECLARATION + whole.removesuffix(_END_TAG)


def _item(event: ReadEvent, stamp: Stamp, feed: Feed) -> bytes:
    """Return an event as an entry."""
    xml: bytes = tostring(_element(event, stamp, feed), "utf-8")
    return xml + b"\n"


def _element(event: ReadEvent, stamp: Stamp, feed: Feed) -> Element:
    """Return an entry, with names in the feed's namespace."""
    root = Element("entry")
    _add(root, "id", feed.uid_of(event.id).urn)
    _add(root, "title", title_of(event))
    _add(root, "updated", _moment(stamp.changed))
    _add(root, "published", _moment(event.record["published"]))
    _link(root, "alternate", event.url, "text/html")
    for kind, terms in (("categories", event.categories), ("tags", event.tags)):
        for term in terms:
            attributes = {
                "term": legible(term.name.text),
                "scheme": feed.context.addresses.collection(kind),
            }
            SubElement(root, "category", {**attributes, _LANGUAGE: term.name.language})
    if event.shown_disclosure:
        SubElement(root, "category", {"term": event.shown_disclosure, "scheme": DISCLOSURE_WORDS})
    for publisher in event.publishers:
        if address := publisher.page or publisher.url:
            _link(root, "via", address, "")
        if publisher.license_address:
            _link(root, "license", publisher.license_address, "")
    if event.publishers:
        _add(root, "rights", "\n".join(credits_of(event)))
    _add(root, "summary", summary_of(event))
    if event.body:
        content = _add(root, "content", event.body)
        content.set("type", "html")
    add_point(root, event)
    return root


def _add(parent: Element, name: str, text: LocalText | str) -> Element:
    element = add_text(parent, name, text.text if isinstance(text, LocalText) else text)
    if isinstance(text, LocalText):
        element.set(_LANGUAGE, text.language)
    return element


def _link(parent: Element, relation: str, address: str, media_type: str) -> None:
    attributes = {"rel": relation, "href": address}
    SubElement(parent, "link", attributes | ({"type": media_type} if media_type else {}))


def _moment(instant: datetime) -> str:
    """Return naive UTC as RFC 3339 has it."""
    return f"{instant.isoformat(timespec='seconds')}Z"


ATOM = Format("atom", FEED_TYPES["atom"], _head, _item, end=_END)

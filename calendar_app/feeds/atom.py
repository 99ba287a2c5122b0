"""Atom feed (RFC 4287), for news readers."""

from datetime import datetime
from xml.etree.ElementTree import Element, SubElement, tostring

from calendar_app.domain import attendance
from calendar_app.domain.richtext import legible
from calendar_app.errors import Message
from calendar_app.feeds.entry import Entry, LocalizedText, aware
from calendar_app.feeds.feed import Feed
from calendar_app.http.errors.messages import translated

_NAMESPACE = "http://www.w3.org/2005/Atom"
_GEORSS = "http://www.georss.org/georss"
_LANGUAGE = "xml:lang"
_END_TAG, END = b"</feed>", b"</feed>\n"
_DASH = " \u2013 "
_DECLARATION = b'<?xml version="1.0" encoding="utf-8"?>\n'


def head(feed: Feed) -> bytes:
    """Return the bytes before the first entry."""
    root = Element("feed", {"xmlns": _NAMESPACE, "xmlns:georss": _GEORSS, _LANGUAGE: feed.language})
    _add(root, "id", feed.uid.urn)
    _add(root, "title", feed.title)
    _add(root, "updated", _moment(aware(feed.selection.changed)))
    author = SubElement(root, "author")
    _add(author, "name", feed.title)
    _link(root, "self", feed.address, "application/atom+xml")
    _link(root, "alternate", f"{feed.view.addresses.site}/", "")
    if feed.next_url:
        _link(root, "next", feed.next_url, "application/atom+xml")
    whole: bytes = tostring(root, "utf-8")
    return _DECLARATION + whole.removesuffix(_END_TAG)


def item(entry: Entry) -> bytes:
    """Return an event as an entry."""
    xml: bytes = tostring(_element(entry), "utf-8")
    return xml + b"\n"


def _element(entry: Entry) -> Element:
    """Return an entry, with names in the feed's namespace."""
    root, event_json = Element("entry"), entry.event_json
    _add(root, "id", entry.uid.urn)
    _add(root, "title", _title(entry))
    _add(root, "updated", _moment(aware(entry.stamp.changed)))
    _add(root, "published", _moment(aware(entry.event["published"])))
    _link(root, "alternate", event_json["url"], "text/html")
    for kind in ("categories", "tags"):
        for term in entry.terms(kind):
            attributes = {
                "term": legible(term.text),
                "scheme": entry.view.addresses.collection(kind),
            }
            SubElement(root, "category", {**attributes, _LANGUAGE: term.language})
    _add(root, "summary", _summary(entry))
    html = event_json["description"] or event_json["excerpt"]
    if html:
        field = "description" if event_json["description"] else "excerpt"
        content = _add(root, "content", LocalizedText(html, entry.language_of(field)))
        content.set("type", "html")
    if entry.point:
        longitude, latitude = entry.point
        _add(root, "georss:point", f"{latitude:.6f} {longitude:.6f}")
    return root


def _title(entry: Entry) -> LocalizedText:
    """Return the title, prefixed if the event is canceled or postponed."""
    title = entry.title
    match entry.status:
        case attendance.CANCELED:
            message = Message("Canceled: {title}", title=title.text)
        case attendance.POSTPONED:
            message = Message("Postponed: {title}", title=title.text)
        case _:
            return title
    return LocalizedText(translated(message, (title.language, *entry.view.chain)), title.language)


def _summary(entry: Entry) -> str:
    """Return time and place, for which Atom has no fields."""
    event_json = entry.event_json
    first, last = entry.days
    if entry.all_day:
        times = _DASH.join(dict.fromkeys((str(first), str(last))))
    else:
        end = event_json["end_date"][:16] if first != last else event_json["end_date"][11:16]
        times = f"{event_json['start_date'][:16]}{_DASH}{end} ({event_json['timezone']})"
    return f"{times} · {entry.place.text}" if entry.place else times


def _add(parent: Element, name: str, text: LocalizedText | str) -> Element:
    element = SubElement(parent, name)
    element.text = legible(text.text if isinstance(text, LocalizedText) else text)
    if isinstance(text, LocalizedText):
        element.set(_LANGUAGE, text.language)
    return element


def _link(parent: Element, relation: str, address: str, media_type: str) -> None:
    attributes = {"rel": relation, "href": address}
    SubElement(parent, "link", attributes | ({"type": media_type} if media_type else {}))


def _moment(aware_time: datetime) -> str:
    return f"{aware_time.replace(tzinfo=None).isoformat(timespec='seconds')}Z"

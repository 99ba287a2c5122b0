"""A feed as Atom (RFC 4287), for readers of news."""

from datetime import datetime
from xml.etree.ElementTree import Element, SubElement, tostring

from calendar_app.domain import attendance
from calendar_app.domain.richtext import legible
from calendar_app.errors import Message
from calendar_app.feeds.entry import Entry, Worded, aware
from calendar_app.feeds.feed import Feed
from calendar_app.http.errors.messages import translated

_NAMESPACE = "http://www.w3.org/2005/Atom"
_GEORSS = "http://www.georss.org/georss"
_LANGUAGE = "xml:lang"
_CLOSED, END = b"</feed>", b"</feed>\n"
_TO = " \u2013 "
_DECLARATION = b'<?xml version="1.0" encoding="utf-8"?>\n'


def head(feed: Feed) -> bytes:
    """Return all that stands before the first entry."""
    root = Element("feed", {"xmlns": _NAMESPACE, "xmlns:georss": _GEORSS, _LANGUAGE: feed.language})
    _add(root, "id", feed.uid.urn)
    _add(root, "title", feed.title)
    _add(root, "updated", _moment(aware(feed.selection.changed)))
    author = SubElement(root, "author")
    _add(author, "name", feed.title)
    _link(root, "self", feed.address, "application/atom+xml")
    _link(root, "alternate", f"{feed.view.addresses.site}/", "")
    if feed.following:
        _link(root, "next", feed.following, "application/atom+xml")
    whole: bytes = tostring(root, "utf-8")
    return _DECLARATION + whole.removesuffix(_CLOSED)


def item(entry: Entry) -> bytes:
    """Return an event as an entry."""
    written: bytes = tostring(_element(entry), "utf-8")
    return written + b"\n"


def _element(entry: Entry) -> Element:
    """Return an entry, with its names in the feed's namespace."""
    root, shown = Element("entry"), entry.shown
    _add(root, "id", entry.uid.urn)
    _add(root, "title", _title(entry))
    _add(root, "updated", _moment(aware(entry.modified)))
    _add(root, "published", _moment(aware(entry.event["published"])))
    _link(root, "alternate", shown["url"], "text/html")
    for kind in ("categories", "tags"):
        for word in entry.terms(kind):
            told = {"term": legible(word.text), "scheme": entry.view.addresses.collection(kind)}
            SubElement(root, "category", {**told, _LANGUAGE: word.language})
    _add(root, "summary", _summary(entry))
    html = shown["description"] or shown["excerpt"]
    if html:
        field = "description" if shown["description"] else "excerpt"
        content = _add(root, "content", Worded(html, entry.language_of(field)))
        content.set("type", "html")
    if entry.point:
        longitude, latitude = entry.point
        _add(root, "georss:point", f"{latitude:.6f} {longitude:.6f}")
    return root


def _title(entry: Entry) -> Worded:
    """Return the title; that an event does not take place stands in front of it."""
    title = entry.title
    match entry.status:
        case attendance.CANCELED:
            said = Message("Canceled: {title}", title=title.text)
        case attendance.POSTPONED:
            said = Message("Postponed: {title}", title=title.text)
        case _:
            return title
    return Worded(translated(said, (title.language, *entry.view.chain)), title.language)


def _summary(entry: Entry) -> str:
    """Return when and where: entries have no fields of their own for that."""
    shown = entry.shown
    first, last = entry.days
    if entry.all_day:
        times = _TO.join(dict.fromkeys((str(first), str(last))))
    else:
        end = shown["end_date"][:16] if first != last else shown["end_date"][11:16]
        times = f"{shown['start_date'][:16]}{_TO}{end} ({shown['timezone']})"
    return f"{times} · {entry.place.text}" if entry.place else times


def _add(parent: Element, name: str, said: Worded | str) -> Element:
    element = SubElement(parent, name)
    element.text = legible(said.text if isinstance(said, Worded) else said)
    if isinstance(said, Worded):
        element.set(_LANGUAGE, said.language)
    return element


def _link(parent: Element, relation: str, address: str, media_type: str) -> None:
    told = {"rel": relation, "href": address}
    SubElement(parent, "link", told | ({"type": media_type} if media_type else {}))


def _moment(aware_time: datetime) -> str:
    return f"{aware_time.replace(tzinfo=None).isoformat(timespec='seconds')}Z"

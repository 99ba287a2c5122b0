"""XML of feeds for news readers: texts of events for which these have no fields, and elements."""

from xml.etree.ElementTree import Element, SubElement

from calendar_app.api.presentation.records import date_text
from calendar_app.domain import statuses
from calendar_app.domain.richtext import legible
from calendar_app.domain.texts.messages import translated
from calendar_app.errors import Message
from calendar_app.feeds.feed import unchecked_note
from calendar_app.readmodel.events import ReadEvent
from calendar_app.readmodel.records import LocalText

DECLARATION = b'<?xml version="1.0" encoding="utf-8"?>\n'
_DASH = " \u2013 "


def title_of(event: ReadEvent) -> LocalText:
    """Return the title, prefixed if the event is canceled or postponed."""
    title = event.title
    match event.status:
        case statuses.CANCELED:
            message = Message("Canceled: {title}", title=title.text)
        case statuses.POSTPONED:
            message = Message("Postponed: {title}", title=title.text)
        case _:
            return title
    return LocalText(translated(message, (title.language, *event.context.chain)), title.language)


def summary_of(event: ReadEvent) -> str:
    """Return time and place, for which feeds have no fields, and a note on unchecked texts."""
    start, end = date_text(event.start), date_text(event.end)
    first, last = start[:10], end[:10]
    if event.all_day:
        times = _DASH.join(dict.fromkeys((first, last)))
    else:
        until = end[:16] if first != last else end[11:16]
        times = f"{start[:16]}{_DASH}{until} ({event.record['timezone']})"
    place = event.places[0].name_and_address.text if event.places else ""
    return " · ".join(filter(None, (times, place, unchecked_note(event))))


def add_text(parent: Element, name: str, text: str) -> Element:
    """Add an element with a text; characters that XML does not have are left out."""
    element = SubElement(parent, name)
    element.text = legible(text)
    return element


def add_point(parent: Element, event: ReadEvent) -> None:
    """Add the point of an event, if it has one (GeoRSS Simple)."""
    if event.point:
        longitude, latitude = event.point
        add_text(parent, "georss:point", f"{latitude:.6f} {longitude:.6f}")

"""Events on pages: their times and prices in words, their pictures."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple
from urllib.parse import urlsplit

import segno
from markupsafe import Markup

from calendar_app.accounts.policy import OWNERSHIP
from calendar_app.api.http.request.current import Context
from calendar_app.api.http.views import records
from calendar_app.calendar.reading.event_lists import events_by_start
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import EVENT
from calendar_app.domain.ledger import AUTONOMOUS, MARKS
from calendar_app.domain.pictures import focus_parts, license_address
from calendar_app.domain.texts.participation_words import ACCESSIBILITY_WORDS, audience_in_words
from calendar_app.errors import Message
from calendar_app.readmodel.events import ReadEvent
from calendar_app.readmodel.records import LocalText, PictureSize, ReadPicture
from calendar_app.site.html import wording
from calendar_app.storage.query.clauses import Clause
from calendar_app.storage.query.list_query import Page

# To look for the best of the eight takes six times as long; any of them can be read.
_MASK = 3
_TINTS = 5  # as many as the style sheet has


def read_events(events: Sequence[Record]) -> list[ReadEvent]:
    """Return events as the caller reads them."""
    context = records.context_of(EVENT, events)
    return [ReadEvent(event, context) for event in events]


# All that a line in a table tells of an event, but for its texts.
_OF_A_LINE = (
    *(
        "all_day",
        "end",
        "end_local",
        "event_status",
        "featured",
        "password",
        "start",
        "start_local",
        "timezone",
    ),
    *(*OWNERSHIP, MARKS, "origin"),
)


def fields_of_lines(chain: Sequence[str]) -> list[str]:
    """Return the fields of which lines in a table are made, for readers of these languages."""
    return [*_OF_A_LINE, *(f"variants.{tag}.{name}" for tag in chain for name in ("slug", "title"))]


def read_lines(events: Sequence[Record]) -> list[ReadEvent]:
    """Return events as the caller reads them, with nothing but ``fields_of_lines``."""
    context = records.read_context({})
    return [ReadEvent(event, context) for event in events]


def search(context: Context, clause: Clause, size: int, *, by_title: bool = False) -> Page:
    """Return the first events that match and that the caller may read, by start."""
    caller = context.caller
    listing = events_by_start(clause, caller, context.chain, size, by_title=by_title)
    return context.reader.search(EVENT, listing, caller)


def today(context: Context) -> date:
    """Return the present day in the zone of the site."""
    return context.today().date()


def when(event: ReadEvent) -> str:
    """Return days and times in full."""
    return wording.when(event.start, event.end, event.language, all_day=event.all_day)


def hours(event: ReadEvent) -> str:
    """Return the hours, as they stand under the date of the first day."""
    first, last = event.days
    language = event.language
    if event.all_day:
        return "" if first == last else wording.date_range(first, last, language)
    if first == last:
        return _with_zone(event, wording.hours(event.start, event.end, language))
    begin, end = (wording.clock(moment, language) for moment in (event.start, event.end))
    last_day = wording.day_from(last, first.year, language)
    return _with_zone(event, f"{begin} \u2013 {last_day}, {end}")


def hour_on(event: ReadEvent, day: date) -> str:
    """Return the hour at which it begins on a day, or ends if it came over midnight."""
    if event.days[0] == day or event.days[1] != day:
        return _with_zone(event, wording.clock(event.start, event.language))
    return _with_zone(event, f"\u2013{wording.clock(event.end, event.language)}")


def _with_zone(event: ReadEvent, hours: str) -> str:
    zone = event.foreign_zone
    return f"{hours}\u00a0{zone}" if zone else hours


def qr(event: ReadEvent) -> Markup:
    """Return the QR code of the page of an event, drawn dark on its own white ground."""
    address = event.context.addresses.short_page(event.id, event.language)
    code = segno.make(address, micro=False, error="m", mask=_MASK)
    drawing = code.svg_inline(border=2, omitsize=True, light="#fff", svgclass="qr", lineclass=None)
    return Markup(drawing)  # noqa: S704  # nothing of a record is in it


def tint(event: ReadEvent) -> int:
    """Return which color stands in for a picture: events of a category look alike."""
    return min((term.id for term in event.categories), default=0) % _TINTS


class Unchecked(NamedTuple):
    """An event of a list with a text that nobody has checked, ``by_machine`` or remembered."""

    event: ReadEvent
    by_machine: bool


def unchecked(events: Iterable[ReadEvent]) -> Unchecked | None:
    """Return the first event of a list with an unchecked text; one by a machine goes first."""
    listed = list(events)
    by_machine = (each for each in listed if each.page_disclosure == AUTONOMOUS)
    return _first(by_machine, (each for each in listed if each.is_recalled))


def unchecked_line(events: Iterable[ReadEvent]) -> Unchecked | None:
    """Return the same of lines in a table, which have titles alone."""
    listed = list(events)
    by_machine = (each for each in listed if each.title.disclosure == AUTONOMOUS)
    return _first(by_machine, (each for each in listed if each.title.is_recalled))


def _first(by_machine: Iterator[ReadEvent], recalled: Iterator[ReadEvent]) -> Unchecked | None:
    if event := next(by_machine, None):
        return Unchecked(event, by_machine=True)
    event = next(recalled, None)
    return Unchecked(event, by_machine=False) if event else None


@dataclass(frozen=True, slots=True)
class SizedPicture:
    """A picture in all its sizes, the widest last."""

    url: str
    width: int | None
    height: int | None
    alt: LocalText
    srcset: str
    credit: str = ""
    license: str = ""
    license_address: str = ""
    focus: str = ""

    @property
    def focus_class(self) -> str:
        """The classes of its focus point, in tenths; empty in the middle."""
        left_edge, top = focus_parts(self.focus)
        return (
            f"focus-x{round(int(left_edge) / 10)} focus-y{round(int(top) / 10)}"
            if left_edge
            else ""
        )

    @property
    def is_portrait(self) -> bool:
        return bool(self.width and self.height and self.height > self.width)


def picture(read: ReadPicture | None) -> SizedPicture | None:
    """Return a picture if pages may load it, which those of other sites they may not."""
    if read is None or not read.id:
        return None
    ratio, folder = _ratio(read.full), urlsplit(read.full.url).path.rpartition("/")[0]
    whole = [size for size in (*read.sizes.values(), read.full) if _has_ratio(size, ratio)]
    widths = {size.width or 0: _below(folder, size) for size in whole}
    srcset = ", ".join(f"{url} {width}w" for width, url in sorted(widths.items()))
    largest = max(whole, key=lambda size: size.width or 0)
    url = _below(folder, largest)
    rights = (read.credit, read.license, license_address(read.license), read.focus)
    return SizedPicture(url, largest.width, largest.height, read.alt, srcset, *rights)


def _below(folder: str, size: PictureSize) -> str:
    return f"{folder}/{size.url.rpartition('/')[2]}"


def _has_ratio(size: PictureSize, ratio: float) -> bool:
    """Say whether a size shows the whole picture, which squares do not."""
    return abs(_ratio(size) / ratio - 1) < 0.03  # noqa: PLR2004  # rounded to pixels


def _ratio(size: PictureSize) -> float:
    return (size.width or 1) / (size.height or 1)


def accessible_ways(event: ReadEvent) -> list[Message]:
    """Return the accessibility of an event, in words."""
    return [ACCESSIBILITY_WORDS[word] for word in event.accessibility]


def spoken(event: ReadEvent) -> str:
    """Return the languages in which an event is held."""
    language = event.language
    names = (wording.language_name(tag, language) for tag in event.in_language)
    return wording.enumeration(names, language)


def moment(wall: datetime, language: str) -> str:
    """Return a day and its time in full."""
    return wording.when(wall, wall, language, all_day=False)


FILTERS = {
    "accessible_ways": accessible_ways,
    "spoken": spoken,
    "for_whom": lambda event: audience_in_words(event.audience),
    "moment": moment,
    "when": when,
    "hours": hours,
    "hour_on": hour_on,
    "qr": qr,
    "tint": tint,
    "picture": picture,
    "unchecked": unchecked,
    "unchecked_line": unchecked_line,
}

"""Shared by all readers: settings of the source, texts, times and identities of events."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from hashlib import sha256
from typing import Any, Protocol

from calendar_app.domain.cost import Currency
from calendar_app.domain.kind import Record
from calendar_app.domain.moments import Clock, Moment, system_clock
from calendar_app.domain.texts.sanitizing import web_url
from calendar_app.errors import Message
from calendar_app.sources.calendar_events import CalendarEvent
from calendar_app.sources.parsed import ParsedCalendar

_DAY = timedelta(days=1)
_MAX_LABEL = 100


class ReadableSource(Protocol):
    """The settings of a source that its reader needs; ``columns`` are of tables alone."""

    @property
    def kind(self) -> str: ...
    @property
    def address(self) -> str: ...
    @property
    def language(self) -> str: ...
    @property
    def timezone(self) -> str: ...
    @property
    def columns(self) -> Mapping[str, str]: ...


@dataclass(frozen=True, slots=True)
class Reading:
    """The settings of this calendar, beside those of the source.

    ``texts`` are the digests, by UID, of texts from which nothing else would be read than is here.
    """

    languages: tuple[str, ...]
    language: str
    timezone: str
    currency: Currency
    clock: Clock = system_clock
    texts: Mapping[str, str] = field(default_factory=dict)

    def language_of(self, tag: str) -> str:
        """Return the site's language for a tag: ``de`` also for de-CH; else the source's."""
        site = {language.lower(): language for language in self.languages}
        words = tag.strip().lower().replace("_", "-")
        return site.get(words) or site.get(words.partition("-")[0]) or self.language


def identity(*parts: str) -> str:
    """Return a UID for an event without one, made of its distinguishing parts."""
    return sha256("\n".join(parts).encode()).hexdigest()


def label_of(uid: str, title: str) -> str:
    """Return the words that name an event in reports."""
    return f'event {uid[:_MAX_LABEL]} "{title[:_MAX_LABEL]}"'


def link_or_report(parsed: ParsedCalendar, label: str, name: str, words: str) -> str:
    """Return an address of the web; report an invalid one."""
    link = web_url(words.strip()) if words.strip() else ""
    if words.strip() and not link:
        parsed.leave_out(
            label,
            Message("{name}, which is not a web address: {words}", name=name, words=words.strip()),
        )
    return link


def times(start: date | datetime, end: date | datetime | None, timezone: str) -> Record:
    """Return the changes of the times; the end of whole days is the last of them."""
    if not isinstance(start, datetime):
        last = end.date() if isinstance(end, datetime) else end
        midnights = [Moment(datetime.combine(day, time.min)) for day in (start, last or start)]
        return {
            "start": midnights[0],
            "end": max(midnights, key=lambda moment: moment.wall),
            "timezone": timezone,
            "all_day": True,
        }
    if end is not None and not isinstance(end, datetime):
        end = datetime.combine(end, time.max.replace(microsecond=0), start.tzinfo)
    return {
        "start": _moment(start),
        "end": _moment(end or start),
        "timezone": timezone,
        "all_day": False,
    }


def single_event(kind: str, uid: str, title: str, changes: Record, language: str) -> CalendarEvent:
    """Return an event without a series."""
    return CalendarEvent(
        source=f"{kind}:{uid}",
        label=label_of(uid, title),
        language=language,
        changes=changes,
        uid=uid,
        url=changes["variants"][language].get("website") or "",
    )


def today(reading: Reading) -> date:
    return reading.clock().astimezone(UTC).date()


def _moment(value: datetime) -> Moment:
    return Moment(value.replace(tzinfo=None, microsecond=0), value.tzinfo)


def nonempty(values: Mapping[str, Any]) -> Record:
    """Return the values that say something."""
    return {name: value for name, value in values.items() if value not in ("", None, [], {})}

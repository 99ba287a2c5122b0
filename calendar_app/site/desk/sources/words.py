"""The words of sources at the desk: kinds, states of readings, outcomes, fields, rhythms."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import NamedTuple

from calendar_app.domain.kinds import event_fields
from calendar_app.domain.statuses import DRAFT, PENDING, PUBLISH
from calendar_app.domain.texts.recognizing import recognized
from calendar_app.errors import Message
from calendar_app.site.desk.rendering import gettext, language, message_text, texts
from calendar_app.site.html import wording
from calendar_app.site.html.texts import CatalogTexts
from calendar_app.sources.merging import RECURRENCE, TEXTS, TIMES
from calendar_app.sources.reports import (
    DONE,
    FAILED,
    INTERRUPTED,
    PREVIEW,
    RUNNING,
    STOPPED,
    STOPPING,
    UNCHANGED,
    WAITING,
)
from calendar_app.sources.results import Outcome
from calendar_app.sources.source import Source

# Returns the singular, or the plural for a number.
Plural = Callable[[str, str, int], str]

KIND_NAMES: Mapping[str, Message] = MappingProxyType(
    {
        "ics": Message("Calendar to subscribe to (.ics)"),
        "tec": Message("Site with The Events Calendar"),
        "calendar": Message("Another calendar like this one: follows every change"),
        "jsonld": Message("Page of the web with events"),
        "csv": Message("Table (CSV)"),
        "push": Message("A program sends"),
    }
)


class State(NamedTuple):
    """How a reading stands in words, and the class of its mark."""

    name: Message
    tone: str = ""


STATES: Mapping[str, State] = MappingProxyType(
    {
        RUNNING: State(Message("is being read"), "tag-soft"),
        STOPPING: State(Message("stops"), "tag-soft"),
        DONE: State(Message("read")),
        UNCHANGED: State(Message("as before")),
        WAITING: State(Message("waits for you"), "tag-warm"),
        FAILED: State(Message("failed"), "tag-danger"),
        STOPPED: State(Message("stopped"), "tag-warm"),
        INTERRUPTED: State(Message("broken off"), "tag-warm"),
        PREVIEW: State(Message("preview"), "tag-soft"),
    }
)
NEVER = State(Message("not read yet"), "tag-soft")
# In the order of what matters to people.
OUTCOMES: Mapping[str, State] = MappingProxyType(
    {
        Outcome.NEW: State(Message("new")),
        Outcome.CHANGED: State(Message("updated")),
        Outcome.KEPT: State(Message("kept as edited here"), "tag-warm"),
        Outcome.VANISHED: State(Message("vanished"), "tag-warm"),
        Outcome.DOUBLE: State(Message("perhaps a duplicate"), "tag-warm"),
        Outcome.UNITED: State(Message("made one with another")),
        Outcome.REFUSED: State(Message("refused"), "tag-danger"),
        Outcome.LEFT_OUT: State(Message("a part left out"), "tag-soft"),
        Outcome.FILTERED: State(Message("filtered out"), "tag-soft"),
        Outcome.OWN: State(Message("our own"), "tag-soft"),
        Outcome.UNCHANGED: State(Message("unchanged"), "tag-soft"),
    }
)
FIELD_NAMES: Mapping[str, Message] = MappingProxyType(
    {
        **{f.attribute: f.label for f in event_fields.EVENT_FIELDS if f.from_sources},
        TIMES: Message("Date and time"),
        RECURRENCE: Message("Repeats"),
        "venues": Message("Place"),
        "organizers": Message("Organizer"),
        "categories": Message("Categories"),
        "tags": Message("Tags"),
        "image": Message("Picture"),
        "cost": Message("Price"),
        "online_url": Message("Address to take part online"),
        "attendance_mode": Message("How people take part"),
        "event_status": Message("Does it take place?"),
        "status": Message("State"),
        "accessibility": Message("Accessibility"),
        "in_language": Message("Languages of the event"),
        "audience": Message("For whom"),
        "registration": Message("Registration"),
    }
)
_MINUTES_OF_HOUR = 60


def kind_name(kind: str) -> str:
    """Return the common name of a kind; plugins bring their own."""
    return message_text(KIND_NAMES[kind]) if kind in KIND_NAMES else kind


def state_of(name: str) -> State:
    """Return the words for the result of a source; empty where it was never read."""
    return STATES.get(name, NEVER)


def reason_in_words(reason: str, own: CatalogTexts | None = None) -> str:
    """Return the translated reason why a reading waits, failed, or left something out."""
    return (own or texts()).message(recognized(reason)) if reason else ""


def numbers_in_words(numbers: Mapping[str, int] | None) -> str:
    """Return the outcomes of a reading in a line: ``3 new, 120 unchanged``."""
    sent = numbers or {}
    return ", ".join(counted(name, sent[name]) for name in OUTCOMES if sent.get(name))


def preview_in_words(source: Source, numbers: Mapping[str, int] | None) -> str:
    """Return the effects of a reading in sentences."""
    sent = numbers or {}
    parts = {Outcome.NEW: _ADDED[source.status], **_DONE}
    sentences = [
        words(texts().ngettext, number) % {"num": wording.number(number, language())}
        for outcome, words in parts.items()
        if (number := sent.get(outcome, 0))
    ]
    return " ".join(sentences) or gettext("Nothing would change.")


def dates_in_words(dates: int) -> str:
    """Return how many dates the series of a reading have; empty where it has none."""
    words = texts().ngettext("%(num)s date", "%(num)s dates", dates)
    return words % {"num": wording.number(dates, language())} if dates else ""


def counted(name: str, number: int) -> str:
    """Return an outcome with its number, as in ``3 new``."""
    words = _COUNTED[Outcome(name)](texts().ngettext, number)
    return words % {"num": wording.number(number, language())}


# Each pair is a call of its own, from which the catalogs take it.
_COUNTED: Mapping[Outcome, Callable[[Plural, int], str]] = MappingProxyType(
    {
        Outcome.NEW: lambda ngettext, n: ngettext("%(num)s new", "%(num)s new", n),
        Outcome.CHANGED: lambda ngettext, n: ngettext("%(num)s updated", "%(num)s updated", n),
        Outcome.KEPT: lambda ngettext, n: ngettext(
            "%(num)s kept as edited here", "%(num)s kept as edited here", n
        ),
        Outcome.VANISHED: lambda ngettext, n: ngettext("%(num)s vanished", "%(num)s vanished", n),
        Outcome.DOUBLE: lambda ngettext, n: ngettext(
            "%(num)s perhaps a duplicate", "%(num)s perhaps duplicates", n
        ),
        Outcome.UNITED: lambda ngettext, n: ngettext(
            "%(num)s made one with another", "%(num)s made one with others", n
        ),
        Outcome.REFUSED: lambda ngettext, n: ngettext("%(num)s refused", "%(num)s refused", n),
        Outcome.LEFT_OUT: lambda ngettext, n: ngettext(
            "%(num)s with a part left out", "%(num)s with a part left out", n
        ),
        Outcome.FILTERED: lambda ngettext, n: ngettext(
            "%(num)s filtered out", "%(num)s filtered out", n
        ),
        Outcome.OWN: lambda ngettext, n: ngettext("%(num)s of our own", "%(num)s of our own", n),
        Outcome.UNCHANGED: lambda ngettext, n: ngettext(
            "%(num)s unchanged", "%(num)s unchanged", n
        ),
    }
)


_ADDED: Mapping[str, Callable[[Plural, int], str]] = MappingProxyType(
    {
        PUBLISH: lambda ngettext, n: ngettext(
            "%(num)s event would be published.", "%(num)s events would be published.", n
        ),
        PENDING: lambda ngettext, n: ngettext(
            "%(num)s event would wait for approval.", "%(num)s events would wait for approval.", n
        ),
        DRAFT: lambda ngettext, n: ngettext(
            "%(num)s event would come in as a draft.", "%(num)s events would come in as drafts.", n
        ),
    }
)
_DONE: Mapping[Outcome, Callable[[Plural, int], str]] = MappingProxyType(
    {
        Outcome.CHANGED: lambda ngettext, n: ngettext(
            "%(num)s event would be updated.", "%(num)s events would be updated.", n
        ),
        Outcome.VANISHED: lambda ngettext, n: ngettext(
            "%(num)s event has vanished there.", "%(num)s events have vanished there.", n
        ),
        Outcome.DOUBLE: lambda ngettext, n: ngettext(
            "%(num)s is perhaps a duplicate.", "%(num)s are perhaps duplicates.", n
        ),
    }
)


def fields_in_words(paths: Iterable[str]) -> str:
    """Return the names of fields in a line; texts with their language, dates of a series first."""
    return ", ".join(dict.fromkeys(map(field_in_words, paths)))


def field_in_words(path: str) -> str:
    """Return the name of the field at a path like ``variants.de.title``."""
    date, _, own = path.rpartition(" ")
    if own.startswith(f"{TEXTS}."):
        _, tag, name = own.split(".", 2)
        words = f"{_field(name)} ({tag})"
    else:
        words = _field(own)
    if not date:
        return words
    day = datetime.fromisoformat(date)
    return gettext(": ").join((wording.short_date(day.date(), language()), words))


def _field(name: str) -> str:
    return message_text(FIELD_NAMES[name]) if name in FIELD_NAMES else name


def rhythm_in_words(source: Source) -> str:
    """Return when a source is read by itself."""
    if source.off or not (source.every or source.daily_at):
        return gettext("not by itself")
    if source.daily_at:
        return message_text(Message("daily at {time}", time=source.daily_at))
    return every_in_words(source.every)


def every_in_words(minutes: int) -> str:
    hours, rest = divmod(minutes, _MINUTES_OF_HOUR)
    if minutes == 1:
        return gettext("every minute")
    if rest or not hours:
        return message_text(Message("every {minutes} minutes", minutes=minutes))
    if hours == 1:
        return gettext("every hour")
    return message_text(Message("every {hours} hours", hours=hours))

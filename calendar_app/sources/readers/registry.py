"""The kinds of sources, and how each is fetched and read."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from types import MappingProxyType

from calendar_app.domain.addresses import Network
from calendar_app.domain.cost import Currency
from calendar_app.domain.moments import Clock, system_clock
from calendar_app.errors import Message
from calendar_app.sources.charsets import GUESSED, is_guess
from calendar_app.sources.parsed import Fetched, ParsedCalendar, SourceError, Validators
from calendar_app.sources.readers.fetching import (
    CALENDARS,
    PAGES,
    RECORDS,
    TABLES,
    Fetcher,
    Limits,
    refuse_page,
)
from calendar_app.sources.readers.records import ReadableSource, Reading

MAX_EVENTS = 50_000
# Parts that a report lists as left out.
_MOST_LEFT_OUT = 100_000
_MORE = ("…", "More is left out than is listed.")
NO_TEXTS: Mapping[str, str] = MappingProxyType({})

FetchKind = Callable[[Fetcher, str, Validators], Fetched | None]
ReadKind = Callable[[bytes, ReadableSource, Reading], ParsedCalendar]


@dataclass(frozen=True, slots=True)
class SourceKind:
    """How a kind is fetched, and its content read; ``accept`` is the header of requests.

    What ``is_text`` is read in the charset that it names, and a guess is reported.
    """

    accept: str
    read: ReadKind
    fetch: FetchKind = Fetcher.fetch
    is_text: bool = False


# What reads a kind is loaded with the first source of it: workers that answer requests read none.


def _read_ics(content: bytes, _: ReadableSource, reading: Reading) -> ParsedCalendar:
    from calendar_app.sources.imports.ics.events import Languages  # noqa: PLC0415
    from calendar_app.sources.imports.ics.reader import CalendarReader  # noqa: PLC0415

    refuse_page(content, Message("calendar"))
    languages = Languages(reading.languages, reading.language)
    return CalendarReader(languages, reading.timezone, reading.texts).read(content, partly=True)


def _read_jsonld(content: bytes, source: ReadableSource, reading: Reading) -> ParsedCalendar:
    from calendar_app.sources.readers.schema_org import read_jsonld  # noqa: PLC0415

    return read_jsonld(content, source.address, reading)


def _read_csv(content: bytes, source: ReadableSource, reading: Reading) -> ParsedCalendar:
    from calendar_app.sources.readers.tables import read_table  # noqa: PLC0415

    refuse_page(content, Message("table"))
    return read_table(content, source.columns, reading)


def _read_tec(content: bytes, _: ReadableSource, reading: Reading) -> ParsedCalendar:
    from calendar_app.sources.readers.tec import read_events  # noqa: PLC0415

    return read_events(content, reading)


def _fetch_tec(fetcher: Fetcher, address: str, validators: Validators) -> Fetched | None:
    from calendar_app.sources.readers.tec import fetch_events  # noqa: PLC0415

    return fetch_events(fetcher, address, validators)


def _read_changes(content: bytes, _: ReadableSource, reading: Reading) -> ParsedCalendar:
    from calendar_app.sources.readers.followed import read_changes  # noqa: PLC0415

    return read_changes(content, reading)


def _fetch_changes(fetcher: Fetcher, address: str, validators: Validators) -> Fetched | None:
    from calendar_app.sources.readers.followed import fetch_changes  # noqa: PLC0415

    return fetch_changes(fetcher, address, validators)


def _fetch_pages(fetcher: Fetcher, address: str, validators: Validators) -> Fetched | None:
    from calendar_app.sources.readers.sitemaps import fetch_pages  # noqa: PLC0415

    return fetch_pages(fetcher, address, validators)


# Plug-ins may hand in more of them.
KINDS: Mapping[str, SourceKind] = MappingProxyType(
    {
        "ics": SourceKind(CALENDARS, _read_ics, is_text=True),
        "tec": SourceKind(RECORDS, _read_tec, _fetch_tec),
        "calendar": SourceKind(RECORDS, _read_changes, _fetch_changes),
        "jsonld": SourceKind(PAGES, _read_jsonld, _fetch_pages, is_text=True),
        "csv": SourceKind(TABLES, _read_csv, is_text=True),
    }
)


@dataclass(frozen=True, slots=True)
class Readers:
    """Fetches and reads sources of all ``kinds`` in the languages of this calendar."""

    languages: Sequence[str]
    currency: Currency
    networks: Sequence[Network] = ()
    limits: Limits = field(default_factory=Limits)
    clock: Clock = system_clock
    kinds: Mapping[str, SourceKind] = field(default_factory=lambda: KINDS)

    def fetch(self, source: ReadableSource, validators: Validators | None = None) -> Fetched | None:
        """Return the content of a source; ``None`` where it is unchanged. Raises ``SourceError``.

        All pages of a site are one content.
        """
        kind = self.kind_of(source)
        with closing(Fetcher(self.networks, self.limits, accept=kind.accept)) as fetcher:
            return kind.fetch(fetcher, source.address, validators or Validators())

    def read(
        self, content: bytes, source: ReadableSource, texts: Mapping[str, str] = NO_TEXTS
    ) -> ParsedCalendar:
        """Return the events in a content; raise ``SourceError`` where it is none of the kind.

        What still has the text of a digest in ``texts``, by UID, need not be read again.
        """
        reading = Reading(
            languages=tuple(self.languages),
            language=source.language,
            timezone=source.timezone,
            currency=self.currency,
            clock=self.clock,
            texts=texts,
        )
        if not content.strip():
            raise SourceError("It is empty.")
        kind = self.kind_of(source)
        parsed = kind.read(content, source, reading)
        if kind.is_text and is_guess(content):
            parsed.leave_out("charset", GUESSED)
        number = len(parsed.events) + max(len(parsed.unparsed_uids), len(parsed.refused))
        if number > MAX_EVENTS:
            raise SourceError(Message("It has more than {number} events.", number=MAX_EVENTS))
        if len(parsed.left_out) > _MOST_LEFT_OUT:
            parsed.left_out[_MOST_LEFT_OUT:] = [_MORE]
        return parsed

    def kind_of(self, source: ReadableSource) -> SourceKind:
        """Return the kind of a source; raise ``SourceError`` where there is none."""
        if source.kind not in self.kinds:
            raise SourceError(Message("Sources of the kind {name} are not read.", name=source.kind))
        return self.kinds[source.kind]

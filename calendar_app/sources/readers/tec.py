"""Events of a site with The Events Calendar, or of another calendar like this one, by REST.

The content is one line of JSON a page of the list of coming events. The coming dates of a recurring
event are one series, as in an import of the site, to which further dates are added.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import EVENT
from calendar_app.domain.richtext import decoded
from calendar_app.errors import Message
from calendar_app.sources.calendar_events import CalendarEvent
from calendar_app.sources.imports.tec import values
from calendar_app.sources.imports.tec.dates import DatesOfSeries, ImportedDate
from calendar_app.sources.imports.tec.reading import ParsedRecord, RecordReader
from calendar_app.sources.imports.tec.records import occurrence_of, source_of
from calendar_app.sources.parsed import Fetched, ParsedCalendar, SourceError, Validators
from calendar_app.sources.readers.fetching import Fetcher
from calendar_app.sources.readers.records import Reading, label_of
from calendar_app.sources.readers.site_records import event_changes, lineage_in
from calendar_app.sources.windows import names_dates

KIND = "tec"
_PER_PAGE = 50
_MAX_PAGES = 1000
# The list of events below the interface: ``/events/v1/events``.
_LIST = re.compile(r"/v\d+/events$")
# Calendars like this one have all languages in one record then; others do not mind.
_QUERY = {"per_page": _PER_PAGE, "translation_language": "all"}


def fetch_events(fetcher: Fetcher, address: str, validators: Validators) -> Fetched | None:
    """Return all pages of coming events; ``None`` where the first is unchanged and the only one.

    ``address`` is that of the interface, such as ``https://example.org/wp-json/tribe/events/v1``.
    """
    address = _with_running_events(address)
    first = fetcher.fetch(_page_address(address, 1), validators)
    if first is None:
        return None
    body = _body(first.content, address)
    pages = _number_of_pages(body)
    content = fetcher.joined(_lines(fetcher, address, body))
    # Where there are several, the first may be unchanged while others are not.
    etag, modified = (first.etag, first.modified) if pages <= 1 else ("", "")
    return Fetched(content, etag, modified, first.address)


def _lines(fetcher: Fetcher, address: str, body: Mapping[str, Any]) -> Iterator[bytes]:
    """Yield the line of each page; ``body`` is that of the first one."""
    number, pages = 1, _number_of_pages(body)
    yield _line(number, pages, body)
    while number < min(pages, _MAX_PAGES):
        number += 1
        page = fetcher.fetch(_page_address(address, number))
        body = _body(page.content, address) if page else {"events": []}
        pages = _number_of_pages(body)
        yield _line(number, pages, body)


def _line(number: int, pages: int, body: Mapping[str, Any]) -> bytes:
    return json.dumps({"page": number, "pages": pages, "events": body["events"]}).encode()


def _number_of_pages(body: Mapping[str, Any]) -> int:
    pages = body.get("total_pages")
    return pages if isinstance(pages, int) else 1


def read_events(content: bytes, reading: Reading) -> ParsedCalendar:
    """Return the events of the pages; raise ``SourceError`` where they are none."""
    parsed = ParsedCalendar()
    language = reading.language
    reader = RecordReader(language=language, languages=reading.languages, currency=reading.currency)
    lines = content.splitlines()
    event_ids: set[str] = set()
    series: defaultdict[str, list[ImportedDate]] = defaultdict(list)
    lineages: dict[str, tuple[str, ...]] = {}
    for line in lines:
        pages, events = _page(line)
        parsed.whole = parsed.whole and pages <= len(lines)
        for raw in events:
            title = raw.get("title", "") if isinstance(raw, dict) else ""
            with parsed.refusing(label_of(_id(raw), decoded(str(title)))):
                uid = source_of(EVENT.name, raw)
                label = label_of(uid, decoded(str(title)))
                if not reader.accepts(EVENT, raw):
                    words = Message(
                        "It is in another language than the source, which is in {language}.",
                        language=language,
                    )
                    parsed.refused.append((label, words))
                elif uid not in event_ids:
                    changes = event_changes(label, raw, reading, parsed)
                    if date := _date(uid, label, raw, changes):
                        series[date.source].append(date)
                        lineages[date.source] = lineage_in(raw)
                    else:
                        parsed.events.append(_event(uid, label, raw, reading, changes))
                event_ids.add(uid)
    for source, dates in series.items():
        with parsed.refusing(dates[0].record.label):
            event = DatesOfSeries(dates, reading.language, whole=False).event()
            parsed.events.append(replace(event, lineage=lineages[source]))
    return parsed


def _with_running_events(address: str) -> str:
    """Return an address that asks for running events too, which the usual list lacks."""
    if names_dates(address):
        return address
    parts = urlsplit(address)
    # Sites take the end of the day that is sent, on their own clock.
    yesterday = f"{datetime.now(UTC) - timedelta(days=1):%Y-%m-%d}"
    query = {**dict(parse_qsl(parts.query)), "ends_after": yesterday}
    return urlunsplit(parts._replace(query=urlencode(query)))


def _page_address(address: str, number: int) -> str:
    parts = urlsplit(address)
    path = parts.path.rstrip("/")
    path = (
        path
        if path.endswith("/events") and not path.endswith("/tribe/events")
        else f"{path}/events"
    )
    query = {**dict(parse_qsl(parts.query)), **_QUERY, "page": number}
    return urlunsplit(parts._replace(path=path, query=urlencode(query)))


def _body(content: bytes, address: str) -> Mapping[str, Any]:
    body = _document(content)
    if body is None:
        raise SourceError(
            Message(
                "{address}: It does not answer with JSON; the address of the "
                "interface ends in /events/v1.",
                address=address,
            )
        )
    if not isinstance(body, dict) or not isinstance(body.get("events"), list):
        raise SourceError(
            Message("{address}: It answers without a list of events.", address=address)
        )
    return body


def _page(line: bytes) -> tuple[int, list[Any]]:
    """Return the number of pages and the events of one; the content may be any file."""
    match _document(line):
        case {"pages": int() as pages, "events": list() as events}:
            return pages, events
    raise SourceError("It contains something other than pages of events in JSON, one a line.")


def _document(content: bytes) -> Any:
    """Parse JSON; return ``None`` where it is invalid or nested too deeply."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def _date(uid: str, label: str, raw: Any, changes: Record) -> ImportedDate | None:
    """Return the date of a series that an event is; ``None`` for a single event."""
    occurrence = occurrence_of(raw)
    if occurrence is None:
        return None
    record = ParsedRecord(
        source=uid,
        label=label,
        id=0,
        links={},
        group="",
        translations=frozenset(),
        occurrence=occurrence,
    )
    return ImportedDate(record, changes)


def _event(uid: str, label: str, raw: Any, reading: Reading, changes: Record) -> CalendarEvent:
    return CalendarEvent(
        source=f"{KIND}:{uid}",
        label=label,
        language=reading.language,
        changes=changes,
        uid=uid,
        url=values.address(raw, "url"),
        lineage=lineage_in(raw),
        picture_texts=values.picture_texts(raw),
    )


def _id(raw: Any) -> str:
    return str(raw.get("id", "without id")) if isinstance(raw, dict) else "without id"

"""Events of a table, a row each: CSV of spreadsheets and programs, or an Excel workbook."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace

from calendar_app.domain.cost import Cost, Currency, parse_cost
from calendar_app.domain.kind import Record
from calendar_app.domain.kinds import event_fields
from calendar_app.domain.participation import (
    ACCESSIBILITY,
    OLDEST,
    audience,
    in_order,
    language_tag,
)
from calendar_app.domain.points import ANTIMERIDIAN, POLE
from calendar_app.domain.statuses import (
    ATTENDANCE_MODES,
    CANCELED,
    EVENT_STATUSES,
    MIXED,
    OFFLINE,
    ONLINE,
    POSTPONED,
    PRIVATE,
    SCHEDULED,
)
from calendar_app.domain.texts.foreign import description_html, title_html
from calendar_app.domain.words import fold
from calendar_app.errors import Message
from calendar_app.sources.calendar_events import CalendarEvent
from calendar_app.sources.parsed import ParsedCalendar
from calendar_app.sources.readers.columns import fields_of, unread
from calendar_app.sources.readers.records import (
    Reading,
    identity,
    label_of,
    link_or_report,
    nonempty,
    single_event,
)
from calendar_app.sources.readers.sheets import Sheet, sheet_of
from calendar_app.sources.readers.table_times import YES, TableRow, is_month_first, times_of
from calendar_app.sources.readers.template import is_example

KIND = "csv"
_LISTED = re.compile(r"[,;|]")
# A spreadsheet would take the text behind the mark for a formula.
_TEXT_MARK = re.compile(r"'(?=[=+\-@\t\r\n])")
_STATUSES: Mapping[str, str] = {
    **{status: status for status in EVENT_STATUSES},
    **dict.fromkeys(("cancelled", "abgesagt", "annule", "annullato", "annulla"), CANCELED),
    **dict.fromkeys(("verschoben", "reporte", "rinviato", "spusta"), POSTPONED),
}
_POSITIONS = ("prefix", "postfix")
# What Outlook calls an event that others shall not see.
_SENSITIVE = frozenset(
    {"private", "confidential", "privat", "vertraulich", "prive", "confidentiel"}
    | {"privato", "riservato"}
)


def read_table(content: bytes, columns: Mapping[str, str], reading: Reading) -> ParsedCalendar:
    """Return the events of a table; ``columns`` maps our fields to names in its header.

    Raises ``SourceError`` where the table has no header with a title and a start.
    """
    parsed = ParsedCalendar()
    sheet = sheet_of(content, parsed)
    header = sheet.header()
    fields = fields_of(header, columns)
    if ignored := unread(header, fields):
        parsed.leave_out(
            "columns", Message("Nothing is taken of {names}.", names=", ".join(ignored))
        )
    month_first = is_month_first(row for _, row in _rows(sheet, fields))
    uids: set[str] = set()
    for number, row in _rows(sheet, fields):
        if is_example(row.get("uid", "")):
            continue
        with parsed.refusing(f'row {number} "{row["title"]}"', _uid(row)):
            event = _event(row, reading, parsed, month_first=month_first)
            if event.uid in uids:
                parsed.leave_out(
                    event.label, Message("row {number}: another event with its UID.", number=number)
                )
                continue
            uids.add(event.uid)
            parsed.events.append(event)
    return parsed


def _rows(sheet: Sheet, fields: Mapping[str, int]) -> Iterator[tuple[int, TableRow]]:
    """Yield number and cells of each row that has some."""
    for number, cells in enumerate(sheet.rows(), 2):
        row = {
            field: _TEXT_MARK.sub("", cells[place].strip(), count=1) if place < len(cells) else ""
            for field, place in fields.items()
        }
        if any(row.values()):
            yield number, row


def _event(
    row: TableRow, reading: Reading, parsed: ParsedCalendar, *, month_first: bool
) -> CalendarEvent:
    if not title_html(row["title"]):
        raise ValueError("It has no title.")
    language = reading.language_of(row.get("language", ""))
    uid = _uid(row)
    label = label_of(uid, row["title"])
    online = link_or_report(parsed, label, "online_url", row.get("online_url", ""))
    venues = list(_venues(row, language))
    mode = row.get("attendance_mode", "")
    if mode not in ATTENDANCE_MODES:
        mode = (MIXED if venues else ONLINE) if online else OFFLINE
    changes: Record = {
        "variants": {language: _texts(row, label, parsed)},
        "venues": venues,
        "organizers": list(_organizers(row, language)),
        "categories": _list(row.get("categories", "")),
        "tags": _list(row.get("tags", "")),
        "image": link_or_report(parsed, label, "image", row.get("image", "")) or None,
        "online_url": online,
        "attendance_mode": mode,
        "event_status": _STATUSES.get(fold(row.get("status", "")), SCHEDULED),
        **nonempty(_participation(row, label, parsed)),
        **_flags(row),
        **times_of(row, reading, month_first=month_first),
    }
    if cost := _cost(row, reading.currency):
        changes["cost"] = cost.document()
    if fold(row.get("private", "")) in YES or fold(row.get("sensitivity", "")) in _SENSITIVE:
        changes["status"] = PRIVATE
    return single_event(KIND, uid, row["title"], changes, language)


def _texts(row: TableRow, label: str, parsed: ParsedCalendar) -> Record:
    texts = {
        "title": title_html(row["title"]),
        "description": description_html(row.get("description", "")) or None,
        "website": link_or_report(parsed, label, "website", row.get("website", "")) or None,
    }
    more = {
        "excerpt": description_html(row.get("excerpt", "")),
        "status_reason": row.get("status_reason", ""),
        **{text.name: row.get(text.name, "") for text in event_fields.PLAIN_TEXTS},
    }
    return texts | nonempty(more)


def _uid(row: TableRow) -> str:
    return row.get("uid") or identity(
        row["start"], row.get("start_time", ""), row["title"], row.get("venue", "")
    )


def _cost(row: TableRow, site: Currency) -> Cost | None:
    """Return the cost; The Events Calendar has its currency in columns of their own."""
    cost = parse_cost(row.get("cost", ""), site)
    code = row.get("currency_code", "").upper()
    symbol = row.get("currency_symbol", "") or code
    if cost is None or cost.symbol or not symbol:
        return cost
    position = row.get("currency_position", "").lower()
    return replace(
        cost,
        symbol=symbol,
        code=code or site.code_of(symbol),
        position=position if position in _POSITIONS else "prefix",
    )


def _venues(row: TableRow, language: str) -> Iterator[Record]:
    name, _, rest = row.get("venue", "").partition(", ")
    address = nonempty(
        {
            "address": row.get("address") or rest,
            "city": row.get("city", ""),
            "country": row.get("country", ""),
        }
    )
    if name := name or str(address.get("address", "") or address.get("city", "")):
        shared = nonempty({"zip": row.get("zip", ""), "geo": _point(row)})
        yield {"variants": {language: {"venue": title_html(name), **address}}, **shared}


def _point(row: TableRow) -> tuple[float, float] | None:
    """Return latitude and longitude, if both are there."""
    with suppress(ValueError, KeyError):
        latitude, longitude = float(row["geo_lat"]), float(row["geo_lng"])
        if abs(latitude) <= POLE and abs(longitude) <= ANTIMERIDIAN:
            return latitude, longitude
    return None


def _organizers(row: TableRow, language: str) -> Iterator[Record]:
    """Yield the organizers; several names are divided by semicolons, as in our own CSV."""
    names = [name.strip() for name in row.get("organizer", "").split(";") if name.strip()]
    shared = nonempty({"email": row.get("email", ""), "phone": row.get("phone", "")})
    for name in names or filter(None, [row.get("email", "")]):
        yield {
            "variants": {language: {"organizer": title_html(name)}},
            **(shared if len(names) <= 1 else {}),
        }


def _participation(row: TableRow, label: str, parsed: ParsedCalendar) -> Record:
    languages = map(language_tag, _list(row.get("in_language", "")))
    link = link_or_report(parsed, label, "registration_url", row.get("registration_url", ""))
    ages = (_age(row.get("min_age", "")), _age(row.get("max_age", "")))
    return {
        "accessibility": in_order(_list(row.get("accessibility", "")), ACCESSIBILITY),
        "in_language": list(dict.fromkeys(filter(None, languages))),
        "audience": audience(*ages, _list(row.get("audience", ""))),
        "registration": {"url": link} if link else None,
    }


def _flags(row: TableRow) -> dict[str, bool]:
    """Return the plain flags of which the table has a column."""
    flags = [flag for flag in event_fields.PLAIN_FLAGS if flag.name in row]
    return {flag.attribute: fold(row[flag.name]) in YES for flag in flags}


def _age(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) <= len(str(OLDEST)) else None


def _list(text: str) -> list[str]:
    return list(dict.fromkeys(word.strip() for word in _LISTED.split(text) if word.strip()))

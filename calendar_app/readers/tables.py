"""Events of a table: CSV of spreadsheets, with the columns that its header names."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import date, datetime

from calendar_app.calendar.bulk.calendar_events import CalendarEvent
from calendar_app.content.written_dates import dated_day, read_clock
from calendar_app.domain.cost import parse_cost
from calendar_app.domain.kind import Record
from calendar_app.domain.moments import parse_moment
from calendar_app.domain.statuses import CANCELED, MIXED, OFFLINE, ONLINE, POSTPONED, SCHEDULED
from calendar_app.domain.words import fold
from calendar_app.imports.ics.content import decode
from calendar_app.imports.ics.zones import iana_name
from calendar_app.readers.records import (
    Reading,
    description_html,
    identity,
    label_of,
    link_or_report,
    nonempty,
    single_event,
    times,
    title_html,
    today,
)
from calendar_app.sources.parsed import ParsedCalendar, SourceError

KIND = "csv"
# The names that columns usually have, in English, German, French, Italian and Romansh.
NAMES: Mapping[str, tuple[str, ...]] = {
    "uid": ("uid", "id", "nr", "nummer", "numero", "number"),
    "title": (
        "title",
        "titel",
        "titre",
        "titolo",
        "name",
        "subject",
        "betreff",
        "event",
        "anlass",
        "veranstaltung",
        "evenement",
        "evento",
        "occurrenza",
        "titul",
        "summary",
        "objet",
    ),
    "description": (
        "description",
        "beschreibung",
        "descrizione",
        "descripziun",
        "text",
        "details",
        "beschrieb",
        "body",
    ),
    "start": (
        "start",
        "start date",
        "date",
        "datum",
        "beginn",
        "von",
        "debut",
        "date de debut",
        "data",
        "inizio",
        "data di inizio",
        "cumenzament",
        "startdatum",
        "begin",
    ),
    "start_time": (
        "start time",
        "time",
        "zeit",
        "uhrzeit",
        "startzeit",
        "heure",
        "heure de debut",
        "ora",
        "orario",
        "ora di inizio",
        "temp",
        "ura",
    ),
    "end": (
        "end",
        "end date",
        "ende",
        "bis",
        "fin",
        "date de fin",
        "fine",
        "data di fine",
        "enddatum",
        "fin data",
    ),
    "end_time": ("end time", "endzeit", "heure de fin", "ora di fine", "ura da finiziun"),
    "all_day": (
        "all day",
        "all day event",
        "ganztagig",
        "journee entiere",
        "tutto il giorno",
        "entir di",
    ),
    "timezone": (
        "timezone",
        "time zone",
        "zeitzone",
        "fuseau horaire",
        "fuso orario",
        "zona da temp",
    ),
    "venue": ("venue", "location", "place", "ort", "lokal", "lieu", "luogo", "lieu-da"),
    "address": ("address", "adresse", "strasse", "street", "rue", "indirizzo", "via", "adressa"),
    "zip": ("zip", "postcode", "plz", "npa", "code postal", "cap", "npa/plz"),
    "city": ("city", "town", "stadt", "ville", "citta", "vischnanca", "gemeinde", "ortschaft"),
    "organizer": (
        "organizer",
        "organiser",
        "veranstalter",
        "veranstalterin",
        "organisateur",
        "organizzatore",
        "organisatur",
    ),
    "email": ("email", "e-mail", "mail", "courriel", "posta elettronica"),
    "phone": ("phone", "telephone", "telefon", "telefono", "tel"),
    "website": ("website", "url", "link", "web", "site web", "sito web", "internet"),
    "online_url": ("online", "online url", "stream", "livestream"),
    "image": ("image", "bild", "picture", "photo", "foto", "immagine", "maletg"),
    "cost": (
        "cost",
        "price",
        "preis",
        "eintritt",
        "prix",
        "entree",
        "prezzo",
        "entrata",
        "predsch",
    ),
    "categories": (
        "categories",
        "category",
        "kategorie",
        "kategorien",
        "categorie",
        "categoria",
        "rubrik",
        "categorias",
    ),
    "tags": ("tags", "tag", "schlagworte", "stichworte", "mots-cles", "parole chiave"),
    "status": ("status", "state", "stato", "etat", "stadi"),
}
_DELIMITERS = ",;\t|"
_LISTED = re.compile(r"[,;|]")
_SLASHED = re.compile(r"(\d{1,2})/(\d{1,2})(?:/\d{2,4})?\b.*", re.DOTALL)
_MONTHS = 12
_CLOCK_BEHIND = re.compile(
    r"(?P<day>.*?\S)[\s,]+(?P<clock>\S*\d[:.h]\d\d\S*(?:\s*[ap]\.?m\.?)?"
    r"(?:\s*(?:uhr|h))?|\d{1,2}\s*(?:uhr|h|[ap]\.?m\.?))",
    re.IGNORECASE,
)
_LONGEST_TIME = 100  # characters, with which the pattern's time grows by their cube
_MACHINE = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.*)?|\d{8}T\d{6}Z?|\d{9,}")
_YES = frozenset({"1", "x", "true", "yes", "ja", "oui", "si", "gea", "wahr", "vrai", "vero"})
_STATUSES = {
    **dict.fromkeys(
        ("canceled", "cancelled", "abgesagt", "annule", "annullato", "annulla"), CANCELED
    ),
    **dict.fromkeys(("postponed", "verschoben", "reporte", "rinviato", "spusta"), POSTPONED),
}
Row = Mapping[str, str]
_FIRST_LINE = re.compile(r"[^\r\n]*")


def read_table(content: bytes, columns: Mapping[str, str], reading: Reading) -> ParsedCalendar:
    """Return the events of a table; ``columns`` maps our fields to names in its header.

    Raises ``SourceError`` where the table has no header with a title and a start.
    """
    table = _Table(content)
    header = table.header()
    names = _fields(header, columns)
    month_first = _is_month_first(row.get(names["start"], "") for row in table.rows())
    parsed = ParsedCalendar()
    ignored = [name for name in header if name and name not in names.values()]
    if ignored:
        parsed.leave_out("columns", f"Nothing is taken of {', '.join(ignored)}.")
    uids: set[str] = set()
    for number, raw in enumerate(table.rows(), 2):
        row = {field: (raw.get(name) or "").strip() for field, name in names.items()}
        if not any(row.values()):
            continue
        with parsed.refusing(f'row {number} "{row["title"]}"', _uid(row)):
            event = _event(row, reading, parsed, month_first=month_first)
            if event.uid in uids:
                parsed.leave_out(event.label, f"row {number}: another event with its UID.")
                continue
            uids.add(event.uid)
            parsed.events.append(event)
    return parsed


class _Table:
    """A table, of which one row at a time is in memory."""

    def __init__(self, content: bytes) -> None:
        text = decode(content).lstrip("\r\n ")
        first = _FIRST_LINE.match(text)
        self._delimiter = max(_DELIMITERS, key=(first[0] if first else "").count)
        # A text stream of the text itself would take four octets for each character.
        self._content = text.encode()

    def header(self) -> list[str]:
        with _refusing():
            return [name.strip() for name in self._reader().fieldnames or ()]

    def rows(self) -> Iterator[dict[str, str]]:
        """Yield the cells of each row by column."""
        with _refusing():
            for row in self._reader():
                yield {name.strip(): cell for name, cell in row.items() if isinstance(cell, str)}

    def _reader(self) -> "csv.DictReader[str]":
        lines = io.TextIOWrapper(io.BytesIO(self._content), "utf-8", newline="")
        return csv.DictReader(lines, delimiter=self._delimiter)


@contextmanager
def _refusing() -> Iterator[None]:
    try:
        yield
    except csv.Error as error:
        raise SourceError(f"The table cannot be read: {error}.") from error


def _fields(header: list[str], columns: Mapping[str, str]) -> dict[str, str]:
    """Return the column of each field: that of the source's settings, else one usually so named."""
    by_name = {fold(name).strip(): name for name in reversed(header)}
    fields: dict[str, str] = {}
    for field, names in NAMES.items():
        wanted = columns.get(field, "")
        if wanted and fold(wanted).strip() not in by_name:
            raise SourceError(f"The table has no column {wanted}, but {', '.join(header)}.")
        options = (wanted,) if wanted else (field, *names)
        column = next((by_name[fold(name)] for name in options if fold(name) in by_name), "")
        if column and column not in fields.values():
            fields[field] = column
    for field in ("title", "start"):
        if field not in fields:
            raise SourceError(
                f"The table has no column for {field}: name one of {', '.join(header)[:300]}."
            )
    return fields


def _is_month_first(dates: Iterable[str]) -> bool:
    """Return whether the dates put the month first, as in 12/31/2026."""
    matches = [match for text in dates if (match := _SLASHED.fullmatch(text.strip()))]
    return any(int(match[2]) > _MONTHS for match in matches) and all(
        int(match[1]) <= _MONTHS for match in matches
    )


def _event(
    row: Row, reading: Reading, parsed: ParsedCalendar, *, month_first: bool
) -> CalendarEvent:
    title = title_html(row["title"])
    if not title:
        raise ValueError("It has no title.")
    language = reading.language
    uid = _uid(row)
    label = label_of(uid, row["title"])
    online = link_or_report(parsed, label, "online_url", row.get("online_url", ""))
    venues = list(_venues(row, language))
    changes: Record = {
        "variants": {
            language: {
                "title": title,
                "description": description_html(row.get("description", "")) or None,
                "website": link_or_report(parsed, label, "website", row.get("website", "")) or None,
            }
        },
        "venues": venues,
        "organizers": list(_organizers(row, language)),
        "categories": _list(row.get("categories", "")),
        "tags": _list(row.get("tags", "")),
        "image": link_or_report(parsed, label, "image", row.get("image", "")) or None,
        "online_url": online,
        "attendance_mode": (MIXED if venues else ONLINE) if online else OFFLINE,
        "event_status": _STATUSES.get(fold(row.get("status", "")).strip(), SCHEDULED),
        **_times(row, reading, month_first=month_first),
    }
    if cost := parse_cost(row.get("cost", ""), reading.currency):
        changes["cost"] = cost.document()
    return single_event(KIND, uid, row["title"], changes, language)


def _uid(row: Row) -> str:
    return row.get("uid") or identity(
        row["start"], row.get("start_time", ""), row["title"], row.get("venue", "")
    )


def _times(row: Row, reading: Reading, *, month_first: bool) -> Record:
    zone = row.get("timezone", "")
    name = iana_name(zone) if zone else reading.timezone
    if not name:
        raise ValueError(f"timezone is unknown: {zone}")
    start = _moment(row, "start", reading, month_first=month_first)
    end = _moment(row, "end", reading, month_first=month_first, day=start)
    whole = fold(row.get("all_day", "")).strip() in _YES
    if whole and isinstance(start, datetime):
        start = start.date()
    if end is not None and isinstance(start, datetime) and isinstance(end, datetime):
        end = end if end.tzinfo or not start.tzinfo else end.replace(tzinfo=start.tzinfo)
    return times(start or date.min, end, name)


def _moment(
    row: Row, field: str, reading: Reading, *, month_first: bool, day: date | None = None
) -> date | datetime | None:
    """Return a day, or a time of a day, as people or programs write it.

    An end may have a time alone, on the ``day`` of the start.
    """
    text, clock = row.get(field, ""), row.get(f"{field}_time", "")
    if not text and not (clock and day):
        return None
    if len(text) + len(clock) > _LONGEST_TIME:
        raise ValueError(f"{field} cannot be read: it is longer than {_LONGEST_TIME} characters.")
    try:
        if text and _MACHINE.fullmatch(text) and not clock:
            return _from_program(text, reading)
        if text and not clock and (match := _CLOCK_BEHIND.fullmatch(text)):
            with suppress(ValueError):
                clock, text = f"{read_clock(match['clock']):%H:%M}", match["day"]
        if text and day and not clock:
            with suppress(ValueError):
                return datetime.combine(day, read_clock(text))
        languages = (reading.language, *reading.languages)
        if text:
            # A table is read again tomorrow, and then "tomorrow" is another day.
            day = dated_day(text, languages, today(reading), month_first=month_first)
        return datetime.combine(day or date.min, read_clock(clock)) if clock else day
    except ValueError as error:
        raise ValueError(f"{field} cannot be read: {f'{text} {clock}'.strip()}. {error}") from error


def _from_program(text: str, reading: Reading) -> date | datetime:
    moment = parse_moment(text, reading.clock(), rolls_over=False)
    if len(text) == len("2026-12-24"):
        return moment.wall.date()
    return moment.wall.replace(tzinfo=moment.zone)


def _venues(row: Row, language: str) -> Iterator[Record]:
    name, _, rest = row.get("venue", "").partition(", ")
    address = nonempty({"address": row.get("address") or rest, "city": row.get("city", "")})
    if name := name or str(address.get("address", "") or address.get("city", "")):
        shared = nonempty({"zip": row.get("zip", "")})
        yield {"variants": {language: {"venue": title_html(name), **address}}, **shared}


def _organizers(row: Row, language: str) -> Iterator[Record]:
    if name := row.get("organizer") or row.get("email", ""):
        shared = nonempty({"email": row.get("email", ""), "phone": row.get("phone", "")})
        yield {"variants": {language: {"organizer": title_html(name)}}, **shared}


def _list(text: str) -> list[str]:
    return list(dict.fromkeys(word.strip() for word in _LISTED.split(text) if word.strip()))

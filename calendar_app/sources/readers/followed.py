"""Events of another calendar like this one, by its feed of changes.

The first reading takes all events, and later ones what has changed since the token of the last one,
which is kept in the place of an ``ETag``. The content is one JSON object a line: a header, then an
event, a whole series with its dates, or what has gone. Of a series everything is read again as soon
as one of its dates changes.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from calendar_app.domain.kind import Record
from calendar_app.domain.moments import Moment
from calendar_app.domain.recurrence.expansion import spans_of
from calendar_app.domain.recurrence.notation import SentRecurrence, parse, settle
from calendar_app.domain.richtext import decoded
from calendar_app.errors import Message
from calendar_app.sources.calendar_events import ANY_COUNT, CalendarEvent, OverriddenDate
from calendar_app.sources.imports.tec import values
from calendar_app.sources.parsed import Fetched, ParsedCalendar, SourceError, Validators
from calendar_app.sources.readers.fetching import AnsweredError, Fetcher
from calendar_app.sources.readers.records import Reading, label_of
from calendar_app.sources.readers.site_records import event_changes, lineage_in

KIND = "calendar"
_START = "start"
_PER_PAGE = 100
_MAX_PAGES = 1000
_MOST_DATES = 10_000
# What an address may end in beside that of the interface.
_LISTS = ("/changes", "/events")
# A token is too old or was made before a backup was restored; it is none of this calendar.
_LOST = (HTTPStatus.GONE, HTTPStatus.BAD_REQUEST)
# What is computed from other fields of an event, and is the larger part of it.
_COMPUTED = (
    *("json_ld", "feeds", "rest_url", "timezone_abbr", "cost_values"),
    *(f"{name}_details" for name in ("start_date", "end_date")),
    *(f"utc_{name}_details" for name in ("start_date", "end_date")),
)
_LOCKED = Message("A password protects it, so that nothing of it is read.")
_OLDER = Message(
    "{address}: That calendar is of an earlier release, which cannot be followed; "
    "sources of the kind tec read it."
)
_NO_CHANGES = Message(
    "{address}: There are no changes to be followed. Sources of the kind calendar are calendars "
    "like this one; those of the kind tec any site with The Events Calendar."
)
_NO_LINE = Message("It contains something other than changes of a calendar like this one.")


# Fetch.


@dataclass(slots=True)
class _Fetched:
    """The changes of all pages: events by UID, ids of series and their dates by theirs.

    Each date has the UID of an event of its own, which it was before or is where its series is
    locked.
    """

    next: str
    events: dict[str, Record] = field(default_factory=dict)
    series: dict[str, int] = field(default_factory=dict)
    dates: dict[str, dict[str, Record]] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)

    def add(self, change: Mapping[str, Any], address: str) -> None:
        """Add a change; a later one of the same event replaces it."""
        is_deleted = change.get("change") == "delete"
        uid, series = change.get("uid"), change.get("series")
        if not isinstance(uid, str):
            if is_deleted and "slug" not in change.get("tombstone", {}):
                return  # It was never public.
            raise SourceError(Message(_OLDER.pattern, address=address))
        if isinstance(series, int):
            self.series[uid] = series
            dates, single_uid = self.dates.setdefault(uid, {}), str(change.get("single_uid"))
            self.gone.add(single_uid)
            dates.pop(single_uid, None)
            if not is_deleted:
                dates[single_uid] = _short(change["record"])
        elif is_deleted:
            self.events.pop(uid, None)
            self.gone.add(uid)
        else:
            self.gone.discard(uid)
            self.events[uid] = _short(change["record"])


def fetch_changes(fetcher: Fetcher, address: str, validators: Validators) -> Fetched | None:
    """Return the changes since the last token; without one all events.

    Without a change the content is empty, and has another token.
    """
    token = validators.etag
    try:
        changes = _changes(fetcher, address, token or _START)
    except AnsweredError as error:
        if error.status == HTTPStatus.NOT_FOUND:
            raise SourceError(Message(_NO_CHANGES.pattern, address=address)) from error
        if not token or error.status not in _LOST:
            raise
        changes, token = _changes(fetcher, address, _START), ""
    if token and not (changes.events or changes.series or changes.gone):
        return Fetched(b"", changes.next, "", address)
    content = fetcher.joined(_lines(fetcher, address, changes, is_whole=not token))
    return Fetched(content, changes.next, "", address)


def _changes(fetcher: Fetcher, address: str, since: str) -> _Fetched:
    changes = _Fetched(since)
    for _ in range(_MAX_PAGES):
        query = {"since": changes.next, "per_page": _PER_PAGE}
        body = _body(fetcher, _address(address, "/changes", query), "changes")
        changes.next = str(body.get("next", ""))
        for change in body["changes"]:
            changes.add(change, address)
        if not body.get("more"):
            return changes
    raise SourceError(Message("It has more than {number} pages of changes.", number=_MAX_PAGES))


def _lines(fetcher: Fetcher, address: str, changes: _Fetched, *, is_whole: bool) -> Iterator[bytes]:
    yield _line({"calendar": 1, "whole": is_whole})
    for uid, number in changes.series.items():
        listed = list(changes.dates[uid].values()) if is_whole else None
        series = _series(fetcher, address, number, listed)
        if series is None:
            changes.gone.add(uid)
            changes.events |= changes.dates[uid]
        else:
            yield _line({"uid": uid, **series})
    for uid, record in changes.events.items():
        yield _line({"uid": uid, "record": record})
    for uid in sorted(changes.gone - changes.events.keys()):
        yield _line({"uid": uid})


def _series(
    fetcher: Fetcher, address: str, number: int, dates: Sequence[Record] | None
) -> Record | None:
    """Return a series and its dates, which are fetched unless they are there.

    ``None`` for one that is gone, or locked.
    """
    try:
        record = _body(fetcher, _address(address, f"/series/{number}", {}, filters=False))
        if _is_locked(record):
            return None
        dates = _dates(fetcher, address, number) if dates is None else dates
    except AnsweredError as error:
        if error.status in (HTTPStatus.NOT_FOUND, HTTPStatus.FORBIDDEN, HTTPStatus.UNAUTHORIZED):
            return None
        raise
    return {"record": _short(record), "dates": dates} if dates else None


def _dates(fetcher: Fetcher, address: str, number: int) -> list[Record]:
    dates: list[Record] = []
    page, pages = 0, 1
    while page < min(pages, _MAX_PAGES):
        page += 1
        query = {"page": page, "per_page": _PER_PAGE}
        body = _body(fetcher, _address(address, f"/series/{number}/events", query), "events")
        pages = body["total_pages"] if isinstance(body.get("total_pages"), int) else 1
        dates += map(_short, body["events"])
    return dates


def _body(fetcher: Fetcher, address: str, listed: str = "") -> Record:
    fetched = fetcher.fetch(address)
    body = _document(fetched.content) if fetched else None
    if not isinstance(body, dict) or (listed and not isinstance(body.get(listed), list)):
        raise SourceError(
            Message("{address}: It answers as no calendar like this one does.", address=address)
        )
    return body


def _address(address: str, path: str, query: Mapping[str, Any], *, filters: bool = True) -> str:
    parts = urlsplit(address)
    base = parts.path.rstrip("/")
    for name in _LISTS:
        base = base.removesuffix(name) if not base.endswith(f"/tribe{name}") else base
    own = dict(parse_qsl(parts.query)) if filters else {}
    query = {**own, "translation_language": "all", **query}
    return urlunsplit(parts._replace(path=f"{base}{path}", query=urlencode(query)))


def _short(record: Any) -> Record:
    if not isinstance(record, dict):
        raise SourceError("It contains something other than events in its changes.")
    return {name: value for name, value in record.items() if name not in _COMPUTED}


def _line(values: Mapping[str, Any]) -> bytes:
    return json.dumps(values).encode()


def _document(content: bytes) -> Any:
    """Parse JSON; return ``None`` where it is invalid or nested too deeply."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


# Read.


def read_changes(content: bytes, reading: Reading) -> ParsedCalendar:
    """Return the changes of a content; raise ``SourceError`` where it is none."""
    header, *lines = map(_document, content.splitlines())
    parsed = ParsedCalendar()
    match header:
        case {"calendar": int(), "whole": bool() as whole}:
            parsed.only_changes = not whole
        case _:
            raise SourceError(_NO_LINE)
    for line in lines:
        if not isinstance(line, dict) or not isinstance(uid := line.get("uid"), str):
            raise SourceError(_NO_LINE)
        raw = line.get("record")
        if raw is None:
            parsed.gone_uids.add(uid)
            continue
        label = label_of(uid, decoded(str(raw.get("title", ""))))
        with parsed.refusing(label, uid):
            if _is_locked(raw):
                parsed.gone_uids.add(uid)
                parsed.leave_out(label, _LOCKED)
                continue
            language = _language_of(raw, reading)
            own = replace(reading, language=language)
            parsed.events.append(_event(uid, label, line, own, parsed))
    return parsed


def _is_locked(raw: Record) -> bool:
    """Say whether a record shows no more than its title, since a password protects it."""
    return raw.get("all_day") is None


def _language_of(raw: Record, reading: Reading) -> str:
    """Return the language of the source, else the first of ours in which an event has a title."""
    variants = raw.get("variants") or {}
    titled = [
        tag for tag, texts in variants.items() if isinstance(texts, dict) and texts.get("title")
    ]
    for tag in (reading.language, *reading.languages):
        if tag in titled:
            return tag
    raise ValueError(
        Message(
            "It is in other languages than this calendar: {languages}.",
            languages=", ".join(map(str, titled)),
        )
    )


def _event(
    uid: str, label: str, line: Record, reading: Reading, parsed: ParsedCalendar
) -> CalendarEvent:
    raw = line["record"]
    changes = event_changes(label, raw, reading, parsed)
    event = CalendarEvent(
        source=f"{KIND}:{uid}",
        label=label,
        language=reading.language,
        changes=changes,
        uid=uid,
        url=values.address(raw, "url"),
        lineage=(values.text(raw, "global_id"), *lineage_in(raw)),
        picture_texts=values.picture_texts(raw),
    )
    if "dates" not in line:
        return event
    recurrence = parse(raw.get("recurrence"), reading.clock().astimezone(UTC))
    left_out = _hidden_dates(replace(event, recurrence=recurrence), line)
    return replace(
        event,
        parts=_parts(recurrence),
        recurrence=replace(recurrence, exdates=(*recurrence.exdates, *map(Moment, left_out))),
        overrides=tuple(_overrides(label, line["dates"], changes, reading, parsed)),
    )


def _parts(recurrence: SentRecurrence) -> Record:
    return {
        "rrule": [str(rule) for rule in recurrence.rules],
        "rdate": [list(date) for date in recurrence.rdates],
    }


def _hidden_dates(series: CalendarEvent, line: Record) -> list[datetime]:
    """Return the dates that the rules give, and that the other calendar does not show."""
    raw = line["record"]
    open_dates = {_wall(each, "recurrence_id") for each in line["dates"] if not _is_locked(each)}
    begin, end = (_wall(raw, name) for name in ("dates_from", "dates_until"))
    until = end or max(filter(None, open_dates), default=None)
    if until is None:
        return []
    span = series.span
    recurrence = settle(series.recurrence, span, limit=ANY_COUNT)
    dates = spans_of(recurrence, span, since=begin, until=until, limit=_MOST_DATES)
    return sorted(date for date in dates if date not in open_dates and (not begin or date >= begin))


def _wall(raw: Record, name: str) -> datetime | None:
    text = values.text(raw, name)
    return datetime.fromisoformat(text) if text else None


def _overrides(
    label: str, dates: Sequence[Record], series: Record, reading: Reading, parsed: ParsedCalendar
) -> Iterator[OverriddenDate]:
    """Yield the dates that differ from their series, each with all its values."""
    for raw in dates:
        if not raw.get("overrides") or _is_locked(raw):
            continue
        begin = Moment(datetime.fromisoformat(values.required(raw, "recurrence_id")))
        date_label = f"{label}, {begin.wall:%Y-%m-%d}"
        changes = event_changes(date_label, raw, reading, parsed)
        variants = {
            tag: dict.fromkeys(series["variants"].get(tag, ())) | changes["variants"].get(tag, {})
            for tag in dict.fromkeys((*series["variants"], *changes["variants"]))
        }
        changes = {**changes, "variants": variants}
        yield OverriddenDate(date_label, begin, reading.language, changes)

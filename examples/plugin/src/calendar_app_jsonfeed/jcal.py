"""Sources in jCal, iCalendar as JSON (RFC 7265, https://www.rfc-editor.org/rfc/rfc7265).

A calendar is ``["vcalendar", properties, components]``, a component likewise; a property is
``[name, parameters, type, value, …]``.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import orjson

from calendar_app.plugins import (
    CalendarEvent,
    Moment,
    ParsedCalendar,
    ReadableSource,
    Reading,
    SentRecurrence,
    SourceError,
    SourceKind,
    description_html,
    identity,
    label_of,
    link_or_report,
    nonempty,
    parse_rule,
    single_event,
    times,
    title_html,
)

_NAME = "jcal"
_STATUSES = {"CANCELLED": "canceled", "TENTATIVE": "postponed"}
_DAY = timedelta(days=1)
Property = list[Any]
Properties = Mapping[str, list[Property]]


def read_jcal(content: bytes, _: ReadableSource, reading: Reading) -> ParsedCalendar:
    """Return the events of a calendar; raise ``SourceError`` where it is none."""
    try:
        name, _properties, components = orjson.loads(content)
    except ValueError as error:
        raise SourceError("It is no jCal.") from error
    if name != "vcalendar" or not isinstance(components, list):
        raise SourceError("It is no calendar.")
    parsed = ParsedCalendar()
    for kind, properties, *_rest in components:
        if kind == "vevent":
            own = _by_name(properties)
            title, uid = _text(own, "summary"), _text(own, "uid")
            with parsed.refusing(label_of(uid, title), uid):
                parsed.events.append(_event(own, title, uid, reading, parsed))
    return parsed


def _by_name(properties: list[Property]) -> Properties:
    named: dict[str, list[Property]] = {}
    for each in properties:
        named.setdefault(each[0], []).append(each)
    return named


def _event(
    own: Properties, title: str, uid: str, reading: Reading, parsed: ParsedCalendar
) -> CalendarEvent:
    if not title or "dtstart" not in own:
        raise ValueError("It has no title, or no start.")
    uid = uid or identity(title, str(own["dtstart"]))
    language = reading.language_of(own["summary"][0][1].get("language", ""))
    website = link_or_report(parsed, label_of(uid, title), "url", _text(own, "url"))
    place = _text(own, "location")
    texts = {
        "title": title_html(title),
        "description": description_html(_text(own, "description")) or None,
        "website": website or None,
    }
    changes = {
        "variants": {language: texts},
        "venues": [{"variants": {language: {"venue": title_html(place)}}}] if place else [],
        "categories": [word for each in own.get("categories", ()) for word in each[3:]],
        "event_status": _STATUSES.get(_text(own, "status").upper(), "scheduled"),
        **_times(own, reading.timezone),
    }
    event = single_event(_NAME, uid, title, changes, language)
    return replace(event, recurrence=_recurrence(own))


def _times(own: Properties, timezone: str) -> Mapping[str, Any]:
    """Return start and end; that of whole days is the day after the last one (RFC 5545)."""
    start = _moment(own["dtstart"][0])
    end = _moment(own["dtend"][0]) if "dtend" in own else None
    if end is not None and not isinstance(start, datetime):
        end = max(start, end - _DAY)
    return times(start, end, own["dtstart"][0][1].get("tzid", timezone))


def _moment(prop: Property) -> date | datetime:
    """Return a day, or a time: aware in UTC, on the clocks of its zone, or of the event."""
    _, parameters, kind, value, *_rest = prop
    if kind == "date":
        return date.fromisoformat(value)
    moment = datetime.fromisoformat(value)
    return moment.replace(tzinfo=ZoneInfo(parameters["tzid"])) if "tzid" in parameters else moment


def _recurrence(own: Properties) -> SentRecurrence:
    return SentRecurrence(
        rules=tuple(parse_rule(_rule(each[3])) for each in own.get("rrule", ())),
        exdates=tuple(_dates(own, "exdate")),
    )


def _rule(parts: Mapping[str, Any]) -> str:
    """Return a rule as iCalendar has it: ``FREQ=WEEKLY;BYDAY=MO,WE``."""
    values = {
        name: ",".join(map(str, value)) if isinstance(value, list) else str(value)
        for name, value in nonempty(parts).items()
    }
    if "until" in values:
        values["until"] = values["until"].replace("-", "").replace(":", "")
    return ";".join(f"{name.upper()}={value}" for name, value in values.items())


def _dates(own: Properties, name: str) -> Iterator[Moment]:
    for prop in own.get(name, ()):
        for value in prop[3:]:
            moment = _moment([*prop[:3], value])
            if not isinstance(moment, datetime):
                moment = datetime.combine(moment, datetime.min.time())
            yield Moment(moment.replace(tzinfo=None), moment.tzinfo)


def _text(own: Properties, name: str) -> str:
    return str(own[name][0][3]).strip() if name in own else ""


JCAL = SourceKind("application/calendar+json", read_jcal)

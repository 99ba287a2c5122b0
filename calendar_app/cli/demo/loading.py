"""Puts a demo calendar into an empty database."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from importlib.resources import files
from zoneinfo import ZoneInfo

from calendar_app.accounts.callers import Caller
from calendar_app.calendar.editor import Editor
from calendar_app.calendar.pictures.uploads import Pictures, Upload
from calendar_app.cli.demo.calendars import DemoEntry, calendar_for
from calendar_app.domain.cost import Currency, parse_cost
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import CATEGORY, EVENT, ORGANIZER, TAG, VENUE
from calendar_app.domain.moments import Moment
from calendar_app.domain.participation import UNSTATED
from calendar_app.domain.recurrence.notation import SentRecurrence
from calendar_app.domain.recurrence.rules import parse_rule
from calendar_app.errors import TermExists
from calendar_app.settings import Settings
from calendar_app.storage.query.clauses import EVERYTHING, Clause, equals

# The demo calendar belongs to the first user, who is the administrator of a new database.
ADMINISTRATOR = Caller(id=1, name="admin", role="administrator")

_LINKED = (CATEGORY, TAG, VENUE, ORGANIZER)
_PICTURES = "pictures"
# What a date of a series may have of its own, beside texts and times.
_CHANGED = ("event_status",)
_END_OF_DAY = time(23, 59, 59)

# The ids of the records made so far: collection, then key in the calendar.
_Ids = Mapping[str, Mapping[str, int]]
# Returns the stored events that match, by start.
FindEvents = Callable[[Clause], Sequence[Record]]


def load_pictures(pictures: Pictures, settings: Settings) -> dict[str, int]:
    """Store the pictures of the calendar that fits the site; return their ids by key."""
    language, ids = settings.default_language, {}
    for entry in calendar_for(settings)[_PICTURES]:
        name = f"{entry['key']}.webp"
        data = files("calendar_app.cli.demo").joinpath(_PICTURES, name).read_bytes()
        changes = {part: entry[part] for part in ("variants", "credit", "license")}
        upload = Upload(data, name, changes)
        ids[entry["key"]] = pictures.upload(upload, ADMINISTRATOR, language)["_id"]
    return ids


def load_demo(
    find_events: FindEvents,
    editor: Editor,
    settings: Settings,
    now: datetime,
    pictures: Mapping[str, int] | None = None,
) -> int:
    """Create the calendar that fits the languages of the site; return how many events it has.

    ``now`` is aware; the days of the events are counted from its day in the zone of the site.
    ``pictures`` are the ids of those that are stored, by key.
    """
    calendar = calendar_for(settings)
    ids: dict[str, dict[str, int]] = {kind.name: {} for kind in _LINKED}
    ids[_PICTURES] = dict(pictures or {})
    for kind in _LINKED:
        for entry in calendar[kind.name]:
            changes = _linked(entry, ids)
            ids[kind.name][entry["key"]] = _found_or_made(editor, kind, changes)
    today = now.astimezone(ZoneInfo(settings.timezone)).date()
    for entry in calendar[EVENT.name]:
        changes = _event(entry, ids, today) | {"cost": _cost(entry, settings)}
        event = editor.create(EVENT, changes, ADMINISTRATOR, settings.default_language)
        if "exceptions" in entry:
            dates = find_events(equals("series", event["series"]))
            _make_exceptions(editor, entry, dates, settings.default_language)
    return len(find_events(EVERYTHING))


def _make_exceptions(
    editor: Editor, entry: DemoEntry, events: Sequence[Record], language: str
) -> None:
    """Change or cancel single dates of a series."""
    for number, exception in entry["exceptions"].items():
        event = events[int(number)]
        changes = {name: exception[name] for name in _CHANGED if name in exception}
        if "variants" in exception:
            variants = exception["variants"].items()
            changes["variants"] = {tag: text for tag, text in variants if tag in entry["variants"]}
        if "start" in exception:
            start, end = _span(entry | exception, event["start_local"].date())
            changes |= {"start": Moment(start), "end": Moment(end)}
        editor.change(EVENT, event["_id"], changes, ADMINISTRATOR, language)


def _found_or_made(editor: Editor, kind: Kind, changes: Record) -> int:
    """Return the id; a record of an interrupted loading is used again."""
    language = next(iter(changes["variants"]))
    try:
        record = editor.create(kind, changes, ADMINISTRATOR, language)
    except TermExists as error:
        return error.term_id
    record_id: int = record["_id"]
    return record_id


def _linked(entry: DemoEntry, ids: _Ids) -> Record:
    """Return a venue, organizer or term as the changes that make it."""
    changes: Record = {
        name: value
        for name, value in entry.items()
        if name in ("variants", "zip", "phone", "email")
    }
    if entry.get("parent"):
        changes["parent"] = ids[CATEGORY.name][entry["parent"]]
    if "geo_lat" in entry:
        changes["geo"] = (entry["geo_lat"], entry["geo_lng"])
    return changes


def _event(entry: DemoEntry, ids: _Ids, today: date) -> Record:
    """Return the changes that make an event, or a series on several days."""
    days = [today + timedelta(days=day) for day in entry["days"]]
    start, end = _span(entry, days[0])
    changes: Record = {
        "start": Moment(start),
        "end": Moment(end),
        "variants": entry["variants"],
        "status": entry.get("status", "publish"),
        "all_day": entry.get("all_day", False),
        "featured": entry.get("featured", False),
        "sticky": entry.get("sticky", False),
        "show_map": True,
        "show_map_link": True,
        "venues": [ids[VENUE.name][entry["venue"]]],
        **{
            kind.name: [ids[kind.name][key] for key in entry[kind.name]]
            for kind in (ORGANIZER, CATEGORY, TAG)
        },
    }
    if entry.get("picture") in ids[_PICTURES]:
        changes["image"] = ids[_PICTURES][entry["picture"]]
    changes |= _participation(entry, start)
    rules = (parse_rule(entry["rule"]),) if "rule" in entry else ()
    extra_dates = tuple((Moment(_span(entry, day)[0]), None) for day in days[1:])
    if rules or extra_dates:
        changes["recurrence"] = SentRecurrence(rules, extra_dates)
    return changes


def _participation(entry: DemoEntry, start: datetime) -> Record:
    """Return who can take part; registration closes some days before the event."""
    extra_values: Record = {name: entry[name] for name in UNSTATED if name in entry}
    if "registration" in entry:
        registration = dict(entry["registration"])
        last = start.date() - timedelta(days=registration.pop("closes_before"))
        extra_values["registration"] = registration | {
            "closes": datetime.combine(last, _END_OF_DAY)
        }
    return extra_values


def _span(entry: DemoEntry, first: date) -> tuple[datetime, datetime]:
    """Return the wall clocks at which an event that starts on ``first`` begins and ends."""
    last = first + timedelta(days=entry.get("nights", 0))
    if entry.get("all_day"):
        return datetime.combine(first, time.min), datetime.combine(last, _END_OF_DAY)
    return (
        datetime.combine(first, time.fromisoformat(entry["start"])),
        datetime.combine(last, time.fromisoformat(entry["end"])),
    )


def _cost(entry: DemoEntry, settings: Settings) -> Record | None:
    cost = parse_cost(entry.get("cost"), Currency.of(settings))
    return cost.document() if cost else None

"""Puts a demo calendar into an empty database."""

from collections.abc import Iterator, Mapping
from datetime import date, datetime, time, timedelta
from importlib.resources import files
from zoneinfo import ZoneInfo

from calendar_app.accounts.caller import Caller
from calendar_app.calendar.pictures.uploads import Pictures, Upload
from calendar_app.calendar.writing.editor import Editor
from calendar_app.demo.calendars import Entry, calendar_for
from calendar_app.domain.cost import parse_cost
from calendar_app.domain.currencies import Currency
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.moments import Moment
from calendar_app.errors import TermExists
from calendar_app.resources.kinds import CATEGORY, EVENT, ORGANIZER, TAG, VENUE
from calendar_app.settings import Settings

# The demo calendar belongs to the first user, who is the administrator of a new database.
ADMINISTRATOR = Caller(id=1, name="admin", role="administrator")

_LINKED = (CATEGORY, TAG, VENUE, ORGANIZER)
_PICTURES = "pictures"
_END_OF_DAY = time(23, 59, 59)

# The ids of the records made so far: collection, then key in the calendar.
_Ids = Mapping[str, Mapping[str, int]]


def load_pictures(pictures: Pictures, settings: Settings) -> dict[str, int]:
    """Store the pictures of the calendar that fits the site; return their ids by key."""
    language, ids = settings.default_language, {}
    for entry in calendar_for(settings)[_PICTURES]:
        name = f"{entry['key']}.webp"
        data = files("calendar_app.demo").joinpath(_PICTURES, name).read_bytes()
        upload = Upload(data, name, {"variants": entry["variants"]})
        ids[entry["key"]] = pictures.upload(upload, ADMINISTRATOR, language)["_id"]
    return ids


def load_demo(
    editor: Editor, settings: Settings, now: datetime, pictures: Mapping[str, int] | None = None
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
    events = [
        changes | {"cost": _cost(entry, settings)}
        for entry in calendar[EVENT.name]
        for changes in _events(entry, ids, today)
    ]
    for changes in events:
        editor.create(EVENT, changes, ADMINISTRATOR, settings.default_language)
    return len(events)


def _found_or_made(editor: Editor, kind: Kind, changes: Record) -> int:
    """Return the id; a record of an interrupted loading is used again."""
    language = next(iter(changes["variants"]))
    try:
        record = editor.create(kind, changes, ADMINISTRATOR, language)
    except TermExists as error:
        return error.term_id
    record_id: int = record["_id"]
    return record_id


def _linked(entry: Entry, ids: _Ids) -> Record:
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


def _events(entry: Entry, ids: _Ids, today: date) -> Iterator[Record]:
    """Yield the changes that make the events of an entry, one a day it names."""
    shared = {
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
        shared["image"] = ids[_PICTURES][entry["picture"]]
    for day in entry["days"]:
        start, end = _span(entry, today + timedelta(days=day))
        yield shared | {"start": Moment(start), "end": Moment(end)}


def _span(entry: Entry, first: date) -> tuple[datetime, datetime]:
    """Return the wall clocks at which an event that starts on ``first`` begins and ends."""
    last = first + timedelta(days=entry.get("nights", 0))
    if entry.get("all_day"):
        return datetime.combine(first, time.min), datetime.combine(last, _END_OF_DAY)
    return (
        datetime.combine(first, time.fromisoformat(entry["start"])),
        datetime.combine(last, time.fromisoformat(entry["end"])),
    )


def _cost(entry: Entry, settings: Settings) -> Record | None:
    cost = parse_cost(entry.get("cost"), Currency.of(settings))
    return cost.document() if cost else None

"""The event and the series: texts, defaults, indexes, rules."""

from collections.abc import Mapping
from dataclasses import fields, replace

from calendar_app.domain.fields import (
    LASTS_UNDER,
    TITLE_LANGUAGES,
    WITHDRAWN_AT,
    WORDED,
    WORDS,
    display_title,
    has_title,
)
from calendar_app.domain.kind import Index, Kind, Record
from calendar_app.domain.kinds.event_fields import PLAIN_FLAGS, TEXTS
from calendar_app.domain.participation import UNSTATED
from calendar_app.domain.provenance import INHERITED, SOURCE_OF_NOTES
from calendar_app.domain.statuses import USUAL, is_hidden, listing_state
from calendar_app.domain.timespan import EndBeforeStart, TimeSpan, lasts_under, settle
from calendar_app.errors import InvalidParameters, Message

# The list by start: its equality fields, its order, and the other end of its window.
_VISIBLE = (("status", 1), ("hidden", 1))
_BY_START = (*_VISIBLE, ("start_local", 1), ("_id", 1), ("end_local", 1))
_FLAGS = (("featured", 1), ("ticketed", 1))
_DATES = (("start_local", 1), ("end_local", 1))
_COORDINATES = (("location.latitude", 1), ("location.longitude", 1))
# Further filters of large lists, so that the index covers them.
_BESIDE = (
    *(("event_status", 1), ("attendance_mode", 1), *_COORDINATES),
    *(*_FLAGS, (TITLE_LANGUAGES, 1), ("series", 1)),
)
# Of what comes from a source; the same UID in two sources is two events.
_SOURCE = SOURCE_OF_NOTES
_IDENTITY = ((_SOURCE, 1), ("from_sources.uid", 1), ("from_sources.recurrence_id", 1))
_TIMES = tuple(field.name for field in fields(TimeSpan))


def _settle_event(record: Record, changes: Record, site_timezone: str) -> Record:
    return _settle_times(record, changes, site_timezone) | {"hidden": _listing(record, changes)}


def _listing(record: Record, changes: Record) -> bool | str:
    """Validate visibility and password against the stored values."""
    hidden = changes.get("hidden", record.get("hidden", False))
    password = changes["password"] if "password" in changes else record.get("password")
    return listing_state(hidden=is_hidden(hidden), locked=password is not None)


def _settle_times(record: Record, changes: Record, site_timezone: str) -> Record:
    """Validate the times against the stored ones."""
    stored = TimeSpan(**{name: record[name] for name in _TIMES}) if "start" in record else None
    try:
        span = settle(
            stored,
            start=changes.get("start"),
            end=changes.get("end"),
            timezone=changes.get("timezone"),
            all_day=changes.get("all_day"),
            site_timezone=site_timezone,
        )
    except EndBeforeStart as error:
        raise InvalidParameters({"end_date": Message("end_date is before start_date.")}) from error
    except ValueError as error:
        raise InvalidParameters({"start_date": Message("start_date is out of range.")}) from error
    times = {name: getattr(span, name) for name in _TIMES}
    return times | {LASTS_UNDER: lasts_under(span.start_local, span.end_local)}


EVENT = Kind(
    name="events",
    singular="event",
    label="title",
    texts={field.name: field.markup for field in TEXTS if field.markup},
    searched_texts=("title", "description", "excerpt"),
    found_by_words=True,
    fed=True,
    slug_when_unfinished=False,
    defaults={
        "show_map": False,
        "show_map_link": False,
        "hidden": False,
        "sticky": False,
        "featured": False,
        "ticketed": False,
        "cost": None,
        "image": None,
        "parent": 0,
        "password": None,
        "venues": [],
        "organizers": [],
        "categories": [],
        "tags": [],
        "location": None,
        "restricted_place": None,
    },
    usual={**USUAL, **UNSTATED, **{field.attribute: False for field in PLAIN_FLAGS}},
    indexes=(
        Index(
            (*_BY_START, *_BESIDE),
            "the list by start, and its total without a look at any event",
        ),
        Index(
            (("event_status", 1), *_BY_START),
            "event_status: what is canceled or postponed",
            having="event_status",
        ),
        Index(
            (("attendance_mode", 1), *_BY_START),
            "attendance_mode: what can be followed online",
            having="attendance_mode",
        ),
        *(
            Index(((name, 1), *_BY_START), f"{name}: of few events as a rule", having=name)
            for name in ("accessibility", "in_language")
        ),
        Index(
            (("audience.min_age", 1), *_BY_START, ("audience.max_age", 1)),
            "age: what is for people of an age",
            having="audience.min_age",
        ),
        Index(
            (*_VISIBLE, ("end_local", 1), ("_id", 1), ("start_local", 1), ("modified", 1)),
            "orderby=end_date; ends_before, ends_after; the first changed of what is still on",
        ),
        Index(
            ((LASTS_UNDER, 1), *_BY_START),
            "ends_after, overlaps_from: what is still on, by start",
        ),
        Index((("start", 1),), "a source finds what begins at the same instant"),
        Index(
            (*_VISIBLE, ("modified", 1), ("_id", 1), ("start_local", 1), ("end_local", 1)),
            "orderby=modified",
        ),
        Index(
            (*_VISIBLE, ("published", 1), ("_id", 1)),
            "WordPress' own list, the newest first; publishing what is scheduled",
            deferred=True,
        ),
        Index(
            ((WORDS, 1), *_BY_START),
            "search, and its total without a look at any event",
            deferred=True,
        ),
        Index(((WORDED, 1),), "events that wait for their words to be entered"),
        Index(
            (("author", 1), ("status", 1), ("start_local", 1), ("_id", 1)),
            "the list of authors: their own and the public; what strangers have sent, and waits",
        ),
        Index((("slugs", 1),), "by-slug, and that a slug is taken once", unique=True),
        Index(
            (("series", 1), ("recurrence_id", 1)),
            "that a series has each of its dates once",
            unique=True,
        ),
        Index(
            (("series", 1), *_BY_START, ("start", 1)),
            "series: its events, their number and the next one",
            having="series",
        ),
        Index(_IDENTITY, "a source finds its events, each once", unique=True, having=_SOURCE),
        Index(
            ((_SOURCE, 1), *_BY_START),
            "source: what comes from one; the list of its keepers",
            having=_SOURCE,
        ),
        Index(
            ((INHERITED, 1), *_BY_START),
            "the list of keepers: the dates of series of their sources",
            having=INHERITED,
        ),
        Index(
            (("categories", 1), *_BY_START, *_BESIDE),
            "categories, with other filters, and the total of them; deleting one",
        ),
        Index((("tags", 1), *_BY_START), "tags, and the total of them; deleting one"),
        Index((("venues", 1), *_BY_START), "venue; moving one; has_events of venues"),
        Index(
            (("restricted_place.location.latitude", 1), *_BY_START),
            "geography of editors: what takes place at hidden venues",
            having="restricted_place.location.latitude",
        ),
        Index((("organizers", 1), *_BY_START), "organizer; has_events of organizers"),
        Index(
            (("parent", 1), *_BY_START),
            "post_parent, and the total of them",
            only={"parent": {"$gt": 0}},
        ),
        Index(((WITHDRAWN_AT, 1),), "feeds: what was withdrawn of late", having=WITHDRAWN_AT),
        Index(
            (("featured", 1), *_BY_START),
            "featured, and the total of them",
            only={"featured": True},
        ),
        Index((("image", 1), ("status", 1)), "which of them show a picture; deleting one"),
        Index(
            (("location", "2dsphere"), *_VISIBLE, *_DATES, *_FLAGS),
            "geoloc_lat with geoloc_lng: what lies in a circle, by start",
        ),
        Index(
            (("status", 1), ("hidden", 1), *_COORDINATES, *_DATES, ("_id", 1), *_FLAGS),
            "geoloc_bbox, orderby=distance, and how many are near, without a look at any event",
        ),
    ),
    settle=_settle_event,
)


# A series has all that its events have in common, as an event that is in no list.
SERIES = replace(
    EVENT,
    name="series",
    singular="series",
    fed=False,
    indexes=(
        Index((("slugs", 1),), "by-slug, and that a slug is taken once", unique=True),
        Index((("status", 1), ("start_local", 1), ("_id", 1)), "the list of series"),
        Index(_IDENTITY, "a source finds its series, each once", unique=True, having=_SOURCE),
        Index((("expanded_until", 1),), "adding occurrences as time passes"),
        Index(((WORDS, 1),), "search: the series whose occurrences show a word"),
        Index(((WORDED, 1),), "series that wait for their words to be entered"),
        Index((("status", 1), ("published", 1)), "publishing what is scheduled"),
        *(
            Index(((name, 1),), f"{name}: changing and deleting what series link to")
            for name in ("venues", "organizers", "categories", "tags", "image")
        ),
    ),
)


def by_title(collations: Mapping[str, str]) -> tuple[Index, ...]:
    """Return the indexes of the list by title: one per language, with its locale."""
    return tuple(
        Index(
            (
                *_VISIBLE,
                (display_title(language), 1),
                ("_id", 1),
                *_DATES,
                (has_title(language), 1),
            ),
            f"the list by title for readers of {language}",
            locale=locale,
        )
        for language, locale in collations.items()
    )

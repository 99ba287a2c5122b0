"""No parameter of any list tells locked events apart that show the same.

Their title, dates and status are equal, and all that a password protects differs. A parameter that
has no samples here fails, so each new one is tried.
"""

import pytest
from api.resources.protected_event import SECRET
from calling import BASE
from keeping import kept

from calendar_app.api.resources.changes import ChangesSchema
from calendar_app.api.resources.events.filters import EventListSchema
from calendar_app.api.resources.linked import OrganizerListSchema, VenueListSchema
from calendar_app.api.resources.series import SeriesListSchema
from calendar_app.api.resources.terms import CategoryListSchema, TagListSchema
from calendar_app.parts.wordpress.lists import LISTS

_FLAG = ("true", "false")
_DAY = ("2030-02-01", "2030-02-02", "2030-02-01 11:00:00", "2031-01-01", "2029-01-01")
# Values by parameter; names in braces are ids of the records that the tests make.
SAMPLES = {
    "page": ("1",),
    "per_page": ("50",),
    "offset": ("0",),
    "order": ("asc", "desc"),
    "orderby": ("title", "modified", "id", "distance", "date", "count", "name"),
    "context": ("view", "edit", "embed"),
    "translation_status": ("missing", "current", "outdated"),
    "translation_state": ("missing", "current", "unreviewed"),
    "translation_origin": ("human", "human&translation_language=rm"),
    **dict.fromkeys(("start_date", "end_date", "overlaps_from", "overlaps_to"), _DAY),
    **dict.fromkeys(("starts_before", "starts_after", "ends_before", "ends_after"), _DAY),
    **dict.fromkeys(("modified_after", "modified_before", "after", "before"), _DAY),
    "strict_dates": _FLAG,
    "geoloc": _FLAG,
    "geoloc_lat": ("46.85&geoloc_lng=9.53",),
    "geoloc_lng": ("9.53&geoloc_lat=46.85&orderby=distance",),
    "geoloc_radius": ("5&geoloc_lng=9.53&geoloc_lat=46.85",),
    "geoloc_bbox": ("9,46,10,47",),
    "distance": ("true&geoloc_lng=9.53&geoloc_lat=46.85",),
    "search": ("Gathering", "Confidential", "Gathering -Confidential", "Hideout", "Machina"),
    "categories": ("{category}", "{parent}"),
    "tribe_events_cat": ("{category}", "{parent}"),
    "tribe_events_cat_exclude": ("{category}",),
    "tags": ("{tag}",),
    "tags_exclude": ("{tag}",),
    "venue": ("{venue}",),
    "organizer": ("{organizer}",),
    **dict.fromkeys(("featured", "ticketed", "free", "recurring", "first_in_series"), _FLAG),
    "event_status": ("scheduled", "canceled"),
    "attendance_mode": ("online", "offline", "offline,online,mixed"),
    "accessibility": ("wheelchair",),
    "in_language": ("de",),
    "age": ("3", "8"),
    "status": ("publish", "private", "any"),
    "include": ("{rich},{plain},{bare}",),
    "exclude": ("999",),
    "author": ("{author}", "1"),
    "author_exclude": ("{author}", "1"),
    "slug": ("{slugs}", "tag", "other"),
    "post_parent": ("{other}",),
    "series": ("{series}",),
    "source": ("1",),
    "publisher": ("town", "Town"),
    "password": ("wrong",),
    "since": ("start",),
    "wait": ("0",),
    "event": ("{rich}", "{plain}"),
    "post": ("{rich}", "{plain}"),
    "has_events": _FLAG,
    "only_with_upcoming": _FLAG,
    "hide_empty": _FLAG,
    "parent": ("0", "{parent}"),
}
# The schema of each list, and what each request has besides, so that it lists all it may.
LISTED = {
    "/events": (EventListSchema, "start_date=2029-01-01"),
    "/changes": (ChangesSchema, "since=start"),
    "/series": (SeriesListSchema, ""),
    "/venues": (VenueListSchema, ""),
    "/organizers": (OrganizerListSchema, ""),
    "/categories": (CategoryListSchema, "hide_empty=false"),
    "/tags": (TagListSchema, "hide_empty=false"),
    **{f"/wp/v2/{name}": (schema, "") for name, schema in LISTS.items()},
}
# Records that a list may only show together: one that is hidden behind a password, and others.
_ALIKE = {
    "events": ("rich", "plain", "bare"),
    "series": ("series", "bare_series"),
    "venues": ("venue", "unused_venue"),
    "organizers": ("organizer", "unused_organizer"),
    "categories": ("category", "unused_category"),
    "tags": ("tag", "unused_tag"),
}
_COLLECTIONS = {
    "changes": "events",
    "tribe_events": "events",
    "tribe_venue": "venues",
    "tribe_organizer": "organizers",
    "tribe_events_cat": "categories",
}
_TIMES = {
    "title": "Gathering",
    "start_date": "2030-02-01 10:00:00",
    "end_date": "2030-02-01 12:00:00",
}
_WEEKLY = {"rrule": "FREQ=WEEKLY;COUNT=2"}


@kept
def linked(make_event, make_venue, make_organizer, make_category, make_tag):
    """Return the ids of the records linked by the rich event, and of unlinked ones."""
    parent = make_category()["id"]
    return {
        "parent": parent,
        "other": make_event(title="Other")["id"],
        "venue": make_venue(venue="Hideout", geo_lat=46.85, geo_lng=9.53)["id"],
        "unused_venue": make_venue(venue="Hideout 2", geo_lat=46.85, geo_lng=9.53)["id"],
        "organizer": make_organizer(organizer="Conspirators")["id"],
        "unused_organizer": make_organizer(organizer="Conspirators 2")["id"],
        "category": make_category(parent=parent)["id"],
        "unused_category": make_category(parent=parent)["id"],
        "tag": make_tag()["id"],
        "unused_tag": make_tag()["id"],
    }


@kept
def ids(as_author, make_event, linked):
    """Return the ids of three locked events that look alike, and of the records hidden by one."""
    plain = make_event(by=as_author, **_TIMES)
    bare = make_event(by=as_author, **_TIMES, recurrence=_WEEKLY)
    rich = make_event(
        by=as_author,
        **_TIMES,
        recurrence=_WEEKLY,
        description="Confidential",
        cost="0",
        venue=linked["venue"],
        organizer=linked["organizer"],
        categories=[linked["category"]],
        tags=[linked["tag"]],
        featured=True,
        ticketed=True,
        post_parent=linked["other"],
        attendance_mode="online",
        accessibility=["wheelchair"],
        in_language=["de"],
        audience={"min_age": 6},
    )
    series, bare_series = (each["series"]["id"] for each in (rich, bare))
    machine = {"description": "Machina", "translation_origin": "machine"}
    as_author.send(
        "PUT", f"/series/{series}", json=machine, query_string={"translation_language": "rm"}
    )
    for path in (f"/series/{series}", f"/series/{bare_series}", f"/events/{plain['id']}"):
        assert as_author.put(path, password=SECRET).status_code == 200
    own = {"rich": rich["id"], "plain": plain["id"], "bare": bare["id"], "series": series}
    slugs = ",".join(each["slug"] for each in (rich, plain, bare))
    return linked | own | {"bare_series": bare_series, "author": as_author.id, "slugs": slugs}


def _numbers(body):
    """Return the ids in the answer of a list; of changes, those of present records."""
    records = (
        body
        if isinstance(body, list)
        else next(value for name, value in body.items() if isinstance(value, list))
    )
    return {record["id"] for record in records if record.get("change") != "delete"}


def _parameters(schema):
    return sorted(field.data_key or name for name, field in schema().fields.items())


@pytest.mark.parametrize("path", LISTED)
@pytest.mark.parametrize("name", [None, "contributor", "author2"])
def test_locked_events_cannot_be_told_apart(ids, calling_as, path, name):
    schema, usual = LISTED[path]
    client, base = calling_as(name), "" if path.startswith("/wp/") else BASE
    collection = path.rpartition("/")[2]
    alike = {ids[each] for each in _ALIKE[_COLLECTIONS.get(collection, collection)]}
    telling = []
    for parameter in _parameters(schema):
        for value in SAMPLES[parameter]:
            query = f"{usual}&{parameter}={value.format(**ids)}"
            answer = client.send("GET", f"{path.format(**ids)}?{query}", base=base)
            if answer.status_code == 200 and _numbers(answer.json) & alike not in (set(), alike):
                telling.append(query)
    assert not telling


@pytest.mark.parametrize("path", LISTED)
def test_each_parameter_of_each_list_is_tried(path):
    assert not set(_parameters(LISTED[path][0])) - SAMPLES.keys()


def test_locked_events_are_found_by_what_they_show(ids, anyone):
    shown = {ids["rich"], ids["plain"], ids["bare"]}
    for query in ({}, {"search": "Gathering"}, {"include": ",".join(map(str, shown))}):
        assert shown <= _numbers(anyone.get("/events", start_date="2030-02-01", **query).json)

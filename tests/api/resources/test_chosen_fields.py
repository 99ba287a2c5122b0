"""``_fields`` selects the fields of a response."""

import pytest
from keeping import kept


def test_fields_narrow_the_response(anyone, make_event, make_venue):
    event = make_event(title="Concert", venue=make_venue(venue="Hall")["id"])
    path = f"/events/{event['id']}"

    assert anyone.get(path, _fields="title,slug").json == {"title": "Concert", "slug": "concert"}
    assert anyone.get(path, _fields="venue.venue").json == {"venue": {"venue": "Hall"}}
    both = anyone.send("GET", f"{path}?_fields[]=title&_fields[]=id").json
    assert both == {"title": "Concert", "id": event["id"]}
    assert set(anyone.get("/events", _fields="total").json) == {"total"}
    assert anyone.get("/events/999", _fields="title").code == "rest-event-not-found"


@pytest.mark.parametrize(
    "sending",
    [
        {"json": {"name": "Neu", "_fields": "name, slug"}},
        {"json": {"name": "Neu", "_fields": ["name", "slug"]}},
        {"json": {"name": "Neu"}, "query_string": "_fields=id&_fields=name,slug"},
        {"data": {"name": "Neu", "_fields[]": ["name", "slug"]}},
    ],
)
def test_fields_parameter_works_in_query_and_body(as_admin, sending):
    assert as_admin.send("POST", "/tags", **sending).json == {"name": "Neu", "slug": "neu"}


def test_fields_narrow_the_description_of_a_route(anyone):
    for options in ({}, {"data": "{", "content_type": "application/json"}):
        answer = anyone.send("OPTIONS", "/events?_fields=methods", **options)
        assert answer.json == {"methods": ["GET", "POST"]}


@kept
def concert(make_event, make_venue, make_organizer):
    organizers = [make_organizer(organizer=name)["id"] for name in "AB"]
    return make_event(title="Concert", venue=make_venue(city="Chur")["id"], organizer=organizers)


@pytest.mark.parametrize("notation", ["_fields={}", "_fields[]={}&_fields[]=nothing"])
@pytest.mark.parametrize(
    ("fields", "event"),
    [
        ("events.title,events.venue.city", {"title": "Concert", "venue": {"city": "Chur"}}),
        ("events.venue.city,events.venue.zip", {"venue": {"city": "Chur"}}),
        ("events.organizer.organizer", {"organizer": [{"organizer": "A"}, {"organizer": "B"}]}),
        ("events.title.rendered,events.fallback_fields.x", {"fallback_fields": []}),
        ("events.", {}),
    ],
)
@pytest.mark.usefixtures("concert")
def test_fields_narrow_the_members_of_lists(anyone, notation, fields, event):
    query = notation.format(f"{fields},total")
    assert anyone.send("GET", f"/events?{query}").json == {"events": [event], "total": 1}


def test_whole_member_is_not_narrowed(anyone, concert):
    for fields in ("venue,venue.city", "venue.city,venue"):
        assert anyone.get(f"/events/{concert['id']}", _fields=fields).json["venue"]["slug"]


def test_fields_of_many_levels_are_answered(anyone, make_event):
    event = make_event()
    path = f"/events/{event['id']}?_fields=id,{'venue.' * 900}city"
    assert anyone.send("GET", path).json == {"id": event["id"], "venue": []}

"""``_fields`` selects the fields of a response."""

import pytest


def test_fields_narrow_the_response(anyone, make_event, make_venue):
    event = make_event(title="Concert", venue=make_venue(venue="Hall")["id"])
    path = f"/events/{event['id']}"

    assert anyone.get(path, _fields="title,slug").json == {"title": "Concert", "slug": "concert"}
    assert anyone.get(path, _fields="venue.venue").json == {"venue": {"venue": "Hall"}}
    both = anyone.send("GET", f"{path}?_fields[]=title&_fields[]=id").json
    assert both == {"title": "Concert", "id": event["id"]}
    assert set(anyone.get("/events", _fields="total").json) == {"total"}
    assert anyone.get("/events", _fields="events.id").json == {"events": []}
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

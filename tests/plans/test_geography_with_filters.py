"""Where something is goes together with every other filter: each list holds what both name."""

import pytest

from calendar_app.storage.mongo.transactions import round_trips

CHUR, ZURICH = (46.85, 9.53), (47.38, 8.54)
CIRCLE = {"geoloc_lat": CHUR[0], "geoloc_lng": CHUR[1], "geoloc_radius": 50}
PLACES = {
    "circle": CIRCLE,
    "distance": CIRCLE | {"orderby": "distance"},
    "farthest": CIRCLE | {"orderby": "distance", "order": "desc"},
    "title": CIRCLE | {"orderby": "title"},
    "box": {"geoloc_bbox": "9,46,10,47"},
    "known": {"geoloc": "true"},
    "unknown": {"geoloc": "false"},
    "both": CIRCLE | {"geoloc_bbox": "9.5,46,180,90", "geoloc": "true"},
}
OF_EVENTS = [
    {"search": "jazz"},
    {"search": '"jazz night" -open'},
    {"start_date": "2030-05-01"},
    {"end_date": "2030-05-01"},
    {"starts_after": "2030-05-01", "ends_before": "2031-01-01"},
    {"overlaps_from": "2030-03-01", "overlaps_to": "2030-04-01"},
    {"categories": "music"},
    {"tags": "free"},
    {"venue": "{venue}"},
    {"organizer": "{organizer}"},
    {"featured": "true"},
    {"ticketed": "false"},
    {"include": "{include}"},
    {"post_parent": "{parent}"},
    {"status": "draft"},
    {"status": "draft,publish"},
    {"translation_language": "rm"},
    {"translation_language": "rm", "fallback": "none"},
    {"translation_language": "rm", "search": "jazz", "categories": "music", "featured": "true"},
]
OF_VENUES = [
    {"search": "hall"},
    {"has_events": "true"},
    {"has_events": "false"},
    {"only_with_upcoming": "true"},
    {"event": "{parent}"},
    {"status": "draft"},
    {"translation_language": "rm", "fallback": "none"},
]
FILTERS = {"events": OF_EVENTS, "venues": OF_VENUES}


@pytest.fixture
def ids(make_event, make_venue, make_organizer, as_admin):
    """Make two dozen events, two of a kind at each place; return ids that filters name."""
    points = [CHUR, (46.80, 9.84), ZURICH, None]
    venues = [
        make_venue(**({"geo_lat": point[0], "geo_lng": point[1]} if point else {}))["id"]
        for point in [*points, *points]
    ]
    for number, venue in enumerate(venues):
        as_admin.put(f"/venues/{venue}", translation_language="rm", venue=f"Sala {number}")
        as_admin.patch(f"/venues/{venue}", venue=f"{'Hall' if number % 3 else 'Bar'} {number}")
    as_admin.patch(f"/venues/{venues[1]}", status="draft")
    organizer, parent = make_organizer()["id"], make_event(venue=venues[0])["id"]
    event_ids = []
    for number in range(24):
        event = make_event(
            title=f"{'Jazz night' if number % 2 else 'Market'} {'open' if number % 5 else ''}",
            start_date=f"2030-0{3 + number % 4}-10 19:00:00",
            end_date=f"2030-0{3 + number % 4}-10 22:00:00",
            venue=venues[number % 6],
            organizer=organizer if number % 3 else [],
            categories=["Music"] if number % 3 < 2 else [],
            tags=["Free"] if number % 4 < 2 else [],
            featured=number % 3 == 0,
            ticketed=number % 5 == 0,
            post_parent=parent if number % 3 == 1 else 0,
            status="draft" if number % 7 == 3 else "publish",
        )["id"]
        event_ids.append(event)
        if number % 2:
            as_admin.put(f"/events/{event}", translation_language="rm", title="Notg da jazz")
    include = ",".join(map(str, event_ids[::3]))
    return {"venue": venues[0], "organizer": organizer, "parent": parent, "include": include}


def walked(client, collection, query, size=50):
    """Return the ids on all pages, and the total that all of them tell."""
    answer, record_ids, totals = client.get(f"/{collection}", per_page=size, **query), [], set()
    while True:
        assert answer.status_code == 200, answer.json
        record_ids += [record["id"] for record in answer.json[collection]]
        totals.add(answer.json["total"])
        if "next_rest_url" not in answer.json:
            break
        answer = client.follow(answer.json["next_rest_url"])
    assert totals == {len(record_ids)}, query
    return record_ids


@pytest.mark.parametrize("name", ["anyone", "as_admin"])
@pytest.mark.parametrize("collection", FILTERS)
def test_list_matches_both_place_and_other_filters(request, ids, name, collection):
    client, matches = request.getfixturevalue(name), 0
    for filters in FILTERS[collection]:
        query = {key: value.format(**ids) for key, value in filters.items()}
        states = {key: value for key, value in query.items() if key == "status"}
        if name == "anyone" and states:
            continue
        filtered_ids = set(walked(client, collection, query))
        for place in PLACES.values():
            nearby_ids = walked(client, collection, place | states)
            together = walked(client, collection, place | query, size=7)
            expected = [record for record in nearby_ids if record in filtered_ids]
            if place.get("orderby") == "title":  # which depends on the language
                expected, together = sorted(expected), sorted(together)
            assert together == expected, (place, query)
            matches += len(together)
    assert matches > 20


def test_list_by_place_needs_no_more_queries_than_others(ids, anyone, make_tag):
    assert ids
    for name, place in PLACES.items():
        # Events by title: whether each has noted its own is one question more. Another one tells
        # whether anything was written.
        for collection, most in (("events", 4 + (name == "title")), ("venues", 3)):
            make_tag()  # so that nothing that was read is believed any more
            assert anyone.get(f"/{collection}", per_page=1, **place).status_code == 200
            assert round_trips() <= most, (collection, place)

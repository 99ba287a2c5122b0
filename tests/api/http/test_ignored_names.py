"""Names that mean nothing are listed, and refused by a strict site."""

from urllib.parse import quote

import pytest

pytestmark = pytest.mark.without_mongodb

HEADER = "X-Calendar-Ignored"
EVENT = {"title": "Konzert", "start_date": "2030-03-10 19:00", "end_date": "2030-03-10 22:00"}
COLLECTIONS = ("events", "venues", "organizers", "categories", "tags")


@pytest.fixture
def rich_event(make_event, make_category, make_tag, as_admin):
    venue = {"venue": "Saal", "city": "Chur", "geo_lat": 46.8, "geo_lng": 9.5}
    event = make_event(
        description="Musik",
        venue=venue,
        organizer=[{"organizer": "A"}, {"organizer": "B"}],
        categories=[make_category()["id"]],
        tags=[make_tag()["id"]],
        image="https://example.org/a.png",
        cost="10",
        custom_fields={"doors": {"label": "Türöffnung", "value": "19:00"}},
        recurrence={"rrule": "FREQ=WEEKLY;COUNT=2"},
    )
    rm = {"title": "Concert", "description": "Musica"}
    return as_admin.patch(f"/events/{event['id']}", variants={"rm": rm}).json


@pytest.mark.parametrize(
    ("query", "ignored"),
    [
        ("titel=x&categorie=music", "titel, categorie"),
        (
            "_fields=titel,events.title,events.titel,events.venue.stadt",
            "titel, events.titel, events.venue.stadt",
        ),
        ("_fields[]=total&_fields[]=events.title.rendered", "events.title.rendered"),
        ("per_page=5&search=x&_fields=events.venue.city,total", None),
        ("utm_source=x&fbclid=1&gclid=2&_=17&_locale=user&_wpnonce=a", None),
        ("translation_language=rm&fallback=none&strict_dates=1", None),
        ("gr%C3%B6sse=1&a,b=2&x%0Ay=3", "gr%C3%B6sse, a%2Cb, x%0Ay"),
    ],
)
def test_names_without_a_meaning_are_listed(anyone, query, ignored):
    answer = anyone.send("GET", f"/events?{query}")
    assert answer.status_code == 200
    assert answer.headers.get(HEADER) == ignored


def test_head_lists_the_same_names_as_get(anyone):
    assert anyone.send("HEAD", "/events?titel=x").headers[HEADER] == "titel"


def test_names_are_those_of_the_route_with_its_id(anyone, make_event):
    path = f"/events/{make_event()['id']}"
    answer = anyone.get(path, titel="x", translation_language="de")
    assert answer.headers[HEADER] == "titel"


def test_list_of_ignored_names_is_short(anyone):
    names = [f"{'n' * 900}{number}" for number in range(500)]
    query = "&".join(f"{quote(name)}=1" for name in ["\N{SNOWMAN}" * 200, *names])
    header = anyone.send("GET", f"/events?{query}").headers[HEADER]
    assert len(header) < 1100


def test_ignored_names_of_bodies_are_listed_at_every_depth(as_admin):
    body = EVENT | {
        "titel": "x",
        "venue": {"venue": "Saal", "stadt": "Chur"},
        "organizer": [{"organizer": "A", "mail": "a@example.org"}],
        "variants": {"rm": {"title": "Concert", "titel": "Concert"}},
    }
    answer = as_admin.post("/events", **body)
    assert answer.status_code == 201
    expected = {"titel", "venue.stadt", "organizer.mail", "variants.rm.titel"}
    assert set(answer.headers[HEADER].split(", ")) == expected


def test_refusals_list_ignored_names_too(as_admin):
    answer = as_admin.post("/events", titel="Konzert")
    assert (answer.status_code, answer.headers[HEADER]) == (400, "titel")


@pytest.mark.parametrize("collection", COLLECTIONS)
@pytest.mark.parametrize("language", ["de", "rm", "all"])
def test_record_sent_back_has_no_ignored_names(as_admin, rich_event, collection, language):
    del rich_event
    listed = as_admin.get(f"/{collection}", translation_language=language).json[collection]
    path = f"/{collection}/{listed[0]['id']}"
    alone = as_admin.get(path, translation_language=language).json
    for record in (listed[0], alone):
        answer = as_admin.send("PATCH", path, json=record)
        assert (answer.status_code, answer.headers.get(HEADER)) == (200, None)
    created = as_admin.send("POST", f"/{collection}", json=alone)
    assert HEADER not in created.headers


def test_repeated_and_unchanged_answers_list_ignored_names(anyone):
    for _ in range(3):
        answer = anyone.send("GET", "/events?titel=x")
        assert answer.headers[HEADER] == "titel"
    tag = {"If-None-Match": answer.headers["ETag"]}
    unchanged = anyone.send("GET", "/events?titel=x", headers=tag)
    assert (unchanged.status_code, unchanged.headers[HEADER]) == (304, "titel")
    assert HEADER not in anyone.send("GET", "/events").headers
    assert HEADER in answer.headers["Access-Control-Expose-Headers"]


@pytest.fixture
def strict(app, worker):
    """Return a client of a strict site, as the administrator."""
    del app  # It has the users.
    return worker("admin", strict=True)


@pytest.mark.parametrize(
    ("query", "name", "nearest"),
    [
        ("titel=x&categorie=music", "categorie", "categories"),
        ("starts_befor=2030-01-01", "starts_befor", "starts_before"),
        ("_fields=events.titel", "_fields", "events.title"),
        ("_fields=events.venue.citty", "_fields", "events.venue.city"),
        ("xyz=1", "xyz", ""),
    ],
)
def test_strict_site_refuses_names_with_the_nearest_one(strict, query, name, nearest):
    answer = strict.send("GET", f"/events?{query}")
    assert (answer.status_code, answer.code) == (400, "rest_invalid_param")
    assert nearest in answer.json["data"]["params"][name]


def test_strict_site_writes_nothing_of_a_misspelt_body(strict):
    answer = strict.post("/events", **EVENT, venue={"venue": "Saal", "adress": "Via 1"})
    assert (answer.status_code, answer.invalid_params) == (400, ["venue.adress"])
    assert "venue.address" in answer.json["data"]["params"]["venue.adress"]
    assert strict.get("/venues").json["total"] == 0


def test_strict_site_asks_who_calls_before_it_looks_at_names(worker):
    assert worker(strict=True).post("/events", titel="x").status_code == 401


def test_strict_site_takes_what_other_sites_take(strict, rich_event):
    path = f"/events/{rich_event['id']}"
    for parameters in ({}, {"translation_language": "all"}):
        whole = strict.get(path, **parameters).json
        assert strict.send("PATCH", path, json=whole).status_code == 200
    assert strict.send("GET", "/events?utm_source=x&_=1").status_code == 200
    assert strict.send("GET", "/events.ics?categories=").status_code == 400
    assert strict.send("DELETE", f"{path}?force=true&scope=all").status_code == 200


FOREIGN = (
    ({"recurrence": {"type": "weekly"}}, ["recurrence"]),
    ({"recurrence": {"rules": []}}, ["recurrence"]),
    ({"recurrence": {}}, ["recurrence"]),
    ({"recurrence": []}, ["recurrence"]),
    ({"recurrence": False}, ["recurrence"]),
    ({"recurrence": {"type": "weekly", "on": {"days": [1]}}}, ["recurrence"]),
    ({"custom_fields": {"doors": "19:00"}}, ["custom_fields.doors"]),
)


@pytest.mark.parametrize(("sent", "names"), FOREIGN)
def test_field_in_the_shape_of_another_program_is_ignored_and_listed(as_admin, sent, names):
    event = {"title": "Concert", "start_date": "2030-03-10 19:00", "end_date": "2030-03-10 21:00"}
    answer = as_admin.post("/events", **event, **sent)
    assert answer.status_code == 201, answer.json
    assert answer.headers["X-Calendar-Ignored"].split(", ") == names
    assert (answer.json.get("series"), answer.json["custom_fields"]) == (None, [])


def test_custom_field_of_ours_counts_beside_a_plain_one(as_admin, make_event):
    event = make_event(title="Concert")
    fields = {"doors": "19:00", "dress": {"label": "Dress", "value": "black"}}
    answer = as_admin.post(f"/events/{event['id']}", custom_fields=fields)
    assert (answer.status_code, [*answer.json["custom_fields"]]) == (200, ["dress"])


@pytest.mark.parametrize(("sent", "names"), FOREIGN)
def test_strict_site_refuses_the_shape_of_another_program(strict, sent, names):
    event = {"title": "Concert", "start_date": "2030-03-10 19:00", "end_date": "2030-03-10 21:00"}
    answer = strict.post("/events", **event, **sent)
    assert (answer.status_code, answer.invalid_params) == (400, names)


def test_names_beside_a_foreign_recurrence_are_listed_too(as_admin):
    venue = {"venue": "Saal", "stadt": "Chur"}
    answer = as_admin.post("/events", **EVENT, recurrence={"type": "weekly"}, venue=venue)
    assert (answer.status_code, answer.headers[HEADER]) == (201, "recurrence, venue.stadt")


def test_null_still_takes_a_recurrence_away(as_admin, make_event):
    event = make_event(title="Market", recurrence={"rrule": "FREQ=WEEKLY;COUNT=3"})
    answer = as_admin.post(f"/events/{event['id']}", recurrence=None, scope="all")
    assert (answer.status_code, answer.json.get("series")) == (200, None)

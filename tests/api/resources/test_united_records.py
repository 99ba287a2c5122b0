"""Two venues or organizers become one: events and addresses follow, and it can be undone."""

import pytest

LABELS = {"venues": "venue", "organizers": "organizer"}
KINDS = sorted(LABELS)
BASE = "https://calendar.example/calendar/events/v1"


@pytest.fixture
def two(as_admin):
    """Return a function that makes two records of a kind, which stays and which goes."""

    def make(kind, kept=None, removed=None):
        label = LABELS[kind]
        answers = [
            as_admin.post(
                f"/{kind}", **{label: "Kulturhalle", "slug": "kulturhalle"} | (kept or {})
            ),
            as_admin.post(
                f"/{kind}", **{label: "Kulturhalle, Via Maistra 1", "slug": "old"} | (removed or {})
            ),
        ]
        assert [each.status_code for each in answers] == [201, 201]
        return [each.json["id"] for each in answers]

    return make


@pytest.fixture
def unite(as_admin):
    def send(kind, kept, removed, **options):
        return as_admin.post(f"/{kind}/{kept}/unite", **{"with": removed} | options)

    return send


def linked(client, kind, event_id):
    event = client.get(f"/events/{event_id}", context="edit").json
    records = event[LABELS[kind]]
    return [each["id"] for each in (records if isinstance(records, list) else [records]) if each]


@pytest.mark.parametrize("kind", KINDS)
def test_events_in_every_state_link_to_the_one_that_stays(as_admin, make_event, two, unite, kind):
    kept, removed = two(kind)
    link = {LABELS[kind]: removed}
    events = [make_event(**link, status=status)["id"] for status in ("publish", "draft")]
    trashed = make_event(**link)["id"]
    as_admin.delete(f"/events/{trashed}")
    answer = unite(kind, kept, removed)
    assert (answer.status_code, answer.json["id"]) == (200, kept)
    as_admin.patch(f"/events/{trashed}", status="publish")
    assert {(*linked(as_admin, kind, each),) for each in [*events, trashed]} == {(kept,)}


@pytest.mark.parametrize("kind", KINDS)
def test_dates_of_a_series_and_their_exceptions_follow(as_admin, make_event, two, unite, kind):
    kept, removed = two(kind)
    other = as_admin.post(f"/{kind}", **{LABELS[kind]: "Elsewhere"}).json["id"]
    rules = {"recurrence": {"rrule": "FREQ=WEEKLY;COUNT=4"}}
    usual = make_event(**{LABELS[kind]: removed}, **rules)
    moved = make_event(title="Moved", **{LABELS[kind]: other}, **rules)
    date = as_admin.get("/events", series=moved["series"]["id"]).json["events"][1]["id"]
    as_admin.patch(f"/events/{date}", **{LABELS[kind]: removed}, scope="this")
    unite(kind, kept, removed)
    dates = as_admin.get("/events", series=usual["series"]["id"]).json["events"]
    assert [linked(as_admin, kind, each["id"]) for each in dates] == [[kept]] * 4
    assert linked(as_admin, kind, date) == [kept]
    assert linked(as_admin, kind, moved["id"]) == [other]


@pytest.mark.parametrize("kind", KINDS)
def test_addresses_of_the_one_that_went_lead_on(anyone, two, unite, kind):
    kept, removed = two(kind)
    unite(kind, kept, removed)
    by_id = anyone.get(f"/{kind}/{removed}", _fields="id")
    assert (by_id.status_code, by_id.headers["Location"]) == (
        301,
        f"{BASE}/{kind}/{kept}?_fields=id",
    )
    by_slug = anyone.get(f"/{kind}/by-slug/old")
    assert (by_slug.status_code, by_slug.headers["Location"]) == (
        301,
        f"{BASE}/{kind}/by-slug/kulturhalle",
    )


@pytest.mark.parametrize("kind", KINDS)
def test_pages_of_the_one_that_went_lead_on(app, two, unite, kind):
    kept, removed = two(kind)
    unite(kind, kept, removed)
    pages = app.test_client()
    for path in (f"/{LABELS[kind]}/old/", f"/?p={removed}"):
        answer = pages.get(path)
        assert answer.status_code == 301, path
        assert answer.headers["Location"].endswith(f"/{LABELS[kind]}/kulturhalle/"), path


def test_saved_filters_by_the_former_id_find_the_events(anyone, make_event, two, unite):
    kept, removed = two("venues")
    event = make_event(venue=removed)
    unite("venues", kept, removed)
    listed = anyone.get("/events", venue=removed)
    assert [each["id"] for each in listed.json["events"]] == [event["id"]]


def test_several_unions_lead_to_the_last_one(anyone, as_admin, make_event, two, unite):
    kept, removed = two("venues")
    last = as_admin.post("/venues", venue="Hall", slug="hall").json["id"]
    event = make_event(venue=removed)
    unite("venues", kept, removed)
    unite("venues", last, kept)
    assert anyone.get(f"/venues/{removed}").headers["Location"] == f"{BASE}/venues/{last}"
    assert anyone.get("/venues/by-slug/old").headers["Location"].endswith("/hall")
    assert linked(as_admin, "venues", event["id"]) == [last]


def test_empty_fields_are_filled_and_stated_ones_stay(two, unite):
    kept, removed = two(
        "venues",
        {"city": "Samedan", "phone": "1"},
        {
            "city": "Chur",
            "phone": "2",
            "zip": "7503",
            "description": "<p>Wide</p>",
            "geo_lat": 46.5,
            "geo_lng": 9.8,
        },
    )
    venue = unite("venues", kept, removed).json
    assert (venue["city"], venue["phone"], venue["zip"]) == ("Samedan", "1", "7503")
    assert (venue["description"], venue["geo_lat"]) == ("<p>Wide</p>", 46.5)


def test_facts_of_one_language_count_in_all(as_admin, two, unite):
    kept, removed = two("venues", {"address": "Via Maistra 1"})
    texts = {"rm": {"venue": "Halla", "address": "Via Maistra 1, plaun terren"}}
    as_admin.patch(f"/venues/{removed}", variants=texts)
    unite("venues", kept, removed)
    venue = as_admin.get(f"/venues/{kept}", translation_language="rm").json
    assert (venue["venue"], venue["address"]) == ("Halla", "Via Maistra 1")


def test_filled_fields_stay_after_an_undo_where_the_record_was_changed(as_admin, two, unite):
    kept, removed = two("venues", {}, {"phone": "081 1"})
    unite("venues", kept, removed)
    as_admin.patch(f"/venues/{kept}", city="Samedan")
    venue = as_admin.delete(f"/venues/{kept}/unite", **{"with": removed}).json
    assert (venue["phone"], venue["city"]) == ("081 1", "Samedan")


def test_union_with_a_deleted_record_leads_on_and_cannot_be_undone(anyone, as_admin, two, unite):
    kept, removed = two("venues")
    unite("venues", kept, removed)
    as_admin.delete(f"/venues/{removed}", force=True)
    for path in (f"/venues/{removed}", "/venues/by-slug/old"):
        assert anyone.get(path).status_code == 301
    undone = as_admin.delete(f"/venues/{kept}/unite", **{"with": removed})
    assert (undone.status_code, undone.invalid_params) == (400, ["with"])


def test_fields_stay_empty_without_fill(two, unite):
    kept, removed = two("venues", {}, {"zip": "7503"})
    assert not unite("venues", kept, removed, fill=False).json.get("zip")


def test_events_are_found_at_the_point_of_the_one_that_stays(anyone, make_event, two, unite):
    kept, removed = two(
        "venues", {"geo_lat": 46.5, "geo_lng": 9.8}, {"geo_lat": 47.5, "geo_lng": 8.7}
    )
    event = make_event(venue=removed)
    unite("venues", kept, removed)
    near = anyone.get("/events", geoloc_lat=46.5, geoloc_lng=9.8, geoloc_radius=1).json["events"]
    assert [each["id"] for each in near] == [event["id"]]


def test_event_that_links_both_keeps_one_link(as_admin, make_event, two, unite):
    kept, removed = two("organizers")
    event = make_event(organizer=[removed, kept])
    unite("organizers", kept, removed)
    assert linked(as_admin, "organizers", event["id"]) == [kept]


def test_events_get_a_revision_and_an_entry_in_history(as_admin, make_event, two, unite):
    kept, removed = two("venues")
    event = make_event(venue=removed)
    unite("venues", kept, removed)
    saves = as_admin.get(f"/events/{event['id']}/history").json["history"]
    assert (saves[0]["revision"], saves[0]["fields"]) == (2, ["venue"])


def test_event_that_goes_back_in_history_links_the_one_that_stays(as_admin, make_event, two, unite):
    kept, removed = two("venues")
    event = make_event(venue=removed)["id"]
    unite("venues", kept, removed)
    as_admin.patch(f"/events/{event}", title="Later", venue={"venue": "Third"})
    restored = as_admin.post(f"/events/{event}/history/1/restore")
    assert (restored.status_code, restored.json["title"] != "Later") == (200, True)
    assert linked(as_admin, "venues", event) == [kept]


def test_followers_hear_of_events_and_of_the_one_that_went(anyone, make_event, two, unite):
    kept, removed = two("venues")
    event = make_event(venue=removed)
    token = anyone.get("/changes").json["next"]
    unite("venues", kept, removed)
    (change,) = anyone.get("/changes", since=token).json["changes"]
    assert change["record"]["id"] == event["id"]
    assert change["record"]["venue"]["id"] == kept


def test_place_of_very_many_events_is_united_in_parts(as_admin, make_event, two, unite, database):
    kept, removed = two("venues")
    event = database["events"].find_one({"_id": make_event(venue=removed)["id"]})
    copies = [{**event, "_id": 10_000 + each, "slugs": [f"de:x{each}"]} for each in range(1050)]
    database["events"].insert_many(copies)
    assert unite("venues", kept, removed).status_code == 200
    assert database["events"].count_documents({"venues": [kept]}) == 1051
    undone = as_admin.delete(f"/venues/{kept}/unite", **{"with": removed})
    assert undone.status_code == 200
    assert database["events"].count_documents({"venues": [removed]}) == 1051


@pytest.mark.parametrize("kind", KINDS)
def test_undo_brings_both_back_as_they_were(as_admin, make_event, two, unite, kind):
    kept, removed = two(kind, {}, {"phone": "081 1"})
    others = {LABELS[kind]: [removed, kept]}
    events = [make_event(**{LABELS[kind]: removed})["id"], make_event(title="Both", **others)["id"]]
    before = [as_admin.get(f"/{kind}/{each}").json for each in (kept, removed)]
    links = [linked(as_admin, kind, each) for each in events]
    unite(kind, kept, removed)
    undone = as_admin.delete(f"/{kind}/{kept}/unite", **{"with": removed})
    assert undone.status_code == 200, undone.json
    after = [as_admin.get(f"/{kind}/{each}").json for each in (kept, removed)]
    apart = {"modified", "modified_utc", "json_ld"}
    for one, other in zip(before, after, strict=True):
        assert {k: v for k, v in one.items() if k not in apart} == {
            k: v for k, v in other.items() if k not in apart
        }
    assert [linked(as_admin, kind, each) for each in events] == links
    assert as_admin.get(f"/{kind}/by-slug/old").json["id"] == removed
    again = as_admin.delete(f"/{kind}/{kept}/unite", **{"with": removed})
    assert (again.status_code, again.invalid_params) == (400, ["with"])


def test_undo_leaves_events_that_were_moved_since(as_admin, make_event, two, unite):
    kept, removed = two("venues")
    event = make_event(venue=removed)["id"]
    unite("venues", kept, removed)
    as_admin.patch(f"/events/{event}", venue={"venue": "Third"})
    third = linked(as_admin, "venues", event)
    as_admin.delete(f"/venues/{kept}/unite", **{"with": removed})
    assert linked(as_admin, "venues", event) == third


def test_later_union_is_undone_before_an_earlier_one(as_admin, make_event, two, unite):
    kept, removed = two("venues")
    last = as_admin.post("/venues", venue="Hall").json["id"]
    event = make_event(venue=removed)["id"]
    unite("venues", kept, removed)
    unite("venues", last, kept)
    early = as_admin.delete(f"/venues/{kept}/unite", **{"with": removed})
    assert (early.status_code, early.invalid_params) == (400, ["id"])
    for stays, went in ((last, kept), (kept, removed)):
        assert as_admin.delete(f"/venues/{stays}/unite", **{"with": went}).status_code == 200
    assert linked(as_admin, "venues", event) == [removed]


def test_wrong_partners_are_refused_by_name(as_admin, two, unite):
    kept, removed = two("venues")
    organizer = as_admin.post("/organizers", organizer="Club").json["id"]
    for other in (kept, organizer, 99999, "x", 0):
        answer = unite("venues", kept, other)
        assert (answer.status_code, answer.invalid_params) == (400, ["with"]), other
    assert as_admin.post(f"/venues/{kept}/unite").invalid_params == ["with"]
    unknown = unite("venues", 99999, removed)
    assert unknown.code == as_admin.patch("/venues/99999", venue="Hall").code
    as_admin.delete(f"/venues/{removed}")
    assert unite("venues", kept, removed).invalid_params == ["with"]
    assert unite("venues", removed, kept).invalid_params == ["id"]


def test_only_who_may_edit_both_unites_them(as_author, as_contributor, anyone, two):
    kept, removed = two("venues")
    own = as_author.post("/venues", venue="Own").json["id"]
    assert anyone.post(f"/venues/{kept}/unite", **{"with": removed}).status_code == 401
    assert as_contributor.post(f"/venues/{kept}/unite", **{"with": removed}).status_code == 403
    assert as_author.post(f"/venues/{own}/unite", **{"with": removed}).status_code == 403
    assert as_author.post(f"/venues/{kept}/unite", **{"with": own}).status_code == 403
    second = as_author.post("/venues", venue="Second").json["id"]
    assert as_author.post(f"/venues/{own}/unite", **{"with": second}).status_code == 200


def test_stale_if_match_unites_nothing(as_admin, two):
    kept, removed = two("venues")
    answer = as_admin.send(
        "POST", f"/venues/{kept}/unite", json={"with": removed}, headers={"If-Match": '"old"'}
    )
    assert answer.status_code == 412
    assert as_admin.get(f"/venues/{removed}").status_code == 200


def test_default_venue_of_a_source_follows(as_admin, two, unite):
    kept, removed = two("venues")
    source = as_admin.post("/sources", name="Club", kind="push", defaults={"venue": removed}).json
    unite("venues", kept, removed)
    assert as_admin.get(f"/sources/{source['id']}").json["defaults"]["venue"] == kept
    as_admin.delete(f"/venues/{kept}/unite", **{"with": removed})
    assert as_admin.get(f"/sources/{source['id']}").json["defaults"]["venue"] == removed


def test_place_of_a_source_stays_united_and_its_links_are_no_edits(as_admin, unite):
    source = as_admin.post("/sources", name="Club", kind="push", status="publish").json["id"]
    times = {"start_date": "2030-05-04 19:30", "end_date": "2030-05-04 22:00"}
    hall = {"venue": {"venue": "Halle", "city": "Samedan"}}
    path = f"/events/by-source/{source}/1@club"
    event = as_admin.put(path, title="Concert", **times, **hall).json
    other = as_admin.post("/venues", venue="Kulturhalle", city="Samedan").json["id"]
    unite("venues", other, event["venue"]["id"])
    second = as_admin.put(f"{path}2", title="Theater", **times, **hall).json
    assert second["venue"]["id"] == other
    assert as_admin.get(f"/events/{event['id']}").json["source"]["edited"] == []
    elsewhere = as_admin.put(path, title="Concert", **times, venue={"venue": "Kirche"}).json
    assert elsewhere["venue"]["venue"] == "Kirche"

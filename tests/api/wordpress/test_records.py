"""Single records below ``wp/v2`` are read and written as in WordPress."""

from base64 import b64encode
from dataclasses import replace

import pytest
from calling import SITE

VENUE = {
    "title": "Kulturhaus & Garten",
    "status": "publish",
    "content": "<p>Am See</p>",
    "meta": {
        "_VenueAddress": "Seestrasse 1",
        "_VenueCity": "Arosa",
        "_VenueStateProvince": "",
        "_VenueZip": "7050",
        "_VenueCountry": "Schweiz",
        "_VenuePhone": "",
        "_VenueURL": "",
        "_VenueShowMap": True,
        "_VenueLat": "46.78",
        "_VenueLng": "9.68",
    },
}


@pytest.fixture
def venue(wordpress, as_author):
    answer = wordpress("POST", "/tribe_venue", by=as_author, json=VENUE)
    assert answer.status_code == 201, answer.json
    return answer.json


def test_a_venue_that_is_created_there_is_a_venue_here(wordpress, venue, anyone):
    assert venue["title"]["rendered"] == "Kulturhaus &amp; Garten"
    ours = anyone.get(f"/venues/{venue['id']}").json
    assert (ours["city"], ours["zip"], ours["geo_lat"]) == ("Arosa", "7050", 46.78)
    theirs = wordpress("GET", f"/tribe_venue/{venue['id']}").json
    assert theirs["meta"] == {**theirs["meta"], **VENUE["meta"]}
    assert theirs["link"] == ours["url"]
    assert (theirs["type"], theirs["status"]) == ("tribe_venue", "publish")
    assert theirs["date"] == ours["date"].replace(" ", "T")
    address = f"{SITE}/wp/v2/tribe_venue"
    assert theirs["_links"] == {
        "self": [{"href": f"{address}/{venue['id']}"}],
        "collection": [{"href": address}],
    }


@pytest.mark.parametrize("name", ["tribe_venue", "tribe_organizer", "tags", "tribe_events_cat"])
def test_a_new_record_is_where_location_says(wordpress, as_editor, name):
    body = {"title": "Neu", "name": "Neu"}
    stranger = wordpress("POST", f"/{name}", json=body)
    assert (stranger.status_code, stranger.code) == (401, "rest_cannot_create")
    answer = wordpress("POST", f"/{name}", by=as_editor, json=body)
    location = f"{SITE}/wp/v2/{name}/{answer.json['id']}"
    assert (answer.status_code, answer.headers["Location"]) == (201, location)


def test_without_a_state_a_new_post_is_a_draft(wordpress, as_author):
    answer = wordpress("POST", "/tribe_organizer", by=as_author, json={"title": "Verein"})
    assert answer.json["status"] == "draft"


def test_a_name_that_is_there_is_not_made_again(wordpress, venue, as_author):
    again = wordpress("POST", "/tribe_venue", by=as_author, json={"title": VENUE["title"]})
    assert again.json["id"] == venue["id"]


def test_a_venue_sent_back_as_it_was_read_stays_as_it_was(wordpress, venue, as_author):
    path = f"/tribe_venue/{venue['id']}"
    before = wordpress("GET", path, by=as_author, query_string={"context": "edit"}).json
    after = wordpress("POST", path, by=as_author, json=before)
    assert after.status_code == 200, after.json
    volatile = ("modified", "modified_gmt")
    lasting = {name: value for name, value in before.items() if name not in volatile}
    assert {name: after.json[name] for name in lasting} == lasting


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH"])
def test_only_what_is_sent_changes(wordpress, venue, as_author, method):
    path = f"/tribe_venue/{venue['id']}"
    changed = wordpress(method, path, by=as_author, json={"meta": {"_VenueCity": "Chur"}})
    assert (changed.status_code, changed.json["meta"]["_VenueCity"]) == (200, "Chur")
    assert changed.json["title"] == venue["title"]
    assert changed.json["meta"]["_VenueAddress"] == "Seestrasse 1"


def test_a_post_goes_to_the_trash_and_then_for_good(wordpress, venue, as_author):
    path = f"/tribe_venue/{venue['id']}"
    trashed = wordpress("DELETE", path, by=as_author)
    assert (trashed.status_code, trashed.json["status"]) == (200, "trash")
    again = wordpress("DELETE", path, by=as_author)
    assert (again.status_code, again.code) == (410, "rest_already_trashed")
    deleted = wordpress("DELETE", path, by=as_author, query_string={"force": "true"})
    assert (deleted.json["deleted"], deleted.json["previous"]["id"]) == (True, venue["id"])
    assert wordpress("GET", path).code == "rest_post_invalid_id"


def test_terms_are_created_changed_and_deleted(wordpress, as_editor):
    above = wordpress("POST", "/tribe_events_cat", by=as_editor, json={"name": "Musik"}).json
    body = {"name": "Jazz", "parent": above["id"], "description": "Blau"}
    term = wordpress("POST", "/tribe_events_cat", by=as_editor, json=body).json
    assert (term["slug"], term["parent"], term["count"]) == ("jazz", above["id"], 0)
    assert term["taxonomy"] == "tribe_events_cat"
    assert term["_links"]["up"][0]["href"].endswith(f"/tribe_events_cat/{above['id']}")
    twice = wordpress("POST", "/tribe_events_cat", by=as_editor, json=body)
    assert (twice.status_code, twice.code) == (400, "term_exists")
    assert twice.json["data"]["term_id"] == term["id"]
    path = f"/tribe_events_cat/{term['id']}"
    assert wordpress("PUT", path, by=as_editor, json={"name": "Blues"}).json["name"] == "Blues"
    refused = wordpress("DELETE", path, by=as_editor)
    assert (refused.status_code, refused.code) == (501, "rest_trash_not_supported")
    deleted = wordpress("DELETE", path, by=as_editor, query_string={"force": "1"})
    assert deleted.json["previous"]["name"] == "Blues"
    assert wordpress("GET", path).code == "rest_term_invalid"


def test_an_event_shows_its_times_links_and_terms_by_id(wordpress, make_event):
    event = make_event(
        venue={"venue": "Saal"},
        organizer={"organizer": "Verein"},
        tags=["Neu"],
        categories=["Musik"],
        excerpt="Kurz",
    )
    venue, organizer = event["venue"]["id"], event["organizer"][0]["id"]
    tag, category = event["tags"][0]["id"], event["categories"][0]["id"]
    theirs = wordpress("GET", f"/tribe_events/{event['id']}").json
    assert (theirs["tags"], theirs["tribe_events_cat"]) == ([tag], [category])
    assert theirs["excerpt"]["rendered"] == event["excerpt"]
    meta = theirs["meta"]
    assert meta["_EventStartDate"] == "2030-03-10 19:00:00"
    assert meta["_EventStartDateUTC"] == event["utc_start_date"]
    assert (meta["_EventVenueID"], meta["_EventOrganizerID"]) == ([venue], [organizer])
    assert (meta["_EventAllDay"], meta["_EventURL"]) == (False, "")
    assert [link["taxonomy"] for link in theirs["_links"]["wp:term"]] == [
        "post_tag",
        "tribe_events_cat",
    ]


def test_an_event_is_written_with_what_the_plugin_calls_its_fields(wordpress, as_author, anyone):
    body = {
        "title": "Konzert",
        "status": "publish",
        "meta": {"_EventStartDate": "2030-05-01 20:00", "_EventEndDate": "2030-05-01 22:00"},
    }
    created = wordpress("POST", "/tribe_events", by=as_author, json=body)
    assert created.status_code == 201, created.json
    path = f"/tribe_events/{created.json['id']}"
    read = wordpress("GET", path, by=as_author, query_string={"context": "edit"}).json
    again = wordpress("PUT", path, by=as_author, json={**read, "title": {"raw": "Konzert 2"}})
    assert again.status_code == 200, again.json
    ours = anyone.get(f"/events/{created.json['id']}").json
    assert (ours["title"], ours["start_date"]) == ("Konzert 2", "2030-05-01 20:00:00")


def test_linked_pictures_and_terms_are_embedded_where_that_is_asked(
    wordpress, make_event, make_tag, upload, as_author
):
    picture = upload(alt_text="Ein Segel")
    tag = make_tag(name="Neu")
    event = make_event(by=as_author, tags=[tag["id"]], image=picture["id"])
    path = f"/tribe_events/{event['id']}"
    plain = wordpress("GET", path).json
    assert plain["featured_media"] == picture["id"]
    assert "_embedded" not in plain
    for query in ({"_embed": ""}, {"_embed": "wp:featuredmedia,wp:term"}):
        (theirs,) = wordpress("GET", "/tribe_events", query_string=query).json
        (media,) = theirs["_embedded"]["wp:featuredmedia"]
        assert (media["id"], media["alt_text"]) == (picture["id"], "Ein Segel")
        assert media["source_url"] == picture["source_url"]
        assert media["media_details"]["sizes"]["medium"]["width"] == 300
        assert [term["name"] for term in theirs["_embedded"]["wp:term"][0]] == ["Neu"]
    (pictures_alone,) = wordpress(
        "GET", "/tribe_events", query_string={"_embed": "wp:featuredmedia"}
    ).json
    assert list(pictures_alone["_embedded"]) == ["wp:featuredmedia"]


@pytest.mark.parametrize(
    ("path", "body", "params"),
    [
        ("/tribe_venue", {"status": "publish"}, ["title"]),
        ("/tribe_venue", {"title": "X", "meta": {"_VenueURL": "x"}}, ["meta._VenueURL"]),
        ("/tribe_venue", {"title": "X", "meta": {"_VenueLat": "200"}}, ["meta._VenueLat"]),
        ("/tribe_venue", {"title": "X", "meta": "x"}, ["meta"]),
        ("/tribe_venue", {"title": "X", "featured_media": 99}, ["featured_media"]),
        ("/tribe_events", {"title": "X"}, ["meta._EventStartDate", "meta._EventEndDate"]),
        ("/tribe_events_cat", {}, ["name"]),
        ("/tribe_events_cat", {"name": "X", "parent": 99}, ["parent"]),
    ],
)
def test_wrong_bodies_are_refused_by_the_names_that_were_sent(
    wordpress, as_editor, path, body, params
):
    answer = wordpress("POST", path, by=as_editor, json=body)
    assert answer.status_code == 400
    assert sorted(answer.invalid_params) == sorted(params)


@pytest.mark.parametrize(
    ("method", "code"),
    [("POST", "rest_cannot_edit"), ("DELETE", "rest_cannot_delete")],
)
def test_who_may_not_write_is_told_so_in_the_words_of_wordpress(
    wordpress, venue, as_contributor, method, code
):
    path = f"/tribe_venue/{venue['id']}"
    stranger = wordpress(method, path, json={"title": "X"})
    assert (stranger.status_code, stranger.code) == (401, code)
    refused = wordpress(method, path, by=as_contributor, json={"title": "X"})
    assert (refused.status_code, refused.code) == (403, code)


def test_idempotency_keys_and_preconditions_hold_there_too(wordpress, as_author):
    headers = {"Idempotency-Key": "k1"}
    body = {"title": "Einmal", "status": "publish"}
    first, second = (
        wordpress("POST", "/tribe_organizer", by=as_author, json=body, headers=headers)
        for _ in range(2)
    )
    assert first.json["id"] == second.json["id"]
    assert second.headers["Idempotency-Replayed"] == "true"
    path = f"/tribe_organizer/{first.json['id']}"
    tag = wordpress("GET", path).headers["ETag"]
    change = {"title": "Zweimal"}
    assert (
        wordpress("PUT", path, by=as_author, json=change, headers={"If-Match": tag}).status_code
        == 200
    )
    stale = wordpress("PUT", path, by=as_author, json=change, headers={"If-Match": tag})
    assert stale.status_code == 412


class TestInPlaceOfWordPress:
    @pytest.fixture
    def settings(self, settings):
        return replace(settings, api_prefix="/wp-json", namespace="tribe/events/v1")

    @pytest.fixture
    def client(self, app):
        return app.test_client()

    def test_the_index_names_the_namespace_and_its_routes(self, client):
        index = client.get("/wp-json/").json
        assert index["namespaces"] == ["tribe/events/v1", "wp/v2"]
        route = index["routes"]["/wp/v2/tribe_venue"]
        assert (route["namespace"], route["methods"]) == ("wp/v2", ["GET", "POST"])
        assert route["_links"]["self"] == [{"href": f"{SITE}/wp-json/wp/v2/tribe_venue"}]
        create = route["endpoints"][1]["args"]
        assert create["title"]["required"]
        assert create["meta"]["properties"]["_VenueCity"]["type"] == "string"
        own = client.get("/wp-json/wp/v2").json
        assert own["routes"][r"/wp/v2/tags/(?P<id>[\d]+)"]["methods"] == [
            "GET",
            "POST",
            "PUT",
            "PATCH",
            "DELETE",
        ]
        options = client.options("/wp-json/wp/v2/tribe_venue").json
        assert options == route

    @pytest.mark.parametrize(
        "path",
        [
            "/wp-json/wp/v2/tribe_venue/",
            "/rm/wp-json/wp/v2/tribe_venue",
            "/wp-json/WP/v2/Tribe_Venue",
            "/?rest_route=/wp/v2/tribe_venue",
        ],
    )
    def test_all_spellings_of_wordpress_lead_there(self, client, path):
        assert client.get(path).json == []

    @pytest.mark.parametrize("path", ["posts", "users", "tribe_venue/x", "users/1"])
    def test_other_routes_of_wordpress_are_not_there(self, client, path):
        answer = client.get(f"/wp-json/wp/v2/{path}")
        assert (answer.status_code, answer.json["code"]) == (404, "rest_no_route")

    def test_wrong_credentials_are_refused(self, client):
        secret = b64encode(b"admin:wrong").decode()
        answer = client.get("/wp-json/wp/v2/tags", headers={"Authorization": f"Basic {secret}"})
        assert answer.status_code == 401
        assert "WWW-Authenticate" in answer.headers

    def test_pages_of_other_sites_may_read(self, client):
        answer = client.get("/wp-json/wp/v2/tags", headers={"Origin": "https://other.example"})
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert "X-WP-Total" in answer.headers["Access-Control-Expose-Headers"]

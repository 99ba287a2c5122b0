"""Values of an event's single fields: slugs, dates, texts, costs and addresses."""

import pytest
from api.resources.five_collections import EVENING, REQUIRED

pytestmark = pytest.mark.without_mongodb


def test_a_slug_that_is_taken_gets_a_number(make_event):
    slugs = [make_event(title="Concert")["slug"] for _ in range(3)]

    assert slugs == ["concert", "concert-2", "concert-3"]


def test_a_draft_has_no_slug_before_it_is_published(as_admin, make_event):
    draft = make_event(title="Concert", status="draft")
    assert draft["slug"] == ""
    assert draft["date_utc"] == "0000-00-00 00:00:00"

    published = as_admin.patch(f"/events/{draft['id']}", status="publish").json
    assert published["slug"] == "concert"
    assert published["date_utc"] == "2030-01-15 12:00:00"


def test_contributor_cannot_choose_the_slug_of_an_event(as_contributor, as_editor, make_event):
    variants = {"rm": {"title": "Concert", "slug": "concert-in-rumantsch"}}
    chosen = {"title": "Konzert", "slug": "chosen", "variants": variants}
    pending = make_event(by=as_contributor, status="pending", **chosen)
    draft = make_event(by=as_contributor, status="draft", **chosen)
    assert (pending["slug"], draft["slug"]) == ("", "")

    path = f"/events/{draft['id']}"
    assert as_contributor.patch(path, status="pending").json["slug"] == ""
    assert as_contributor.patch(path, slug="chosen").json["slug"] == ""
    assert as_editor.patch(path, status="publish").json["slug"] == "konzert"
    assert as_editor.get("/events/by-slug/concert-in-rumantsch").status_code == 400


def test_slug_chosen_by_an_editor_survives_a_contributors_change(
    as_contributor, as_editor, make_event
):
    path = f"/events/{make_event(by=as_contributor, status='pending')['id']}"
    assert as_editor.patch(path, slug="chosen").json["slug"] == "chosen"
    assert as_contributor.patch(path, title="Other", slug="own").json["slug"] == "chosen"


def test_a_status_that_does_not_exist_is_refused(as_admin):
    for status in ("bogus", "PUBLISH", 1, ["publish"], "any"):
        answer = as_admin.post("/events", title="Concert", status=status, **EVENING)

        assert answer.status_code == 400
        assert answer.invalid_params == ["status"]


def test_publishing_in_the_future_waits_and_in_the_past_does_not(make_event):
    later = make_event(date="2030-02-01 10:00:00")
    assert later["status"] == "future"
    assert later["date_utc"] == "2030-02-01 09:00:00"

    assert make_event(status="future", date="2029-01-01")["status"] == "publish"


def test_date_is_read_in_the_zone_of_the_site_and_date_utc_in_utc(make_event):
    local = make_event(date="2029-07-01 10:00:00", timezone="America/New_York")
    assert local["date"] == "2029-07-01 10:00:00"
    assert local["date_utc"] == "2029-07-01 08:00:00"

    utc = make_event(date_utc="2029-07-01 10:00:00", timezone="America/New_York")
    assert utc["date"] == "2029-07-01 12:00:00"


def test_titles_are_shown_escaped_and_without_typography(make_event):
    event = make_event(title='Jack\'s "x" -- 10x5 & <b>more</b>')

    assert (
        event["title"].replace("&#x27;", "'").replace("&#39;", "'").replace("&quot;", '"')
        == 'Jack\'s "x" -- 10x5 &amp; more'
    )


def test_texts_get_paragraphs_and_keep_backslashes(make_event):
    event = make_event(description="One\nline\n\nTwo", excerpt="C:\\temp")

    assert event["description"] == "<p>One<br />\nline</p>\n<p>Two</p>"
    assert event["excerpt"] == "<p>C:\\temp</p>"


def test_post_parent_must_be_an_event_or_none(as_admin, make_event, make_venue):
    parent = make_event()
    child = make_event(post_parent=parent["id"])
    listed_events = as_admin.get("/events", post_parent=parent["id"]).json["events"]
    assert [event["id"] for event in listed_events] == [child["id"]]

    for unknown in (make_venue()["id"], 10**6, -1, "x", [1]):
        answer = as_admin.patch(f"/events/{child['id']}", post_parent=unknown)
        assert answer.status_code == 400
        assert answer.invalid_params == ["post_parent"]

    assert as_admin.patch(f"/events/{child['id']}", post_parent=0).status_code == 200
    assert as_admin.get("/events", post_parent=parent["id"]).json["events"] == []


def test_an_event_is_never_below_itself(as_admin, make_event):
    first = make_event()["id"]
    second = make_event(post_parent=first)["id"]
    third = make_event(post_parent=second)["id"]
    for own in (first, second, third):
        answer = as_admin.patch(f"/events/{first}", post_parent=own)
        assert (answer.status_code, answer.invalid_params) == (400, ["post_parent"])

    assert as_admin.patch(f"/events/{third}", post_parent=first).status_code == 200
    assert as_admin.patch(f"/events/{second}", post_parent=third).status_code == 200
    assert as_admin.patch(f"/events/{third}", post_parent=second).status_code == 400


def test_circles_that_are_stored_already_do_no_harm(as_admin, make_event, database):
    first, second, outside = (make_event()["id"] for _ in range(3))
    for left_event, right_event in ((first, second), (second, first)):
        database["events"].update_one({"_id": left_event}, {"$set": {"parent": right_event}})
    assert as_admin.patch(f"/events/{outside}", post_parent=first).status_code == 200
    assert as_admin.patch(f"/events/{first}", post_parent=second).status_code == 400
    assert as_admin.patch(f"/events/{first}", post_parent=0).status_code == 200


def test_costs_are_shown_with_the_symbol_of_the_site(make_event, as_admin):
    event = make_event(cost="10-20")
    assert event["cost"] == "$10 \N{EN DASH} $20"
    assert event["cost_details"]["values"] == ["10", "20"]

    for nothing in ("0", 0):
        assert make_event(cost=nothing)["cost"] == "Kostenlos"
        assert as_admin.patch(f"/events/{event['id']}", cost=nothing).json["cost"] == "Kostenlos"


@pytest.mark.parametrize("website", ["a.example", "foo", 7, ["https://a.example"], "javascript:x"])
def test_a_website_must_be_an_address(as_admin, website):
    answer = as_admin.post("/events", title="Concert", website=website, **EVENING)

    assert answer.status_code == 400
    assert answer.invalid_params == ["website"]


@pytest.mark.parametrize(
    ("sent", "spelling"),
    [
        ("https://example.org/märkt?wo=zürich", "https://example.org/m%C3%A4rkt?wo=z%C3%BCrich"),
        ("https://www.müstair.ch/fest", "https://www.xn--mstair-3ya.ch/fest"),
    ],
)
@pytest.mark.parametrize("field", ["website", "image", "online_url"])
def test_an_address_beyond_ascii_is_refused_with_how_it_is_written(as_admin, field, sent, spelling):
    answer = as_admin.post("/events", title="Concert", **EVENING, **{field: sent})

    assert answer.status_code == 400
    assert answer.invalid_params == [field]
    assert answer.json["data"]["params"][field].endswith(spelling)
    assert (
        as_admin.post("/events", title="Concert", **EVENING, **{field: spelling}).status_code == 201
    )


@pytest.mark.parametrize("website", ["https://mü_stair.ch/", "https://mü\nstair.ch/", "märkt"])
def test_website_invalid_even_in_ascii_is_refused(as_admin, website):
    answer = as_admin.post("/events", title="Concert", website=website, **EVENING)

    assert answer.status_code == 400
    assert "https://example.org/" in answer.json["data"]["params"]["website"]


def test_refused_event_creates_no_records(as_admin, database):
    as_admin.post(
        "/events", title="Concert", venue={"venue": "New"}, cost="1", author="x", **EVENING
    )

    assert database["events"].count_documents({}) == 0
    assert database["venues"].count_documents({}) == 0


@pytest.mark.parametrize(
    ("sent", "stored_value"),
    [("https://x.y/<a>", "https://x.y/a"), ("https://x.y/a^b`c", "https://x.y/abc")],
)
@pytest.mark.parametrize("field", ["website", "image"])
def test_invalid_characters_are_stripped_from_urls(make_event, as_admin, field, sent, stored_value):
    event = make_event(**{field: sent})
    assert (event[field]["url"] if field == "image" else event[field]) == stored_value
    sent_back = as_admin.put(f"/events/{event['id']}", **{field: event[field]})
    assert sent_back.json[field] == event[field]


@pytest.mark.parametrize("collection", ["events", "venues", "organizers"])
@pytest.mark.parametrize("escaped", ["&amp;", "&#038;", "&#38;", "&AMP;", "&amp;amp;"])
def test_a_website_is_taken_as_an_event_shows_it(as_admin, collection, escaped):
    sent = {"website": f"https://a.example/?x=1{escaped}y=2"}
    record = as_admin.post(f"/{collection}", **REQUIRED[collection], **sent).json
    whole = as_admin.get(f"/{collection}/{record['id']}", translation_language="all").json
    assert whole["variants"]["de"]["website"] == "https://a.example/?x=1&y=2"


def test_edited_copy_of_a_shown_website_is_stored(as_admin, make_event):
    event = make_event(website="https://a.example/?x=1&y=2")
    changed = event["website"].replace("a.example", "b.example")
    answer = as_admin.patch(f"/events/{event['id']}", website=changed)
    assert answer.json["website"] == "https://b.example/?x=1&amp;y=2"


def test_a_website_that_is_stored_with_an_entity_stays_when_sent_back(
    as_admin, make_event, database
):
    event = make_event(website="https://a.example/")["id"]
    stored = {"variants.de.website": "https://a.example/?x=1&amp;y=2"}
    database["events"].update_one({"_id": event}, {"$set": stored})
    current_event = as_admin.get(f"/events/{event}").json
    as_admin.put(f"/events/{event}", **current_event | {"title": "Other"})
    assert as_admin.get(f"/events/{event}").json["website"] == current_event["website"]


@pytest.mark.parametrize(
    ("sent", "expected"),
    [(["tickets"], True), (["rsvp", "tickets"], True), ([], False), ([""], False)],
)
def test_who_provides_tickets_may_be_named(as_admin, make_event, sent, expected):
    event = make_event(ticketed=sent)
    assert event["ticketed"] is expected
    again = as_admin.put(f"/events/{make_event(ticketed=not expected)['id']}", ticketed=sent)
    assert again.json["ticketed"] is expected


def test_date_counts_beside_date_utc(as_admin, make_event):
    event = make_event(date="2029-01-05 10:00:00", date_utc="2028-06-06 06:06:06")
    assert event["date"] == "2029-01-05 10:00:00"

    path = f"/events/{event['id']}"
    again = as_admin.patch(path, date=event["date"], date_utc="2028-06-06 06:06:06").json
    assert (again["date"], again["date_utc"]) == (event["date"], event["date_utc"])

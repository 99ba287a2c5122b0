"""Creating and changing events."""

import pytest

EVENING = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 22:00:00"}
FIELDS = [
    "id",
    "global_id",
    "global_id_lineage",
    "author",
    "status",
    "date",
    "date_utc",
    "modified",
    "modified_utc",
    "url",
    "rest_url",
    "title",
    "description",
    "excerpt",
    "slug",
    "image",
    "all_day",
    "start_date",
    "start_date_details",
    "end_date",
    "end_date_details",
    "utc_start_date",
    "utc_start_date_details",
    "utc_end_date",
    "utc_end_date_details",
    "timezone",
    "timezone_abbr",
    "cost",
    "cost_details",
    "website",
    "show_map",
    "show_map_link",
    "hide_from_listings",
    "sticky",
    "featured",
    "categories",
    "tags",
    "venue",
    "organizer",
    "custom_fields",
]
FLAGS = ["show_map", "show_map_link", "hide_from_listings", "sticky", "featured"]


@pytest.fixture
def full(make_event, make_venue, make_organizer, make_category, make_tag):
    """Return an event with a value in every field that an update might lose."""
    return make_event(
        title="Spring concert",
        description="An evening of jazz",
        excerpt="Jazz",
        timezone="America/New_York",
        cost="$10",
        website="https://spring.example/tickets",
        show_map=True,
        show_map_link=True,
        sticky=True,
        featured=True,
        ticketed=True,
        date="2029-12-01 08:00:00",
        image="https://pictures.example/poster.png",
        venue=make_venue()["id"],
        organizer=[make_organizer()["id"], make_organizer()["id"]],
        categories=[make_category()["id"]],
        tags=[make_tag()["id"]],
    )


def test_a_new_event_shows_every_field_in_the_order_of_the_reference(make_event):
    shown = list(make_event())

    assert [name for name in shown if name in FIELDS] == FIELDS


def test_a_new_event_has_the_values_that_the_reference_gives(make_event, as_admin):
    event = make_event(title="Minimal")

    assert event["status"] == "publish"
    assert event["author"] == str(as_admin.id)
    assert event["slug"] == "minimal"
    assert event["date"] == "2030-01-15 13:00:00"
    assert event["date_utc"] == "2030-01-15 12:00:00"
    assert event["description"] == event["excerpt"] == event["cost"] == ""
    assert event["image"] is False
    assert event["all_day"] is False
    assert event["timezone"] == "Europe/Zurich"
    assert event["timezone_abbr"] == "CET"
    assert event["utc_start_date"] == "2030-03-10 18:00:00"
    assert event["website"] == event["url"] == "https://calendar.example/event/minimal/"
    number = event["id"]
    assert event["rest_url"] == f"https://calendar.example/calendar/events/v1/events/{number}"
    assert event["global_id"] == f"calendar.example?id={number}"
    assert event["global_id_lineage"] == [event["global_id"]]
    assert [event[name] for name in FLAGS] == [False] * 5
    assert event["venue"] == event["organizer"] == event["categories"] == event["tags"] == []
    assert event["custom_fields"] == []
    assert "json_ld" not in event


def test_date_details_are_padded_texts(make_event):
    event = make_event(start_date="2030-03-04 05:06:07")

    assert event["start_date_details"] == {
        "year": "2030",
        "month": "03",
        "day": "04",
        "hour": "05",
        "minutes": "06",
        "seconds": "07",
    }


@pytest.mark.parametrize("missing", ["title", "start_date", "end_date"])
def test_a_new_event_needs_title_start_and_end(as_admin, missing):
    body = {"title": "Concert", **EVENING}
    del body[missing]

    for sent in (body, body | {missing: None}):
        answer = as_admin.post("/events", **sent)

        assert answer.status_code == 400
        assert answer.code == "rest_missing_callback_param"
        assert answer.json["data"]["params"] == [missing]


def test_all_that_is_missing_is_named_at_once(as_admin):
    answer = as_admin.post("/events")

    assert answer.json == {
        "code": "rest_missing_callback_param",
        "message": "Fehlende Parameter: title, start_date, end_date",
        "data": {"status": 400, "params": ["title", "start_date", "end_date"]},
    }


@pytest.mark.parametrize("field", ["title", "start_date", "end_date"])
def test_what_is_required_must_not_be_empty(as_admin, field):
    answer = as_admin.post("/events", **{"title": "Concert", **EVENING, field: ""})

    assert answer.status_code == 400
    assert answer.code == "rest_invalid_param"
    assert answer.named == [field]


@pytest.mark.parametrize("title", [" ", "\n\t ", "<b></b>"])
def test_a_blank_title_is_refused(as_admin, title):
    answer = as_admin.post("/events", **{"title": title, **EVENING})

    assert answer.status_code == 400
    assert answer.code == "rest_invalid_param"
    assert answer.named == ["title"]


def test_zero_is_an_ordinary_text(make_event):
    assert make_event(title="0")["title"] == "0"


@pytest.mark.parametrize(
    "field",
    ["description", "excerpt", "slug", "image", "website", "timezone", "status", "author", "cost"],
)
@pytest.mark.parametrize("nothing", ["", None])
def test_nothing_counts_as_not_sent_on_create(make_event, field, nothing):
    event = make_event(title="Concert", **{field: nothing})

    assert event[field] == make_event(title="Concert")[field] or field in ("slug", "website")
    assert event["slug"] == "concert"


def test_null_lists_and_flags_count_as_not_sent_on_create(make_event):
    nulls = dict.fromkeys(["venue", "organizer", "categories", "tags", *FLAGS, "all_day"])
    event = make_event(**nulls)

    assert [event[name] for name in FLAGS] == [False] * 5
    assert event["venue"] == []


def test_forms_and_queries_are_taken_as_json_is(as_admin, make_category):
    number = make_category()["id"]
    form = {**EVENING, "title": "Concert", "categories[]": str(number), "featured": "1"}
    answer = as_admin.send("POST", "/events", data=form)
    assert answer.status_code == 201
    assert answer.json["featured"] is True
    assert [term["id"] for term in answer.json["categories"]] == [number]

    queried = as_admin.send("POST", "/events", query_string={**EVENING, "title": "Concert"})
    assert queried.status_code == 201


def test_json_wins_over_the_query_and_null_gives_way(as_admin):
    answer = as_admin.send(
        "POST",
        "/events?title=Queried&excerpt=Queried",
        json={**EVENING, "title": "Sent", "excerpt": None},
    )

    assert answer.json["title"] == "Sent"
    assert "Queried" in answer.json["excerpt"]


def test_a_multipart_form_is_taken_too(as_admin):
    answer = as_admin.send(
        "POST",
        "/events",
        data={**EVENING, "title": "Concert"},
        content_type="multipart/form-data",
    )

    assert answer.status_code == 201


def test_a_body_without_a_type_is_a_form_on_updates(as_admin, make_event):
    path = f"/events/{make_event()['id']}"
    answer = as_admin.send("PUT", path, data=b"title=Plain", content_type="")

    assert answer.json["title"] == "Plain"


def test_unknown_parameters_are_ignored(make_event, as_admin):
    event = make_event(colour="red", global_id="x", url="https://elsewhere.example/", id=77)

    assert "colour" not in event
    assert event["id"] != 77
    assert as_admin.get("/events", colour="red").status_code == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH"])
def test_what_an_update_does_not_send_stays(as_admin, full, method):
    answer = as_admin.send(method, f"/events/{full['id']}", json={"excerpt": "Short"})

    assert answer.status_code == 200
    changed = {name for name in full if answer.json[name] != full[name]}
    assert changed <= {"excerpt", "modified", "modified_utc"}
    assert answer.json["excerpt"] == "<p>Short</p>"


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH"])
def test_an_empty_update_changes_nothing(as_admin, full, clock, method):
    clock.advance(hours=1)
    answer = as_admin.send(method, f"/events/{full['id']}", json={})

    assert answer.status_code == 200
    assert answer.json == full


@pytest.mark.parametrize("empty", ["", None])
@pytest.mark.parametrize(
    ("field", "cleared"),
    [
        ("description", ""),
        ("excerpt", ""),
        ("cost", ""),
        ("website", ""),
        ("image", False),
        ("venue", []),
        ("organizer", []),
        ("categories", []),
        ("tags", []),
    ],
)
def test_empty_values_clear_on_update(as_admin, full, field, cleared, empty):
    answer = as_admin.patch(f"/events/{full['id']}", **{field: empty})

    assert answer.status_code == 200
    assert answer.json[field] == cleared
    assert as_admin.get(f"/events/{full['id']}").json[field] == cleared


@pytest.mark.parametrize("field", ["venue", "organizer", "categories", "tags"])
def test_an_empty_list_clears_on_update(as_admin, full, field):
    assert as_admin.patch(f"/events/{full['id']}", **{field: []}).json[field] == []


@pytest.mark.parametrize(
    "field",
    ["title", "start_date", "end_date", "slug", "status", "author", "timezone", "date", "all_day"],
)
def test_null_is_refused_where_nothing_can_be_empty(as_admin, full, field):
    answer = as_admin.patch(f"/events/{full['id']}", **{field: None})

    assert answer.status_code == 400
    assert answer.named == [field]
    assert as_admin.get(f"/events/{full['id']}").json[field] == full[field]


def test_an_id_in_body_or_query_never_changes_which_event_is_meant(as_admin, make_event):
    meant, other = make_event(), make_event()
    answer = as_admin.send(
        "POST", f"/events/{meant['id']}?id={other['id']}", json={"id": other["id"], "title": "New"}
    )

    assert answer.json["id"] == meant["id"]
    assert as_admin.get(f"/events/{other['id']}").json["title"] == other["title"]


@pytest.mark.parametrize("address", ["/events/{id}", "/events/by-slug/{slug}"])
def test_a_slug_in_the_body_is_the_new_slug(as_admin, make_event, address):
    event = make_event(title="Concert")
    answer = as_admin.post(address.format(**event), slug="Großes Konzert")

    assert answer.status_code == 200
    assert answer.json["id"] == event["id"]
    assert answer.json["slug"] == "grosses-konzert"


def test_a_slug_that_is_taken_gets_a_number(make_event):
    slugs = [make_event(title="Concert")["slug"] for _ in range(3)]

    assert slugs == ["concert", "concert-2", "concert-3"]


def test_a_new_title_keeps_the_slug(as_admin, make_event):
    event = make_event(title="Concert")

    assert as_admin.patch(f"/events/{event['id']}", title="Recital").json["slug"] == "concert"


def test_a_draft_has_no_slug_before_it_is_published(as_admin, make_event):
    draft = make_event(title="Concert", status="draft")
    assert draft["slug"] == ""
    assert draft["date_utc"] == "0000-00-00 00:00:00"

    published = as_admin.patch(f"/events/{draft['id']}", status="publish").json
    assert published["slug"] == "concert"
    assert published["date_utc"] == "2030-01-15 12:00:00"


def test_a_status_that_does_not_exist_is_refused(as_admin):
    for status in ("bogus", "PUBLISH", 1, ["publish"], "any"):
        answer = as_admin.post("/events", title="Concert", status=status, **EVENING)

        assert answer.status_code == 400
        assert answer.named == ["status"]


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
    shown = as_admin.get("/events", post_parent=parent["id"]).json["events"]
    assert [event["id"] for event in shown] == [child["id"]]

    for unknown in (make_venue()["id"], 10**6, -1, "x", [1]):
        answer = as_admin.patch(f"/events/{child['id']}", post_parent=unknown)
        assert answer.status_code == 400
        assert answer.named == ["post_parent"]

    assert as_admin.patch(f"/events/{child['id']}", post_parent=0).status_code == 200
    assert as_admin.get("/events", post_parent=parent["id"]).json["events"] == []


def test_costs_are_shown_with_the_symbol_of_the_site(make_event, as_admin):
    event = make_event(cost="10-20")
    assert event["cost"] == "$10 \N{EN DASH} $20"
    assert event["cost_details"]["values"] == ["10", "20"]

    for nothing in ("0", 0):
        assert make_event(cost=nothing)["cost"] == "Free"
        assert as_admin.patch(f"/events/{event['id']}", cost=nothing).json["cost"] == "Free"


@pytest.mark.parametrize("website", ["a.example", "foo", 7, ["https://a.example"], "javascript:x"])
def test_a_website_must_be_an_address(as_admin, website):
    answer = as_admin.post("/events", title="Concert", website=website, **EVENING)

    assert answer.status_code == 400
    assert answer.named == ["website"]


def test_what_is_refused_leaves_nothing_behind(as_admin, database):
    as_admin.post(
        "/events", title="Concert", venue={"venue": "New"}, cost="1", author="x", **EVENING
    )

    assert database["events"].count_documents({}) == 0
    assert database["venues"].count_documents({}) == 0

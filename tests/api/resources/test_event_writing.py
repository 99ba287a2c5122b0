"""A new event needs a title, a start and an end; however it was sent, it is shown in full."""

import pytest
from api.resources.five_collections import EVENING

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


def test_a_new_event_shows_every_field_in_the_order_of_the_reference(make_event):
    field_names = list(make_event())

    assert [name for name in field_names if name in FIELDS] == FIELDS


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


def test_what_is_wrong_is_named_beside_what_is_missing(as_admin):
    wrong = {"title": "Concert", "start_date": "32.13.2030"}
    both, alone = as_admin.post("/events", **wrong), as_admin.post("/events", **EVENING | wrong)

    assert both.code == "rest_missing_callback_param"
    assert both.json["data"]["params"] == ["end_date"]
    reasons = {name: each["message"] for name, each in both.json["data"]["details"].items()}
    assert reasons == alone.json["data"]["params"]


@pytest.mark.parametrize("field", ["title", "start_date", "end_date"])
def test_required_fields_must_not_be_empty(as_admin, field):
    answer = as_admin.post("/events", **{"title": "Concert", **EVENING, field: ""})

    assert answer.status_code == 400
    assert answer.code == "rest_invalid_param"
    assert answer.invalid_params == [field]


@pytest.mark.parametrize("title", [" ", "\n\t ", "<b></b>"])
def test_a_blank_title_is_refused(as_admin, title):
    answer = as_admin.post("/events", **{"title": title, **EVENING})

    assert answer.status_code == 400
    assert answer.code == "rest_invalid_param"
    assert answer.invalid_params == ["title"]


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
    event = make_event(color="red", global_id="x", url="https://elsewhere.example/", id=77)

    assert "color" not in event
    assert event["id"] != 77
    assert as_admin.get("/events", color="red").status_code == 200

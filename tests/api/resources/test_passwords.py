"""Reading events behind a password."""

import pytest
from api.resources.protected_event import SECRET

REDACTED = {
    "description": "",
    "excerpt": "",
    "cost": "",
    "website": "",
    "image": False,
    "all_day": None,
    "show_map": None,
    "show_map_link": None,
    "hide_from_listings": None,
    "sticky": None,
    "featured": None,
    "ticketed": None,
    "categories": [],
    "tags": [],
    "venue": [],
    "organizer": [],
    "custom_fields": [],
    "status_reason": "",
    "attendance_mode": None,
    "online_url": "",
    "accessibility": [],
    "in_language": [],
    "audience": None,
    "registration": None,
    "cost_details": {
        "currency_symbol": "",
        "currency_code": "",
        "currency_position": "",
        "values": [],
    },
}


@pytest.fixture
def path(protected):
    return f"/events/{protected['id']}"


@pytest.mark.parametrize("name", [None, "subscriber", "contributor", "author2"])
def test_reading_needs_the_password(path, calling_as, name):
    client = calling_as(name)
    for query in ({}, {"password": "wrong"}):
        answer = client.get(path, **query)

        assert answer.status_code == 403
        assert answer.code == "event-password-protected"

    opened = client.get(path, password=SECRET)
    assert opened.status_code == 200
    assert "Confidential" in opened.json["description"]
    assert "json_ld" not in opened.json


def test_the_texts_of_every_language_are_redacted_too(path, protected, as_author, anyone):
    in_romansh = {"title": "Scuntrada", "description": "Confidenzial"}
    as_author.put(f"{path}?translation_language=rm", **in_romansh)
    query = {"include": protected["id"], "translation_language": "all"}

    (listed,) = anyone.get("/events", **query).json["events"]
    (opened,) = anyone.get("/events", **query, password=SECRET).json["events"]

    assert listed["variants"] == {
        "de": {"title": "Gathering", "slug": "gathering"},
        "rm": {"title": "Scuntrada", "slug": "scuntrada"},
    }
    assert "Confidenzial" in opened["variants"]["rm"]["description"]


@pytest.mark.parametrize(("password", "status"), [("", 400), ("[]", 403), ("\0", 403)])
def test_an_empty_password_is_refused(path, anyone, password, status):
    answer = anyone.get(path, password=password)

    assert answer.status_code == status
    assert "Confidential" not in answer.text


@pytest.mark.parametrize("query", ["password[]=Open sesame", "password[$ne]=x", "password[$gt]="])
def test_a_password_that_is_no_text_opens_nothing(path, anyone, query):
    for protected_path, status in ((path, 400), ("/events", 200)):
        answer = anyone.send("GET", f"{protected_path}?{query}")

        assert answer.status_code == status
        assert "Confidential" not in answer.text


@pytest.mark.parametrize("query", ["password=", "password[]=x", "password[a]=x"])
def test_password_is_checked_only_for_protected_events(path, anyone, make_venue, make_tag, query):
    venue, tag = make_venue(), make_tag(name="Open")
    for response in (
        "/events",
        "/venues",
        "/organizers",
        "/tags",
        "/categories",
        f"/venues/{venue['id']}",
        f"/venues/by-slug/{venue['slug']}",
        f"/tags/{tag['id']}",
    ):
        answer = anyone.send("GET", f"{response}?{query}")

        assert answer.status_code == 200, response
        assert "Confidential" not in answer.text
    assert anyone.send("GET", f"{path}?{query}").invalid_params == ["password"]


def test_by_slug_needs_the_password_too(protected, anyone):
    path = f"/events/by-slug/{protected['slug']}"

    assert anyone.get(path).status_code == 403
    assert anyone.get(path, password=SECRET).status_code == 200


@pytest.mark.parametrize("name", ["author", "editor", "admin"])
def test_who_may_edit_reads_without_the_password(path, calling_as, name):
    client = calling_as(name)

    assert "Confidential" in client.get(path).json["description"]
    assert "Confidential" in client.get("/events").json["events"][0]["description"]


@pytest.mark.parametrize("name", [None, "subscriber", "contributor", "author2"])
def test_lists_show_protected_events_without_content(protected, calling_as, name):
    answer = calling_as(name).get("/events")
    fallback_fields = answer.json["events"][0]

    assert {name: fallback_fields[name] for name in REDACTED} == REDACTED
    assert {fallback_fields[name] for name in ("title", "slug", "start_date")} == {
        protected[name] for name in ("title", "slug", "start_date")
    }
    for hidden in ("onfidential", "Hideout", "Conspirators", "secret.example"):
        assert hidden not in answer.text


def test_lists_show_protected_content_with_the_password(protected, anyone):
    answer = anyone.get("/events", password=SECRET)

    assert "Confidential" in answer.json["events"][0]["description"]
    assert answer.json["events"][0]["venue"]["venue"] == "Hideout"
    assert anyone.get("/events", password="wrong").json["events"][0]["description"] == ""
    assert "password" not in answer.json["rest_url"]
    assert protected["id"] == answer.json["events"][0]["id"]


def test_a_password_is_in_no_link_of_a_list(protected, make_event, anyone):
    make_event()
    answer = anyone.get("/events", password=SECRET, per_page=1)

    assert SECRET.replace(" ", "+") not in answer.text
    assert "password" not in answer.json["next_rest_url"]
    assert protected


def test_languages_of_protected_texts_are_hidden(path, as_author, anyone):
    def fallback_fields():
        query = {"translation_language": "rm", "include": path.rpartition("/")[2]}
        (event,) = anyone.get("/events", **query).json["events"]
        return event["fallback_fields"]

    before = fallback_fields()
    as_author.put(path, description="Zuppà", translation_language="rm")
    assert fallback_fields() == before

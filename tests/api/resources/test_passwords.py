"""Events behind a password."""

import hashlib
from datetime import timedelta

import pytest

SECRET = "Open sesame"
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
    "cost_details": {
        "currency_symbol": "",
        "currency_code": "",
        "currency_position": "",
        "values": [],
    },
}


@pytest.fixture
def protected(make_event, make_venue, make_organizer, make_tag, as_author):
    """Return an event of the author, with much to hide behind its password."""
    event = make_event(
        by=as_author,
        title="Gathering",
        description="Confidential",
        excerpt="Confidential too",
        cost="12",
        website="https://secret.example/",
        image="https://secret.example/a.png",
        venue=make_venue(venue="Hideout")["id"],
        organizer=make_organizer(organizer="Conspirators")["id"],
        tags=[make_tag()["id"]],
        featured=True,
        status_reason="Somebody talked",
        attendance_mode="online",
        online_url="https://secret.example/live",
    )
    answer = as_author.put(f"/events/{event['id']}", password=SECRET)
    assert answer.status_code == 200
    return event


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
def test_a_password_is_judged_only_where_it_can_open_something(
    path, anyone, make_venue, make_tag, query
):
    venue = make_venue()
    for response in (
        "/events",
        "/venues",
        "/organizers",
        "/tags",
        "/categories",
        f"/venues/{venue['id']}",
        f"/venues/by-slug/{venue['slug']}",
        f"/tags/{make_tag()['id']}",
    ):
        answer = anyone.send("GET", f"{response}?{query}")

        assert answer.status_code == 200, response
        assert "Confidential" not in answer.text
    assert anyone.send("GET", f"{path}?{query}").named == ["password"]


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


@pytest.mark.usefixtures("protected")
@pytest.mark.parametrize("search", ["Confidential", "Gathering confidential", "thering -dentia"])
def test_protected_text_is_searchable_only_for_editors_of_the_event(calling_as, search):
    def total_for(name):
        return calling_as(name).get("/events", search=search).json["total"]

    excluded = " -" in search
    assert total_for(None) == total_for("contributor") == total_for("author2") == excluded
    assert total_for("author") == total_for("editor") == total_for("admin") == (not excluded)


@pytest.mark.usefixtures("protected")
@pytest.mark.parametrize("name", [None, "subscriber", "contributor", "author2", "author", "editor"])
@pytest.mark.parametrize("search", ["gathering", "ather", "gathering -nothing"])
def test_searching_finds_protected_events_by_their_title(calling_as, name, search):
    assert calling_as(name).get("/events", search=search).json["total"] == 1


HIDDEN_QUERIES = [
    {"featured": True},
    {"featured": False},
    {"ticketed": False},
    {"attendance_mode": "online"},
    {"attendance_mode": "offline,online,mixed"},
    {"geoloc": False},
    {"geoloc": True},
    {"geoloc_bbox": "9,46,10,47"},
]


@pytest.mark.parametrize("query", HIDDEN_QUERIES, ids=str)
def test_protected_fields_are_filterable_only_for_editors_of_the_event(
    path, make_venue, as_author, calling_as, query
):
    venue = make_venue(geo_lat=46.85, geo_lng=9.53)["id"]

    def totals(*names):
        return {calling_as(name).get("/events", **query).json["total"] for name in names}

    for changes in ({}, {"venue": venue, "featured": False, "attendance_mode": "offline"}):
        as_author.put(path, **changes)
        assert totals(None, "subscriber", "contributor", "author2") == {0}
        assert len(totals("author", "editor")) == 1


@pytest.mark.parametrize("collection", ["venues", "organizers", "tags"])
def test_protected_links_are_filterable_only_for_editors_of_the_event(
    protected, as_editor, calling_as, collection
):
    parameter = collection if collection == "tags" else collection[:-1]
    linked = as_editor.get(f"/events/{protected['id']}").json[parameter]
    (number,) = [
        linked_record["id"] for linked_record in (linked if isinstance(linked, list) else [linked])
    ]

    def total(name):
        return calling_as(name).get("/events", **{parameter: number}).json["total"]

    assert [total(None), total("contributor"), total("author2")] == [0, 0, 0]
    assert [total("author"), total("editor")] == [1, 1]


@pytest.mark.usefixtures("protected")
@pytest.mark.parametrize("collection", ["venues", "organizers"])
@pytest.mark.parametrize("parameter", ["has_events", "only_with_upcoming"])
def test_protected_event_counts_for_has_events_only_for_its_editors(
    calling_as, collection, parameter
):
    def total(name):
        return calling_as(name).get(f"/{collection}", **{parameter: True}).json["total"]

    assert [total(None), total("author2"), total("author"), total("editor")] == [0, 0, 1, 1]


def test_terms_count_no_event_with_a_password(path, as_author, as_editor, anyone):
    def count():
        (tag,) = as_editor.get("/tags", hide_empty=False).json["tags"]
        return tag["count"]

    assert (count(), anyone.get("/tags").json["total"]) == (0, 0)
    as_author.put(path, password="")
    assert (count(), anyone.get("/tags").json["total"]) == (1, 1)


def test_contributor_cannot_filter_their_published_protected_event(
    make_event, as_contributor, as_editor
):
    event = make_event(by=as_contributor, featured=True)["id"]
    as_editor.put(f"/events/{event}", status="publish", password=SECRET)

    assert as_contributor.get("/events").json["total"] == 1
    assert as_contributor.get("/events", featured=True).json["total"] == 0


@pytest.mark.parametrize("locked", [True, False])
def test_password_does_not_change_hide_from_listings(make_event, as_editor, anyone, locked):
    event = make_event(hide_from_listings=True, password=SECRET)["id"]
    if not locked:
        as_editor.put(f"/events/{event}", password="")
    else:
        as_editor.put(f"/events/{event}", password=SECRET)

    assert as_editor.get(f"/events/{event}").json["hide_from_listings"] is True
    for client in (anyone, as_editor):
        assert client.get("/events").json["total"] == 0
    as_editor.put(f"/events/{event}", hide_from_listings=False)
    assert anyone.get("/events").json["total"] == 1
    assert anyone.get("/events", featured=False).json["total"] == (not locked)


@pytest.mark.parametrize("nothing", ["", None])
def test_an_empty_password_in_an_update_takes_it_away(path, as_author, anyone, nothing):
    assert as_author.put(path, password=nothing).status_code == 200
    assert anyone.get(path).status_code == 200


def test_an_update_without_a_password_keeps_it(path, as_author, anyone):
    as_author.put(path, title="Renamed")

    assert anyone.get(path).status_code == 403


def test_a_password_in_the_query_of_an_update_is_not_a_new_one(path, as_author, anyone):
    answer = as_author.send("PUT", f"{path}?password=other", json={"title": "Renamed"})

    assert answer.status_code == 200
    assert anyone.get(path, password=SECRET).status_code == 200
    assert anyone.get(path, password="other").status_code == 403


@pytest.mark.parametrize("query", ["password=", "password[]=x", "password[a]=x"])
@pytest.mark.parametrize("route", ["/events/{id}", "/events/by-slug/{slug}"])
def test_an_update_takes_no_empty_password_to_unlock(protected, as_author, route, query):
    path = f"{route.format_map(protected)}?{query}"
    answer = as_author.send("PUT", path, json={"title": "Other", "sticky": "nope"})

    assert (answer.status_code, answer.named) == (400, ["password"])
    assert as_author.send("PUT", path, json={"password": "new"}).named == ["password"]


def test_a_password_is_set_on_creation_and_by_updates_by_slug(make_event, as_author, anyone):
    event = make_event(by=as_author, password=SECRET)
    path = f"/events/{event['id']}"
    assert anyone.get(path).status_code == 403
    assert anyone.get(path, password=SECRET).status_code == 200

    as_author.put(f"/events/by-slug/{event['slug']}", password="Another")
    assert anyone.get(path, password=SECRET).status_code == 403
    assert anyone.get(path, password="Another").status_code == 200

    as_author.put(f"/events/by-slug/{event['slug']}", password="")
    assert anyone.get(path).status_code == 200


@pytest.mark.parametrize("nothing", ["", None])
def test_an_event_that_is_created_without_a_password_is_open(make_event, anyone, nothing):
    event = make_event(password=nothing)
    assert anyone.get(f"/events/{event['id']}").status_code == 200


def test_password_is_never_shown_or_stored_in_plain_text(path, as_admin, database):
    assert SECRET not in as_admin.get(path).text
    assert SECRET not in repr(list(database["events"].find()))
    assert "password" not in as_admin.get(path).json


def test_a_protected_event_can_be_sent_back_by_its_author(path, as_author, anyone):
    fallback_fields = as_author.get(path).json

    assert as_author.put(path, **fallback_fields).status_code == 200
    assert as_author.get(path).json == fallback_fields
    assert anyone.get(path).status_code == 403


def test_reading_by_password_gives_no_right_to_write(path, as_contributor):
    answer = as_contributor.send("PUT", f"{path}?password={SECRET}", json={"title": "Mine"})

    assert answer.status_code == 403


@pytest.mark.parametrize("collection", ["venues", "organizers", "tags"])
def test_links_of_a_protected_event_are_listed_only_with_the_password(
    protected, calling_as, collection
):
    def listed(name, **query):
        answer = calling_as(name).get(
            f"/{collection}", event=protected["id"], hide_empty=False, **query
        )
        assert answer.status_code == 200
        return answer.json["total"]

    assert [listed(None), listed(None, password="wrong"), listed("author2")] == [0, 0, 0]
    assert [listed(None, password=SECRET), listed("author"), listed("editor")] == [1, 1, 1]


def test_a_password_is_hashed_once_however_many_events_it_is_tried_on(
    make_event, as_author, anyone, monkeypatch
):
    for password in (SECRET, SECRET, "Another"):
        as_author.put(f"/events/{make_event(by=as_author)['id']}", password=password)
    hashed, hashing = [], hashlib.scrypt

    def counting(password, **how):
        hashed.append(password)
        return hashing(password, **how)

    monkeypatch.setattr(hashlib, "scrypt", counting)

    for path in ("/events", "/events.csv"):
        for number in range(2):
            guess = f"{path} {number}"
            assert anyone.get(path, password=guess).status_code == 200
            assert hashed.count(guess.encode()) == 1


def test_stored_passwords_may_have_different_salts(make_event, as_author, anyone, database):
    for salt in ("00" * 16, "ff" * 16):
        event = make_event(by=as_author)
        digest = hashlib.scrypt(SECRET.encode(), salt=bytes.fromhex(salt), n=1024, r=8, p=1)
        sealed = {"password": f"{salt}${digest.hex()}"}
        database["events"].update_one({"_id": event["id"]}, {"$set": sealed})
        path = f"/events/{event['id']}"

        assert anyone.get(path, password=SECRET).status_code == 200
        assert anyone.get(path, password="wrong").status_code == 403


@pytest.mark.parametrize("route", ["{path}", "{path}.ics", "/events", "/events.ics", "/events.csv"])
def test_thirty_wrong_passwords_from_an_address_are_one_too_many(path, anyone, clock, route):
    route = route.format(path=path)
    for number in range(30):
        with anyone.get(route, password=f"guess {number}") as answer:
            assert SECRET not in answer.text
    for password in ("guess", SECRET):
        refused = anyone.get(route, password=password)
        assert (refused.status_code, refused.code) == (429, "too_many_requests")
        assert refused.headers["Retry-After"] == "60"
    assert anyone.get("/events").status_code == 200

    clock.now += timedelta(seconds=61)
    assert anyone.get(route, password=SECRET).status_code == 200


def test_a_right_password_is_never_counted(path, anyone):
    for _ in range(40):
        assert anyone.get(path, password=SECRET).status_code == 200


def test_a_password_without_anything_to_open_is_not_counted(anyone, make_event):
    make_event()
    for number in range(40):
        assert anyone.get("/events", password=f"guess {number}").status_code == 200


def test_languages_of_texts_behind_a_password_are_not_told(path, as_author, anyone):
    def fallback_fields():
        query = {"translation_language": "rm", "include": path.rpartition("/")[2]}
        (event,) = anyone.get("/events", **query).json["events"]
        return event["fallback_fields"]

    before = fallback_fields()
    as_author.put(path, description="Zuppà", translation_language="rm")
    assert fallback_fields() == before

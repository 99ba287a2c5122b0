"""Filters, searches and counts reveal nothing behind a password."""

import pytest
from api.resources.protected_event import SECRET


@pytest.fixture
def path(protected):
    return f"/events/{protected['id']}"


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
    {"accessibility": "wheelchair"},
    {"in_language": "de"},
    {"age": 6},
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

"""Visibility by role: drafts, private and hidden records, alone and in lists."""

import pytest

POSTS = ["events", "venues", "organizers"]
REQUIRED = {
    "events": {
        "title": "Name",
        "start_date": "2030-03-10 19:00:00",
        "end_date": "2030-03-10 22:00:00",
    },
    "venues": {"venue": "Name"},
    "organizers": {"organizer": "Name"},
}
LABELS = {"events": "title", "venues": "venue", "organizers": "organizer"}
EVERYBODY = [None, "subscriber", "contributor", "author", "editor", "admin"]
UNPUBLISHED = ["draft", "pending", "private"]


@pytest.fixture
def make(as_admin):
    """Return a function that creates a record of a collection as any caller."""

    def create(collection, by=None, **changes):
        body = REQUIRED[collection] | changes
        if "status" in changes and LABELS[collection] not in changes:
            body[LABELS[collection]] = f"{changes['status']} of {(by or as_admin).id}"
        answer = (by or as_admin).post(f"/{collection}", **body)
        assert answer.status_code == 201, answer.json
        return answer.json

    return create


def ids_in(answer, collection):
    assert answer.status_code == 200, answer.json
    return {record["id"] for record in answer.json[collection]}


@pytest.mark.parametrize("collection", POSTS)
@pytest.mark.parametrize("status", UNPUBLISHED)
def test_unpublished_records_are_hidden_from_strangers(make, calling_as, collection, status):
    record = make(collection, status=status)

    for name in (None, "subscriber", "contributor", "author"):
        answer = calling_as(name).get(f"/{collection}/{record['id']}")

        assert answer.status_code == 403
        assert answer.code == f"{collection[:-1]}-not-accessible"


@pytest.mark.parametrize("collection", POSTS)
@pytest.mark.parametrize("status", UNPUBLISHED)
def test_unpublished_records_are_readable_for_editors(make, calling_as, collection, status):
    record = make(collection, status=status)

    for name in ("editor", "admin"):
        answer = calling_as(name).get(f"/{collection}/{record['id']}")

        assert answer.status_code == 200
        assert answer.json["status"] == status


@pytest.mark.parametrize("collection", POSTS)
@pytest.mark.parametrize("status", ["draft", "pending"])
@pytest.mark.parametrize("name", ["contributor", "author"])
def test_writers_read_only_their_own_drafts(make, calling_as, collection, status, name):
    client = calling_as(name)
    record = make(collection, by=client, status=status)

    assert client.get(f"/{collection}/{record['id']}").status_code == 200
    other_response = calling_as(f"{name}2").get(f"/{collection}/{record['id']}")
    assert other_response.status_code == 403


@pytest.mark.parametrize("collection", ["venues", "organizers"])
def test_a_draft_is_unknown_by_slug_to_strangers(make, anyone, as_editor, collection):
    slug = make(collection, status="draft")["slug"]

    _assert_unknown_by_slug(anyone, as_editor, collection, slug)


def test_a_private_event_is_unknown_by_slug_to_strangers(make, anyone, as_editor):
    slug = make("events", status="private")["slug"]

    _assert_unknown_by_slug(anyone, as_editor, "events", slug)
    assert anyone.get(f"/events/by-slug/{slug}.ics").json["code"] == "rest_invalid_param"


def _assert_unknown_by_slug(anyone, as_editor, collection, slug):
    hidden = anyone.get(f"/{collection}/by-slug/{slug}")
    unknown = anyone.get(f"/{collection}/by-slug/no-such-slug")

    assert (hidden.status_code, hidden.json) == (400, unknown.json)
    assert as_editor.get(f"/{collection}/by-slug/{slug}").status_code == 200


def test_a_hidden_record_keeps_no_slug_of_another_language_from_its_reader(make, anyone):
    public = make("events", title="Markt", slug="fiera", translation_language="rm")
    make("events", title="Fiera", slug="fiera", status="private")

    assert anyone.get("/events/by-slug/fiera").json["id"] == public["id"]


@pytest.mark.parametrize("collection", POSTS)
def test_lists_show_only_readable_records(make, calling_as, collection):
    contributor, author = calling_as("contributor"), calling_as("author")
    public = make(collection)["id"]
    foreign = {make(collection, status=status)["id"] for status in UNPUBLISHED}
    contributors = make(collection, by=contributor, status="draft")["id"]
    authors = make(collection, by=author, status="private")["id"]

    visible_ids = {
        name: ids_in(calling_as(name).get(f"/{collection}"), collection) for name in EVERYBODY
    }

    assert visible_ids[None] == visible_ids["subscriber"] == {public}
    assert visible_ids["contributor"] == {public, contributors}
    assert visible_ids["author"] == {public, authors}
    assert (
        visible_ids["editor"] == visible_ids["admin"] == {public, contributors, authors} | foreign
    )


@pytest.mark.parametrize("collection", POSTS)
def test_totals_count_only_readable_records(make, anyone, as_editor, collection):
    make(collection)
    make(collection, status="draft")

    for client, total in ((anyone, 1), (as_editor, 2)):
        answer = client.get(f"/{collection}", per_page=1)
        assert answer.json["total"] == total
        assert answer.headers["X-TEC-Total"] == answer.headers["X-WP-Total"] == str(total)


@pytest.mark.parametrize("collection", POSTS)
@pytest.mark.parametrize("status", ["draft", "any", "trash", "publish,draft", "bogus", "future"])
def test_strangers_may_not_ask_for_other_states(anyone, as_subscriber, collection, status):
    for client in (anyone, as_subscriber):
        answer = client.get(f"/{collection}", status=status)

        assert answer.status_code == 400
        assert answer.invalid_params == ["status"]
    assert anyone.get(f"/{collection}", status="publish").status_code == 200


@pytest.mark.parametrize("collection", POSTS)
def test_empty_item_in_the_status_of_strangers_is_ignored(anyone, collection):
    for query in ("status=publish,", "status=,+publish+", "status[]=publish&status[]="):
        assert anyone.send("GET", f"/{collection}?{query}").status_code == 200, query


@pytest.mark.parametrize("collection", POSTS)
def test_editors_ask_for_states(make, as_editor, as_contributor, collection):
    draft, pending = (make(collection, status=status)["id"] for status in ("draft", "pending"))
    public = make(collection)["id"]

    requests = {
        status: ids_in(as_editor.get(f"/{collection}", status=status), collection)
        for status in ("draft", "draft,pending", "publish", "any")
    }
    assert requests == {
        "draft": {draft},
        "draft,pending": {draft, pending},
        "publish": {public},
        "any": {draft, pending, public},
    }
    assert ids_in(as_contributor.get(f"/{collection}", status="draft"), collection) == set()
    assert as_editor.get(f"/{collection}", status="draft,bogus").invalid_params == ["status"]


@pytest.mark.parametrize("collection", POSTS)
def test_trash_is_listed_only_to_editors_on_request(make, as_editor, as_author, collection):
    record = make(collection)["id"]
    as_editor.delete(f"/{collection}/{record}")

    assert ids_in(as_editor.get(f"/{collection}", status="trash"), collection) == {record}
    assert ids_in(as_editor.get(f"/{collection}", status="any"), collection) == set()
    assert ids_in(as_author.get(f"/{collection}", status="trash"), collection) == set()


def test_hidden_events_are_in_no_list_but_can_be_read(make_event, as_admin, anyone):
    event = make_event(hide_from_listings=True)

    for query in ({}, {"include": event["id"]}, {"search": "Event"}):
        assert as_admin.get("/events", **query).json["events"] == []
    assert anyone.get(f"/events/{event['id']}").json["hide_from_listings"] is True


def test_by_slug_writes_check_the_same_rights(make, as_author, as_contributor):
    for collection in POSTS:
        slug = make(collection)["slug"]
        for client in (as_author, as_contributor):
            path = f"/{collection}/by-slug/{slug}"
            assert client.put(path, description="Mine now").status_code == 403
            assert client.delete(path).status_code == 403


def test_search_of_strangers_finds_no_drafts(make, anyone):
    make("venues", status="draft", venue="Hidden hall")

    answer = anyone.get("/venues", search="Hidden")
    assert answer.json["venues"] == []
    assert answer.json["total"] == 0

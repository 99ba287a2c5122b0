"""Drafts of venues and organizers go public with the event that links them."""

import pytest


@pytest.fixture
def make_link(make_venue, make_organizer):
    """Return a function that creates a venue or organizer as a caller: its path and id."""
    makers = {"venue": make_venue, "organizer": make_organizer}

    def make(field, by=None, **changes):
        link_id = makers[field](by, **changes)["id"]
        return f"/{field}s/{link_id}", link_id

    return make


@pytest.mark.parametrize("field", ["venue", "organizer"])
@pytest.mark.parametrize("status", ["draft", "pending"])
def test_publishing_an_event_publishes_its_place_and_people(calling_as, make_event, field, status):
    editor, anyone = calling_as("editor"), calling_as(None)
    new = {field: {field: "Halle", "status": status}}
    event = make_event(by=calling_as("contributor"), status=status, **new)["id"]
    (linked,) = editor.get(f"/{field}s").json[f"{field}s"]
    assert (linked["status"], linked["date_utc"]) == (status, "0000-00-00 00:00:00")

    published = editor.patch(f"/events/{event}", status="publish").json[field]
    linked_records = anyone.get(f"/events/{event}").json[field]
    for value in (published, linked_records):
        link = value if field == "venue" else value[0]
        assert (link["id"], link["status"], link["slug"]) == (linked["id"], "publish", "halle")
        assert link["date_utc"] == "2030-01-15 12:00:00"
    assert anyone.get(f"/{field}s").json["total"] == 1


@pytest.mark.parametrize("field", ["venue", "organizer"])
def test_a_scheduled_event_appears_with_its_place_and_people(
    calling_as, make_event, make_link, publish_after, field
):
    _, linked = make_link(field, status="draft")
    event = f"/events/{make_event(status='draft', **{field: linked})['id']}"
    date = {"status": "publish", "date_utc": "2030-01-15 13:00:00"}
    assert calling_as("admin").patch(event, **date).json["status"] == "future"

    publish_after(minutes=61)

    linked_records = calling_as(None).get(event).json[field]
    assert (linked_records if field == "venue" else linked_records[0])["id"] == linked


@pytest.mark.parametrize("field", ["venue", "organizer"])
def test_change_of_a_published_event_publishes_its_linked_drafts(
    as_admin, make_event, make_link, field
):
    path, linked = make_link(field, status="draft")
    event = make_event(**{field: linked})["id"]
    assert as_admin.get(path).json["status"] == "draft"
    as_admin.patch(f"/events/{event}", title="Other")
    assert as_admin.get(path).json["status"] == "publish"


@pytest.mark.parametrize("field", ["venue", "organizer"])
def test_draft_linked_by_the_publishing_change_stays_a_draft(
    as_admin, make_event, make_link, field
):
    path, linked = make_link(field, status="draft")
    event = make_event(status="draft")["id"]
    as_admin.patch(f"/events/{event}", status="publish", **{field: linked})
    assert as_admin.get(path).json["status"] == "draft"


@pytest.mark.parametrize("field", ["venue", "organizer"])
def test_draft_unlinked_by_the_publishing_change_stays_a_draft(
    as_admin, make_event, make_link, field
):
    path, linked = make_link(field, status="draft")
    event = make_event(status="draft", **{field: linked})["id"]
    as_admin.patch(f"/events/{event}", status="publish", **{field: []})
    assert as_admin.get(path).json["status"] == "draft"


@pytest.mark.parametrize("field", ["venue", "organizer"])
@pytest.mark.parametrize("status", ["private", "future", "trash"])
def test_publishing_changes_only_linked_drafts(as_admin, make_event, make_link, field, status):
    path, linked = make_link(field, date="2030-05-05")
    event = make_event(status="draft", **{field: linked})["id"]
    as_admin.patch(path, status=status)
    as_admin.patch(f"/events/{event}", status="publish")
    assert as_admin.get(path).json["status"] == status


@pytest.mark.parametrize("field", ["venue", "organizer"])
@pytest.mark.parametrize("status", ["draft", "pending", "private"])
def test_drafts_wait_for_an_event_that_is_public(as_admin, make_event, make_link, field, status):
    path, linked = make_link(field, status="draft")
    event = make_event(status="auto-draft", **{field: linked})["id"]
    as_admin.patch(f"/events/{event}", status=status)
    assert as_admin.get(path).json["status"] == "draft"


@pytest.mark.parametrize("field", ["venue", "organizer"])
def test_an_author_publishes_no_draft_of_others_with_an_event(
    as_admin, as_author, make_event, make_link, field
):
    own, foreign_link = (make_link(field, by, status="draft") for by in (as_author, as_admin))
    links = [own[1], foreign_link[1]]
    event = make_event(by=as_author, status="draft")["id"]
    as_admin.patch(f"/events/{event}", **{field: links})
    assert as_author.patch(f"/events/{event}", status="publish").status_code == 200
    assert [as_admin.get(path).json["status"] for path, _ in (own, foreign_link)] == [
        "publish",
        "draft",
    ]


@pytest.mark.parametrize("field", ["venue", "organizer"])
def test_a_contributor_publishes_nothing_with_an_event(
    as_contributor, make_event, make_link, field
):
    path, linked = make_link(field, as_contributor)
    event = make_event(by=as_contributor, **{field: linked})["id"]
    answer = as_contributor.patch(f"/events/{event}", status="publish")
    assert answer.json["status"] == "pending"
    assert as_contributor.get(path).json["status"] == "draft"


@pytest.mark.parametrize("language", ["de", "all"])
def test_a_published_event_with_a_draft_of_a_place_can_be_sent_back(
    as_admin, make_event, make_link, language
):
    path, linked = make_link("venue", status="draft")
    variants = {"rm": {"title": "Concert"}}
    event = f"/events/{make_event(venue=linked, variants=variants)['id']}"
    record = as_admin.get(event, translation_language=language).json
    assert as_admin.put(event, **record).status_code == 200
    assert as_admin.get(event, translation_language=language).json == record
    assert as_admin.get(path).json["status"] == "draft"


def test_translation_sent_with_all_languages_publishes_linked_drafts(
    as_admin, make_event, make_link
):
    path, linked = make_link("venue", status="draft")
    event = f"/events/{make_event(venue=linked)['id']}"
    record = as_admin.get(event, translation_language="all").json
    record["variants"]["rm"] = {"title": "Concert"}
    assert as_admin.put(event, **record).status_code == 200
    assert as_admin.get(path).json["status"] == "publish"


def test_an_event_that_is_refused_publishes_nothing(as_admin, make_event, make_link):
    path, linked = make_link("venue", status="draft")
    event = make_event(status="draft", venue=linked)["id"]
    changes = {"status": "publish", "end_date": "2029-01-01"}
    assert as_admin.patch(f"/events/{event}", **changes).status_code == 400
    assert as_admin.get(path).json["status"] == "draft"

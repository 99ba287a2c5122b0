"""Hidden records stay hidden in the links, filters and counts of public ones."""

import pytest
from keeping import kept

LABELS = {"event": "title", "venue": "venue", "organizer": "organizer"}
EVERYBODY = [None, "subscriber", "contributor", "author", "editor", "admin"]


def ids_in(answer, collection):
    assert answer.status_code == 200, answer.json
    return {record["id"] for record in answer.json[collection]}


def test_an_event_shows_no_linked_records_that_the_caller_may_not_read(
    make_event, make_venue, make_organizer, calling_as
):
    public = make_organizer()
    draft_organizer = make_organizer(status="draft")
    event = make_event(
        venue=make_venue(status="draft", venue="Secret place")["id"],
        organizer=[draft_organizer["id"], public["id"]],
    )

    for name in EVERYBODY:
        response = calling_as(name).get(f"/events/{event['id']}")
        listed = calling_as(name).get("/events").json["events"][0]
        privileged = name in ("editor", "admin")

        assert ("Secret place" in response.text) is privileged
        assert (listed["venue"] != []) is privileged
        assert len(listed["organizer"]) == (2 if privileged else 1)
        assert listed["organizer"][-1]["id"] == public["id"]


def test_json_ld_names_no_linked_records_that_the_caller_may_not_read(
    make_event, make_venue, anyone
):
    event = make_event(venue=make_venue(status="private", venue="Secret place")["id"])
    answer = anyone.get(f"/events/{event['id']}")

    assert "location" not in answer.json["json_ld"]
    assert "Secret place" not in answer.text


def test_has_events_counts_only_readable_events(make_event, make_venue, anyone, as_editor):
    venue = make_venue()["id"]
    make_event(venue=venue, status="draft")

    assert ids_in(anyone.get("/venues", has_events=True), "venues") == set()
    assert ids_in(anyone.get("/venues", has_events=False), "venues") == {venue}
    assert ids_in(as_editor.get("/venues", has_events=True), "venues") == {venue}
    assert ids_in(as_editor.get("/venues", has_events=False), "venues") == set()


@pytest.mark.parametrize("parameter", ["event", "post"])
def test_terms_of_a_draft_are_listed_only_to_its_readers(
    make_event, make_category, anyone, as_editor, parameter
):
    category = make_category()["id"]
    draft = make_event(status="draft", categories=[category])["id"]
    query = {parameter: draft, "hide_empty": False}

    assert ids_in(as_editor.get("/categories", **query), "categories") == {category}
    refused = anyone.get("/categories", **query)
    assert (refused.status_code, refused.invalid_params) == (400, [parameter])


@pytest.mark.parametrize("kind", ["venue", "organizer"])
def test_filters_refuse_hidden_records_as_unknown(make_kind, anyone, as_editor, kind):
    hidden = make_kind(kind, status="private")["id"]

    refused = anyone.get("/events", **{kind: hidden})
    assert (refused.status_code, refused.invalid_params) == (400, [kind])
    assert as_editor.get("/events", **{kind: hidden}).status_code == 200


def test_post_parent_refuses_a_hidden_event_as_unknown(make_event, anyone, as_editor):
    parent = make_event(status="draft")["id"]
    child = make_event(post_parent=parent)["id"]

    refused = anyone.get("/events", post_parent=parent)
    assert (refused.status_code, refused.invalid_params) == (400, ["post_parent"])
    assert ids_in(as_editor.get("/events", post_parent=parent), "events") == {child}


def test_pictures_of_hidden_records_are_unused_for_other_authors(upload, make_event, calling_as):
    picture = upload()["id"]
    make_event(status="draft", image=picture)

    for name, used in (("author2", 0), ("editor", 1)):
        assert calling_as(name).get("/media", used=True).json["total"] == used
        assert calling_as(name).get("/media", used=False).json["total"] == 1 - used


@pytest.mark.parametrize("kind", ["venue", "organizer"])
def test_links_of_an_event_are_listed_only_to_their_readers(make_event, as_editor, anyone, kind):
    records = [
        as_editor.post(f"/{kind}s", **{kind: name}, status=name) for name in ("publish", "draft")
    ]
    public, hidden = (answer.json["id"] for answer in records)
    event = make_event(**{kind: [public, hidden]})["id"]
    query = {"event": event, "status": "publish"}

    assert ids_in(anyone.get(f"/{kind}s", **query), f"{kind}s") == {public}
    every = as_editor.get(f"/{kind}s", event=event, status="any")
    assert ids_in(every, f"{kind}s") == {public, hidden}


@kept
def hidden_pictures(upload, make_event, make_venue, as_admin):
    """Return pictures that no public record shows: of a private one, a locked one, and none."""
    pictures = [upload(name=f"{name}.png") for name in ("private", "locked", "unused")]
    make_venue(status="private", image=pictures[0]["id"])
    locked = make_event(image=pictures[1]["id"])["id"]
    as_admin.patch(f"/events/{locked}", password="secret")
    return pictures


@pytest.mark.parametrize("kind", ["event", "venue", "organizer"])
def test_picture_is_linked_by_those_alone_who_may_see_it(
    hidden_pictures, make_kind, as_contributor, as_author, kind
):
    record = make_kind(kind, by=as_contributor)["id"]
    for picture in hidden_pictures:
        refused = as_contributor.patch(f"/{kind}s/{record}", image=picture["id"])
        unknown = as_contributor.patch(f"/{kind}s/{record}", image=9999)
        assert refused.text == unknown.text.replace("9999", str(picture["id"]))
        assert make_kind(kind, by=as_author, image=picture["id"])["image"]["id"] == picture["id"]


def test_address_of_a_hidden_picture_is_as_one_of_no_picture(
    hidden_pictures, make_event, as_contributor, as_author
):
    event = make_event(by=as_contributor)["id"]
    for picture in hidden_pictures:
        name = picture["filename"]
        short = picture["url"].replace(picture["url"].split("/")[-2] + "/", "")
        for address in (picture["url"], short, short.replace(name, "other.png")):
            refused = as_contributor.patch(f"/events/{event}", image=address)
            assert (refused.status_code, refused.invalid_params) == (400, ["image"])
            assert name not in refused.text
        assert make_event(by=as_author, image=picture["url"])["image"]["id"] == picture["id"]


def test_picture_of_their_own_draft_is_linked_by_its_author_anywhere(
    upload, make_event, as_contributor, as_editor
):
    picture = upload()["id"]
    draft = make_event(by=as_contributor)["id"]
    as_editor.patch(f"/events/{draft}", image=picture)
    assert make_event(by=as_contributor, image=picture)["image"]["id"] == picture


@pytest.mark.parametrize("kind", ["venue", "organizer"])
def test_hidden_records_are_linked_by_nobody_who_may_not_read_them(
    make_kind, make_event, calling_as, kind
):
    hidden = make_kind(kind, status="private")["id"]
    as_author = calling_as("author")
    for client in (calling_as("contributor"), as_author):
        event = make_event(by=client, status="draft")["id"]
        refused = client.patch(f"/events/{event}", **{kind: hidden})
        unknown = client.patch(f"/events/{event}", **{kind: 9999})
        assert refused.status_code == 400
        assert refused.text == unknown.text.replace("9999", str(hidden))
    own = make_kind(kind, by=as_author, status="draft")["id"]
    assert make_event(by=as_author, **{kind: own})
    assert make_event(by=calling_as("editor"), **{kind: hidden})


@pytest.mark.parametrize("kind", LABELS)
@pytest.mark.parametrize("status", ["draft", "pending"])
def test_no_slug_tells_a_contributor_of_hidden_records(
    make_kind, as_contributor, as_editor, kind, status
):
    label = LABELS[kind]
    make_kind(kind, status="private", **{label: "Secret"})
    path = f"/{kind}s/{make_kind(kind, by=as_contributor, **{label: 'Own'})['id']}"
    for name in ("Secret", "Free"):
        made = make_kind(kind, by=as_contributor, status=status, **{label: name})
        changed = as_contributor.patch(path, slug=name.lower(), status=status).json
        trashed = as_contributor.delete(f"/{kind}s/{made['id']}").json
        assert [made["slug"], changed["slug"], trashed["slug"]] == ["", "", "__trashed"]
    published = as_editor.patch(path, status="publish", **{label: "Secret"}).json
    assert published["slug"] == "secret-2"

"""An answer to a write carries the ``ETag`` that a read of the record has."""

import pytest
from api.resources.five_collections import COLLECTIONS, REQUIRED


def etag(answer):
    assert answer.status_code in (200, 201), answer.json
    return answer.headers["ETag"]


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_a_write_has_the_tag_of_a_read(as_admin, collection):
    created = as_admin.post(f"/{collection}", **REQUIRED[collection], description="First")
    path = f"/{collection}/{created.json['id']}"
    assert etag(created) == etag(as_admin.get(path))

    for change in (as_admin.put, as_admin.patch, as_admin.post):
        changed = change(path, description=f"By {change.__name__}")
        assert etag(changed) == etag(as_admin.get(path))


@pytest.mark.parametrize("query", ["translation_language=rm", "_fields=id,title", "fallback=none"])
def test_it_is_the_tag_of_a_read_with_the_same_parameters(as_admin, make_event, query):
    path = f"/events/{make_event()['id']}?{query}"
    changed = as_admin.send("PUT", path, json={"title": "Other", "description": "More"})
    assert etag(changed) == etag(as_admin.send("GET", path))


def test_an_event_with_links_has_it_too(as_admin):
    linked = {"venue": {"venue": "Hall"}, "organizer": {"organizer": "Choir"}, "tags": ["new"]}
    created = as_admin.post("/events", **REQUIRED["events"], **linked)
    assert etag(created) == etag(as_admin.get(f"/events/{created.json['id']}"))


def test_an_upload_has_it_too(as_author, png):
    created = as_author.send("POST", "/media", data=png, content_type="image/png")
    assert etag(created) == etag(as_author.get(f"/media/{created.json['id']}"))


def test_a_client_writes_again_with_the_tag_of_its_last_write(as_admin, as_editor, make_event):
    path = f"/events/{make_event()['id']}"
    first = etag(as_admin.put(path, title="Mine"))
    second = as_admin.send("PUT", path, headers={"If-Match": first}, json={"title": "Still mine"})
    assert second.status_code == 200

    as_editor.put(path, title="Theirs")
    third = {"If-Match": etag(second)}
    assert as_admin.send("PUT", path, headers=third, json={"title": "x"}).status_code == 412


def test_deletion_has_no_etag(as_admin, make_event):
    path = f"/events/{make_event()['id']}"
    assert "ETag" not in as_admin.delete(path).headers

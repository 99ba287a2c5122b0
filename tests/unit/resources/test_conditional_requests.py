"""Entity tags: nothing is sent twice, and nobody overwrites what they have not seen."""

import pytest


@pytest.fixture
def event(make_event):
    return make_event(title="Konzert")


def test_what_has_not_changed_is_not_sent_again(event, anyone):
    address = f"/events/{event['id']}"
    tag = anyone.get(address).headers["ETag"]

    again = anyone.send("GET", address, headers={"If-None-Match": tag})

    assert (again.status_code, again.data) == (304, b"")


@pytest.mark.parametrize("path", ["/events", "/venues", "/categories?hide_empty=0"])
def test_lists_have_tags_too(make_event, make_venue, make_category, anyone, path):
    tag = anyone.send("GET", path).headers["ETag"]
    make_event(), make_venue(), make_category()

    assert anyone.send("GET", path, headers={"If-None-Match": tag}).status_code == 200


def test_another_language_is_another_answer(event, as_admin, anyone):
    address = f"/events/{event['id']}"
    as_admin.send("PATCH", f"{address}?translation_language=rm", json={"title": "Concert"})

    tags = {
        anyone.get(address, translation_language=language).headers["ETag"]
        for language in ("de", "rm")
    }

    assert len(tags) == 2


def test_a_venue_that_moves_makes_its_events_another_answer(make_event, make_venue, as_admin):
    venue = make_venue(city="Chur")
    address = f"/events/{make_event(venue=venue['id'])['id']}"
    tag = as_admin.get(address).headers["ETag"]

    as_admin.patch(f"/venues/{venue['id']}", city="Ilanz")

    assert as_admin.get(address).headers["ETag"] != tag


@pytest.mark.parametrize("method", ["PATCH", "DELETE"])
def test_a_write_on_what_somebody_else_has_changed_is_refused(event, as_admin, as_editor, method):
    address = f"/events/{event['id']}"
    tag = as_admin.get(address).headers["ETag"]
    as_editor.patch(address, title="Anders")

    answer = as_admin.send(method, address, json={"title": "Neu"}, headers={"If-Match": tag})

    assert (answer.status_code, answer.code) == (412, "precondition_failed")
    assert as_admin.get(address).json["title"] == "Anders"


def test_a_language_that_somebody_else_has_rewritten_is_not_removed(event, as_admin, as_editor):
    address, romansh = f"/events/{event['id']}", {"translation_language": "rm"}
    as_admin.patch(address, title="Concert", **romansh)
    tag = as_admin.get(address, **romansh).headers["ETag"]
    as_editor.patch(address, title="Auter", **romansh)

    answer = as_admin.send(
        "DELETE",
        address,
        query_string={**romansh, "translation_only": "true"},
        headers={"If-Match": tag},
    )

    assert (answer.status_code, answer.code) == (412, "precondition_failed")
    assert as_admin.get(address, **romansh).json["title"] == "Auter"


@pytest.mark.parametrize("method", ["PATCH", "DELETE"])
def test_a_write_on_what_was_seen_is_done(event, as_admin, method):
    address = f"/events/{event['id']}"
    tag = as_admin.get(address).headers["ETag"]

    answer = as_admin.send(method, address, json={"title": "Neu"}, headers={"If-Match": tag})

    assert answer.status_code == 200


def test_any_state_will_do_for_a_star(event, as_admin):
    address = f"/events/{event['id']}"

    answer = as_admin.send("PATCH", address, json={"title": "Neu"}, headers={"If-Match": "*"})

    assert answer.json["title"] == "Neu"


@pytest.mark.parametrize("path", ["/events", "/events.ics", "/events/{id}", "/events/{id}.ics"])
@pytest.mark.parametrize("name", [None, "admin"])
def test_a_read_of_what_was_not_seen_is_refused(event, calling_as, name, path):
    path, client = path.format(**event), calling_as(name)
    tag = client.get(path).headers["ETag"]
    for _ in range(2):
        refused = client.send("GET", path, headers={"If-Match": '"nonsense"'})
        assert (refused.status_code, refused.code) == (412, "precondition_failed")
        assert refused.headers["Content-Type"] == "application/json; charset=UTF-8"
        assert "ETag" not in refused.headers

    for seen in (tag, "*", f'"other", {tag}'):
        assert client.send("GET", path, headers={"If-Match": seen}).status_code == 200
    both = {"If-Match": "*", "If-None-Match": tag}
    assert client.send("GET", path, headers=both).status_code == 304

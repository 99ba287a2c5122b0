"""Entity tags: nothing is sent twice, and nobody overwrites what they have not seen."""

import pytest
from keeping import kept


@kept
def event(make_event):
    return make_event(title="Konzert")


def test_unchanged_record_is_not_sent_again(event, anyone):
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
def test_write_with_a_stale_etag_is_refused(event, as_admin, as_editor, method):
    address = f"/events/{event['id']}"
    tag = as_admin.get(address).headers["ETag"]
    as_editor.patch(address, title="Anders")

    answer = as_admin.send(method, address, json={"title": "Neu"}, headers={"If-Match": tag})

    assert (answer.status_code, answer.code) == (412, "precondition_failed")
    assert as_admin.get(address).json["title"] == "Anders"


def test_language_rewritten_meanwhile_is_not_removed(event, as_admin, as_editor):
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
def test_write_with_the_current_etag_succeeds(event, as_admin, method):
    address = f"/events/{event['id']}"
    tag = as_admin.get(address).headers["ETag"]

    answer = as_admin.send(method, address, json={"title": "Neu"}, headers={"If-Match": tag})

    assert answer.status_code == 200


def test_any_state_will_do_for_a_star(event, as_admin):
    address = f"/events/{event['id']}"

    answer = as_admin.send("PATCH", address, json={"title": "Neu"}, headers={"If-Match": "*"})

    assert answer.json["title"] == "Neu"


@pytest.mark.parametrize("path", ["/events", "/events/{id}", "/events/{id}.ics"])
@pytest.mark.parametrize("name", [None, "admin"])
def test_read_with_a_wrong_if_match_is_refused(event, calling_as, name, path):
    path, client = path.format(**event), calling_as(name)
    tag = client.get(path).headers["ETag"]
    for _ in range(2):
        refused = client.send("GET", path, headers={"If-Match": '"nonsense"'})
        assert (refused.status_code, refused.code) == (412, "precondition_failed")
        assert refused.headers["Content-Type"] == "application/json; charset=UTF-8"
        assert "ETag" not in refused.headers

    for if_match in (tag, "*", f'"other", {tag}'):
        assert client.send("GET", path, headers={"If-Match": if_match}).status_code == 200
    both = {"If-Match": "*", "If-None-Match": tag}
    assert client.send("GET", path, headers=both).status_code == 304


@pytest.mark.parametrize(
    "read",
    [
        {"translation_language": "all"},
        {"translation_language": "all", "_fields": "id,variants"},
    ],
)
@pytest.mark.parametrize("method", ["PATCH", "DELETE"])
def test_who_has_read_a_record_in_all_languages_may_write_it(event, as_admin, method, read):
    address = f"/events/{event['id']}"
    as_admin.patch(address, title="Concert", translation_language="rm")
    tag = as_admin.get(address, **read).headers["ETag"]
    query = {name: value for name, value in read.items() if name == "_fields"}
    body = {"variants": {"rm": {"title": "Concert niev"}}}

    answer = as_admin.send(
        method, address, query_string=query, json=body, headers={"If-Match": tag}
    )

    assert answer.status_code == 200


def test_who_has_read_a_whole_record_may_ask_for_less_of_it_when_writing(event, as_admin):
    address = f"/events/{event['id']}"
    headers = {"If-Match": as_admin.get(address).headers["ETag"]}

    answer = as_admin.send(
        "PATCH", f"{address}?_fields=title", json={"title": "Neu"}, headers=headers
    )

    assert answer.json == {"title": "Neu"}


def test_change_in_one_language_changes_the_etag_of_all(event, as_admin, as_editor):
    address = f"/events/{event['id']}"
    tag = as_admin.get(address, translation_language="all").headers["ETag"]
    as_editor.patch(address, title="Concert", translation_language="rm")

    answer = as_admin.send("PATCH", address, json={"title": "Neu"}, headers={"If-Match": tag})

    assert (answer.status_code, answer.code) == (412, "precondition_failed")


@pytest.mark.parametrize("kind", ["event", "venue"])
def test_permission_is_checked_before_if_match(request, as_author, kind):
    record = request.getfixturevalue(f"make_{kind}")(status="draft")
    headers = {"If-Match": '"nonsense"'}
    one_language = "?translation_only=true&translation_language=de"
    for method, query in (("PATCH", ""), ("DELETE", ""), ("DELETE", one_language)):
        path = f"/{kind}s/{record['id']}{query}"
        answer = as_author.send(method, path, json={kind: "Neu"}, headers=headers)
        assert (answer.status_code, answer.code) == (403, "rest_forbidden")


def test_trashed_event_is_reported_before_if_match(event, as_admin):
    address = f"/events/{event['id']}"
    as_admin.delete(address)

    answer = as_admin.send("DELETE", address, headers={"If-Match": '"nonsense"'})

    assert (answer.status_code, answer.code) == (410, "event-is-in-trash")

"""Keepers decide on the doubles of their own sources over HTTP, and see no others."""

import pytest

BASE = {"start_date": "2030-03-01 19:00:00", "end_date": "2030-03-01 21:00:00"}
AUTHOR, CONTRIBUTOR = 3, 4
ALIKE = {"title": "Summer concert", "venue": {"venue": "Hall"}, **BASE}
OTHERS = {"title": "Flea market", "venue": {"venue": "Square"}, **BASE}


@pytest.fixture
def push(as_admin):
    """Return a function that adds a source with an event; it returns the id of that."""

    def pushing(name, sent=ALIKE, **settings):
        values = {"name": name, "kind": "push", "status": "publish"} | settings
        source = as_admin.post("/sources", **values).json["id"]
        return as_admin.put(f"/events/by-source/{source}/1", **sent).json["id"]

    return pushing


@pytest.fixture
def pair(push):
    """Return the path of a pair, of which one event is of a source that a contributor keeps."""
    ids = push("Club", keepers=[CONTRIBUTOR]), push("Town")
    return "/sources/doubles/{}-{}".format(*ids)


def listed(client):
    return [each["id"] for each in client.get("/sources/doubles").json["doubles"]]


def test_keeper_lists_the_pairs_of_own_sources_alone(push, pair, as_contributor, as_editor):
    push("Market", OTHERS)
    push("Fair", OTHERS)
    answer = as_contributor.get("/sources/doubles", per_page=1).json
    assert (answer["total"], answer["total_pages"]) == (1, 1)
    assert [each["id"] for each in answer["doubles"]] == [pair.rpartition("/")[2]]
    assert len(listed(as_editor)) == 2


def test_pairs_with_an_event_that_the_keeper_may_not_read_are_not_listed(
    push, as_contributor, as_editor
):
    other = push("Town", status="draft")
    own = push("Club", keepers=[CONTRIBUTOR], status="pending")
    assert len(listed(as_editor)) == 1
    assert listed(as_contributor) == []
    path = f"/sources/doubles/{other}-{own}"
    assert as_contributor.post(path, decision="different").status_code == 403
    as_editor.put(f"/events/{other}", status="publish")
    assert len(listed(as_contributor)) == 1


def test_who_keeps_no_source_decides_on_no_pair(pair, anyone, as_author, as_subscriber):
    for client, status in ((anyone, 401), (as_author, 403), (as_subscriber, 403)):
        assert client.get("/sources/doubles").status_code == status
        assert client.post(pair, decision="different").status_code == status


@pytest.mark.usefixtures("pair")
def test_pairs_of_others_look_like_none(push, as_contributor):
    others = push("Market", OTHERS), push("Fair", OTHERS)
    there = as_contributor.post("/sources/doubles/{}-{}".format(*others), decision="different")
    missing = as_contributor.post("/sources/doubles/98-99", decision="different")
    assert (there.status_code, there.json) == (missing.status_code, missing.json)
    assert there.status_code == 403


def test_keeper_keeps_two_events_apart_and_shows_what_waits(push, as_contributor, anyone):
    first = push("Town")
    second = push("Club", keepers=[CONTRIBUTOR], doubles="wait")
    assert anyone.get(f"/events/{second}").status_code != 200
    path = f"/sources/doubles/{first}-{second}"
    assert as_contributor.post(path, decision="different").status_code == 200
    assert anyone.get(f"/events/{second}").json["status"] == "publish"
    assert listed(as_contributor) == []
    assert as_contributor.post(path, decision="different").status_code == 404


def test_keeper_unites_nothing_with_an_event_of_others(pair, as_contributor, as_editor):
    answer = as_contributor.post(pair, decision="unite")
    assert answer.status_code == 403
    assert "weder Ihre noch von einer Quelle" in answer.json["message"]
    assert len(listed(as_editor)) == 1


def test_keeper_of_both_sources_unites(push, as_contributor, anyone):
    first, second = push("Club", keepers=[CONTRIBUTOR]), push("Choir", keepers=[CONTRIBUTOR])
    answer = as_contributor.post(f"/sources/doubles/{first}-{second}", decision="unite")
    assert (answer.status_code, answer.json["event"]) == (200, first)
    assert anyone.get("/events", start_date="2030-01-01").json["total"] == 1


def test_keeper_unites_an_event_of_their_own_with_one_of_the_source(push, as_author, anyone):
    own = as_author.post("/events", **ALIKE, status="publish").json["id"]
    other = push("Club", keepers=[AUTHOR])
    answer = as_author.post(f"/sources/doubles/{own}-{other}", decision="unite")
    assert (answer.status_code, answer.json["event"]) == (200, own)
    assert anyone.get("/events", start_date="2030-01-01").json["total"] == 1


def test_pairs_of_what_was_united_are_seen_by_the_keeper(push, as_editor, as_author):
    first, second = push("Town", keepers=[AUTHOR]), push("Club")
    as_editor.put(f"/events/{first}", title="Dance night")
    third = push("Choir")
    assert f"{second}-{third}" in listed(as_editor)
    assert listed(as_author) == [f"{first}-{second}"]
    as_editor.post(f"/sources/doubles/{first}-{second}", decision="unite")
    assert listed(as_author) == [f"{first}-{third}"]

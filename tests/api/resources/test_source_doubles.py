"""Duplicates over HTTP: listed with both sides, united or remembered as different."""

import pytest

BASE = {"start_date": "2030-03-01 19:00:00", "end_date": "2030-03-01 21:00:00"}


@pytest.fixture
def pushed(as_editor):
    """Return two sources that have the same event, and the ids of both."""
    ids = []
    for name in ("Club", "Town"):
        source = as_editor.post("/sources", name=name, kind="push", status="publish").json["id"]
        sent = {"title": "Summer concert", "venue": {"venue": "Hall"}, **BASE}
        ids.append(as_editor.put(f"/events/by-source/{source}/1", **sent).json["id"])
    return ids


def test_a_pair_is_listed_with_both_sides(as_editor, pushed):
    answer = as_editor.get("/sources/doubles", per_page=1).json
    assert (answer["total"], answer["total_pages"]) == (1, 1)
    (pair,) = answer["doubles"]
    assert pair["id"] == "-".join(map(str, pushed))
    assert (pair["score"], pair["certain"], pair["waits"]) == (100, True, False)
    assert [each["id"] for each in pair["events"]] == pushed
    assert [each["sources"][0]["name"] for each in pair["events"]] == ["Club", "Town"]
    assert pair["events"][0]["start_date"] == BASE["start_date"]


def test_a_pair_is_united_once(as_editor, pushed):
    path = f"/sources/doubles/{pushed[0]}-{pushed[1]}"
    answer = as_editor.post(path, decision="unite")
    assert answer.status_code == 200
    assert answer.json == {"id": path.rpartition("/")[2], "state": "merged", "event": pushed[0]}
    assert as_editor.get("/sources/doubles").json["total"] == 0
    assert as_editor.post(path, decision="unite").status_code == 404
    assert as_editor.post(path, decision="different").status_code == 404


def test_a_pair_of_different_events_is_listed_no_more(as_editor, pushed):
    path = f"/sources/doubles/{pushed[0]}-{pushed[1]}"
    assert as_editor.post(path, decision="different").json["event"] == 0
    assert as_editor.get("/sources/doubles").json["total"] == 0
    assert as_editor.get(f"/events/{pushed[1]}").json["status"] == "publish"


@pytest.mark.parametrize("decision", ["unite", "different"])
def test_a_union_is_taken_back(as_editor, pushed, decision):
    path = f"/sources/doubles/{pushed[0]}-{pushed[1]}"
    before = [as_editor.get(f"/events/{each}").json for each in pushed]
    as_editor.post(path, decision=decision)
    answer = as_editor.delete(path)
    assert answer.status_code == 200
    assert answer.json == {"id": path.rpartition("/")[2], "state": "open", "event": 0}
    after = [as_editor.get(f"/events/{each}").json for each in pushed]
    names = ("id", "status", "title", "slug", "venue", "from_sources")
    assert [[e.get(n) for n in names] for e in after] == [[e.get(n) for n in names] for e in before]
    assert as_editor.get("/sources/doubles").json["total"] == 1
    assert as_editor.delete(path).status_code == 404


def test_what_stands_in_the_way_of_taking_it_back_is_named(as_editor, pushed):
    path = f"/sources/doubles/{pushed[0]}-{pushed[1]}"
    as_editor.post(path, decision="unite")
    as_editor.delete(f"/events/{pushed[1]}", force=True)
    answer = as_editor.delete(path)
    assert answer.status_code == 400
    assert answer.json["data"]["params"].keys() == {"id"}
    assert as_editor.get(f"/events/{pushed[0]}").json["status"] == "publish"


@pytest.mark.parametrize("pair", ["1", "a-b", "0-1", "98-99"])
def test_a_decision_that_there_is_not_cannot_be_taken_back(as_editor, pair):
    assert as_editor.delete(f"/sources/doubles/{pair}").status_code == 404


def test_only_editors_take_decisions_back(anyone, as_author, as_editor, pushed):
    path = f"/sources/doubles/{pushed[0]}-{pushed[1]}"
    as_editor.post(path, decision="unite")
    for client, status in ((anyone, 401), (as_author, 403)):
        assert client.delete(path).status_code == status


@pytest.mark.parametrize("pair", ["1", "1-2-3", "a-b", "0-1", "98-99"])
def test_a_pair_that_there_is_not_is_not_found(as_editor, pair):
    assert as_editor.post(f"/sources/doubles/{pair}", decision="unite").status_code == 404


def test_another_decision_is_refused_by_name(as_editor, pushed):
    answer = as_editor.post(f"/sources/doubles/{pushed[0]}-{pushed[1]}", decision="maybe")
    assert answer.status_code == 400
    assert "decision" in answer.json["data"]["params"]


@pytest.mark.parametrize("decision", ["unite", "different"])
def test_a_pair_that_was_decided_is_no_longer_there(as_editor, pushed, decision):
    path = f"/sources/doubles/{pushed[0]}-{pushed[1]}"
    as_editor.post(path, decision="unite")
    answer = as_editor.post(path, decision=decision)
    assert (answer.status_code, answer.json["code"]) == (404, "rest-double-not-found")


def test_only_editors_decide_on_doubles(anyone, as_author, pushed):
    for client, status in ((anyone, 401), (as_author, 403)):
        assert client.get("/sources/doubles").status_code == status
        path = f"/sources/doubles/{pushed[0]}-{pushed[1]}"
        assert client.post(path, decision="unite").status_code == status


def test_a_double_that_waits_is_shown_once_somebody_has_decided(as_editor, anyone):
    sent = {"title": "Summer concert", "venue": {"venue": "Hall"}, **BASE}
    sources = [
        as_editor.post("/sources", name=name, kind="push", status="publish", doubles="wait").json
        for name in ("Club", "Town")
    ]
    first, second = (
        as_editor.put(f"/events/by-source/{source['id']}/1", **sent).json["id"]
        for source in sources
    )
    assert anyone.get(f"/events/{first}").status_code == 200
    assert anyone.get(f"/events/{second}").status_code in (401, 403, 404)
    assert as_editor.get("/sources/doubles").json["doubles"][0]["waits"] is True
    as_editor.post(f"/sources/doubles/{first}-{second}", decision="different")
    assert anyone.get(f"/events/{second}").status_code == 200


def test_no_event_waits_for_a_decision_on_one_that_was_deleted(as_editor, anyone):
    sent = {"title": "Summer concert", "venue": {"venue": "Hall"}, **BASE}
    events = []
    for name in ("Club", "Town", "Valley"):
        settings = {"kind": "push", "status": "publish", "doubles": "wait"}
        source = as_editor.post("/sources", name=name, **settings).json["id"]
        events.append(as_editor.put(f"/events/by-source/{source}/1", **sent).json["id"])
    deleted, first, second = events
    as_editor.delete(f"/events/{deleted}")
    decided = as_editor.post(f"/sources/doubles/{first}-{second}", decision="different")
    assert decided.status_code == 200
    assert anyone.get(f"/events/{second}").status_code == 200


@pytest.fixture
def waiting(as_editor):
    """Return two sources with the same event each: those of the first, then of the waiting one."""
    sent = {"title": "Summer concert", "venue": {"venue": "Hall"}, **BASE}
    settings = {"kind": "push", "status": "publish", "doubles": "wait"}
    pair = []
    for name in ("Club", "Town"):
        source = as_editor.post("/sources", name=name, **settings).json["id"]
        path = f"/events/by-source/{source}/1"
        pair.append((source, path, as_editor.put(path, **sent).json["id"]))
    assert as_editor.get(f"/events/{pair[1][2]}").json["status"] == "pending"
    return pair


def withdrawn(client, source, path, event):
    del source, event
    return client.delete(path)


def trashed(client, source, path, event):
    del source, path
    return client.delete(f"/events/{event}")


def deleted(client, source, path, event):
    del source, path
    return client.delete(f"/events/{event}", force=True)


@pytest.mark.parametrize("part", [withdrawn, trashed, deleted])
def test_what_waits_is_shown_once_nothing_is_left_to_decide(as_editor, anyone, waiting, part):
    first, (*_, event) = waiting
    assert part(as_editor, *first).status_code == 200
    assert anyone.get(f"/events/{event}").status_code == 200


def moved(client, source, path, event):
    del source, path
    times = {name: text.replace("03-01", "03-08") for name, text in BASE.items()}
    return client.put(f"/events/{event}", **times)


def pushed_anew(client, source, path, event):
    del source, event
    return client.put(path, **BASE | {"title": "Summer concert", "start_date": "2030-03-01 18:00"})


@pytest.mark.parametrize("part", [moved, pushed_anew])
def test_what_waits_for_an_event_that_moves_goes_on_to_wait(as_editor, anyone, waiting, part):
    # The other source announces the same move later.
    first, (*_, event) = waiting
    assert part(as_editor, *first).status_code == 200
    assert anyone.get(f"/events/{event}").status_code == 403


def test_what_waits_for_two_is_shown_once_both_are_gone(as_editor, anyone, waiting):
    settings = {"kind": "push", "status": "publish", "doubles": "wait"}
    source = as_editor.post("/sources", name="Valley", **settings).json["id"]
    sent = {"title": "Summer concert", "venue": {"venue": "Hall"}, **BASE}
    third = as_editor.put(f"/events/by-source/{source}/1", **sent).json["id"]
    for (_, path, _), status in zip(waiting, (403, 200), strict=True):
        as_editor.delete(path)
        assert anyone.get(f"/events/{third}").status_code == status


def test_a_pair_of_a_removed_source_can_still_be_decided(as_editor, anyone, waiting):
    (source, _, first), (*_, second) = waiting
    assert as_editor.delete(f"/sources/{source}").status_code == 200
    assert anyone.get(f"/events/{second}").status_code == 403
    decided = as_editor.post(f"/sources/doubles/{first}-{second}", decision="different")
    assert decided.status_code == 200
    assert anyone.get(f"/events/{second}").status_code == 200


def test_what_waits_is_shown_once_its_pair_was_decided_by_a_union(as_editor, anyone, waiting):
    (*_, first), (*_, second) = waiting
    source = as_editor.post("/sources", name="Valley", kind="push", status="publish").json["id"]
    sent = {"title": "Summer concert", "venue": {"venue": "Hall"}, **BASE}
    third = as_editor.put(f"/events/by-source/{source}/1", **sent).json["id"]
    as_editor.post(f"/sources/doubles/{second}-{third}", decision="different")
    assert anyone.get(f"/events/{second}").status_code == 403
    as_editor.post(f"/sources/doubles/{first}-{third}", decision="unite")
    assert anyone.get(f"/events/{second}").status_code == 403
    as_editor.post(f"/sources/doubles/{first}-{second}", decision="different")
    assert anyone.get(f"/events/{second}").status_code == 200

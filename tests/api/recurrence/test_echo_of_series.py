"""A record that is read and sent back changes nothing, whatever the scope."""

import pytest
from keeping import kept

SCOPES = (None, "this", "following", "all")


@kept
def weekly(make_weekly, occurrences, as_admin):
    """Return the ids of five Wednesdays, of which the second and the third override fields."""
    series = make_weekly(cost="5", variants={"rm": {"title": "Fiera"}})
    ids = [event["id"] for event in occurrences(series["id"])]
    move = {"start_date": "2030-03-14 18:00:00", "end_date": "2030-03-14 20:00:00"}
    assert as_admin.patch(f"/events/{ids[1]}", title="Night", **move).status_code == 200
    texts = {"rm": {"title": "Auter"}}
    assert as_admin.patch(f"/events/{ids[2]}", variants=texts).status_code == 200
    return ids


@pytest.fixture
def state(database):
    """Return a function that reads all documents of events and series."""

    def read():
        return [list(database[name].find(sort=[("_id", 1)])) for name in ("events", "series")]

    return read


@pytest.mark.parametrize("query", [{}, {"fallback": "none"}, {"translation_language": "*"}])
@pytest.mark.parametrize("scope", SCOPES)
def test_occurrence_sent_back_changes_nothing(weekly, as_admin, state, scope, query):
    before = state()
    for event_id in weekly[:4]:
        path = f"/events/{event_id}"
        body = as_admin.get(path, **query).json | ({"scope": scope} if scope else {})
        for write in (as_admin.put, as_admin.patch):
            answer = write(path, **body)
            assert answer.status_code == 200, answer.json
            assert state() == before


@pytest.mark.parametrize("query", [{}, {"fallback": "none"}, {"translation_language": "*"}])
@pytest.mark.parametrize("method", ["put", "patch"])
def test_series_sent_back_changes_nothing(weekly, as_admin, state, method, query):
    path, before = f"/series/{weekly[0]}", state()
    answer = getattr(as_admin, method)(path, **as_admin.get(path, **query).json)
    assert answer.status_code == 200, answer.json
    assert state() == before

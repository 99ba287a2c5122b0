"""Weekly series on both databases."""

import pytest

WEEKLY = {
    "title": "Market",
    "start_date": "2030-03-06 10:00:00",
    "end_date": "2030-03-06 12:00:00",
    "recurrence": {"rrule": "FREQ=WEEKLY;COUNT=5"},
}


@pytest.fixture
def make_weekly(as_admin):
    """Return what creates a series of five Wednesdays; keywords change it."""

    def make(by=None, **changes):
        answer = (by or as_admin).post("/events", **(WEEKLY | changes))
        assert answer.status_code == 201, answer.json
        return answer.json

    return make


@pytest.fixture
def occurrences(anyone):
    """Return what lists the events of a series, by start."""

    def listed(series_id, by=None, **query):
        answer = (by or anyone).get(f"/series/{series_id}/events", per_page=50, **query)
        assert answer.status_code == 200, answer.json
        return answer.json["events"]

    return listed

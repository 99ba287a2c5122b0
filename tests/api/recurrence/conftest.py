"""Weekly series, and previews of them."""

import pytest

WEEKLY = {
    "title": "Market",
    "start_date": "2030-03-06 10:00:00",
    "end_date": "2030-03-06 12:00:00",
    "recurrence": {"rrule": "FREQ=WEEKLY;COUNT=5"},
}
MARKET = {"start": "2030-03-13 10:00:00", "end": "2030-03-13 12:00:00", "timezone": "Europe/Zurich"}


@pytest.fixture
def make_weekly(as_admin):
    """Return a function that creates a series of five Wednesdays; keywords change it."""

    def make(by=None, **changes):
        answer = (by or as_admin).post("/events", **(WEEKLY | changes))
        assert answer.status_code == 201, answer.json
        return answer.json

    return make


@pytest.fixture
def occurrences(anyone):
    """Return a function that lists the events of a series, by start."""

    def listed(series_id, by=None, **query):
        answer = (by or anyone).get(f"/series/{series_id}/events", per_page=50, **query)
        assert answer.status_code == 200, answer.json
        return answer.json["events"]

    return listed


@pytest.fixture
def preview(anyone):
    """Return a function that previews a recurrence of a market; keywords change its times."""

    def post(recurrence, status=200, **sent):
        response = anyone.post("/recurrence/preview", **MARKET | sent, recurrence=recurrence)
        assert response.status_code == status, response.json
        return response.json

    return post

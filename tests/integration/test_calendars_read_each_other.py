"""Two calendars that read each other by REST: what comes back is known again, nothing grows."""

import json

import pytest
from small_calendar import event

from calendar_app.accounts.callers import Caller

EDITOR = Caller(2, "editor", "editor")
WEEKLY = {"id": 36, "rrule": "FREQ=WEEKLY;COUNT=2", "rdate": [], "exdate": []}


@pytest.fixture
def read_page(add, sources):
    """Return a function that reads events as those of another calendar."""

    def reading(*events):
        page = json.dumps({"page": 1, "pages": 1, "events": events})
        return sources.readings.read(add(kind="tec"), EDITOR, content=page.encode())

    return reading


def as_theirs(read, number):
    """Return one of our events as another calendar shows it that has read it from here."""
    own = f"b.example?id={number}"
    changed = {"id": number, "global_id": own, "series": None, "recurrence_id": None}
    return {**read, **changed, "global_id_lineage": [own, *read["global_id_lineage"]]}


def test_own_events_that_come_back_are_known_again(read_page, as_admin, anyone):
    times = {"start_date": "2030-03-01 19:00:00", "end_date": "2030-03-01 21:00:00"}
    as_admin.post("/events", title="Talk", status="publish", **times)
    weekly = {"recurrence": {"rrule": "FREQ=WEEKLY;COUNT=2"}}
    as_admin.post("/events", title="Choir", status="publish", **times, **weekly)
    own = anyone.get("/events", start_date="2030-01-01").json["events"]
    returned = [as_theirs(each, number) for number, each in enumerate(own, 500)]
    assert read_page(*returned).numbers == {"own": 3}
    # And where the calendar reads itself.
    assert read_page(*own).numbers == {"own": 2}


def test_event_of_another_calendar_with_our_number_is_not_ours(read_page, as_admin):
    times = {"start_date": "2030-03-01 19:00:00", "end_date": "2030-03-01 21:00:00"}
    own = as_admin.post("/events", title="Talk", status="publish", **times).json
    assert read_page({**event(own["id"], "Play"), "global_id": own["global_id"]}).numbers == {
        "new": 1
    }


def test_ids_in_calendars_before_are_passed_on(read_page, anyone):
    def theirs(number, title, *before, **fields):
        own = f"a.example?id={number}"
        return event(number, title, **fields) | {
            "global_id": own,
            "global_id_lineage": [own, *before],
        }

    dates = [
        theirs(
            number,
            "Choir",
            "z.example?id=3",
            start_date=f"{day} 10:00:00",
            end_date=f"{day} 12:00:00",
            series=WEEKLY,
            recurrence_id=f"{day} 10:00:00",
        )
        for number, day in ((36, "2030-03-05"), (37, "2030-03-12"))
    ]
    talk = theirs(1, "Talk", "z.example?id=9", start_date="2030-03-01 10:00:00")
    read_page(talk | {"end_date": "2030-03-01 12:00:00"}, *dates)
    events = anyone.get("/events", start_date="2030-01-01").json["events"]
    passed_on = [each["global_id_lineage"][1:] for each in events]
    series = ["a.example?id=36", "z.example?id=3"]
    assert passed_on == [["a.example?id=1", "z.example?id=9"], series, series]

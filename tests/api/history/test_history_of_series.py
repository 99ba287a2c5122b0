"""A series has a history of its own, and so has each event that differs from it."""

import pytest


@pytest.fixture
def weekly(make, as_admin):
    """Return the path of a series, and those of its three events."""
    series = make("series")
    events = as_admin.get(f"{series}/events").json["events"]
    return series, [f"/events/{event['id']}" for event in events]


def starts(client, series):
    return [event["start_date"] for event in client.get(f"{series}/events").json["events"]]


def test_copies_of_a_series_have_no_entries(weekly, write, saves):
    series, events = weekly
    write(series, title="Second")
    assert [save["fields"] for save in saves(series)] == [["title"], []]
    assert [saves(path) for path in events] == [[], [], []]


def test_an_overridden_event_has_an_entry(weekly, write, saves, restore):
    _, (_, second, _) = weekly
    write(second, title="Special")
    assert [save["fields"] for save in saves(second)] == [["title"]]

    answer = restore(second, 1).json
    assert (answer["title"], answer["overrides"]) == ("First", [])


def test_a_series_goes_back_with_all_its_events(weekly, write, restore, as_admin):
    series, _ = weekly
    before = starts(as_admin, series)
    write(series, title="Second", start_date="2030-03-12 18:00:00", end_date="2030-03-12 19:00:00")
    assert starts(as_admin, series) != before

    assert restore(series, 1).json["title"] == "First"
    assert starts(as_admin, series) == before


def test_a_rule_goes_back(weekly, write, restore, saves, as_admin):
    series, _ = weekly
    before = starts(as_admin, series)
    write(series, recurrence={"rrule": "FREQ=DAILY;COUNT=2", "rdate": ["2030-04-01 19:00:00"]})
    assert len(starts(as_admin, series)) == 3
    assert saves(series)[0]["fields"] == ["recurrence"]

    restore(series, 1)
    assert starts(as_admin, series) == before
    restore(series, 2)
    assert starts(as_admin, series)[-1] == "2030-04-01 19:00:00"


def test_a_date_taken_out_is_in_the_history_of_the_series(weekly, saves, restore, as_admin):
    series, (_, second, _) = weekly
    before = starts(as_admin, series)
    as_admin.delete(second)
    assert saves(series)[0]["fields"] == ["recurrence"]

    restore(series, 1)
    assert starts(as_admin, series) == before


def test_an_event_keeps_its_history_as_it_becomes_a_series(make, write, saves, as_admin):
    path = make("events")
    write(path, title="Second")
    write(path, recurrence={"rrule": "FREQ=WEEKLY;COUNT=2"})
    assert len(saves(path)) == 3
    first = as_admin.get(f"{path}/history/1").json
    assert first["title"] == "First"
    assert "series" not in first


def test_a_dissolved_series_leaves_no_history_of_itself(weekly, saves, write, database):
    _, (first, *_) = weekly
    write(first, recurrence=None, scope="all")
    assert list(database["history"].find({"kind": "series"})) == []
    assert saves(first)


def test_states_of_an_event_before_a_change_of_its_series_are_out_of_reach(
    weekly, write, saves, as_admin
):
    series, (_, second, _) = weekly
    write(second, excerpt="Special")
    write(series, title="Second")
    assert saves(second)[0]["rest_url"] is None
    assert as_admin.get(f"{second}/history/1").status_code == 404

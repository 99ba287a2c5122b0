"""With ``recurrence=flat`` iCalendar has one event for each date, for programs without rules."""

from dataclasses import replace

import pytest

FLAT = {"recurrence": "flat"}


@pytest.fixture
def market(make_event):
    """Return the first event of a weekly market with four dates."""
    return make_event(
        title="Market",
        slug="market",
        start_date="2030-03-05 08:00",
        end_date="2030-03-05 12:00",
        recurrence={"rrule": "FREQ=WEEKLY;COUNT=4"},
    )


@pytest.fixture
def dates(read):
    """Return a function that reads the UID of each date, by its start."""

    def by_start(**query):
        events = read(**{**FLAT, **query}).events
        assert not [
            name for event in events for name in ("RRULE", "RECURRENCE-ID") if name in event
        ]
        return {f"{event.start:%m-%d}": event["UID"] for event in events}

    return by_start


def test_each_date_of_a_series_is_an_event_of_its_own(dates, market):
    assert market["series"]
    uids = dates()
    assert list(uids) == ["03-05", "03-12", "03-19", "03-26"]
    assert len(set(uids.values())) == 4


def test_a_date_keeps_its_uid_when_it_and_its_series_change(dates, market, as_admin):
    before = dates()
    second = as_admin.get("/events", start_date="2030-03-10").json["events"][0]
    moved = {"start_date": "2030-03-13 09:00", "end_date": "2030-03-13 12:00"}
    assert as_admin.post(f"/events/{second['id']}", **moved).status_code == 200
    assert as_admin.post(f"/series/{market['series']['id']}", title="Fair").status_code == 200
    after = dates()
    assert after["03-13"] == before["03-12"]
    assert [after[day] for day in ("03-05", "03-19", "03-26")] == [
        before[day] for day in ("03-05", "03-19", "03-26")
    ]


def test_both_forms_stay_apart_in_every_cache(read, dates, market):
    assert market
    for _ in range(2):
        (whole,) = read().events
        assert "RRULE" in whole
        assert len(dates()) == 4


def test_a_flat_feed_has_a_tag_of_its_own(anyone, make_event):
    make_event()
    tags = {anyone.get("/events.ics", **query).headers["ETag"] for query in ({}, FLAT)}
    assert len(tags) == 2


def test_a_withdrawn_date_is_canceled_by_its_own_uid(dates, read, market, as_admin):
    assert market
    before = dates()
    second = as_admin.get("/events", start_date="2030-03-10").json["events"][0]
    as_admin.delete(f"/events/{second['id']}")
    canceled = [e for e in read(**FLAT).events if e["STATUS"] == "CANCELLED"]
    assert [event["UID"] for event in canceled] == [before["03-12"]]


def test_the_file_of_one_date_has_the_same_uid(read, dates, market):
    path = f"/events/{market['id']}.ics"
    (event,) = read(path=path, **FLAT).events
    assert event["UID"] == dates()["03-05"]
    assert "RECURRENCE-ID" not in event


@pytest.mark.parametrize("path", ["/events.ics", "/events/{}.ics"])
def test_another_form_is_refused(anyone, market, path):
    answer = anyone.get(path.format(market["id"]), recurrence="none")
    assert (answer.status_code, answer.invalid_params) == (400, ["recurrence"])


class TestOnPages:
    """The feeds behind pages have both forms too; a setting says which is usual."""

    @pytest.fixture(params=["rules", "flat"])
    def usual(self, request):
        return request.param

    @pytest.fixture
    def settings(self, settings, usual):
        return replace(settings, pages=True, page_feed_recurrence=usual)

    @pytest.fixture
    def count(self, app):
        def events(path):
            answer = app.test_client().get(path, follow_redirects=True)
            assert answer.status_code == 200
            return answer.text.count("BEGIN:VEVENT")

        return events

    def test_the_setting_says_what_old_addresses_give(self, count, market, usual):
        assert market
        assert count("/events/?ical=1") == (4 if usual == "flat" else 1)
        assert count("/events/?ical=1&recurrence=flat") == 4
        assert count("/events/?ical=1&recurrence=rules") == 1

    @pytest.mark.parametrize("path", ["/?post_type=tribe_events", "/events/?outlook-ical=1"])
    def test_addresses_that_have_moved_keep_the_form(self, count, market, path):
        assert market
        assert count(f"{path}&ical=1&recurrence=flat") == 4

    def test_a_wrong_form_is_refused(self, app, market):
        for path in ("/events/?ical=1", f"/event/{market['slug']}/?ical=1"):
            client = app.test_client()
            assert client.get(f"{path}&recurrence=no", follow_redirects=True).status_code == 400

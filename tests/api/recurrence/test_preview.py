"""Previews of recurrences: the first dates and the words, while an event is being written."""

import pytest

pytestmark = pytest.mark.without_mongodb


def test_dates_are_those_of_the_rule_without_its_exceptions(preview):
    body = preview({"rrule": "FREQ=WEEKLY;COUNT=4", "exdate": ["2030-03-27 10:00:00"]})
    assert [date["start_date"] for date in body["dates"]] == [
        "2030-03-13 10:00:00",
        "2030-03-20 10:00:00",
        "2030-04-03 10:00:00",
    ]
    assert body["dates"][-1] == {
        "recurrence_id": "2030-04-03 10:00:00",
        "start_date": "2030-04-03 10:00:00",
        "end_date": "2030-04-03 12:00:00",
        "utc_start_date": "2030-04-03 08:00:00",
        "utc_end_date": "2030-04-03 10:00:00",
    }
    assert not body["more"]


def test_the_first_fifty_dates_are_shown(preview):
    body = preview({"rrule": "FREQ=DAILY"})
    assert len(body["dates"]) == 50
    assert body["more"]


@pytest.mark.parametrize("zone", ["Europe/Zurich", "America/New_York", "UTC"])
@pytest.mark.parametrize("until", ["99991231T235959Z", "99991231"])
def test_until_the_last_year_is_without_end(preview, until, zone):
    body = preview({"rrule": f"FREQ=WEEKLY;UNTIL={until}"}, timezone=zone)
    assert body["recurrence"]["rrule"] == "FREQ=WEEKLY"


def test_words_are_in_the_language_of_the_request(preview):
    rule = {"rrule": "FREQ=WEEKLY;UNTIL=20301231T225959Z"}
    words = {
        language: preview(rule, translation_language=language)["text"] for language in ("de", "rm")
    }
    assert words == {
        "de": "jeden Mittwoch bis 31. Dezember 2030",
        "rm": "mintga mesemna fin ils 31 da december 2030",
    }


def test_the_recurrence_comes_back_in_normal_form(preview):
    sent = {
        "rrule": "freq=weekly;byday=FR,WE;interval=1",
        "rdate": ["20.3.2030 18:00", {"start": "2030-03-21 9:00", "end": "2030-03-21 11:00"}],
        "exdate": "2030-03-15 10:00",
    }
    stored = preview(sent)["recurrence"]
    assert stored == {
        "rrule": "FREQ=WEEKLY;BYDAY=WE,FR",
        "rdate": [
            "2030-03-20 18:00:00",
            {"start": "2030-03-21 09:00:00", "end": "2030-03-21 11:00:00"},
        ],
        "exdate": ["2030-03-15 10:00:00"],
    }
    assert preview(stored)["recurrence"] == stored


def test_lines_of_icalendar_mean_the_same(preview):
    lines = (
        "DTSTART;TZID=Europe/Zurich:20300313T100000\n"
        "RRULE:FREQ=WEEKLY;COUNT=3\n"
        "RDATE;TZID=Europe/London:20300401T090000\n"
        "EXDATE:20300320T090000Z"
    )
    body = preview(lines)
    assert [date["start_date"] for date in body["dates"]] == [
        "2030-03-13 10:00:00",
        "2030-03-27 10:00:00",
        "2030-04-01 10:00:00",
    ]


def test_an_event_may_be_sent_under_its_own_names(anyone):
    sent = {"start_date": "2030-03-13 10:00", "end_date": "2030-03-13 12:00", "title": "Market"}
    body = anyone.post("/recurrence/preview", **sent, recurrence="FREQ=WEEKLY;COUNT=2").json
    assert [date["end_date"] for date in body["dates"]] == [
        "2030-03-13 12:00:00",
        "2030-03-20 12:00:00",
    ]


def test_exceptions_that_hit_nothing_are_taken_and_named(preview):
    body = preview({"rrule": "FREQ=WEEKLY", "exdate": ["2030-03-14 10:00", "2030-03-20 10:00"]})
    assert body["unused_exdate"] == ["2030-03-14 10:00:00"]


def test_nothing_is_stored(preview, anyone):
    preview({"rrule": "FREQ=DAILY"})
    assert anyone.get("/events", start_date="2030-01-01").json["total"] == 0


def test_without_a_recurrence_there_is_the_event_alone(preview):
    body = preview({})
    assert (len(body["dates"]), body["text"], body["more"]) == (1, "", False)

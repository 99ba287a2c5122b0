"""Accidents at a source: what is lost there by mistake is held back, stays here, and is told."""

from dataclasses import replace

import pytest
from calendars import WEEKLY, calendar, override, vevent

from calendar_app.accounts.callers import Caller
from calendar_app.sources.runs import DateLimits

EDITOR = Caller(2, "editor", "editor")
TABLE = "uid,title,start\n1,One,{}\n2,Two,2030-03-02 10:00\n"


def daily(number, rule="RRULE:FREQ=DAILY;COUNT=10"):
    start = f"203003{number:02}T190000"
    return vevent(
        f"{number}@club", *([rule] if rule else []), title=f"Course {number}", start=start
    )


@pytest.mark.parametrize("rule", ["", "RRULE:FREQ=DAILY;COUNT=2"], ids=["no rule", "a short one"])
def test_series_that_would_lose_most_of_their_dates_wait(add, read, listed, rule):
    source = add()
    read(source, *map(daily, range(1, 6)))
    assert len(listed()) == 50
    reading = read(source, *(daily(number, rule) for number in range(1, 6)))
    assert (reading.state, reading.coming, len(listed())) == ("waiting", 50, 50)


def test_series_that_would_gain_many_dates_wait(add, read, listed):
    source = add()
    read(source, *map(daily, range(1, 6)))
    longer = daily(1, "RRULE:FREQ=DAILY;COUNT=40")
    reading = read(source, longer, *map(daily, range(2, 6)))
    assert (reading.state, reading.alarming, len(listed())) == ("waiting", 31, 50)


@pytest.mark.parametrize("dry_run", [True, False])
def test_report_and_preview_count_the_dates_of_series(sources, add, dry_run):
    source = add()
    content = calendar(*map(daily, range(1, 6))).encode()
    reading = sources.readings.read(source, EDITOR, content=content, dry_run=dry_run)
    assert (reading.numbers["new"], reading.dates) == (5, 50)


def test_source_with_too_many_dates_brings_nothing(sources, add, listed, monkeypatch):
    """A rule without an end counts as often as a series may have dates."""
    limits = DateLimits(of_source=49, of_series=45)
    monkeypatch.setattr(sources.readings, "parts", replace(sources.parts, date_limits=limits))
    for rule in ("RRULE:FREQ=DAILY;COUNT=10", "RRULE:FREQ=DAILY"):
        source = add()
        content = calendar(*(daily(number, rule) for number in range(1, 6))).encode()
        reading = sources.readings.read(source, EDITOR, content=content)
        assert (reading.state, reading.reason) == ("failed", "Its events have more than 49 dates.")
        assert listed() == []


def test_a_series_that_gets_another_title_goes_on(add, read, listed):
    source = add()
    read(source, *map(daily, range(1, 6)))
    renamed = daily(1).replace("SUMMARY:Course 1", "SUMMARY:Evening course")
    reading = read(source, renamed, *map(daily, range(2, 6)))
    assert (reading.state, reading.alarming, reading.vanishing) == ("done", 1, 0)
    assert {each["title"] for each in listed()[:1]} == {"Evening course"}


def test_an_event_of_which_the_text_breaks_stays(add, read, clock, listed):
    source = add(vanished="trash")
    broken = daily(1, "RRULE:FREQ=NONSENSE")
    read(source, daily(1, ""), daily(2, ""))
    for _ in range(2):
        reading = read(source, broken, daily(2, ""))
        assert reading.numbers == {"refused": 1, "unchanged": 2}
        clock.advance(hours=25)
    assert [each["title"] for each in listed()] == ["Course 1", "Course 2"]


def test_a_row_of_which_the_date_breaks_stays(sources, add, clock, listed):
    source = add(kind="csv", vanished="trash")
    for start in ("2030-03-01 10:00", "later", "later"):
        reading = sources.readings.read(source, EDITOR, content=TABLE.format(start).encode())
        clock.advance(hours=25)
    assert reading.numbers == {"refused": 1, "unchanged": 2}
    assert [each["title"] for each in listed()] == ["One", "Two"]


def test_what_is_refused_is_told_and_tried_at_each_reading(add, read):
    source = add()
    on_no_date = override("20270114T190000", title="Guest", start="20270115T190000")
    choir = vevent("one@example.org", WEEKLY)
    first = read(source, choir, on_no_date)
    again = read(source, choir, on_no_date)
    beside = read(source, choir, on_no_date, daily(1, ""))
    assert first.numbers["refused"] == again.numbers["refused"] == beside.numbers["refused"] == 1

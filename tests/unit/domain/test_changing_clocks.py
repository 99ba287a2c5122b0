"""Events in the hours that clocks skip, or show twice."""

import pytest
from unit.domain.spans import at, settled, span_texts

from calendar_app.domain.timespan import EndBeforeStart


def test_skipped_times_move_forward_and_show_so():
    span = settled(start="2027-03-28 02:30", end="2027-03-28 04:00")
    assert span_texts(span) == (
        "2027-03-28 03:30:00",
        "2027-03-28 04:00:00",
        "2027-03-28 01:30:00",
        "2027-03-28 02:00:00",
    )


def test_ambiguous_times_are_their_first_reading():
    span = settled(start="2027-10-31 02:30", end="2027-10-31 03:30")
    assert str(span.start) == "2027-10-31 00:30:00"


def test_offset_selects_the_repeated_hour_and_later_writes_keep_it():
    span = settled(start="2027-10-31 02:30|+01:00", end="2027-10-31 03:30")
    assert span_texts(span)[::2] == ("2027-10-31 02:30:00", "2027-10-31 01:30:00")
    assert settled(span) == span
    assert settled(span, end="2027-10-31 04:00").start == span.start


def test_an_event_may_begin_in_the_first_and_end_in_the_second_of_two_equal_hours():
    span = settled(start="2027-10-31 00:30|UTC", end="2027-10-31 01:15|UTC")
    assert span_texts(span) == (
        "2027-10-31 02:30:00",
        "2027-10-31 02:30:00",
        "2027-10-31 00:30:00",
        "2027-10-31 01:15:00",
    )
    assert settled(span) == span
    earlier = settled(span, start="2027-10-31 02:00")
    assert span_texts(earlier)[1:4:2] == ("2027-10-31 02:15:00", "2027-10-31 01:15:00")


@pytest.mark.parametrize(
    ("zone", "moved"),
    [
        ("Europe/Berlin", ["02:30:00", "02:30:00", "00:30:00", "01:10:00"]),
        ("UTC", ["02:30:00", "03:10:00", "02:30:00", "03:10:00"]),
        ("UTC+2", ["02:30:00", "03:10:00", "00:30:00", "01:10:00"]),
    ],
)
def test_an_event_that_ends_at_an_earlier_clock_keeps_its_length_in_another_zone(zone, moved):
    span = settled(start="2027-10-31 00:30|UTC", end="2027-10-31 01:10|UTC")
    abroad = settled(span, timezone=zone)
    assert [text.partition(" ")[2] for text in span_texts(abroad)] == moved
    back = settled(abroad, timezone="Europe/Zurich")
    assert str(back.start) == "2027-10-31 00:30:00"
    assert back.end - back.start >= span.end - span.start


def test_end_is_compared_by_local_time_after_a_zone_change():
    span = settled(start="2027-10-31 00:30|UTC", end="2027-10-31 01:10|UTC")
    earlier = settled(span, start="2027-10-31 02:00", timezone="UTC")
    assert span_texts(earlier)[:2] == ("2027-10-31 02:00:00", "2027-10-31 02:10:00")
    with pytest.raises(EndBeforeStart):
        settled(span, start="2027-10-31 02:20", timezone="UTC")


def test_an_end_in_the_first_of_two_equal_hours_is_before_a_start_in_the_second():
    with pytest.raises(EndBeforeStart):
        settled(start="2027-10-31 02:30|+01:00", end="2027-10-31 02:45")


def test_an_event_whose_start_alone_is_skipped_ends_when_it_starts_at_the_earliest():
    span = settled(start="2027-03-28 02:30", end="2027-03-28 03:15")
    assert span_texts(span)[:2] == ("2027-03-28 03:30:00", "2027-03-28 03:30:00")
    assert span.start == span.end
    with pytest.raises(EndBeforeStart):
        settled(start="2027-03-28 02:30", end="2027-03-28 02:15")
    with pytest.raises(EndBeforeStart):
        settled(start="2027-03-28 03:30", end="2027-03-28 03:15")


def test_zone_change_into_a_skipped_hour_is_accepted():
    night = {"start": "2027-03-28 02:30", "end": "2027-03-28 03:15"}
    abroad = settled(**night, timezone="America/New_York")
    span = settled(abroad, timezone="Europe/Zurich")
    assert span.start == span.end == at("2027-03-28 01:30")

"""The time span of an event after a write."""

import pytest
from unit.domain.spans import at, settled, span_texts

from calendar_app.domain.timespan import EndBeforeStart, TimeSpan


@pytest.fixture
def evening():
    return settled(start="2027-03-10 19:00", end="2027-03-10 22:00")


def test_a_new_event_is_in_the_site_zone_and_not_all_day(evening):
    assert evening == TimeSpan(
        start=at("2027-03-10 18:00"),
        end=at("2027-03-10 21:00"),
        start_local=at("2027-03-10 19:00"),
        end_local=at("2027-03-10 22:00"),
        timezone="Europe/Zurich",
        all_day=False,
    )


@pytest.mark.parametrize(
    ("zone", "utc"),
    [
        ("America/New_York", "2027-11-01 14:00:00"),
        ("UTC+5.5", "2027-11-01 04:30:00"),
        ("EST", "2027-11-01 15:00:00"),
        ("+02:00", "2027-11-01 08:00:00"),
        ("UTC", "2027-11-01 10:00:00"),
    ],
)
def test_dates_are_the_wall_clock_of_the_event_s_zone(zone, utc):
    span = settled(start="2027-11-01 10:00", end="2027-11-01 12:00", timezone=zone)
    assert str(span.start_local) == "2027-11-01 10:00:00"
    assert str(span.start) == utc
    assert span.timezone == zone


def test_the_zone_is_kept_as_typed():
    span = settled(start="2027-11-01 10:00", end="2027-11-01 12:00", timezone="europe/zurich")
    assert span.timezone == "europe/zurich"


def test_an_empty_zone_is_the_site_s(evening):
    span = settled(start="2027-11-01 10:00", end="2027-11-01 12:00", timezone="")
    assert span.timezone == "Europe/Zurich"
    abroad = settled(evening, timezone="America/New_York")
    assert settled(abroad, timezone="") == evening


def test_an_unknown_zone_is_refused(evening):
    with pytest.raises(ValueError, match="time zone"):
        settled(evening, timezone="Mars/Phobos")


def test_a_moment_with_a_zone_is_converted_to_the_event_s():
    span = settled(start="2027-11-01 10:00|UTC", end="2027-11-01 08:00|EST")
    assert span_texts(span) == (
        "2027-11-01 11:00:00",
        "2027-11-01 14:00:00",
        "2027-11-01 10:00:00",
        "2027-11-01 13:00:00",
    )


def test_fields_not_sent_are_unchanged(evening):
    assert settled(evening) == evening
    assert settled(evening, timezone="Europe/Zurich", all_day=False) == evening


@pytest.mark.parametrize(
    ("sent", "local"),
    [
        ({"start": "2027-03-10 20:00"}, ("2027-03-10 20:00:00", "2027-03-10 22:00:00")),
        ({"end": "2027-03-11 01:00"}, ("2027-03-10 19:00:00", "2027-03-11 01:00:00")),
    ],
)
def test_one_end_may_be_sent_alone(evening, sent, local):
    assert span_texts(settled(evening, **sent))[:2] == local


def test_sent_dates_are_read_in_the_stored_zone():
    abroad = settled(start="2027-05-05 20:00", end="2027-05-05 23:00", timezone="America/New_York")
    span = settled(abroad, start="2027-05-05 21:00")
    assert (str(span.start), span.timezone) == ("2027-05-06 01:00:00", "America/New_York")


def test_another_zone_alone_keeps_the_wall_clock_and_moves_the_instants(evening):
    span = settled(evening, timezone="America/New_York")
    assert span_texts(span) == (
        "2027-03-10 19:00:00",
        "2027-03-10 22:00:00",
        "2027-03-11 00:00:00",
        "2027-03-11 03:00:00",
    )


@pytest.mark.parametrize("sent", [{"start": "2027-03-10 22:00:01"}, {"end": "2027-03-10 18:59:59"}])
def test_an_end_before_the_start_is_refused_judged_with_the_stored_values(evening, sent):
    with pytest.raises(EndBeforeStart):
        settled(evening, **sent)


def test_an_end_before_the_start_is_refused_on_create():
    with pytest.raises(EndBeforeStart):
        settled(start="2027-11-05 10:00", end="2027-11-01 10:00")
    with pytest.raises(EndBeforeStart):
        settled(start="2027-11-05 00:00", end="2027-11-01 00:00", all_day=True)


def test_an_event_may_end_when_it_starts():
    span = settled(start="2027-11-05 10:00", end="2027-11-05 10:00")
    assert span.start == span.end


@pytest.mark.parametrize("missing", [{"start": "2027-11-05 10:00"}, {"end": "2027-11-05 10:00"}])
def test_a_new_event_needs_both_ends(missing):
    with pytest.raises(ValueError, match="needs"):
        settled(**missing)


def test_all_day_runs_from_the_first_to_the_last_second():
    span = settled(start="2027-04-01 00:00", end="2027-04-03 00:00", all_day=True)
    assert span.all_day
    assert span_texts(span) == (
        "2027-04-01 00:00:00",
        "2027-04-03 23:59:59",
        "2027-03-31 22:00:00",
        "2027-04-03 21:59:59",
    )


def test_all_day_of_one_day_may_be_sent_with_the_times_reversed():
    span = settled(start="2027-04-10 11:00", end="2027-04-10 10:00", all_day=True)
    assert span_texts(span)[:2] == ("2027-04-10 00:00:00", "2027-04-10 23:59:59")


def test_the_days_of_all_day_are_those_of_the_event_s_zone():
    span = settled(start="2027-04-09 23:00|UTC", end="2027-04-10 10:00", all_day=True)
    assert str(span.start_local) == "2027-04-10 00:00:00"


def test_all_day_can_be_switched_on_and_stays(evening):
    whole = settled(evening, all_day=True)
    assert span_texts(whole)[:2] == ("2027-03-10 00:00:00", "2027-03-10 23:59:59")
    later = settled(whole, end="2027-03-12 10:00")
    assert span_texts(later)[:2] == ("2027-03-10 00:00:00", "2027-03-12 23:59:59")


def test_all_day_switched_off_leaves_the_times(evening):
    timed = settled(settled(evening, all_day=True), all_day=False)
    assert not timed.all_day
    assert span_texts(timed)[:2] == ("2027-03-10 00:00:00", "2027-03-10 23:59:59")


def test_all_day_moves_with_its_days_to_another_zone(evening):
    whole = settled(settled(evening, all_day=True), timezone="America/New_York")
    assert span_texts(whole) == (
        "2027-03-10 00:00:00",
        "2027-03-10 23:59:59",
        "2027-03-10 05:00:00",
        "2027-03-11 04:59:59",
    )


def test_all_day_shows_midnight_where_the_clocks_skip_it():
    span = settled(
        start="2018-11-04 10:00",
        end="2018-11-04 12:00",
        all_day=True,
        timezone="America/Sao_Paulo",
    )
    assert str(span.start_local) == "2018-11-04 00:00:00"
    assert str(span.start) == "2018-11-04 03:00:00"
    timed = settled(span, all_day=False)
    assert str(timed.start_local) == "2018-11-04 01:00:00"


def test_times_are_whole_seconds():
    span = settled(start="2027-04-10 11:00:00.9", end="2027-04-10 12:00:00.9|UTC")
    assert span_texts(span)[:2] == ("2027-04-10 11:00:00", "2027-04-10 14:00:00")


@pytest.mark.parametrize(
    ("start", "end", "zone"),
    [
        ("0001-01-01 00:00", "2027-01-01 00:00", "Europe/Zurich"),
        ("2027-01-01 00:00", "9999-12-31 23:59:59", "America/New_York"),
        ("2027-01-01 00:00", "9999-12-31 23:59:59|UTC", "Asia/Tokyo"),
        ("0001-01-01 00:00|UTC", "2027-01-01 00:00", "UTC-12"),
    ],
)
def test_instants_outside_the_calendar_are_refused(start, end, zone):
    with pytest.raises(ValueError, match="9999"):
        settled(start=start, end=end, timezone=zone)

"""Dates, zones and spans against plain models."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from hypothesis import example, given, settings
from hypothesis import strategies as st

from calendar_app.domain.moments import Moment, day_bound, default_window, parse_moment
from calendar_app.domain.timespan import EndBeforeStart, settle
from calendar_app.domain.zones import abbreviation, instant_of, localize, wall_of, zone_of

NOW = datetime(2026, 11, 21, 8, 25, 17, tzinfo=ZoneInfo("Europe/Zurich"))
EPOCH = datetime.combine(date(1970, 1, 1), time.min)
NAMES = [
    "Europe/Zurich",
    "America/New_York",
    "America/Sao_Paulo",
    "Australia/Lord_Howe",
    "Pacific/Apia",
    "Africa/Casablanca",
    "UTC",
    "UTC+5.5",
    "-03:30",
]
FORMATS = [
    "%Y-%m-%d %H:%M:%S",
    "%Y-%m-%dT%H:%M:%S",
    "%Y%m%dT%H%M%S",
    "%Y/%m/%d %H:%M:%S",
    "%m/%d/%Y %I:%M:%S %p",
    "%d.%m.%Y %H:%M:%S",
    "%d-%m-%Y %H:%M:%S",
    "%d %B %Y %H:%M:%S",
    "%b %d, %Y %I:%M:%S%p",
    "%a, %d %b %Y %H:%M:%S",
]
WORDS = """
next last first second monday sun day week months of january 5 sep 2027 10:00 7pm + - +5 @ ago noon
tomorrow utc cet x t z 2027-09-05 31.12.9999 -05:00 0 99999999 / . : of at Z
"""

earliest, latest = EPOCH.replace(year=1900), EPOCH.replace(year=2200)
walls = st.datetimes(earliest, latest).map(lambda wall: wall.replace(microsecond=0))
zones = st.sampled_from(NAMES).map(zone_of)
texts = st.text(max_size=40) | st.lists(st.sampled_from(WORDS.split()), max_size=8).map(" ".join)
numbers = st.integers() | st.floats() | st.booleans()
moments = st.builds(Moment, walls, st.none() | zones)


def refused_or(make):
    try:
        return make()
    except ValueError:
        return None


@settings(max_examples=200)
@given(walls, st.sampled_from(FORMATS))
def test_time_span_reads_back_unchanged(wall, form):
    if wall == EPOCH:
        return
    # Years below 1000 have no leading zeros in strftime; the walls begin with 1900.
    assert parse_moment(wall.strftime(form), NOW) == Moment(wall)


@settings(max_examples=200)
@given(walls, st.integers(-12 * 4, 14 * 4))
def test_an_iso_text_with_an_offset_is_its_instant(wall, quarters):
    zone = zone_of(f"UTC{quarters / 4:+}")
    text = wall.replace(tzinfo=zone).isoformat()
    if wall - timedelta(minutes=15 * quarters) != EPOCH:
        moment = parse_moment(text, NOW)
        assert moment.wall == wall
        assert moment.instant(UTC) == wall - timedelta(minutes=15 * quarters)


@settings(max_examples=200)
@given(st.integers(-(10**9), 10**10).filter(bool), zones)
def test_a_timestamp_is_its_instant_in_every_spelling(seconds, zone):
    # Four digits are a year, and eight may be a day.
    bare = (seconds, str(seconds)) if len(str(seconds)) not in (4, 8) else ()
    for value in (*bare, float(seconds), f"@{seconds}"):
        moment = parse_moment(value, NOW)
        assert moment.instant(zone) - EPOCH == timedelta(seconds=seconds)


@settings(max_examples=200)
@given(st.integers(-2000, 2000), st.integers(-300, 300))
def test_days_and_weeks_are_added(days, weeks):
    text = f"{days:+} days {weeks:+} weeks noon"
    day = NOW.date() + timedelta(days=days, weeks=weeks)
    noon = datetime.combine(day, time(12))
    assert parse_moment(text, NOW) == Moment(noon)


@settings(max_examples=200)
@given(walls, st.sampled_from(["monday", "tue", "friday", "sunday"]))
def test_weekdays_lie_within_a_week(wall, name):
    now = wall.replace(tzinfo=UTC)
    today = datetime.combine(wall, time.min)
    bare, after, before = (
        parse_moment(f"{word}{name}", now).wall - today for word in ("", "next ", "last ")
    )
    assert timedelta(0) <= bare < timedelta(7)
    assert timedelta(0) < after <= timedelta(7)
    assert after - before in (timedelta(7), timedelta(14))
    assert (today + bare).strftime("%A").lower().startswith(name)


@settings(max_examples=200)
@given(texts | numbers | st.none() | st.binary())
@example("9" * 5000)
@example("+" * 10_000)
def test_anything_at_all_is_understood_or_refused(value):
    moment = refused_or(lambda: parse_moment(value, NOW))
    if moment:
        assert moment.wall.tzinfo is None
        assert moment.wall.microsecond == 0
        for strict in (True, False):
            refused_or(
                lambda strict=strict: day_bound(
                    value, now=NOW, zone=NOW.tzinfo, strict=strict, opening=True
                )
            )


@settings(max_examples=200)
@given(st.text(max_size=20) | st.from_regex(r"(UTC)?[+-][0-9]{1,3}([:.][0-9]{1,3})?"))
def test_any_name_is_a_zone_or_refused(name):
    zone = refused_or(lambda: zone_of(name))
    if zone:
        assert isinstance(abbreviation(name, EPOCH), str)


@settings(max_examples=200)
@given(st.datetimes(), st.sampled_from(NAMES))
def test_every_time_of_the_calendar_converts_or_is_refused(wall, name):
    zone = zone_of(name)
    refused_or(lambda: wall_of(wall, zone))
    refused_or(lambda: instant_of(wall, zone))
    refused_or(lambda: abbreviation(name, wall))


@settings(max_examples=200)
@given(walls, zones)
def test_an_instant_survives_the_way_over_an_unambiguous_wall_clock(instant, zone):
    aware = instant.replace(tzinfo=UTC).astimezone(zone)
    assert wall_of(instant, zone) == aware.replace(tzinfo=None, fold=0)
    first = instant_of(wall_of(instant, zone), zone)
    if aware.fold:
        assert timedelta(0) < instant - first <= timedelta(days=1)
    else:
        assert first == instant


@settings(max_examples=200)
@given(walls, zones)
def test_localising_moves_only_skipped_times_and_only_forward(wall, zone):
    localized = localize(wall, zone)
    before = wall.replace(tzinfo=zone, fold=0).utcoffset()
    after = wall.replace(tzinfo=zone, fold=1).utcoffset()
    assert localized.fold == 0
    assert localized.replace(tzinfo=None) - wall == max(timedelta(0), after - before)


@settings(max_examples=200)
@given(moments, moments, st.sampled_from(NAMES), st.booleans())
def test_a_settled_span_is_consistent_and_settling_again_changes_nothing(start, end, name, whole):
    sent = {"start": start, "end": end, "timezone": name, "all_day": whole}
    try:
        span = settle(None, **sent, site_timezone="UTC")
    except EndBeforeStart:
        zone = zone_of(name)
        assert end.instant(zone) < start.instant(zone)
        return
    assert span.start <= span.end
    assert span.start_local <= span.end_local
    again = settle(
        span, start=None, end=None, timezone=None, all_day=None, site_timezone="Asia/Tokyo"
    )
    assert again == span
    if whole:
        assert (span.start_local.time(), span.end_local.time()) == (time.min, time(23, 59, 59))
    else:
        assert span.start == start.instant(zone_of(name))
        assert span.start_local == wall_of(span.start, zone_of(name))


@settings(max_examples=200)
@given(walls, zones)
def test_the_default_window_holds_the_present(instant, zone):
    start, end = default_window(instant.replace(tzinfo=UTC), zone)
    wall = wall_of(instant, zone)
    assert timedelta(days=-1) < wall - start < timedelta(days=3)
    assert timedelta(days=729) < end - wall < timedelta(days=733)

"""When the clocks of a zone are changed: held against what the zone database says by itself."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from calendar_app.domain.zones import changes

ZONES = ["Europe/Zurich", "America/New_York", "Africa/Casablanca", "Pacific/Apia", "Asia/Gaza"]
ZONES += ["Australia/Lord_Howe", "Europe/Dublin", "Asia/Pyongyang", "Asia/Tokyo", "Etc/GMT+5"]


@pytest.mark.parametrize("name", ZONES)
def test_between_two_changes_the_clocks_stay(name):
    zone = ZoneInfo(name)
    zone_changes = changes(zone, 2005, 2012)
    day = datetime(2005, 1, 1, tzinfo=UTC)
    while day.year < 2013:
        naive = day.replace(tzinfo=None)
        latest = [change for change in zone_changes if change.onset <= naive][-1]
        assert latest.after.offset == day.astimezone(zone).utcoffset()
        day += timedelta(hours=7)


def test_summer_time_begins_on_the_clocks_that_are_put_forward():
    spring, autumn = changes(ZoneInfo("Europe/Zurich"), 2030, 2030)[1:]
    assert spring.wall == datetime.fromisoformat("2030-03-31 02:00")
    assert (spring.before.name, spring.after.name) == ("CET", "CEST")
    assert autumn.wall == datetime.fromisoformat("2030-10-27 03:00")
    assert (spring.after.daylight, autumn.after.daylight) == (True, False)


def test_day_skipped_by_a_zone_is_one_change():
    *_, last = changes(ZoneInfo("Pacific/Apia"), 2011, 2011)
    assert last.wall == datetime.fromisoformat("2011-12-30 00:00")
    assert last.after.offset - last.before.offset == timedelta(days=1)


def test_a_fixed_offset_has_a_beginning_and_no_change():
    (only,) = changes(ZoneInfo("Etc/GMT+5"), 1970, 2100)
    assert only.before == only.after


def test_the_centuries_before_there_were_zones_are_passed_over():
    read_zones = []

    class Watched(ZoneInfo):
        def fromutc(self, instant):
            read_zones.append(instant)
            return super().fromutc(instant)

    beginning, *_ = changes(Watched.no_cache("Europe/Zurich"), 100, 1810)
    assert beginning.onset.year == 100
    assert len(read_zones) < 1000


def test_years_at_the_ends_of_time_are_no_error():
    assert changes(ZoneInfo("Europe/Zurich"), 0, 3)
    assert changes(ZoneInfo("Pacific/Kiritimati"), 9990, 9999)

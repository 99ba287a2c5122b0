"""Zones of iCalendar files: other names, and definitions that contradict a name."""

from datetime import datetime, timedelta, tzinfo

import pytest

from calendar_app.domain.timespan import settle
from calendar_app.domain.zones import zone_of
from calendar_app.sources.imports.ics.events import Languages
from calendar_app.sources.imports.ics.reader import CalendarReader
from calendar_app.sources.imports.ics.zones import same_clocks

ZURICH = "Europe/Zurich"
# Without daylight saving; the name promises it.
WINTER_ALL_YEAR = """BEGIN:VTIMEZONE
TZID:{name}
BEGIN:STANDARD
DTSTART:19700101T000000
TZOFFSETFROM:{offset}
TZOFFSETTO:{offset}
END:STANDARD
END:VTIMEZONE"""
# As plugins for WordPress write a zone: the onsets around their events, some an hour early or late.
ONSETS = """BEGIN:VTIMEZONE
TZID:{name}
BEGIN:STANDARD
DTSTART:20261025T020000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:20270328T030000
TZOFFSETFROM:+0100
TZOFFSETTO:{summer}
END:DAYLIGHT
END:VTIMEZONE"""
EUROPE = """BEGIN:VTIMEZONE
TZID:{name}
BEGIN:STANDARD
DTSTART:19701025T030000
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:19700329T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
END:DAYLIGHT
END:VTIMEZONE"""


def read(name, *lines, zone="", shown="", start=""):
    head = f"X-WR-TIMEZONE:{shown}" if shown else "VERSION:2.0"
    usual = f'DTSTART;TZID="{name}":20270706T190000' if name else "DTSTART:20270706T170000Z"
    event = ["BEGIN:VEVENT", "UID:one", "SUMMARY:Chor", start or usual, *lines, "END:VEVENT"]
    content = "\r\n".join(["BEGIN:VCALENDAR", head, *zone.splitlines(), *event, "END:VCALENDAR"])
    return CalendarReader(Languages(["de"], "de"), ZURICH).read(content.encode())


def span(parsed):
    (only,) = parsed.events
    times = {name: only.changes[name] for name in ("start", "end", "timezone", "all_day")}
    return settle(None, **times, site_timezone=ZURICH)


def at(parsed):
    return f"{span(parsed).start:%H:%M}", span(parsed).timezone


@pytest.mark.parametrize(
    ("name", "zone"),
    [
        ("W. Europe Standard Time", "Europe/Berlin"),
        ("(UTC+01:00) Amsterdam, Berlin, Bern, Rome", "Europe/Amsterdam"),
        ("/mozilla.org/20070129_1/Europe/Rome", "Europe/Rome"),
        ("/freeassociation.sourceforge.net/Europe/Vienna", "Europe/Vienna"),
        ("/softwarestudio.org/Tzfile/Europe/Berlin", "Europe/Berlin"),
        ("/Europe/Vienna", "Europe/Vienna"),
        ("/example.org/America/Argentina/Ushuaia", "America/Argentina/Ushuaia"),
        ("tzone://Microsoft/Utc", ZURICH),
        ("(GMT+01.00) Amsterdam / Berlin / Bern", "Europe/Amsterdam"),
        ("europe/zurich", ZURICH),
    ],
)
def test_zone_is_known_by_its_other_names(name, zone):
    hours = {"America/Argentina/Ushuaia": "22:00", "tzone://Microsoft/Utc": "19:00"}
    assert at(read(name)) == (hours.get(zone) or hours.get(name, "17:00"), zone)


def test_definition_that_agrees_with_its_name_says_nothing():
    parsed = read(ZURICH, "RRULE:FREQ=WEEKLY", zone=EUROPE.format(name=ZURICH))
    assert (at(parsed), parsed.left_out) == (("17:00", ZURICH), [])


def test_definition_that_contradicts_its_name_is_believed_and_told():
    parsed = read(ZURICH, zone=WINTER_ALL_YEAR.format(name=ZURICH, offset="+0100"))
    assert at(parsed) == ("18:00", ZURICH)
    ((label, words),) = parsed.left_out
    assert (label, ZURICH in words) == ('event one "Chor"', True)


def test_series_with_clocks_of_its_own_stays_on_them():
    zone = WINTER_ALL_YEAR.format(name=ZURICH, offset="+0530")
    parsed = read(ZURICH, "RRULE:FREQ=MONTHLY", zone=zone)
    assert at(parsed)[0] == "13:30"
    assert (parsed.refused, len(parsed.left_out)) == ([], 1)


@pytest.mark.parametrize("name", [ZURICH, "CiviCRM"])
@pytest.mark.parametrize(
    ("start", "utc"),
    [
        ("20270113T190000", "18:00"),
        ("20270706T190000", "17:00"),
        ("20271210T190000", "18:00"),
        ("20250113T190000", "18:00"),
    ],
)
def test_listed_onsets_contradict_nothing_outside_of_them(name, start, utc):
    """Winter within the onsets, the summer after them, the next winter, and an earlier one."""
    zone = ONSETS.format(name=name, summer="+0200")
    event = f"DTSTART;TZID={name}:{start}"
    for rule in ("TRANSP:OPAQUE", "RRULE:FREQ=WEEKLY;COUNT=60"):
        parsed = read("", rule, zone=zone, start=event)
        assert (at(parsed), parsed.left_out) == ((utc, ZURICH), [])


def test_listed_onsets_are_believed_between_them():
    wrong = ONSETS.format(name=ZURICH, summer="+0200").replace(
        "TZOFFSETTO:+0100", "TZOFFSETTO:+0000"
    )
    parsed = read("", zone=wrong, start=f"DTSTART;TZID={ZURICH}:20270113T190000")
    assert (at(parsed), len(parsed.left_out)) == (("19:00", ZURICH), 1)


def test_listed_onsets_of_another_zone_are_believed():
    zone = ONSETS.format(name="Club", summer="+0200").replace(
        "TZOFFSETTO:+0100", "TZOFFSETTO:-0300"
    )
    parsed = read("", zone=zone, start="DTSTART;TZID=Club:20270113T190000")
    assert at(parsed) == ("22:00", ZURICH)


def test_definition_of_another_file_is_forgotten():
    custom = "Customized Time Zone"
    assert at(read(custom, zone=EUROPE.format(name=custom)))[0] == "17:00"
    assert at(read(custom, zone=WINTER_ALL_YEAR.format(name=custom, offset="-0300")))[0] == "22:00"
    parsed = read(custom)
    assert (len(parsed.events), len(parsed.refused)) == (0, 1)


@pytest.mark.parametrize("line", ["RDATE", "EXDATE", "DTEND"])
def test_unknown_zone_is_named(line):
    parsed = read(ZURICH, "RRULE:FREQ=WEEKLY", f"{line};TZID=Nowhere:20270713T190000")
    ((_, reason),) = parsed.refused
    assert reason == f"{line} has an unknown time zone, Nowhere."


def test_time_in_utc_is_shown_in_the_zone_of_the_source():
    assert at(read("")) == ("17:00", ZURICH)
    assert at(read("", shown="Pacific Standard Time")) == ("17:00", "America/Los_Angeles")


def test_unknown_zone_of_a_calendar_is_named():
    parsed = read("", shown="Nowhere")
    assert (at(parsed)[1], [label for label, _ in parsed.left_out]) == (
        ZURICH,
        ["X-WR-TIMEZONE Nowhere"],
    )


class CountedClocks(tzinfo):
    """The clocks of Zurich, an hour behind on one day; count how often they are asked."""

    asked = 0

    def utcoffset(self, moment):
        self.asked += 1
        behind = timedelta(hours=moment.timetuple()[:3] == (2027, 7, 6))
        return moment.replace(tzinfo=zone_of(ZURICH)).utcoffset() - behind

    def dst(self, _):
        return timedelta()


def test_clocks_are_asked_for_each_week_and_each_time_alone():
    clocks = CountedClocks()
    starts = [datetime(2027, 1, 1, 19, tzinfo=clocks) + timedelta(days=day) for day in range(365)]
    names = [same_clocks(start, ZURICH, elsewhere=False) for start in starts]
    assert [start.day for start, name in zip(starts, names, strict=True) if name != ZURICH] == [6]
    assert clocks.asked < 1000

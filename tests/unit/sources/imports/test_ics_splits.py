"""RANGE=THISANDFUTURE: a series that changes from one date on becomes two."""

from calendar_app.domain.recurrence.expansion import expand
from calendar_app.domain.recurrence.notation import settle as settle_recurrence
from calendar_app.domain.timespan import settle
from calendar_app.sources.imports.ics.events import Languages
from calendar_app.sources.imports.ics.reader import CalendarReader

ZURICH = "Europe/Zurich"
MASTER = ("DTSTART;TZID=Europe/Zurich:20270104T190000", "DTEND;TZID=Europe/Zurich:20270104T200000")


def later(date, start, title, *lines):
    return (
        f"RECURRENCE-ID;RANGE=THISANDFUTURE;TZID={ZURICH}:{date}",
        f"DTSTART;TZID={ZURICH}:{start}",
        f"DTEND;TZID={ZURICH}:{start[:9]}{int(start[9:11]) + 2}0000",
        f"SUMMARY:{title}",
        *lines,
    )


def content(*events):
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x"]
    for event in events:
        lines += ["BEGIN:VEVENT", "UID:one", "DTSTAMP:20261101T100000Z", *event, "END:VEVENT"]
    return "\r\n".join([*lines, "END:VCALENDAR", ""]).encode()


def dates(event):
    """Return the starts of an event, with its title and length in hours."""
    times = {name: event.changes[name] for name in ("start", "end", "timezone", "all_day")}
    span = settle(None, **times, site_timezone=ZURICH)
    recurrence = settle_recurrence(event.recurrence, span, limit=1000)
    moved = {event.wall(each.date): each for each in event.overrides}
    for each in expand(recurrence, span, until=None, limit=100):
        override = moved.get(each.recurrence_id)
        changes = override.changes if override else event.changes
        start, end = (changes["start"], changes["end"]) if override else (None, None)
        wall = start.wall if start else each.span.start_local
        last = end.wall if end else each.span.end_local
        yield wall, changes["variants"]["de"]["title"], (last - wall).seconds // 3600


def read(*events):
    return CalendarReader(Languages(["de"], "de"), ZURICH).read(content(*events))


def written(parsed):
    """Return each part: its dates as ``day.month. hour``, with title and length of the last."""
    parts = []
    for event in parsed.events:
        shown = [*dates(event)]
        parts.append((" ".join(f"{start:%d.%m.%H}" for start, *_ in shown), *shown[-1][1:]))
    return parts


def test_series_is_split_where_it_changes():
    master = (*MASTER, "RRULE:FREQ=WEEKLY;COUNT=6", "SUMMARY:Chor")
    parsed = read(master, later("20270118T190000", "20270118T200000", "Band"))
    assert written(parsed) == [
        ("04.01.19 11.01.19", "Chor", 1),
        ("18.01.20 25.01.20 01.02.20 08.02.20", "Band", 2),
    ]
    first, second = parsed.events
    assert (first.source, second.source) == ("ics:one", "ics:one#20270118T190000")
    assert second.related == first.source
    assert (second.uid, second.recurrence_id) == ("one", "20270118T190000")


def test_series_is_moved_to_another_weekday():
    master = (*MASTER, "RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=6", "SUMMARY:Chor")
    parsed = read(master, later("20270118T190000", "20270119T190000", "Chor"))
    assert written(parsed) == [
        ("04.01.19 11.01.19", "Chor", 1),
        ("19.01.19 26.01.19 02.02.19 09.02.19", "Chor", 2),
    ]


def test_series_is_split_twice():
    master = (*MASTER, "RRULE:FREQ=WEEKLY;UNTIL=20270301T180000Z", "SUMMARY:Chor")
    parsed = read(
        master,
        later("20270118T190000", "20270118T200000", "Band"),
        later("20270201T190000", "20270201T180000", "Trio"),
    )
    assert [len([*dates(event)]) for event in parsed.events] == [2, 2, 5]
    assert [next(dates(event))[0].hour for event in parsed.events] == [19, 20, 18]


def test_dates_apart_stay_with_their_part():
    master = (
        *MASTER,
        "RRULE:FREQ=WEEKLY;COUNT=6",
        "SUMMARY:Chor",
        "EXDATE;TZID=Europe/Zurich:20270111T190000,20270125T190000",
    )
    apart = (
        f"RECURRENCE-ID;TZID={ZURICH}:20270201T190000",
        f"DTSTART;TZID={ZURICH}:20270202T100000",
        "DURATION:PT1H",
        "SUMMARY:Probe",
    )
    parsed = read(master, later("20270118T190000", "20270118T200000", "Band"), apart)
    first, second = parsed.events
    assert [f"{start:%d.%m. %H}" for start, *_ in dates(first)] == ["04.01. 19"]
    assert [f"{start:%d.%m. %H}" for start, *_ in dates(second)] == [
        "18.01. 20",
        "02.02. 10",
        "08.02. 20",
    ]


def test_change_from_the_first_date_on_takes_the_place_of_the_series():
    master = (*MASTER, "RRULE:FREQ=WEEKLY;COUNT=3", "SUMMARY:Chor")
    parsed = read(master, later("20270104T190000", "20270104T200000", "Band"))
    assert written(parsed) == [("04.01.20 11.01.20 18.01.20", "Band", 2)]

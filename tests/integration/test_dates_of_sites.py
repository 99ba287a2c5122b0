"""A site lists the coming dates of its series: what passes stays, what vanishes goes with care."""

import json

import pytest
from calendars import vevent
from small_calendar import HALL, SITE, event
from stored_series import dates_beside

from calendar_app.accounts.callers import Caller
from calendar_app.storage.query.list_query import Window

EDITOR = Caller(2, "editor", "editor")
# The clock shows 15 January 2030.
DAYS = ("2030-01-16", "2030-01-23", "2030-01-30", "2030-02-06", "2030-02-13")


def market(day, number=1, *, at="10:00:00", name="market", **fields):
    times = {"start_date": f"{day} {at}", "end_date": f"{day} 20:00:00"}
    address = {"url": f"https://{SITE}/event/{name}/{day}/", "slug": name, "website": ""}
    return event(10_000_000 + number, fields.pop("title", "Market"), **address | times | fields)


def markets(*days, **fields):
    return [market(day, number, **fields) for number, day in enumerate(days, 1)]


@pytest.fixture
def site(add, sources):
    """Return a function that reads dates as the list of coming events of the only source."""

    def reading(*events, vanished="trash", **options):
        ids = [each.source.id for each in sources.list(EDITOR)]
        source = ids[0] if ids else add(kind="tec", vanished=vanished)
        return read_dates(sources, source, *events, **options)

    return reading


def read_dates(sources, source, *events, **options):
    """Read dates as the list of coming events of a source."""
    page = json.dumps({"page": 1, "pages": 1, "events": events})
    return sources.readings.read(source, EDITOR, content=page.encode(), **options)


@pytest.fixture
def dates(listed):
    """Return a function that lists a field of all dates, by their days."""

    def of(field="title"):
        return {each["start_date"][:10]: each[field] for each in listed()}

    return of


@pytest.mark.parametrize("vanished", ["keep", "cancel", "trash"])
def test_coming_date_that_vanishes_goes_a_day_later_and_comes_back(site, dates, clock, vanished):
    def statuses():
        return dates("event_status")

    site(*markets(*DAYS), vanished=vanished)
    first, vanished_day, *rest = DAYS
    before = statuses()
    assert site(*markets(first, *rest)).numbers["vanished"] == 1
    assert statuses() == before
    clock.advance(hours=23)
    site(*markets(*rest))  # The first has passed.
    assert statuses() == before
    clock.advance(hours=2)
    preview = site(*markets(*rest), dry_run=True)
    (entry,) = [each for each in preview.entries if each["outcome"] == "vanished"]
    assert entry["start"] == f"{vanished_day} 10:00"
    reading = site(*markets(*rest))
    assert reading.numbers["vanished"] == 1
    without = {day: status for day, status in before.items() if day != vanished_day}
    after = {"keep": before, "cancel": before | {vanished_day: "canceled"}, "trash": without}
    assert statuses() == after[vanished]
    if vanished != "keep":
        assert "vanished" not in site(*markets(*rest)).numbers
        assert statuses() == after[vanished]
    site(*markets(vanished_day, *rest))
    assert statuses() == before


def test_new_hour_of_a_series_comes_with_its_further_dates(site, listed):
    site(*markets(*DAYS[:3]))
    site(*markets(*DAYS, at="11:00:00"))
    assert [each["start_date"] for each in listed()] == [f"{day} 11:00:00" for day in DAYS]


@pytest.mark.parametrize(("vanished", "field"), [("trash", "status"), ("cancel", "event_status")])
def test_reading_names_the_date_that_has_come_back(site, sources, clock, vanished, field):
    site(*markets(*DAYS), vanished=vanished)
    site(*markets(DAYS[0], *DAYS[2:]))
    clock.advance(hours=25)
    site(*markets(*DAYS[2:]))
    reading = site(*markets(*DAYS[1:]))
    (entry,) = sources.readings.entries(reading.id, EDITOR, Window(1, 50)).items
    assert entry["outcome"] == "changed"
    assert f"{DAYS[1]}T10:00:00 {field}" in entry["fields"]


@pytest.fixture
def two_series(add, read, sources, database):
    """Return a site, three dates as it lists them, and the ids of those of a club and its own."""
    series = ("LOCATION:Hall & Garden, Dorta", "RRULE:FREQ=WEEKLY;COUNT=3")
    read(
        add(name="Club", address="https://club.example/calendar.ics"),
        vevent("1@club", *series, title="Concert of the choir", start="20300116T190000"),
    )
    town = add(name="Town", kind="tec", address=f"https://{SITE}/", vanished="cancel")
    concert = {"title": "Choir: concert", "venue": HALL, "at": "19:00:00"}
    concerts = [
        market(day, number, end_date=f"{day} 21:00:00", **concert)
        for number, day in enumerate(DAYS[:3], 1)
    ]
    read_dates(sources, town, *concerts)
    (proposed,) = sources.decisions.pairs(EDITOR, Window(1, 10)).items
    both = [dates_beside(database, each) for each in proposed["events"]]
    return town, concerts, [[date["_id"] for date in dates] for dates in both]


def test_edit_of_a_date_that_the_site_gave_up_goes_when_series_become_one(
    two_series, sources, as_admin, clock
):
    town, (first, _, third), (of_club, of_site) = two_series
    edited = as_admin.put(f"/events/{of_site[1]}", excerpt="<p>In the hall</p>")
    assert edited.status_code == 200
    read_dates(sources, town, first, third)
    clock.advance(hours=25)
    read_dates(sources, town, third)
    answer = as_admin.get(f"/events/{of_site[1]}").json
    assert (answer["event_status"], answer["excerpt"]) == ("canceled", "<p>In the hall</p>")
    sources.decisions.unite(of_club[0], of_site[0], EDITOR)
    answer = as_admin.get(f"/events/{of_club[1]}").json
    assert (answer["event_status"], answer["excerpt"]) == ("scheduled", "")


def test_date_of_which_the_last_one_vanishes_leaves_those_that_have_passed(site, dates, clock):
    talk = event(1, "Talk", start_date="2030-05-01 19:00:00", end_date="2030-05-01 21:00:00")
    site(*markets(*DAYS[:2]), talk)
    clock.advance(days=2)
    for _ in range(3):
        site(talk)
        clock.advance(days=1, hours=1)
    assert DAYS[0] in dates()
    assert DAYS[1] not in dates()
    site(*markets(DAYS[1]), talk)
    assert DAYS[1] in dates()


def test_loss_of_many_dates_is_held_back_until_a_person_accepts_it(site, dates, clock):
    days = [f"2030-03-{day:02}" for day in range(1, 21)]
    site(*markets(*days))
    held = site(*markets(*days[:4]))
    assert (held.state, held.alarming, held.vanishing) == ("waiting", 16, 16)
    assert site(*markets(*days[:4]), accept=held.id).state == "done"
    clock.advance(days=2)
    assert site(*markets(*days[:4])).state == "done"
    assert sorted(dates()) == days[:4]


def test_date_at_another_time_of_its_day_has_not_vanished(site, listed, clock):
    site(*markets(*DAYS))
    moved = [market(DAYS[0], at="11:00:00"), *markets(*DAYS[1:])]
    assert site(*moved).numbers == {"changed": 1}
    clock.advance(hours=2)
    site(*markets(*DAYS, at="12:00:00"))
    clock.advance(days=2)
    site(*markets(*DAYS[1:], at="12:00:00"))
    assert len(listed()) == len(DAYS)


@pytest.mark.parametrize("by_hand", ["canceled", "trashed"])
def test_date_taken_away_by_hand_too_stays_away(site, dates, clock, as_admin, by_hand):
    site(*markets(*DAYS), vanished="cancel" if by_hand == "canceled" else "trash")
    path = f"/events/{dates('id')[DAYS[1]]}"
    if by_hand == "canceled":
        as_admin.put(path, event_status="canceled")
    site(*markets(DAYS[0], *DAYS[2:]))
    clock.advance(hours=25)
    site(*markets(*DAYS[2:]))
    if by_hand == "trashed":
        as_admin.put(path, status="publish")
        as_admin.delete(path)
    site(*markets(*DAYS[1:]))
    assert dates("event_status").get(DAYS[1], "canceled") == "canceled"


def test_both_dates_of_a_day_vanish(site, listed, clock):
    url = f"https://{SITE}/event/market/{DAYS[1]}-2/"
    later = market(DAYS[1], 9, at="15:00:00", url=url)
    rest = markets(*DAYS[2:])
    site(market(DAYS[1], 8), later, *rest)
    assert len(listed()) == 5
    assert site(*rest).numbers["vanished"] == 2
    clock.advance(days=1, hours=1)
    site(*rest)
    assert len(listed()) == 3


def test_date_at_another_time_here_vanishes_by_its_own_day(site, dates, listed, clock, as_admin):
    site(*markets(*DAYS))
    ids = dates("id")
    for moved, to, begin in ((DAYS[2], DAYS[2], 12), (DAYS[1], DAYS[2], 10)):
        times = {"start_date": f"{to} {begin}:00", "end_date": f"{to} {begin + 1}:00"}
        as_admin.put(f"/events/{ids[moved]}", **times)
    rest = [*DAYS[:2], *DAYS[3:]]
    site(*markets(*rest))
    clock.advance(hours=25)
    site(*markets(*rest[1:]))
    assert {each["id"] for each in listed()} == {ids[day] for day in rest}


@pytest.mark.parametrize(
    ("change", "field"),
    [({"title": "Fair"}, "title"), ({"cost": "CHF 5"}, "cost"), ({"at": "11:00:00"}, "start_date")],
    ids=["title", "price", "time"],
)
def test_dates_that_have_passed_stay_as_they_were(site, dates, clock, change, field):
    site(*markets(*DAYS))
    before = dates(field)
    clock.advance(days=9)
    site(*markets(*DAYS[2:], **change))
    after = dates(field)
    assert [after[day] for day in DAYS[:2]] == [before[day] for day in DAYS[:2]]
    assert all(after[day] != before[day] for day in DAYS[2:])


@pytest.mark.parametrize("first", ["import", "reading"])
@pytest.mark.parametrize(
    "change", [{"cost": "CHF 666"}, {"at": "03:00:00"}, {"title": "Hacked"}], ids=str
)
def test_mass_change_of_dates_is_held_back(site, import_calendar, first, change):
    def dates_of_series(**changed):
        return [
            market(day, 100 * number, name=f"market-{number}", **changed)
            for number in range(20)
            for day in DAYS
        ]

    if first == "import":
        import_calendar({"events": dates_of_series()})
    else:
        site(*dates_of_series())
    reading = site(*dates_of_series(**change))
    assert (reading.state, reading.alarming) == ("waiting", 100)

"""A month table has each event on each of its days, whatever clocks do meanwhile.

``MONTH_SEEDS`` says how many calendars by chance each month has; ``make test-pages`` makes many.
"""

import os
from datetime import date, datetime, time, timedelta
from random import Random

import pytest
from browsing import Browser
from calling import BASE, SITE, Client

SEEDS = range(int(os.environ.get("MONTH_SEEDS", "1")))
ZONES = (
    "Europe/Zurich",
    "America/New_York",
    "Pacific/Auckland",
    "Pacific/Kiritimati",
    "Pacific/Pago_Pago",
    "Asia/Kathmandu",
    "UTC",
)
# Months in which clocks change, and those in which a year or a short month ends.
MONTHS = ("2030-03", "2030-10", "2030-11", "2030-02", "2030-12", "2031-01")
# Around the hours that are skipped or come twice, and around midnight.
HOURS = ("00:00", "00:30", "01:59", "02:00", "02:30", "03:00", "12:00", "23:00", "23:59")
LENGTHS = (0, 0, 30, 60, 120, 180, 1440, 1441, 2880, 9000, 31000)  # minutes
A_DAY = timedelta(days=1)
MORNING = time(6)


def event_by_chance(random, month):
    """Return an event that begins shortly before a month, in it, or right after it."""
    first = datetime.fromisoformat(f"{month}-01")
    hour, minute = map(int, random.choice(HOURS).split(":"))
    start = first + timedelta(days=random.randint(-3, 32), hours=hour, minutes=minute)
    all_day = random.random() < 0.3
    minutes = random.choice(LENGTHS)
    return {
        "start_date": f"{start:%Y-%m-%d %H:%M:%S}",
        "end_date": f"{start + timedelta(minutes=minutes):%Y-%m-%d %H:%M:%S}",
        "timezone": random.choice(ZONES),
        "all_day": all_day,
    }


def days_of(event, day_begins=MORNING):
    """Yield the days on which an event is on, on the clocks of its own zone."""
    start = datetime.fromisoformat(event["start_date"])
    end = datetime.fromisoformat(event["end_date"])
    day = start.date()
    yield day
    # The night belongs to the evening before, unless nothing else is left of a day.
    while datetime.combine(day := day + A_DAY, day_begins) < end:
        yield day


def days_of_table(page, month):
    """Return for each day of a month the events that the table has there, and how many more."""
    days = {}
    for week in page.tree.xpath("//table[@class='month']/tbody"):
        numbers = [
            None if "is-beyond" in (cell.get("class") or "") else int(cell.text_content())
            for cell in week.xpath("tr[contains(@class, 'month-days')]/td")
        ]
        assert len(numbers) == 7
        drawn = [[] for _ in numbers]
        for lane in week.xpath("tr[@class='month-lane']"):
            column = 0
            for cell in lane.xpath("td"):
                span = int(cell.get("colspan", "1"))
                for covered in drawn[column : column + span]:
                    covered.extend(cell.xpath(".//a/@href"))
                column += span
            assert column == 7
        cells = week.xpath("tr[@class='month-events']/td")
        for number, links, cell in zip(numbers, drawn, cells, strict=True):
            links.extend(cell.xpath(".//li//a/@href"))
            more = "".join(cell.xpath(".//a[@class='more']/text()"))
            if number is None:
                assert (links, more) == ([], "")
            else:
                remaining = int("".join(filter(str.isdigit, more)) or "0")
                days[date.fromisoformat(f"{month}-{number:02}")] = links, remaining
    return days


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("month", MONTHS)
def test_month_table_has_each_event_on_each_of_its_days(app, make_event, month, seed):
    random = Random(f"{month} {seed}")  # noqa: S311 - repeatable, not secret
    events = [make_event(**event_by_chance(random, month)) for _ in range(random.choice((4, 25)))]
    expected = {}
    for event in events:
        for day in days_of(event):
            expected.setdefault(day, set()).add(event["url"].removeprefix(SITE))
    table = days_of_table(Browser(app)(f"/events/month/{month}/"), month)
    assert len(table) >= 28
    for day, (links, more) in table.items():
        whole = expected.get(day, set())
        assert len(links) == len(set(links)), day
        assert set(links) <= whole, day
        assert len(links) + more == len(whole), (day, whole.difference(links))


@pytest.mark.parametrize("month", MONTHS[:2])
def test_each_day_has_a_page_with_all_that_is_on(app, make_event, month):
    random = Random(month)  # noqa: S311 - repeatable, not secret
    events = [make_event(**event_by_chance(random, month)) for _ in range(20)]
    for number in range(1, 32):
        day = date.fromisoformat(f"{month}-{number:02}")
        page = Browser(app)(f"/events/{day}/")
        rows = page.tree.xpath("//*[@class='hour']//*[@class='event-title']/a/@href")
        on = {e["url"].removeprefix(SITE) for e in events if day in set(days_of(e))}
        assert sorted(rows) == sorted(on), day
        window = {"overlaps_from": f"{day}", "overlaps_to": f"{day} 23:59:59", "per_page": 50}
        listed = Client(app).send("GET", "/events", base=BASE, query_string=window).json["events"]
        by_clock = {e["url"].removeprefix(SITE) for e in events if day in set(days_of(e, time()))}
        assert {event["url"].removeprefix(SITE) for event in listed} == by_clock, day

"""A month holds each event on each of its days, across changes of clocks and zones."""

import pytest

ZONES = ["Europe/Zurich", "Pacific/Auckland", "America/New_York", "UTC+5.5"]
SPANS = [
    ("2030-03-30 22:00", "2030-03-31 04:00", [30]),
    ("2030-03-30 21:00", "2030-03-31 08:00", [30, 31]),
    ("2030-03-31 01:30", "2030-03-31 03:30", [31]),
    ("2030-03-10 20:00", "2030-03-11 00:00", [10]),
    ("2030-02-20 10:00", "2030-03-02 18:00", [1, 2]),
    ("2030-03-29 10:00", "2030-04-18 18:00", [29, 30, 31]),
    ("2030-03-04 00:00", "2030-03-24 23:59", list(range(4, 25))),
]


def days_of(page, title):
    """Return the days of the table that list an event."""
    days = set()
    for week in page.tree.xpath('//table[contains(@class, "month")]/tbody'):
        rows = week.xpath("./tr")
        numbers = [cell.text_content().strip() for cell in rows[0].xpath("./td")]
        beyond = ["is-beyond" in (cell.get("class") or "") for cell in rows[0].xpath("./td")]
        for row in rows[1:]:
            column = 0
            for cell in row.xpath("./td"):
                span = int(cell.get("colspan", 1))
                if title in cell.text_content():
                    assert not any(beyond[column : column + span])
                    days |= {int(number) for number in numbers[column : column + span]}
                column += span
            assert column == 7
    return sorted(days)


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("span", SPANS, ids=lambda span: span[0])
def test_event_is_on_each_of_its_days(browse, make_event, zone, span):
    start, end, days = span
    make_event(title="Concert", start_date=start, end_date=end, timezone=zone)
    assert days_of(browse("/events/month/2030-03/"), "Concert") == days


def test_all_day_event_is_on_each_of_its_days(browse, make_event):
    make_event(title="Fair", start_date="2030-03-05", end_date="2030-03-07", all_day=True)
    assert days_of(browse("/events/month/2030-03/"), "Fair") == [5, 6, 7]


def test_a_full_day_says_how_many_more_there_are(browse, make_event):
    for number in range(40):
        make_event(
            title=f"Event {number}", start_date="2030-03-12 10:00", end_date="2030-03-12 11:00"
        )
    page = browse("/events/month/2030-03/")
    (more,) = page.tree.xpath('//table//a[@class="more"]')
    assert more.text_content().startswith("37 weitere")
    assert more.get("href") == "/events/2030-03-12/"
    assert len(browse("/events/2030-03-12/").titles) == 40

"""The dates of a recurring event at a site, as one series to write."""

import pytest
from unit.imports.test_tec_records import FRANC, event

from calendar_app.imports.tec.reading import RecordReader
from calendar_app.imports.tec.series import DatesOfSeries, ImportedDate
from calendar_app.kinds import EVENT


def date(day, number, **fields):
    """Return one date of a series, as Events Calendar Pro shows it."""
    raw = event(
        id=10_000_000 + number,
        url=f"https://site.example/event/market/{day}/",
        slug=f"market-{day}",
        start_date=f"{day} 19:00:00",
        end_date=f"{day} 21:00:00",
        utc_start_date="",
        utc_end_date="",
        **fields,
    )
    (record,) = (
        RecordReader(language="de", languages=("de",), currency=FRANC).read(EVENT, [raw]).records
    )
    return ImportedDate(record, record.changes)


DAYS = [date("2027-05-01", 1), date("2027-05-08", 2), date("2027-05-15", 3)]


def test_a_date_more_is_a_change_of_the_series():
    whole, shorter = (DatesOfSeries(dates, "de").event() for dates in (DAYS, DAYS[:2]))
    assert whole.parts["dates"] == ["2027-05-01", "2027-05-08", "2027-05-15"]
    assert shorter.parts != whole.parts


def test_a_series_has_the_text_and_hour_of_most_of_its_dates():
    late = date("2027-05-22", 4, title="Night market")
    series = DatesOfSeries([*DAYS, late], "de").event()
    assert series.changes["variants"]["de"]["title"] == DAYS[0].texts["title"]
    (override,) = series.overrides
    assert override.changes["variants"] == {"de": {"title": "Night market"}}


@pytest.mark.parametrize("order", [slice(None), slice(None, None, -1)])
def test_the_series_begins_with_its_first_date_in_whatever_order_they_come(order):
    series = DatesOfSeries(DAYS[order], "de").event()
    assert f"{series.changes['start'].wall:%Y-%m-%d %H:%M}" == "2027-05-01 19:00"

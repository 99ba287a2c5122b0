"""The dates of a recurring event at a site, as one series to write."""

import pytest
from unit.sources.imports.test_tec_records import FRANC, event

from calendar_app.domain.kinds import EVENT
from calendar_app.sources.imports.tec.reading import RecordReader
from calendar_app.sources.imports.tec.series import DatesOfSeries, ImportedDate
from calendar_app.sources.merging import said_values
from calendar_app.sources.notes import fingerprint


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


def test_a_date_more_is_a_change_of_the_series_and_no_other_times():
    whole, shorter = (DatesOfSeries(dates, "de").event() for dates in (DAYS, DAYS[1:]))
    assert fingerprint(shorter) != fingerprint(whole)
    values = [said_values(each.changes, each.parts) for each in (whole, shorter)]
    assert values[0]["times"] == values[1]["times"]


def test_what_a_part_of_the_dates_says_of_a_rule_does_not_count():
    series = {"id": 5, "rrule": "FREQ=WEEKLY;COUNT=3"}
    dates = [
        date(day, number, series=series, recurrence_id=f"{day} 19:00:00")
        for number, day in enumerate(("2027-05-08", "2027-05-15"))
    ]
    assert DatesOfSeries(dates, "de").event().recurrence.rules
    part = DatesOfSeries(dates, "de", whole=False).event()
    assert not part.recurrence.rules
    assert (len(part.recurrence.rdates), part.adds_dates) == (2, True)


def test_a_series_has_the_text_and_hour_of_most_of_its_dates():
    late = date("2027-05-22", 4, title="Night market")
    series = DatesOfSeries([*DAYS, late], "de").event()
    assert series.changes["variants"]["de"]["title"] == DAYS[0].variants["de"]["title"]
    (override,) = series.overrides
    assert override.changes["variants"] == {"de": {"title": "Night market"}}


@pytest.mark.parametrize("order", [slice(None), slice(None, None, -1)])
def test_the_series_begins_with_its_first_date_in_whatever_order_they_come(order):
    series = DatesOfSeries(DAYS[order], "de").event()
    assert f"{series.changes['start'].wall:%Y-%m-%d %H:%M}" == "2027-05-01 19:00"

"""The lines that an import prints follow from the results of its records."""

from datetime import datetime

import pytest

from calendar_app.sources.imports.report import Report
from calendar_app.sources.results import Outcome, Result


def lines_of(*results, records=1):
    report = Report()
    for result in results:
        report.add("events", result, records=records)
    return list(report.lines())


@pytest.mark.parametrize(
    ("outcome", "counted"),
    [
        (Outcome.NEW, "1 created, 0 updated, 0 unchanged, 0 refused"),
        (Outcome.CHANGED, "0 created, 1 updated, 0 unchanged, 0 refused"),
        (Outcome.UNCHANGED, "0 created, 0 updated, 1 unchanged, 0 refused"),
        (Outcome.KEPT, "0 created, 0 updated, 1 unchanged, 0 refused"),
        (Outcome.FILTERED, "0 created, 0 updated, 1 unchanged, 0 refused"),
        (Outcome.OWN, "0 created, 0 updated, 1 unchanged, 0 refused"),
        (Outcome.REFUSED, "0 created, 0 updated, 0 unchanged, 1 refused"),
    ],
)
def test_each_record_is_counted_once_by_its_outcome(outcome, counted):
    assert lines_of(Result(outcome, "event 1"))[-2:] == [f"events: {counted}", f"all: {counted}"]


def test_dates_of_a_series_count_each():
    (line, _) = lines_of(Result(Outcome.NEW, "event 1"), records=3)
    assert line == "events: 3 created, 0 updated, 0 unchanged, 0 refused"


def test_refused_and_left_out_parts_are_named_with_their_reasons():
    shortened = Result(Outcome.NEW, "market", dates_from=datetime.fromisoformat("2030-01-01"))
    shortened.refused_dates = [("market on 2030-02-30", "no\nsuch day")]
    part = Result(Outcome.LEFT_OUT, "fair", reason="an attachment")
    assert lines_of(shortened, part, Result(Outcome.OWN, "concert"))[:-2] == [
        "Refused market on 2030-02-30: no such day",
        "Not listed of market: dates before 2030-01-01.",
        "Left out of fair: an attachment",
        "Left as they are, since they come from this calendar: 1",
    ]

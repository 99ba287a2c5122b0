"""The lines that an import prints follow from the results of its records."""

from datetime import datetime

import pytest

from calendar_app.sources.results import Joining, Outcome, Result
from calendar_app.sources.summary import Summary


def lines_of(*results, **options):
    summary = Summary(**options)
    for result in results:
        summary.add(result)
    return list(summary.lines())


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
    (line, _) = lines_of(Result(Outcome.NEW, "event 1", records=3))
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


def test_addresses_that_are_none_are_named_behind_the_result():
    dates = [("event 1", "website", "www\nhall"), ("event 2", "image", "none")]
    refused = [("event 1", "no such day")]
    result = Result(Outcome.NEW, "event 1", records=2, dropped=dates, refused_dates=refused)
    assert lines_of(result)[:3] == [
        "Refused event 1: no such day",
        "Dropped website of event 1: www hall is no address.",
        "Dropped image of event 2: none is no address.",
    ]


def test_joined_and_open_records_of_a_second_language_are_counted_by_collection():
    left = Result(
        Outcome.LEFT_OUT, "tag 3", kind="tags", reason="Nothing is like it.", joins=[Joining.OPEN]
    )
    venue = Result(Outcome.CHANGED, "venue 1", kind="venues", joins=[Joining.FILE])
    dates = Result(Outcome.NEW, "event 1", joins=[Joining.LINKS, Joining.LIKENESS], records=2)
    assert lines_of(left, venue, dates, second=True)[:5] == [
        "Left tag 3: Nothing is like it.",
        "venues joined: 0 by links, 1 by file, 0 by likeness, 0 left for a person",
        "events joined: 1 by links, 0 by file, 1 by likeness, 0 left for a person",
        "tags joined: 0 by links, 0 by file, 0 by likeness, 1 left for a person",
        "all joined: 1 by links, 1 by file, 1 by likeness, 1 left for a person",
    ]

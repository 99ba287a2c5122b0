"""Lists of running events are narrowed by how long events last."""

from datetime import datetime, timedelta

import pytest

from calendar_app.domain.fields import LASTS_UNDER
from calendar_app.domain.timespan import LENGTHS, lasts_under
from calendar_app.storage.query.clauses import (
    after,
    all_of,
    at_least,
    at_most,
    earliest_end,
    equals,
    not_any,
)
from calendar_app.storage.query.clauses import narrow_by_duration as narrow

NOON = datetime(2030, 1, 15, 12)  # noqa: DTZ001  # a wall clock
BY_START = (("start_local", 1), ("_id", 1))
STILL_ON = after("end_local", NOON)


def is_matched(clause, event):
    """Return whether an event matches a clause of the operators that are used here."""
    tests = {
        "$eq": lambda value, bound: value == bound,
        "$gt": lambda value, bound: value > bound,
        "$gte": lambda value, bound: value >= bound,
        "$lte": lambda value, bound: value <= bound,
    }
    return all(
        any(is_matched(part, event) for part in value)
        if name == "$or"
        else all(is_matched(part, event) for part in value)
        if name == "$and"
        else all(tests[operator](event[name], bound) for operator, bound in value.items())
        for name, value in clause.items()
    )


@pytest.mark.parametrize(
    "clause",
    [
        STILL_ON,
        all_of([STILL_ON, equals("status", "publish")]),
        all_of([STILL_ON, at_most("start_local", NOON + timedelta(days=30))]),
        all_of([STILL_ON, after("end_local", NOON - timedelta(days=1))]),
    ],
)
@pytest.mark.parametrize("order", [BY_START, (("start_local", -1), ("_id", -1))])
def test_narrowed_list_has_the_same_events_and_looks_back_no_further_than_they_last(clause, order):
    narrowed = narrow(clause, order)
    assert len(narrowed["$or"]) == len(LENGTHS) + 1
    for days in (0, 1, 7, 8, 63, 64, 511, 512, 900):
        for begun in (0, 1, days, days + 1):
            start = NOON - timedelta(days=begun, hours=-1)
            end = start + timedelta(days=days)
            event = {"start_local": start, "end_local": end, "status": "publish"}
            event[LASTS_UNDER] = lasts_under(start, end)
            assert is_matched(narrowed, event) == is_matched(clause, event)
    for days, part in zip(LENGTHS, narrowed["$or"], strict=False):
        assert at_least("start_local", NOON - timedelta(days=days)) in part["$and"]


@pytest.mark.parametrize(
    "clause",
    [
        equals("status", "publish"),
        all_of([STILL_ON, at_least("start_local", NOON)]),
        all_of([STILL_ON, after("start_local", NOON)]),
        all_of([STILL_ON, equals("venues", 5)]),
        all_of([STILL_ON | equals("venues", 5)]),
        after("end_local", "a text"),
    ],
)
def test_list_with_a_better_index_or_without_a_moment_stays_as_it_is(clause):
    assert narrow(clause, BY_START) == clause


@pytest.mark.parametrize("order", [(("_id", 1),), (), None, (("published", -1), ("_id", -1))])
def test_list_in_another_order_stays_as_it_is(order):
    assert narrow(STILL_ON, order) == STILL_ON


@pytest.mark.parametrize(
    ("clause", "end"),
    [
        (STILL_ON, NOON),
        (at_least("end_local", NOON), NOON),
        (all_of([STILL_ON, after("end_local", NOON - timedelta(days=1))]), NOON),
        (all_of([STILL_ON, equals("status", "publish"), at_most("start_local", NOON)]), NOON),
        (all_of([STILL_ON, not_any([equals("hidden", True)])]), NOON),
        (all_of([STILL_ON, equals("categories", 7)]), None),
        (all_of([STILL_ON, at_least("modified", NOON)]), None),
        (at_most("end_local", NOON), None),
        (at_least("start_local", NOON), None),
    ],
)
def test_earliest_end_is_that_of_lists_by_start_and_end_alone(clause, end):
    assert earliest_end(clause) == end

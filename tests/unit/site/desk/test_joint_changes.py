"""One change of several events, as the body of the interface for each of them."""

from datetime import datetime, timedelta

import pytest

from calendar_app.domain.replacement import Replacement
from calendar_app.errors import InvalidParameters
from calendar_app.site.desk.together.change import JointChange


def event(start="2030-03-30 19:00", end="2030-03-30 21:00", **fields):
    times = {"start_local": start, "end_local": end}
    usual = {"all_day": False, "categories": [1, 2], "tags": [], "variants": {}}
    return {**{n: datetime.fromisoformat(text) for n, text in times.items()}, **usual, **fields}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (JointChange(), {}),
        (JointChange({"cost": "20"}), {"cost": "20"}),
        (JointChange({"venue": []}), {"venue": []}),
        (
            JointChange(offset=timedelta(days=7)),
            {"start_date": "2030-04-06 19:00:00", "end_date": "2030-04-06 21:00:00"},
        ),
        (
            JointChange(offset=-timedelta(hours=20)),
            {"start_date": "2030-03-29 23:00:00", "end_date": "2030-03-30 01:00:00"},
        ),
        (JointChange(added={"categories": [3]}), {"categories": [1, 2, 3]}),
        (JointChange(taken={"categories": frozenset({1})}), {"categories": [2]}),
        (JointChange(taken={"categories": frozenset({9})}), {}),
        (
            JointChange(added={"categories": [3]}, taken={"categories": frozenset({1})}),
            {"categories": [2, 3]},
        ),
        (JointChange(added={"tags": ["new"]}), {"tags": ["new"]}),
        (JointChange(replacement=Replacement("a", "b")), {}),
    ],
)
def test_body_says_what_changes_and_nothing_else(change, expected):
    assert change.body_for(event()) == expected


@pytest.mark.parametrize(
    ("offset", "fields"),
    [
        (timedelta(hours=1), {"all_day": True}),
        (timedelta(days=1), {"start": "9999-12-31 10:00", "end": "9999-12-31 11:00"}),
        (-timedelta(days=1), {"start": "0001-01-01 10:00", "end": "0001-01-01 11:00"}),
    ],
)
def test_move_that_no_event_can_make_is_refused(offset, fields):
    with pytest.raises(InvalidParameters) as refusal:
        JointChange(offset=offset).body_for(event(**fields))
    assert "start_date" in refusal.value.reasons


def test_whole_days_are_moved_by_days():
    body = JointChange(offset=timedelta(days=1)).body_for(event(all_day=True))
    assert body["start_date"] == "2030-03-31 19:00:00"

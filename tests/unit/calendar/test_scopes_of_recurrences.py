"""Which dates of a series can get another recurrence."""

import pytest

from calendar_app.calendar.series.changing import ALL, FOLLOWING, THIS, SeriesRequest
from calendar_app.domain.recurrence.notation import SentRecurrence
from calendar_app.domain.recurrence.rules import parse_rule
from calendar_app.errors import InvalidParameters

RULE = SentRecurrence((parse_rule("FREQ=DAILY;COUNT=2"),))
CLEARED = SentRecurrence()


@pytest.mark.parametrize(
    ("recurrence", "scope"),
    [(RULE, FOLLOWING), (RULE, ALL), (CLEARED, ALL), (None, THIS), (None, FOLLOWING)],
)
def test_several_dates_take_a_recurrence_and_one_date_takes_none(recurrence, scope):
    SeriesRequest(recurrence=recurrence, scope=scope).require_scope()


@pytest.mark.parametrize(
    ("recurrence", "scope", "reason"),
    [
        (RULE, THIS, "One occurrence has no recurrence"),
        (CLEARED, THIS, "To clear the recurrence, send scope=all"),
        (CLEARED, FOLLOWING, "To clear the recurrence, send scope=all"),
    ],
)
def test_refusal_says_which_scope_to_send(recurrence, scope, reason):
    with pytest.raises(InvalidParameters) as refusal:
        SeriesRequest(recurrence=recurrence, scope=scope).require_scope()
    assert reason in str(refusal.value.reasons["recurrence"])

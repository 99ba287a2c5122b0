"""When a delivery is tried again, when it is given up, and when a receiver is."""

from datetime import datetime, timedelta
from itertools import pairwise

import pytest

from calendar_app.changes.webhooks.retrying import judge
from calendar_app.changes.webhooks.sending import Attempt
from calendar_app.changes.webhooks.webhook import Standing

BEGIN = datetime(2030, 1, 15, 12)  # noqa: DTZ001  # naive UTC, as records have it


def attempt(status, at=BEGIN, **more):
    return Attempt(at, 0.1, status, **more)


def history(status, until):
    """Return when a lone delivery is tried, and why that ends, if all is answered alike."""
    standing, now, attempts_made, moments = Standing(), BEGIN, 0, []
    while now < BEGIN + until:
        moments.append(now - BEGIN)
        attempts_made += 1
        verdict = judge(standing, attempt(status, now), attempts_made, BEGIN)
        standing = verdict.standing
        if verdict.ends:
            return moments, verdict.ends
        now = max(verdict.due, standing.rests_until or now)
    return moments, ""


def test_pauses_grow_and_three_days_end_a_receiver_that_is_down():
    moments, ends = history(0, timedelta(days=30))
    pauses = [later - earlier for earlier, later in pairwise(moments)]
    assert pauses == sorted(pauses)
    assert pauses[0] == timedelta(seconds=5)
    assert pauses[-1] == timedelta(hours=8)
    assert ends == "unreachable"
    assert timedelta(days=3) <= moments[-1] < timedelta(days=3, hours=8)


def test_ten_refusals_end_a_receiver_within_a_day():
    moments, ends = history(404, timedelta(days=30))
    assert (len(moments), ends) == (10, "refused")
    assert timedelta(hours=1) < moments[-1] < timedelta(days=1)


def test_gone_ends_a_receiver_at_once():
    assert history(410, timedelta(days=30)) == ([timedelta()], "gone")


def test_what_is_taken_makes_all_good():
    failing = Standing(9, 9, BEGIN, BEGIN)
    verdict = judge(failing, attempt(200), 5, BEGIN)
    assert (verdict.standing, verdict.due, verdict.ends) == (Standing(), None, "")


def test_receiver_that_takes_others_is_not_ended_by_one_that_it_never_takes():
    created = BEGIN - timedelta(days=3)
    verdict = judge(Standing(), attempt(400), 20, created)
    assert verdict.is_given_up
    assert not verdict.ends


def test_receiver_rests_after_three_failures():
    standing = Standing()
    for attempts_made in (1, 2):
        standing = judge(standing, attempt(500), attempts_made, BEGIN).standing
        assert standing.rests_until is None
    standing = judge(standing, attempt(500), 3, BEGIN).standing
    assert standing.rests_until == BEGIN + timedelta(seconds=5)


@pytest.mark.parametrize(("retry_after", "pause"), [(60, 60), (2, 5), (10**9, 3600)])
def test_receiver_may_ask_for_a_longer_pause_up_to_an_hour(retry_after, pause):
    verdict = judge(Standing(), attempt(503, retry_after=retry_after), 1, BEGIN)
    assert verdict.due == BEGIN + timedelta(seconds=pause)


def test_trouble_in_between_breaks_a_row_of_refusals():
    standing = Standing(failures=9, refusals=9, failing_since=BEGIN)
    assert judge(standing, attempt(503), 10, BEGIN).standing.refusals == 0


def test_delivery_that_is_taken_ends_well():
    failing = Standing(failures=3)
    verdict = judge(failing, attempt(200), 4, BEGIN)
    assert (verdict.standing, verdict.ends) == (Standing(), "")
    assert not verdict.is_given_up


def test_third_day_of_failures_ends_a_receiver():
    failing = Standing(failures=1, failing_since=BEGIN)
    for waited, ends in (
        (timedelta(days=3) - timedelta(seconds=1), ""),
        (timedelta(days=3), "unreachable"),
    ):
        assert judge(failing, attempt(500, BEGIN + waited), 2, BEGIN + waited).ends == ends

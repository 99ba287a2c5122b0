"""When a delivery is tried again, and when a receiver is given up."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from calendar_app.changes.webhooks.sending import Attempt
from calendar_app.changes.webhooks.webhook import GONE, REFUSED, UNREACHABLE, Standing

_PAUSES = tuple(
    timedelta(seconds=seconds)
    for seconds in (5, 30, 120, 600, 1800, 3600, 2 * 3600, 4 * 3600, 8 * 3600)
)
PATIENCE = timedelta(days=3)
_LONGEST_ASKED = timedelta(hours=1)
# Failures in a row after which a receiver counts as down: what else waits is not tried meanwhile.
_DOWN_AFTER = 3
_MOST_REFUSALS = 10


@dataclass(frozen=True, slots=True)
class Verdict:
    """The consequences of an attempt: ``due`` is the next one, ``ends`` why there is none."""

    standing: Standing
    due: datetime | None = None
    is_given_up: bool = False
    ends: str = ""


def judge(standing: Standing, attempt: Attempt, attempts_made: int, created: datetime) -> Verdict:
    """Decide how a delivery goes on after the last of ``attempts_made`` since ``created``."""
    if attempt.is_taken:
        return Verdict(Standing())
    now = attempt.at
    after = replace(
        standing,
        failures=standing.failures + 1,
        refusals=standing.refusals + 1 if attempt.is_refused else 0,
        failing_since=standing.failing_since or now,
    )
    if ends := _end(after, attempt):
        return Verdict(after, now, ends=ends)  # Once it is switched on, at once.
    pause = min(timedelta(seconds=attempt.retry_after), _LONGEST_ASKED)
    if after.failures >= _DOWN_AFTER:
        rest = max(_pause(after.failures - _DOWN_AFTER), pause)
        after = replace(after, rests_until=now + rest)
    if now - created >= PATIENCE:
        return Verdict(after, is_given_up=True)
    return Verdict(after, now + max(_pause(attempts_made - 1), pause))


def _end(standing: Standing, attempt: Attempt) -> str:
    if attempt.is_gone:
        return GONE
    if standing.refusals >= _MOST_REFUSALS:
        return REFUSED
    since = standing.failing_since or attempt.at
    return UNREACHABLE if attempt.at - since >= PATIENCE else ""


def _pause(place: int) -> timedelta:
    return _PAUSES[min(place, len(_PAUSES) - 1)]

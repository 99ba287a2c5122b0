"""Jobs of the service: each runs by itself, and logs its changes."""

import pytest
from structlog.testing import capture_logs

from calendar_app.assembly.background import run_jobs
from calendar_app.calendar.auditing import note_change
from calendar_app.domain.kinds import EVENT
from calendar_app.errors import Unavailable


@pytest.mark.parametrize("error", [Unavailable(), ZeroDivisionError("a defect")])
def test_a_job_that_fails_keeps_no_other_from_running(error):
    def fail():
        raise error

    jobs = {"failing": fail, "publishing": lambda: note_change("publish", EVENT, 12)}
    with capture_logs() as lines:
        run_jobs(jobs)

    assert [(line["job"], line["event"]) for line in lines] == [
        ("failing", "job failed"),
        ("publishing", "audit"),
    ]
    assert (lines[1]["action"], lines[1]["record"]) == ("publish", "event 12")


def test_reason_of_an_outage_is_logged_in_words():
    def fail():
        raise Unavailable

    with capture_logs() as lines:
        run_jobs({"failing": fail})
    (line,) = lines
    assert line["error"] == "The database cannot be reached."

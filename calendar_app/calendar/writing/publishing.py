"""Runs the jobs of the service on a timer, in a thread of each worker."""

import os
import threading
import time
from collections.abc import Callable, Mapping

import structlog

from calendar_app.calendar.auditing import begin_audit
from calendar_app.errors import CalendarError

Jobs = Mapping[str, Callable[[], object]]


def publish_periodically(jobs: Jobs, seconds: float) -> None:
    """Run the ``jobs``, by name, every ``seconds`` in a daemon thread, in forked children too."""

    def start() -> None:
        threading.Thread(target=_run, args=(jobs, seconds), name="jobs", daemon=True).start()

    os.register_at_fork(after_in_child=start)
    start()


def run_jobs(jobs: Jobs) -> None:
    """Run each job once, and log what it changed; one that fails leaves the others alone."""
    for name, job in jobs.items():
        logger = structlog.get_logger().bind(job=name)
        audit = begin_audit()
        try:
            job()
        except CalendarError as error:
            logger.warning("job failed", error=str(error) or repr(error))
        except Exception:
            logger.exception("job failed")
        for change in audit.changes:
            record = f"{change.kind} {change.id}"
            logger.info("audit", action=change.action, record=record, user=None)


def _run(jobs: Jobs, seconds: float) -> None:
    while True:
        run_jobs(jobs)
        time.sleep(seconds)

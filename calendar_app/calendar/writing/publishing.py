"""Runs the scheduler on a timer, in a thread of each worker."""

import os
import threading
import time
from collections.abc import Callable, Sequence

import structlog


def publish_periodically(due: Sequence[Callable[[], object]], seconds: float) -> None:
    """Call each of ``due`` every ``seconds`` in a daemon thread, in forked children too."""

    def start() -> None:
        threading.Thread(target=_run, args=(due, seconds), name="publish-due", daemon=True).start()

    os.register_at_fork(after_in_child=start)
    start()


def _run(due: Sequence[Callable[[], object]], seconds: float) -> None:
    while True:
        try:
            for each in due:
                each()
        except Exception as error:  # noqa: BLE001 - the thread outlives an outage of the database
            structlog.get_logger().warning("publish-due", error=str(error) or type(error).__name__)
        time.sleep(seconds)

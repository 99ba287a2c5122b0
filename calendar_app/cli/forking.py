"""Lets a worker end from its first moment on.

gunicorn forks a worker, which then has the master's handlers until it has set its own: what was
sent to it in between it would put into a queue that only the master reads. So a service that was
stopped as soon as it had started waited for its workers in vain, until it killed them.
"""

import os
import signal

_ENDING = (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM)


def heed_the_end_from_the_start() -> None:
    """Let processes that this one forks end on a signal that comes before they have handlers."""
    os.register_at_fork(
        before=_hold_signals, after_in_parent=_release_signals, after_in_child=_begin
    )


def _hold_signals() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)


def _release_signals() -> None:
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)


def _begin() -> None:
    for number in _ENDING:
        signal.signal(number, lambda *_: os._exit(os.EX_OK))
    _release_signals()

"""Ends a process with its parent."""

import ctypes
import os
import signal
import sys

_SET_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of prctl(2)


def end_with_parent(parent: int) -> None:
    """Let the kernel kill this process when ``parent``, which started it, ends in any way.

    A worker that outlived its master would keep the port.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(os.EX_UNAVAILABLE)

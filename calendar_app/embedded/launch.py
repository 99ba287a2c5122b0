"""Becomes the program given, which ends when the thread that started this one ends.

Started as a script with bare Python: ``launch.py PARENT PROGRAM [ARGUMENT…]``.
"""

import ctypes
import os
import signal
import sys

_SET_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of prctl(2)


def launch(parent: int, command: list[str]) -> None:
    """Replace this process by ``command``, unless ``parent`` is dead already."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, signal.SIGTERM)
    if os.getppid() == parent:
        os.execv(command[0], command)  # noqa: S606 - no shell is wanted


if __name__ == "__main__":
    launch(int(sys.argv[1]), sys.argv[2:])

"""Becomes the program given, which ends when the thread that started this one ends.

Started as a script with bare Python: ``launch.py PARENT PROGRAM [ARGUMENT…]``.
"""

import ctypes
import os
import signal
import sys

_SET_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of prctl(2)


def end_with_parent(parent: int, number: signal.Signals = signal.SIGKILL) -> None:
    """Let the kernel end this process when ``parent``, which started it, ends in any way.

    A worker that outlived its master would keep the port, a mongod the directory.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, number)
    if os.getppid() != parent:
        os._exit(os.EX_UNAVAILABLE)


def launch(parent: int, command: list[str]) -> None:
    """Replace this process by ``command``, unless ``parent`` is dead already."""
    end_with_parent(parent, signal.SIGTERM)
    os.execv(command[0], command)  # noqa: S606 - no shell is wanted


if __name__ == "__main__":
    launch(int(sys.argv[1]), sys.argv[2:])

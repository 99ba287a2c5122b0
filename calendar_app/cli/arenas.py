"""Keeps the memory of a worker together.

The allocator of glibc gives every thread an arena, and an arena keeps what its largest answer
took. Python's threads take turns anyway, so that one arena for all costs nothing.
https://sourceware.org/glibc/wiki/MallocInternals
"""

import ctypes
import platform

_M_ARENA_MAX = -8  # as in malloc.h


def share_one_arena() -> None:
    """Let all threads of this process, and of those that it forks, allocate from one arena.

    Only threads that begin later heed it. Other allocators than that of glibc have no arenas.
    """
    if platform.libc_ver()[0] == "glibc":
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 1)

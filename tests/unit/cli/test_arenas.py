"""A worker does not keep memory for each of its threads."""

import platform
import subprocess
import sys

import pytest

# Threads that allocate side by side; glibc tells in XML how many heaps that took.
SIDE_BY_SIDE = """
import ctypes, sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from calendar_app.cli.arenas import share_one_arena

if sys.argv[1] == "shared":
    share_one_arena()
libc, begun = ctypes.CDLL(None), Barrier(4)
libc.malloc.restype, libc.fdopen.restype = ctypes.c_void_p, ctypes.c_void_p
libc.malloc_info.argtypes = ctypes.c_int, ctypes.c_void_p
libc.fflush.argtypes = (ctypes.c_void_p,)

def allocate(_):
    begun.wait()
    return libc.malloc(100_000)

with ThreadPoolExecutor(4) as pool:
    list(pool.map(allocate, range(4)))
out = libc.fdopen(1, b"w")
libc.malloc_info(0, out)
libc.fflush(out)
"""


def heaps(way):
    told = subprocess.run(
        [sys.executable, "-c", SIDE_BY_SIDE, way], capture_output=True, text=True, check=True
    )
    return told.stdout.count("<heap nr=")


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another allocator")
def test_threads_share_one_arena():
    assert heaps("shared") == 1
    assert heaps("apart") > 1

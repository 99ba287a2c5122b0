"""The memory of a worker: what lasts is not looked through again, what is free goes back."""

import ctypes
import gc
import time
from threading import Thread

# Between two returns; each takes some milliseconds.
_PAUSE = 60  # seconds


def settle() -> None:
    """Exempt present objects from garbage collection, and return free memory from now on.

    What lasts as long as the worker paused it for 80 ms each time it was looked through.
    """
    gc.collect()
    gc.freeze()
    gc.enable()
    Thread(target=_return_memory, name="memory", daemon=True).start()


def _return_memory() -> None:
    """Return what large answers leave between what is kept: of glibc, a tenth of a worker.

    It returns the end of its heap by itself, and nothing before that. Other libraries do without.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    while trim:
        time.sleep(_PAUSE)
        trim(0)

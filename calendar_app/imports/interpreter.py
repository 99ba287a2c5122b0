"""How Python is to run while many records come and go."""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

# Some batches of records are fewer objects. By default Python looks much more often whether there
# are cycles among new ones; what has none goes at once in any case.
_NEW_OBJECTS = 100_000
# Seconds: a tenth of what it is by default. So long may a thread compute while another one, which
# has just got an answer of the database and wants to ask the next question, waits for its turn.
_TURN = 0.0005


@contextmanager
def tuned_for_records() -> Iterator[None]:
    """Let it run so in the block."""
    threshold, turn = gc.get_threshold(), sys.getswitchinterval()
    tune_for_records()
    try:
        yield
    finally:
        gc.set_threshold(*threshold)
        sys.setswitchinterval(turn)


def tune_for_records() -> None:
    """Let it run so from now on."""
    gc.set_threshold(_NEW_OBJECTS, *gc.get_threshold()[1:])
    sys.setswitchinterval(_TURN)

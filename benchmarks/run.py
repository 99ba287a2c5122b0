"""``make bench``: how fast the service is on this machine, and whether that is enough.

Starts the service with 2,000 events on a port of this machine, with its own mongod in a directory
of its own, and removes all of it at the end. The figures are comparable where the machine has
nothing else to do; the share of the floor, which is measured in turn with them, always is.
"""

import argparse
import signal
import sys
import tempfile
from pathlib import Path

from calls import calls
from filling import fill
from measure import measure
from service import serving
from table import table
from workers import memory

_EVENTS, _ROUNDS, _SECONDS = 2000, 5, 2.0
_FEW_EVENTS, _SHORT = 50, 0.1


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description="Measure how fast the service is.")
    parser.add_argument(
        "--quick", action="store_true", help="only see that it works: the figures mean nothing"
    )
    quick = parser.parse_args().quick
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # So that what was started is ended.
    with tempfile.TemporaryDirectory(prefix="calendar-bench-") as name:
        directory = Path(name)
        with serving(directory) as port:
            called = calls(fill(directory, _FEW_EVENTS if quick else _EVENTS))
            rounds, seconds = (1, _SHORT) if quick else (_ROUNDS, _SECONDS)
            loads = measure(port, called, rounds, seconds)
            print(table(called, loads, memory(port)))


if __name__ == "__main__":
    main()

"""``make bench``: how fast the service is on this machine, and whether that is enough.

Starts the service with 10,000 events on a port of this machine, with its own mongod in a directory
of its own, and removes all of it at the end: once so that every answer is made anew, then as it is
delivered. The figures are comparable where the machine has nothing else to do; the share of the
floor, which is measured in turn with them, always is.
"""

import argparse
from collections.abc import Sequence

from calls import Call, cached_calls, uncached_calls
from disk_usage import disk_usage
from measure import measure
from service import scratch, serving
from small_calendar import fill
from table import Measured, table
from workers import memory

_EVENTS, _ROUNDS, _SECONDS = 10_000, 4, 1.5
_FEW_EVENTS, _SHORT = 50, 0.1


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description="Measure how fast the service is.")
    parser.add_argument(
        "--quick", action="store_true", help="only see that it works: the figures mean nothing"
    )
    quick = parser.parse_args().quick
    with scratch() as directory:
        with serving(directory, CALENDAR_CACHE_ANSWERS="false") as port:
            calendar = fill(directory, _FEW_EVENTS if quick else _EVENTS)
            uncached = _measured(port, uncached_calls(calendar), quick=quick)
        with serving(directory) as port:
            cached = _measured(port, cached_calls(calendar), quick=quick)
            print(table([uncached, cached], memory(port), disk_usage(directory)))


def _measured(port: int, calls: Sequence[Call], *, quick: bool) -> Measured:
    rounds, seconds = (1, _SHORT) if quick else (_ROUNDS, _SECONDS)
    return measure(port, calls, rounds, seconds)


if __name__ == "__main__":
    main()

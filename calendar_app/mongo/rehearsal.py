"""A store for dry runs, which rolls back all writes."""

from itertools import count

from calendar_app.mongo.store import Store

# Sequences of real calendars end long before.
_FIRST = 2**48


class DryRunStore(Store):
    """Takes no number of a sequence, since that is stored outside of transactions."""

    _numbers = count(_FIRST)

    def next_ids(self, sequence: str, number: int) -> range:
        """Return numbers that no sequence gives."""
        del sequence
        first = next(self._numbers)
        for _ in range(number - 1):
            next(self._numbers)
        return range(first, first + number)

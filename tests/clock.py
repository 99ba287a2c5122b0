"""The present of the tests."""

from datetime import UTC, datetime, timedelta

NOON = datetime(2030, 1, 15, 12, tzinfo=UTC)


class Clock:
    """A clock that stands still until it is told to go on."""

    def __init__(self):
        self.now = NOON

    def __call__(self):
        return self.now

    def advance(self, **span):
        self.now += timedelta(**span)

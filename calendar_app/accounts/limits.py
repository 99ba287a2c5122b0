"""How many wrong secrets are too many."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True)
class Limit:
    """At most ``attempts`` wrong secrets within ``window``; further ones are refused."""

    attempts: int
    window: timedelta = timedelta(minutes=1)

    def retry_after(self, times: Sequence[datetime], now: datetime) -> int:
        """Return in how many seconds there are few enough again, rounded up; 0: there are.

        ``times`` are those of wrong secrets, in any order.
        """
        recent = sorted(time for time in times if time > now - self.window)
        if len(recent) < self.attempts:
            return 0
        leaves_window = recent[-self.attempts] + self.window
        return max(1, math.ceil((leaves_window - now).total_seconds()))


PER_USER = Limit(10)
PER_ADDRESS = Limit(30)

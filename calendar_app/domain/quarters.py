"""Quarters of years, numbered through: the parts of time by which indexes tell events apart."""

from datetime import datetime

_MONTHS, _A_YEAR = 3, 4


def quarter_of(moment: datetime) -> int:
    """Return the number of the quarter; the next one has the next number."""
    return moment.year * _A_YEAR + (moment.month - 1) // _MONTHS

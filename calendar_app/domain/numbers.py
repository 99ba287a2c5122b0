"""The numbers that records can have, and the ids that none of them gets.

A fresh WordPress has given its first ids away, to a post, two pages and a category that are no
events. Sites that move here keep their ids; so the same ones stay free of records.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

# The largest whole number that MongoDB stores.
LARGEST = 2**63 - 1
# The name of a sequence to the last id before its first.
RESERVED: Mapping[str, int] = MappingProxyType({"records": 3, "terms": 1})
# ASCII only: ``int`` reads the digits of all scripts.
_DIGITS = re.compile(r"[0-9]+")
_MOST_DIGITS = len(str(LARGEST))


def parse_digits(text: str) -> int | None:
    """Return digits as a number, at most ``LARGEST``; ``None`` for any other text.

    Python refuses to read thousands of digits, MongoDB to store more than 64 bits.
    """
    if not _DIGITS.fullmatch(text):
        return None
    return min(int(text.lstrip("0")[: _MOST_DIGITS + 1] or "0"), LARGEST)


def is_reserved(sequence: str, number: int) -> bool:
    return 1 <= number <= RESERVED.get(sequence, 0)

"""The numbers that records can have, and the ids that none of them gets.

A fresh WordPress has given its first ids away, to a post, two pages and a category that are no
events. Sites that move here keep their ids; so the same ones stay free of records.
"""

from collections.abc import Mapping
from types import MappingProxyType

# The largest whole number that MongoDB stores.
LARGEST = 2**63 - 1
# The name of a sequence to the last id before its first.
RESERVED: Mapping[str, int] = MappingProxyType({"records": 3, "terms": 1})


def is_reserved(sequence: str, number: int) -> bool:
    return 1 <= number <= RESERVED.get(sequence, 0)

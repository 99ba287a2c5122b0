"""The benchmark of history runs and prints all its figures; their values are not tested."""

import re

import pytest
from benchmarking import printed

pytestmark = pytest.mark.timeout(180)

ROWS = (
    "the list, beside 10 saves of each event",
    "page 100, beside 10 saves of each event",
    "search, beside 10 saves of each event",
    "creating an event, with history",
    "changing a title, with history",
    "the saves of an event",
    "its state 9 saves ago",
)


def test_every_figure_of_history_has_a_line():
    lines = printed("history.py")
    for name in ROWS:
        [row] = [line for line in lines if line.startswith(name)]
        assert re.search(r" [\d.]+ ms", row), row

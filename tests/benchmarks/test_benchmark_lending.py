"""The benchmark of lent texts runs and prints all its figures; their values are not tested."""

import re

import pytest
from benchmarking import printed

pytestmark = pytest.mark.timeout(180)

ROWS = (
    "the list",
    "page 100",
    "one category",
    "search, with its total",
    "by title",
    "changing a text of a series",
    "dataSize",
    "storageSize",
    "indexSize",
)


def test_every_figure_of_both_ways_has_a_line():
    lines = printed("lending.py")
    for name in ROWS:
        assert any(re.match(rf"{name} +[\d.]+ (ms|MB) +[\d.]+ (ms|MB)", line) for line in lines), (
            name
        )

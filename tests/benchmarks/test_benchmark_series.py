"""Benchmarks of series, sizes and the memory print all their figures; no value is tested."""

import re

import pytest
from benchmarking import printed

pytestmark = pytest.mark.timeout(180)

ROWS = (
    "the list, among occurrences",
    "page 100, among occurrences",
    "one category, among occurrences",
    "search, among occurrences",
    "by title, among occurrences",
    "creating an event",
    "creating a series of 104",
    "changing a text of it",
    "3 series extended by a month",
)


def test_every_figure_of_series_has_a_line():
    lines = printed("series.py")
    for name in ROWS:
        [row] = [line for line in lines if line.startswith(name)]
        assert re.search(r" [\d.]+ ms", row), row


SIZED_ROWS = (
    "first list of 12",
    "first list by category",
    "first list page",
    "first month page",
    "first suggestions",
    "first desk list",
    "first desk translations",
    "first event form",
)


def test_every_request_of_two_sizes_has_a_line():
    lines = printed("sizes.py")
    for name in SIZED_ROWS:
        [row] = [line for line in lines if line.startswith(f"{name}, 300 beside 100")]
        assert re.search(r" [\d.]+ ms +\d+\.\d\d", row), row


REMEMBERING_ROWS = (
    "proposing for a title said before",
    "proposing for a title like one",
    "proposing for a new title",
    "proposing for a text, one sentence known",
)


def test_every_sort_of_text_that_is_proposed_has_its_lines():
    lines = printed("remembering.py")
    for name in REMEMBERING_ROWS:
        rows = [line for line in lines if re.match(rf"{name}(, p95)? +[\d.]+ ms", line)]
        assert len(rows) == 2, name

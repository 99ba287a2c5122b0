"""The benchmark runs and prints all its figures; their values are not tested."""

import re

import pytest
from benchmarking import printed

pytestmark = [
    pytest.mark.timeout(180),
]

CALLS = (
    "list of 12 events",
    "the same, 2 readers of feeds",
    "list of 50 events",
    "list by category and word",
    "one event",
    "list of venues",
    "list of categories",
    "page: list of 12 events",
    "page: month",
    "page: one event",
    "naive program: list of 12",
    "naive program: one event",
    "the same list, unchanged",
    "the same, 304",
    "the same, 1 write a second",
    "page: the same list, unchanged",
    "page: the same, 304",
    "creating an event",
)
NAIVE_LIST = "naive program: list of 12"
REQUIRED = (
    "list of 12 events",
    "list of 50 events",
    "one event",
    "list of venues",
    "list of categories",
    "page: list of 12 events",
    "page: month",
    "page: one event",
    "p99 of list of 12 events",
    "p50 of the same, 2 readers of feeds",
    "p99 of one event",
    "p99 of page: list of 12 events",
    "the same list, unchanged",
    "the same, 304",
    "the same, 1 write a second",
    "page: the same list, unchanged",
    "page: the same, 304",
    "creating an event",
    "memory of a worker",
)


@pytest.fixture(scope="module")
def lines():
    return printed("run.py")


def test_every_figure_has_a_line(lines):
    for name in CALLS:
        rows = [line for line in lines if line.startswith(name)]
        assert len(rows) == (2 if name == NAIVE_LIST else 1)
        for row in rows:
            assert re.search(r" [\d,]+ +[\d.]+ +[\d.]+ +[\d.]+ +of the \w+", row), row


def test_naive_list_is_measured_beside_cached_and_uncached_calls(lines):
    rows = [line for line in lines if line.startswith(NAIVE_LIST)]
    assert [re.search(r"(\S+) +of the naive list", row)[1] for row in rows] == ["1.00", "1.00"]


def test_cached_calls_are_compared_with_floors_of_their_sizes(lines):
    floors = [line for line in lines if line.startswith("bare Flask")]
    assert [re.search(r"(\S+) +of the floor", line)[1] for line in floors] == ["1.00"] * 2
    assert [int(re.search(r"(\d+) KB", line)[1]) for line in floors] == [32, 64]


def test_disk_usage_is_printed(lines):
    assert re.search(r"^\d+ events: \d+ MB, with \d+ indexes of \d+ MB$", lines[-1])


def test_requirements_have_a_verdict(lines):
    for name in REQUIRED:
        (line,) = [line for line in lines if line.startswith(name)]
        assert re.search(r"(>=|<=|<) \d+.* (ok|short)$", line), line
    assert sum(line.endswith(("ok", "short")) for line in lines) == len(REQUIRED)


def test_memory_is_printed_under_a_lasting_load():
    printed_lines = printed("endurance.py", "--minutes", "0.05")
    first, last = (line.split() for line in printed_lines[1::12])
    assert int(last[1]) > int(first[1])
    assert len(last) == 6


def test_memory_and_disk_of_each_size_are_printed():
    header, *lines = printed("footprint.py")
    columns = header.split()
    assert [line.split()[0] for line in lines] == ["50", "100"]
    assert all(len(line.split()) == len(columns) - 1 for line in lines)

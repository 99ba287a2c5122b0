"""The benchmark runs and tells all its figures; how good they are is not tested."""

import re

import pytest
from benchmarking import printed

pytestmark = [
    pytest.mark.needs_mongodb,
    pytest.mark.timeout(180),
    pytest.mark.xdist_group("benchmark"),
]

MEASURED = (
    "list of 12 events",
    "list of 50 events",
    "list by category and word",
    "one event",
    "list of venues",
    "list of categories",
    "page: list of 12 events",
    "page: month",
    "page: one event",
    "written in an afternoon: list of 12",
    "written in an afternoon: one event",
    "the same list, unchanged",
    "the same, 304",
    "the same, 1 write a second",
    "page: the same list, unchanged",
    "page: the same, 304",
    "creating an event",
)
JUDGED = (
    "list of 12 events",
    "list of 50 events",
    "one event",
    "list of venues",
    "list of categories",
    "page: list of 12 events",
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
    for name in MEASURED:
        (line,) = [line for line in lines if line.startswith(name)]
        assert re.search(r" [\d,]+ +[\d.]+ +[\d.]+", line), line


def test_both_ways_to_serve_are_compared_with_floors_of_their_own_of_the_same_sizes(lines):
    floors = [line for line in lines if line.startswith("bare Flask")]
    assert [re.search(r"(\S+)%", line)[1] for line in floors] == ["100.0"] * 6
    assert [int(re.search(r"(\d+) KB", line)[1]) for line in floors[:4]] == [8, 32, 64, 256]


def test_the_indexes_are_told(lines):
    assert re.search(r"^\d+ events: \d+ MB, with \d+ indexes of \d+ MB$", lines[-1])


def test_what_is_required_is_judged(lines):
    for name in JUDGED:
        (line,) = [line for line in lines if line.startswith(name)]
        assert re.search(r"(>=|<) \d+.* (ok|short)$", line), line
    assert sum(line.endswith(("ok", "short")) for line in lines) == len(JUDGED)


def test_memory_is_told_under_a_lasting_load():
    told = printed("endurance.py", "--minutes", "0.05")
    first, last = (line.split() for line in told[1::12])
    assert int(last[1]) > int(first[1])
    assert len(last) == 6

"""The benchmark of feeds runs and prints its figures; their values are not tested."""

import re

import pytest
from benchmarking import printed

pytestmark = [
    pytest.mark.timeout(180),
]
READ = ("a source of 100 events changes", "none of its 100 events changes")
COMPARED = [f"{what}, {read}" for read in READ for what in ("page: list of 12 events", "one event")]
MEASURED = [
    "one event, alone",
    "one event, at rest",
    "a feed, at rest",
    "one event, changing",
    "a feed, changing",
]


def test_every_case_has_its_times():
    lines = printed("feed_readers.py", "--seconds", "2", "--several")
    assert [re.split(r"\s{2,}", line)[0] for line in lines] == [*MEASURED, *COMPARED]
    for line in lines[-len(COMPARED) :]:
        assert re.search(r" [\d.]+ ms +[\d.]+ +<= 2\.00 +(ok|short)$", line)
    for line in lines[: len(MEASURED)]:
        assert re.search(r"\d+ answers +p50 +[\d.]+ ms +p95 +[\d.]+ ms +most +[\d.]+ ms$", line)

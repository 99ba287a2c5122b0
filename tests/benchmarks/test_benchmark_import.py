"""The benchmark of imports prints all its figures."""

import re

import pytest
from benchmarking import printed

pytestmark = [
    pytest.mark.timeout(180),
]


@pytest.fixture(scope="module")
def lines():
    return printed("import_rate.py")


@pytest.mark.parametrize(
    "part", ["records imported", "indexes created", "in all", "the same again"]
)
def test_every_part_of_an_import_has_its_times(lines, part):
    (line,) = [line for line in lines if line.startswith(part)]
    assert re.fullmatch(rf"{part} +\d+\.\d +[\d,]+ +[\d,]+ +[\d,]+", line)


def test_required_rate_and_memory_are_printed(lines):
    judged, busy, memory = lines[-3:]
    assert re.fullmatch(r"355 records, \d+ a second; required: >= 700  (ok|short)", judged)
    assert re.fullmatch(r"2 processors were busy for \d+% of the time", busy)
    assert re.fullmatch(r"memory of the import: \d+ MB", memory)

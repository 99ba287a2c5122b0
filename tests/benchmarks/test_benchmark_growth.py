"""The benchmark of large calendars prints all its figures; their values are not tested."""

import re
from xml.etree import ElementTree as ET

import pytest
from benchmarking import printed

pytestmark = [
    pytest.mark.timeout(300),
]

SVG = "{http://www.w3.org/2000/svg}"
QUESTIONS = (
    "default list",
    "starts_before",
    "ends_after",
    "category",
    "venue",
    "ticketed=true",
    "no fallback",
    "category + three months",
    "overlaps_from + overlaps_to",
    "title desc",
    "distance asc",
    "page 10",
    "a rare word",
    "a phrase",
    "10 km, dates",
    "100 km, by distance",
)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Measure two calendars; return the printed lines and the path of the figure."""
    directory = tmp_path_factory.mktemp("growth")
    figure = directory / "growth.svg"
    lines = printed("growth.py", "--directory", directory / "kept", "--figure", figure)
    return lines, figure


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_question_is_timed_judged_and_explained(run, name):
    lines, _ = run
    (line,) = [line for line in lines if re.match(rf"{re.escape(name)}  ", line)]
    assert re.search(r"  \d+  +(\d+/)?\d+  +\d+\.\d .* \d+\.\d  +\d+  +(ok|short)  ", line), line
    assert re.search(r"  [\w.]+_1?[\w.]*", line), line


def test_no_query_reads_a_whole_collection(run):
    lines, _ = run
    assert [line for line in lines if line.endswith("(none)")] == []


def test_start_time_and_indexes_are_printed(run):
    lines, _ = run
    patterns = (
        r"start of mongod and the service: \d+\.\d s, .*(ok|short)",
        r"\d+ MB of events, \d+ indexes of \d+ MB:",
        r" +\d+\.\d  categories_status_hidden_start_local.*",
    )
    for pattern in patterns:
        assert [line for line in lines if re.fullmatch(pattern, line)], pattern


def test_the_figure_has_a_line_for_each_of_the_questions_drawn(run):
    _, figure = run
    drawn = ET.parse(figure).getroot()  # noqa: S314 - our own figure
    names = {text.text for text in drawn.iter(f"{SVG}text")}
    assert {"default list", "category", "10 km", "a rare word", "a common word"} <= names
    assert len(list(drawn.iter(f"{SVG}polyline"))) == 5
    assert {"200", "600"} <= names

"""Recorded pages, read from files of every sort."""

import gzip
import json

import pytest

from calendar_app.imports.tec.hierarchy import by_level
from calendar_app.imports.tec.pages import Pages, SourceError

PAGES = [
    {"path": "/categories?per_page=50&page=1", "body": {"categories": [{"id": 4}], "total": 1}},
    {"path": "/venues/?page=1", "body": {"venues": [{"id": 9}, {"id": 7}]}},
    {"path": "https://a.example/wp-json/tribe/events/v1/venues?page=2", "body": {"venues": [3]}},
    {"path": "/venues/9", "body": {"id": 9, "venues": [{"id": 1000}]}},
    {"path": "/", "body": []},
]


def recorded(path, lines):
    text = "".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines)
    path.write_bytes(text.encode())
    return Pages(path)


def test_records_of_all_pages_come_in_order(tmp_path):
    pages = recorded(tmp_path / "site.jsonl", PAGES)
    assert list(pages.records("venues")) == [{"id": 9}, {"id": 7}, 3]
    assert list(pages.records("events")) == []


def test_extents_tell_how_many_and_how_high(tmp_path):
    extents = recorded(tmp_path / "site.jsonl", PAGES).extents()
    assert (extents["venues"].count, extents["venues"].highest) == (3, 9)
    assert (extents["events"].count, extents["events"].highest) == (0, 0)


def events_page(query, ids, total):
    body = {"events": [{"id": one} for one in ids], "total": total}
    return {"path": f"/events?{query}", "body": body}


@pytest.mark.parametrize("beyond", [[], [4], [4, 5]])
def test_what_is_missing_is_not_made_up_for_by_what_another_question_gave(tmp_path, beyond):
    asked = [events_page("start_date=1000-01-01&page=1", [1, 2], 3)]
    asked += [events_page("ends_after=9000-01-01&page=1", beyond, len(beyond))]
    extent = recorded(tmp_path / "site.jsonl", asked).extents()["events"]
    assert extent.is_short
    assert (extent.distinct, extent.total) == (2, 3)


@pytest.mark.parametrize("second", ["ends_after=9000-01-01", "start_date=1000-01-01&per_page=5"])
def test_records_that_were_given_before_are_not_missing_from_later_questions(tmp_path, second):
    asked = [events_page("start_date=1000-01-01&per_page=2&page=1", [1, 2], 2)]
    asked += [events_page(second, [], 2)]
    assert not recorded(tmp_path / "site.jsonl", asked).extents()["events"].is_short


def test_compressed_file_is_known_by_its_content(tmp_path):
    path = tmp_path / "site"
    recorded(path, PAGES)
    path.write_bytes(gzip.compress(path.read_bytes()))
    assert len(list(Pages(path).records("venues"))) == 3


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ([PAGES[0], "{oops"], "Line 2"),
        ([["no", "page"]], "Line 1"),
        ([{"path": 5, "body": {}}], "Line 1"),
        ([PAGES[-1]], "no page of a calendar"),
        ([], "no page of a calendar"),
    ],
)
def test_what_is_no_recording_is_refused_in_one_line(tmp_path, lines, reason):
    with pytest.raises(SourceError, match=reason) as caught:
        recorded(tmp_path / "site.jsonl", lines).extents()
    assert "\n" not in str(caught.value)


def test_missing_and_damaged_files_are_refused(tmp_path):
    with pytest.raises(SourceError, match="No such file"):
        Pages(tmp_path / "nowhere").extents()
    damaged = tmp_path / "damaged"
    recorded(damaged, PAGES)
    damaged.write_bytes(gzip.compress(damaged.read_bytes())[:-20])
    with pytest.raises(SourceError, match="damaged"):
        Pages(damaged).extents()
    damaged.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SourceError, match="damaged"):
        Pages(damaged).extents()


def levels(**parents):
    above = {name: f"c{parent}" if parent else "" for name, parent in parents.items()}
    return [[int(name[1:]) for name in level] for level in by_level(above)]


def test_parents_come_before_their_children_whatever_the_order():
    assert levels(c3=2, c2=1, c1=0, c4=1) == [[1], [2, 4], [3]]


def test_unknown_parent_counts_as_none_and_circles_come_last():
    assert levels(c1=99, c2=3, c3=2, c4=1) == [[1], [4], [2, 3]]

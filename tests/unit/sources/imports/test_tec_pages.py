"""Recorded pages, read from files of every sort."""

import gzip
import json

import httpx
import pytest

from calendar_app.sources.imports.tec.pages import RecordedPages, pause_after
from calendar_app.sources.imports.tec.reading import by_level
from calendar_app.sources.parsed import SourceError

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
    return RecordedPages(path)


def test_records_of_all_pages_come_in_order(tmp_path):
    pages = recorded(tmp_path / "site.jsonl", PAGES)
    assert list(pages.records("venues")) == [{"id": 9}, {"id": 7}, 3]
    assert list(pages.records("events")) == []


def test_extents_have_count_and_highest_id(tmp_path):
    extents = recorded(tmp_path / "site.jsonl", PAGES).extents()
    assert (extents["venues"].count, extents["venues"].highest) == (3, 9)
    assert (extents["events"].count, extents["events"].highest) == (0, 0)


def test_records_of_repeated_pages_count_once_towards_the_total(tmp_path):
    page = {"path": "/events?page=1", "body": {"events": [{"id": 1}, {"id": 2}], "total": 3}}
    extent = recorded(tmp_path / "site.jsonl", [page, page]).extents()["events"]
    assert extent.is_short
    assert (extent.distinct, extent.total) == (2, 3)
    third = {"path": "/events?page=2", "body": {"events": [{"id": 3}], "total": 3}}
    assert not recorded(tmp_path / "site.jsonl", [page, third]).extents()["events"].is_short


def test_compressed_file_is_recognized_by_its_content(tmp_path):
    path = tmp_path / "site"
    recorded(path, PAGES)
    path.write_bytes(gzip.compress(path.read_bytes()))
    assert len(list(RecordedPages(path).records("venues"))) == 3


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
def test_malformed_recording_is_refused_in_one_line(tmp_path, lines, reason):
    with pytest.raises(SourceError, match=reason) as caught:
        recorded(tmp_path / "site.jsonl", lines).extents()
    assert "\n" not in str(caught.value)


def test_missing_and_damaged_files_are_refused(tmp_path):
    with pytest.raises(SourceError, match="No such file"):
        RecordedPages(tmp_path / "nowhere").extents()
    damaged = tmp_path / "damaged"
    recorded(damaged, PAGES)
    damaged.write_bytes(gzip.compress(damaged.read_bytes())[:-20])
    with pytest.raises(SourceError, match="damaged"):
        RecordedPages(damaged).extents()
    damaged.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SourceError, match="Line 1"):
        RecordedPages(damaged).extents()


def levels(**parents):
    above = {name: f"c{parent}" if parent else "" for name, parent in parents.items()}
    return [[int(name[1:]) for name in level] for level in by_level(above)]


def test_parents_come_before_children_in_any_order():
    assert levels(c3=2, c2=1, c1=0, c4=1) == [[1], [2, 4], [3]]


def test_unknown_parent_counts_as_none_and_circles_come_last():
    assert levels(c1=99, c2=3, c3=2, c4=1) == [[1], [4], [2, 3]]


@pytest.mark.parametrize(
    ("status", "headers", "pause"),
    [
        (200, {"Retry-After": "5"}, None),
        (404, {}, None),
        (429, {"Retry-After": "5"}, 5.5),
        (503, {"Retry-After": "7"}, 7.5),
        (503, {}, 0.5),
        (500, {"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"}, 0.5),
        (429, {"Retry-After": "86400"}, 60.5),
    ],
)
def test_a_busy_site_is_left_alone_for_as_long_as_it_asks_up_to_a_minute(status, headers, pause):
    assert pause_after(httpx.Response(status, headers=headers), 0.5) == pause

"""The file that says which records of two languages belong together."""

import pytest

from calendar_app.domain.kinds import CATEGORY, EVENT, KINDS, ORGANIZER, TAG, VENUE
from calendar_app.sources.imports.tec.joining import Matches
from calendar_app.sources.parsed import SourceError


def read(tmp_path, text, encoding="utf-8"):
    path = tmp_path / "matches.csv"
    path.write_bytes(text.encode(encoding))
    return Matches.read(path)


@pytest.mark.parametrize(
    "text",
    [
        "34,12,event",
        "rm,de,kind\n34,12,event\n",
        "34;12;event\r\n",
        "34\t12\tevents",
        ' 34 , "12" , Event ',
        "34,12,events\n\n34,12,event\n",
    ],
)
def test_separators_headers_and_kinds_may_vary(tmp_path, text):
    matches = read(tmp_path, text)
    assert [kind for kind in KINDS if matches.first_of(kind, 34) == 12] == [EVENT]


def test_byte_order_mark_is_ignored(tmp_path):
    assert read(tmp_path, "34,12,tag", "utf-8-sig").first_of(TAG, 34) == 12


def test_line_without_a_kind_covers_all_but_terms(tmp_path):
    matches = read(tmp_path, "34,12\n35,13,")
    for kind in (EVENT, VENUE, ORGANIZER):
        assert (matches.first_of(kind, 34), matches.first_of(kind, 35)) == (12, 13)
    for kind in (CATEGORY, TAG):
        assert matches.first_of(kind, 34) is None


def test_empty_file_has_no_matches(tmp_path):
    assert read(tmp_path, "").first_of(EVENT, 34) is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("34", "Line 1 .* two ids"),
        ("a,b\n34,x", "Line 2 .* two ids"),
        ("34,x", "Line 1 .* two ids"),
        ("-1,2", "Line 1"),
        ("34,12,poster", "poster"),
        ("34,12\n34,13,event", "Line 2 .* something else of 34"),
    ],
)
def test_malformed_line_is_refused_with_its_number(tmp_path, text, reason):
    with pytest.raises(SourceError, match=reason) as caught:
        read(tmp_path, text)
    assert "\n" not in str(caught.value)


def test_file_in_another_encoding_is_refused(tmp_path):
    with pytest.raises(SourceError, match="UTF-8"):
        read(tmp_path, "34,12,ä", "latin-1")

"""Which days are meant, and how answers are cut, as tables."""

import json
from datetime import date

import pytest
from calendar_mcp.answers import MOST_BYTES, answer, plain, single
from calendar_mcp.days import days_of

FRIDAY, SUNDAY = date(2026, 11, 27), date(2026, 11, 29)


@pytest.mark.parametrize(
    ("when", "today", "expected"),
    [
        ("today", FRIDAY, ("2026-11-27", "2026-11-27")),
        ("Tomorrow", FRIDAY, ("2026-11-28", "2026-11-28")),
        ("weekend", FRIDAY, ("2026-11-28", "2026-11-29")),
        ("weekend", SUNDAY, ("2026-11-29", "2026-11-29")),
        ("week", FRIDAY, ("2026-11-27", "2026-12-03")),
        ("2026-12-24", FRIDAY, ("2026-12-24", "2026-12-24")),
    ],
)
def test_words_mean_days(when, today, expected):
    assert tuple(map(str, days_of(when, today))) == expected


@pytest.mark.parametrize("when", ["someday", "24.12.2026", "2026-13-01"])
def test_other_words_are_refused(when):
    with pytest.raises(ValueError, match=r"."):
        days_of(when, FRIDAY)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<b>Ball</b> &amp; Tanz", "Ball & Tanz"),
        ("a<br>b<p>c</p>d", "a\nbc\nd"),
        ("x\u200b\u202ey\x1b[31m", "xy[31m"),
        (None, ""),
        ("abcdef", "abc…"),
    ],
)
def test_texts_are_plain(text, expected):
    assert plain(text, 4 if text == "abcdef" else 100) == expected


def test_lists_end_where_the_answer_is_full():
    lines = [{"id": n, "title": "Ä" * 100} for n in range(100)]
    text = answer("events", lines, 100)
    assert len(text.encode()) <= MOST_BYTES
    assert 10 < len(json.loads(text)["events"]) < 100


def test_answer_names_where_the_next_one_begins():
    lines = [{"id": n, "title": "Ball"} for n in range(5)]
    assert json.loads(answer("events", lines, 100, 20))["next"] == 25
    assert "next" not in json.loads(answer("events", lines, 25, 20))
    assert "next" not in json.loads(answer("events", [], 25, 20))


def test_line_that_never_fits_is_shortened_and_ends_no_list():
    long = {"id": 7, "title": "語" * 900, "place": "語" * 900}
    listed = json.loads(answer("events", [long, long], 2))
    assert [each["id"] for each in listed["events"]] == [7]
    assert listed["next"] == 1


def test_long_descriptions_are_cut_until_they_fit():
    text = single({"id": 1, "description": "語" * 1500})
    assert len(text.encode()) <= MOST_BYTES
    assert json.loads(text)["description"].endswith("…")

"""Changes of a calendar like this one are read into events without losing anything."""

import json

import pytest
from reading import ZURICH, only, read

from calendar_app.sources.parsed import SourceError

UID = "0f6ff8a6-6fb2-5d3c-8b5e-1a6f0f1d2c11"
HEADER = {"calendar": 1, "whole": False}


def record(**values):
    return {
        "id": 5,
        "global_id": "a.example?id=5",
        "global_id_lineage": ["a.example?id=5", "z.example?id=9"],
        "status": "publish",
        "title": "Chor",
        "url": "https://a.example/event/chor",
        "all_day": False,
        "start_date": "2027-01-06 19:00:00",
        "end_date": "2027-01-06 21:00:00",
        "timezone": ZURICH,
        "variants": {"de": {"title": "Chor & Tanz", "slug": "chor"}},
        **values,
    }


def read_lines(*lines, header=HEADER):
    return read("calendar", "\n".join(map(json.dumps, [header, *lines])))


def changes_of(**values):
    return only(read_lines({"uid": UID, "record": record(**values)})).changes


def test_event_has_its_uid_and_the_ids_of_its_way_here():
    event = only(read_lines({"uid": UID, "record": record()}))
    assert (event.uid, event.lineage) == (UID, ("a.example?id=5", "z.example?id=9"))


@pytest.mark.parametrize(
    ("values", "name", "expected"),
    [
        ({"accessibility": ["quiet", "wheelchair", "?"]}, "accessibility", ["wheelchair", "quiet"]),
        ({"in_language": ["rm", "de_CH", "?!"]}, "in_language", ["rm", "de-CH"]),
        ({"audience": {"max_age": 12, "groups": []}}, "audience", {"min_age": 0, "max_age": 12}),
        ({"audience": {"min_age": -1, "max_age": True}}, "audience", None),
        ({"audience": None}, "audience", None),
        (
            {"registration": {"url": "javascript:x", "required": False}},
            "registration",
            {"required": False},
        ),
        ({"registration": []}, "registration", None),
        ({"image": {"url": "https://a.example/1.jpg"}}, "image", "https://a.example/1.jpg"),
        (
            {"tags": [{"id": 1, "name": "Dance", "variants": {"de": {"name": "Tanz"}}}]},
            "tags",
            ["Tanz"],
        ),
        ({"tags": [{"id": 1, "name": "R&amp;B"}]}, "tags", ["R&B"]),
    ],
)
def test_fields_are_taken_as_far_as_they_can_be_read(values, name, expected):
    assert changes_of(**values)[name] == expected


def test_texts_of_our_languages_come_with_who_wrote_them():
    fields = {"dress": {"label": "Kleid", "value": "blau"}}
    changes = changes_of(
        variants={"rm": {"title": "Cor", "custom_fields": fields}, "xx": {"title": "?"}},
        text_origins={"rm": {"title": {"origin": "machine", "reviewed": False}, "slug": 1}},
    )
    assert changes["variants"] == {"rm": {"title": "Cor", "custom_fields": fields}}
    assert changes["text_origins"] == {"rm": {"title": ["machine", False]}}


def test_event_without_a_language_of_ours_is_refused_and_stays_as_it_is():
    parsed = read_lines({"uid": UID, "record": record(variants={"xx": {"title": "?"}})})
    assert [reason for _, reason in parsed.refused] == [
        "It is in other languages than this calendar: xx."
    ]
    assert parsed.unparsed_uids == {UID}


def test_removed_and_locked_events_are_gone():
    locked = {"uid": "locked", "record": record(all_day=None)}
    parsed = read_lines({"uid": UID}, locked)
    assert (list(parsed.events), parsed.gone_uids) == ([], {UID, "locked"})
    assert parsed.only_changes


def test_series_has_its_rule_without_hidden_dates_and_with_changed_ones():
    def date(day, **values):
        times = {"start_date": f"2027-01-{day} 19:00:00", "end_date": f"2027-01-{day} 21:00:00"}
        return record(**{**times, "recurrence_id": times["start_date"], "overrides": [], **values})

    moved = date("13", overrides=["title"], variants={"de": {"title": "Fest"}})
    dates = [date("06"), moved, date("27", all_day=None, recurrence_id=None)]
    rules = {"rrule": "FREQ=WEEKLY;COUNT=4", "rdate": [], "exdate": []}
    series = record(recurrence=rules, dates_until="2028-01-01 00:00:00")
    event = only(read_lines({"uid": UID, "record": series, "dates": dates}))
    assert [f"{each.wall:%d}" for each in event.recurrence.exdates] == ["20", "27"]
    (override,) = event.overrides
    assert (f"{override.date.wall:%d}", override.changes["variants"]) == (
        "13",
        {"de": {"title": "Fest"}},
    )


@pytest.mark.parametrize("content", ["[]", "{}", '{"calendar": 1, "whole": true}\n[]', "BEGIN"])
def test_other_content_is_refused(content):
    with pytest.raises(SourceError, match="something other than changes"):
        read("calendar", content)

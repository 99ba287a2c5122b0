"""A merge chooses the value of each field: the source's, or the local edit."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from calendar_app.domain.moments import Moment
from calendar_app.sources.merging import (
    Decision,
    MergeMemory,
    changes_at,
    decide,
    digest,
    digests,
    edited_here,
    field_of,
    said_digests,
    said_values,
    stored_values,
)

TITLE = "variants.de.title"
NEW, OLD, OWN = (digest(word) for word in ("new", "old", "own"))


def decision(now, said, stands, wrote, authority=None):
    memory = MergeMemory({TITLE: said}, {TITLE: wrote})
    return decide({TITLE: now}, memory, {TITLE: stands}, authority or {})[TITLE]


@pytest.mark.parametrize(
    ("now", "stands", "authority", "expected"),
    [
        (OLD, OLD, "here", Decision.UNCHANGED),
        (NEW, OLD, "here", Decision.TAKEN),
        (OLD, OWN, "here", Decision.KEPT),
        (NEW, OWN, "here", Decision.KEPT),
        (OLD, OLD, "source", Decision.UNCHANGED),
        (NEW, OLD, "source", Decision.TAKEN),
        (OLD, OWN, "source", Decision.TAKEN),
        (NEW, OWN, "source", Decision.TAKEN),
    ],
)
def test_a_field_edited_here_stays_unless_the_source_has_the_authority(
    now, stands, authority, expected
):
    assert decision(now, OLD, stands, OLD, {"title": authority}) is expected


def test_a_field_that_a_source_never_named_is_taken_where_nothing_stands():
    memory = MergeMemory()
    assert decide({TITLE: NEW}, memory, {TITLE: ""}, {}) == {TITLE: Decision.TAKEN}
    assert decide({TITLE: NEW}, memory, {TITLE: OWN}, {}) == {TITLE: Decision.KEPT}
    assert decide({TITLE: ""}, memory, {TITLE: ""}, {}) == {TITLE: Decision.UNCHANGED}


def test_a_rule_stays_with_times_that_were_edited_here():
    memory = MergeMemory(
        {"times": OLD, "recurrence": OLD, TITLE: OLD}, {"times": OLD, "recurrence": OLD, TITLE: OLD}
    )
    now = {"times": OLD, "recurrence": NEW, TITLE: NEW}
    stands = {"times": OWN, "recurrence": OLD, TITLE: OLD}
    assert decide(now, memory, stands, {}) == {
        "times": Decision.KEPT,
        "recurrence": Decision.KEPT,
        TITLE: Decision.TAKEN,
    }


def test_only_what_differs_from_the_last_reading_was_edited_here():
    memory = MergeMemory({}, {TITLE: OLD, "venues": OLD})
    assert edited_here(memory, {TITLE: OWN, "venues": OLD}) == {TITLE}


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("variants.de.title", "title"),
        ("variants.rm.description", "description"),
        ("venues", "venues"),
        ("times", "times"),
        ("recurrence", "times"),
    ],
)
def test_a_path_belongs_to_a_field(path, field):
    assert field_of(path) == field


@pytest.mark.parametrize("empty", [None, "", [], {}, ()])
def test_all_that_is_empty_is_the_same(empty):
    assert digest(empty) == ""


def test_an_instant_is_the_same_in_every_zone():
    summer = timezone(timedelta(hours=2))
    noon = datetime.fromisoformat("2027-06-05 12:00")
    there, here = Moment(noon, UTC), Moment(noon + timedelta(hours=2), summer)
    assert digest([there]) == digest([here])
    assert digest([there]) != digest([Moment(noon)])


def test_changes_fall_into_paths_and_come_back():
    start = Moment(datetime.fromisoformat("2027-06-05 12:00"))
    changes = {
        "variants": {"de": {"title": "Fest", "description": None}},
        "start": start,
        "end": start,
        "timezone": "Europe/Zurich",
        "all_day": False,
        "venues": [{"variants": {"de": {"venue": "Saal"}}}],
    }
    values = said_values(changes, {"rrule": ["FREQ=DAILY"], "rdate": [], "exdate": ["x"]})
    assert values.keys() == {
        *("variants.de.title", "variants.de.description"),
        *("times", "venues", "recurrence"),
    }
    assert changes_at(changes, set(values)) == changes
    assert changes_at(changes, {"variants.de.title"}) == {"variants": {"de": {"title": "Fest"}}}
    assert digests(values)["variants.de.description"] == ""


def test_a_record_has_the_usual_where_it_says_nothing():
    record = {"variants": {"de": {"title": "Fest"}}, "tags": [3, 1]}
    usual = {"event_status": "scheduled"}
    paths = ["variants.de.title", "variants.rm.title", "tags", "event_status", "recurrence"]
    assert stored_values(record, paths, usual) == {
        "variants.de.title": "Fest",
        "variants.rm.title": None,
        "tags": [1, 3],
        "event_status": "scheduled",
        "recurrence": None,
    }


def test_who_wrote_a_text_counts_only_where_a_machine_or_the_memory_did():
    values = {TITLE: "Concert"}

    def said_by(origin, *, is_checked):
        changes = {"text_origins": {"de": {"title": (origin, is_checked)}}}
        return said_digests(values, changes)[TITLE]

    by_nobody = digests(values)[TITLE]
    by_others = {said_by(origin, is_checked=False) for origin in ("machine", "memory")}
    assert said_by("human", is_checked=True) == said_by("import", is_checked=False) == by_nobody
    assert len({by_nobody, said_by("machine", is_checked=True), *by_others}) == 4

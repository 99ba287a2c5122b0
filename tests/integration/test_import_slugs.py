"""Slugs of repeated imports."""

import pytest
from import_report import outcome
from small_calendar import calendar, event, stored


def slugs(database, collection, *numbers):
    records = [stored(database, collection, number) for number in numbers]
    for record in records:
        assert record["slugs"] == [f"de:{record['variants']['de']['slug']}"]
    return [record["variants"]["de"]["slug"] for record in records]


@pytest.mark.parametrize("ids", [(63, 64), (64, 63)], ids=["old first", "new first"])
def test_new_event_gets_a_released_slug(import_calendar, database, anyone, ids):
    import_calendar({"events": [event(63, "Fest", slug="fest")]})
    events = {63: event(63, "Fest", slug="fest-2027"), 64: event(64, "Fest", slug="fest")}
    for options in (["--dry-run"], []):
        result = import_calendar({"events": [events[number] for number in ids]}, *options)
        assert outcome(result) == (1, 1, 0, 0)
    assert slugs(database, "events", 63, 64) == ["fest-2027", "fest"]
    assert anyone.get("/events/by-slug/fest").json["id"] == 64


@pytest.mark.parametrize(
    ("changes", "result"),
    [({}, (0, 0, 1, 0)), ({"cost": "20"}, (0, 1, 0, 0))],
    ids=["unchanged", "changed"],
)
def test_event_keeps_its_slug_if_the_new_one_is_in_use(
    import_calendar, database, make_event, changes, result
):
    import_calendar(calendar())
    make_event(title="Own", slug="lecture")
    lecture = event(62, "Talk", slug="lecture", **changes)
    assert outcome(import_calendar({"events": [lecture]})) == result
    assert outcome(import_calendar({"events": [lecture]})) == (0, 0, 1, 0)
    assert slugs(database, "events", 62) == ["talk"]


def test_edited_slug_stays_while_the_record_is_unchanged(
    import_calendar, database, as_admin, make_event
):
    own = make_event(title="Own", slug="talk")["id"]
    import_calendar(calendar())
    as_admin.patch("/events/62", slug="lecture")
    as_admin.delete(f"/events/{own}", force=True)
    assert outcome(import_calendar(calendar())) == (0, 0, 9, 0)
    assert slugs(database, "events", 62) == ["lecture"]

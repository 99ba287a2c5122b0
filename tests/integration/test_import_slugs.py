"""Slugs of repeated imports."""

import pytest
from import_report import outcome
from small_calendar import calendar, event, stored

pytestmark = pytest.mark.needs_mongodb


def slugs(database, collection, *numbers):
    records = [stored(database, collection, number) for number in numbers]
    for record in records:
        assert record["slugs"] == [f"de:{record['variants']['de']['slug']}"]
    return [record["variants"]["de"]["slug"] for record in records]


def renamed(result):
    return [line for line in result.stdout.splitlines() if line.startswith("Renamed ")]


@pytest.mark.parametrize("ids", [(63, 64), (64, 63)], ids=["old first", "new first"])
def test_new_event_has_the_slug_that_another_one_gave_up(import_calendar, database, anyone, ids):
    import_calendar({"events": [event(63, "Fest", slug="fest")]})
    told = {63: event(63, "Fest", slug="fest-2027"), 64: event(64, "Fest", slug="fest")}
    for options in (["--dry-run"], []):
        result = import_calendar({"events": [told[number] for number in ids]}, *options)
        assert (outcome(result), renamed(result)) == ((1, 1, 0, 0), [])
    assert slugs(database, "events", 63, 64) == ["fest-2027", "fest"]
    assert anyone.get("/events/by-slug/fest").json["id"] == 64


@pytest.mark.parametrize("told", [{}, {"cost": "20"}], ids=["told the same", "changed"])
def test_event_keeps_its_slug_where_the_one_told_is_taken(
    import_calendar, database, make_event, told
):
    import_calendar(calendar())
    make_event(title="Own", slug="lecture")
    lecture = event(62, "Talk", slug="lecture", **told)
    assert renamed(import_calendar({"events": [lecture]})) == [
        'Renamed event 62 "Talk": its slug is talk, as lecture is taken here.'
    ]
    assert outcome(import_calendar({"events": [lecture]})) == (0, 0, 1, 0)
    assert slugs(database, "events", 62) == ["talk"]


def test_slug_that_people_chose_here_stays_while_the_site_says_the_same(
    import_calendar, database, as_admin, make_event
):
    own = make_event(title="Own", slug="talk")["id"]
    import_calendar(calendar())
    as_admin.patch("/events/62", slug="lecture")
    as_admin.delete(f"/events/{own}", force=True)
    assert outcome(import_calendar(calendar())) == (0, 0, 9, 0)
    assert slugs(database, "events", 62) == ["lecture"]

"""SEQUENCE, DTSTAMP and LAST-MODIFIED move with all that a component shows, and never back."""

from itertools import pairwise

import pytest
from keeping import kept

WEEKLY = {"rrule": "FREQ=WEEKLY;COUNT=5"}
TIMES = {"start_date": "2030-03-06 10:00:00", "end_date": "2030-03-06 12:00:00"}


@kept
def event(make_event):
    return make_event(
        title="Concert",
        venue={"venue": "Hall"},
        organizer=[{"organizer": "Choir", "email": "choir@example.org"}],
        categories=["Music"],
        **TIMES,
    )


@pytest.fixture
def version(read, clock):
    """Return a function that reads the version of a component: the series, or one date."""

    def of(date=None, **query):
        clock.advance(minutes=1)
        (component,) = (
            each
            for each in read(**query).events
            if (each["RECURRENCE-ID"].dt.date().isoformat() if "RECURRENCE-ID" in each else None)
            == date
        )
        stamp = component["DTSTAMP"].dt
        assert component["LAST-MODIFIED"].dt == stamp
        return component["SEQUENCE"], stamp

    return of


def rises(versions):
    return all(
        earlier[0] < later[0] and earlier[1] < later[1] for earlier, later in pairwise(versions)
    )


LINKED = {
    "venue": lambda event: (f"/venues/{event['venue']['id']}", {"venue": "Aula"}),
    "organizer": lambda event: (
        f"/organizers/{event['organizer'][0]['id']}",
        {"organizer": "Band"},
    ),
    "category": lambda event: (f"/categories/{event['categories'][0]['id']}", {"name": "Dance"}),
}


@pytest.mark.parametrize("kind", LINKED)
def test_version_rises_when_a_linked_record_is_renamed_hidden_and_deleted(
    event, version, anyone, as_admin, kind
):
    path, renamed = LINKED[kind](event)
    versions, entity_tags = [version()], [anyone.get(f"/events/{event['id']}.ics").headers["ETag"]]
    steps = [lambda: as_admin.patch(path, **renamed)]
    if kind != "category":
        steps.append(lambda: as_admin.patch(path, status="private"))
        steps.append(lambda: as_admin.patch(path, status="publish"))
    steps.append(lambda: as_admin.delete(path, force=True))
    for step in steps:
        answer = step()
        assert answer.status_code == 200, answer.json
        versions.append(version())
        entity_tags.append(anyone.get(f"/events/{event['id']}.ics").headers["ETag"])
    assert rises(versions)
    assert len(set(entity_tags)) == len(entity_tags)


def test_version_rises_when_a_picture_is_deleted(event, version, as_admin, upload):
    picture = upload()["id"]
    as_admin.patch(f"/events/{event['id']}", image=picture)
    before = version()
    assert as_admin.delete(f"/media/{picture}", force=True).status_code == 200
    assert rises([before, version()])


def test_version_does_not_fall_when_a_link_goes(event, version, as_admin):
    path, _ = LINKED["venue"](event)
    for name in ("A", "B", "C"):
        as_admin.patch(path, venue=name)
    before = version()
    as_admin.patch(f"/events/{event['id']}", venue=0)
    assert rises([before, version()])


def test_version_of_one_event_is_that_of_the_feed(event, only, anyone):
    from_feed = only()
    alone = anyone.get(f"/events/{event['id']}.ics").text
    assert f"SEQUENCE:{from_feed['SEQUENCE']}\r\n" in alone


def test_version_rises_from_event_to_series_and_back(event, version, as_admin):
    path = f"/events/{event['id']}"
    for title in ("A", "B", "C"):
        as_admin.patch(path, title=title)
    versions = [version()]
    as_admin.patch(path, recurrence=WEEKLY)
    versions.append(version())
    for title in ("D", "E"):
        as_admin.patch(f"/series/{event['id']}", title=title)
        versions.append(version())
    as_admin.patch(path, recurrence="", scope="all")
    versions.append(version())
    assert rises(versions)


def test_version_rises_for_both_series_of_a_split(event, version, as_admin, anyone, read):
    as_admin.patch(f"/events/{event['id']}", recurrence=WEEKLY)
    before = version()
    third = anyone.get(f"/series/{event['id']}/events").json["events"][2]
    as_admin.patch(f"/events/{third['id']}", title="Opera", scope="following")
    first, second = sorted(read().events, key=lambda each: each["DTSTART"].dt)
    assert first["SEQUENCE"] > before[0]
    assert min(first["DTSTAMP"].dt, second["DTSTAMP"].dt) > before[1]


DATES = {
    "hidden": {"status": "private"},
    "shown again": {"status": "publish"},
    "renamed": {"title": "Opera"},
    "as the series": {"title": "Concert"},
    "deleted": {"status": "trash"},
    "restored": {"status": "publish"},
}


def test_version_of_a_series_rises_with_each_of_its_dates(event, version, as_admin, anyone):
    as_admin.patch(f"/events/{event['id']}", recurrence=WEEKLY)
    second = anyone.get(f"/series/{event['id']}/events").json["events"][1]
    versions = [version()]
    for changes in DATES.values():
        answer = as_admin.patch(f"/events/{second['id']}", **changes)
        assert answer.status_code == 200, answer.json
        versions.append(version())
    assert rises(versions)


def test_version_tells_nothing_of_hidden_dates_and_venues(event, version, as_admin, anyone):
    as_admin.patch(f"/events/{event['id']}", recurrence=WEEKLY)
    second = anyone.get(f"/series/{event['id']}/events").json["events"][1]
    venue = f"/venues/{event['venue']['id']}"
    as_admin.patch(f"/events/{second['id']}", status="private")
    as_admin.patch(venue, status="private")
    before = version()
    as_admin.patch(f"/events/{second['id']}", title="Secret")
    as_admin.patch(venue, venue="Secret")
    assert version() == before


def test_write_without_a_change_leaves_the_version(event, version, as_admin):
    path = f"/events/{event['id']}"
    as_admin.patch(path, recurrence=WEEKLY)
    before = version()
    as_admin.patch(path, title="Concert", scope="all")
    as_admin.patch(path, title="Concert")
    assert version() == before

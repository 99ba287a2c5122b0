"""A mirror with a filter equals a full read, whatever becomes of the records that filters name."""

import pytest
from keeping import kept


class _Mirror:
    """Follows a list as one client, and keeps the ids of its events."""

    def __init__(self, client, **query):
        self._client, self._query = client, query
        self.ids, self._token = set(), "start"

    def follow(self):
        """Read on to the end; return the changes."""
        changes, more = [], True
        while more:
            answer = self._client.get("/changes", since=self._token, per_page=2, **self._query)
            assert answer.status_code == 200, answer.json
            self._token, more = answer.json["next"], answer.json["more"]
            changes += answer.json["changes"]
        for change in changes:
            {"upsert": self.ids.add, "delete": self.ids.discard}[change["change"]](change["id"])
        return changes


@kept
def ids(make_event, make_venue, make_organizer, make_category, make_tag):
    """Return the ids of some records: events in categories of three levels, and all they show."""
    outer, sibling = make_category(name="Outer")["id"], make_category(name="Other")["id"]
    inner = make_category(name="Inner", parent=outer)["id"]
    inmost = make_category(name="Inmost", parent=inner)["id"]
    venue, organizer, tag = (
        make_venue()["id"],
        make_organizer()["id"],
        make_tag(name="Tag")["id"],
    )
    links = {"venue": venue, "organizer": organizer, "tags": [tag]}
    weekly = make_event(recurrence={"rrule": "FREQ=WEEKLY;COUNT=2"})
    return {
        "outer": outer,
        "inner": inner,
        "inmost": inmost,
        "other": sibling,
        "venue": venue,
        "organizer": organizer,
        "tag": tag,
        "event": make_event(categories=[inner], **links)["id"],
        "second": make_event(categories=[inmost], **links)["id"],
        "third": make_event(categories=[sibling])["id"],
        "series": weekly["series"]["id"],
        "parent": (parent := make_event()["id"]),
        "part": make_event(post_parent=parent)["id"],
    }


# The filter of a mirror, and what is written while it follows.
HISTORIES = {
    "a venue is hidden and shown again": (
        {"venue": "{venue}"},
        [("/venues/{venue}", {"status": "draft"}), ("/venues/{venue}", {"status": "publish"})],
    ),
    "a hidden venue gets another name": (
        {"venue": "{venue}"},
        [("/venues/{venue}", {"status": "private"}), ("/venues/{venue}", {"venue": "Another"})],
    ),
    "a venue is deleted": ({"venue": "{venue}"}, [("/venues/{venue}", None)]),
    "an organizer is hidden": (
        {"organizer": "{organizer}"},
        [("/organizers/{organizer}", {"status": "draft"}), ("/events/{event}", {"title": "New"})],
    ),
    "an organizer is deleted": ({"organizer": "{organizer}"}, [("/organizers/{organizer}", None)]),
    "a tag is deleted": ({"tags": "{tag}"}, [("/tags/{tag}", None)]),
    "a tag by its slug is deleted": ({"tags": "tag"}, [("/tags/{tag}", None)]),
    "a category is deleted": ({"categories": "{inmost}"}, [("/categories/{inmost}", None)]),
    "the category above is deleted": ({"categories": "outer"}, [("/categories/{outer}", None)]),
    "the category between is deleted": ({"categories": "outer"}, [("/categories/{inner}", None)]),
    "a series is deleted": ({"series": "{series}"}, [("/series/{series}", None)]),
    "a parent is hidden": (
        {"post_parent": "{parent}"},
        [("/events/{parent}", {"status": "draft"}), ("/events/{parent}", {"status": "publish"})],
    ),
    "an event leaves a category that leaves its parent": (
        {"categories": "{outer}"},
        [("/events/{event}", {"categories": ["{other}"]}), ("/categories/{inner}", {"parent": 0})],
    ),
    "an event becomes private as its category leaves its parent": (
        {"categories": "{outer}"},
        [("/events/{event}", {"status": "private"}), ("/categories/{inner}", {"parent": 0})],
    ),
    "an event is deleted as its category leaves its parent": (
        {"categories": "{outer}"},
        [("/events/{second}", None), ("/categories/{inner}", {"parent": "{other}"})],
    ),
    "a category with others below it moves": (
        {"categories": "{other}"},
        [("/categories/{inner}", {"parent": "{other}"}), ("/categories/{inner}", {"parent": 0})],
    ),
    "an event leaves the inmost category as the outer one moves": (
        {"categories": "{other}"},
        [
            ("/categories/{outer}", {"parent": "{other}"}),
            ("/events/{second}", {"categories": []}),
            ("/categories/{outer}", {"parent": 0}),
        ],
    ),
}


def _filled(value, ids):
    """Return a value with the ids of records in place of their names."""
    if isinstance(value, dict):
        return {name: _filled(each, ids) for name, each in value.items()}
    if isinstance(value, list):
        return [_filled(each, ids) for each in value]
    return value.format(**ids) if isinstance(value, str) else value


@pytest.mark.parametrize("steps_between_reads", [1, 10])
@pytest.mark.parametrize("name", HISTORIES)
def test_mirror_with_a_filter_equals_a_full_read(anyone, as_admin, ids, name, steps_between_reads):
    query, steps = _filled(HISTORIES[name][0], ids), HISTORIES[name][1]
    mirror = _Mirror(anyone, **query)
    mirror.follow()
    assert mirror.ids
    for number, (path, body) in enumerate(steps, start=1):
        if body is None:
            answer = as_admin.delete(path.format(**ids), force=True)
        else:
            answer = as_admin.post(path.format(**ids), **_filled(body, ids))
        assert answer.status_code == 200, answer.json
        if number % steps_between_reads == 0 or number == len(steps):
            mirror.follow()
            assert mirror.ids == _full_read(anyone, query)


def _full_read(client, query):
    """Return the ids of the list; none where a filter names a hidden or deleted record."""
    answer = client.get("/events", start_date="2000-01-01", **query)
    return {event["id"] for event in answer.json.get("events", ())}


def test_deleted_event_of_a_moved_category_is_told_once(anyone, as_admin, ids):
    mirror = _Mirror(anyone, categories=ids["outer"])
    mirror.follow()
    as_admin.post(f"/events/{ids['event']}", status="private")
    as_admin.post(f"/categories/{ids['inner']}", parent=0)
    changes = {(each["change"], each["id"]) for each in mirror.follow()}
    assert changes == {("delete", ids["event"]), ("delete", ids["second"])}
    assert mirror.follow() == []


def test_events_at_a_venue_that_was_never_seen_leave_no_trace(
    anyone, as_admin, make_event, make_venue
):
    token = anyone.get("/changes").json["next"]
    hidden = make_venue(status="private")["id"]
    event = make_event(venue=hidden)["id"]

    def changes(venue):
        return anyone.get("/changes", since=token, venue=venue).json["changes"]

    assert changes(hidden) == changes(9999) == []
    as_admin.post(f"/events/{event}", title="Another")
    as_admin.post(f"/venues/{hidden}", venue="Another")
    as_admin.post(f"/events/{event}", status="draft")
    assert changes(hidden) == changes(9999) == []


@pytest.mark.parametrize("parameter", ["venue", "organizer", "categories", "tags", "series"])
def test_who_begins_must_name_what_is_there(anyone, parameter):
    for since in ({}, {"since": "start"}):
        answer = anyone.get("/changes", **{parameter: 9999}, **since)
        assert (answer.status_code, answer.invalid_params) == (400, [parameter])

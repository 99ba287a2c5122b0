"""Hidden occurrences and hidden series show nothing to strangers."""

import pytest
from keeping import kept

RULED = {"rrule": "FREQ=WEEKLY;COUNT=5"}
EXTRA = RULED | {"rdate": ["2030-05-01 10:00:00"]}
SECOND = "2030-03-13 10:00:00"


@kept
def weekly(make_weekly, occurrences):
    """Return the ids of five Wednesdays."""
    return [event["id"] for event in occurrences(make_weekly()["id"])]


@kept
def draft_series(make_weekly, occurrences, as_admin):
    """Return the ids of a draft series, of which the third event alone is public."""
    series = make_weekly(status="draft", title="Secret", description="<p>Hush</p>")
    ids = [event["id"] for event in occurrences(series["id"], as_admin, status="any")]
    answer = as_admin.patch(
        f"/events/{ids[2]}", status="publish", title="Open", description="<p>Hello</p>"
    )
    assert answer.status_code == 200, answer.json
    return ids


@pytest.mark.parametrize("status", ["draft", "private", "pending"])
def test_hidden_date_looks_like_a_deleted_one(weekly, as_admin, anyone, status):
    as_admin.patch(f"/events/{weekly[1]}", status=status)
    hidden = anyone.get(f"/events/{weekly[0]}").json["series"]
    as_admin.delete(f"/events/{weekly[1]}", force=True)
    assert anyone.get(f"/events/{weekly[0]}").json["series"] == hidden
    assert hidden["exdate"] == [SECOND]


def test_hidden_date_is_no_exception_for_its_editors(weekly, as_admin):
    as_admin.patch(f"/events/{weekly[1]}", status="draft")
    assert as_admin.get(f"/events/{weekly[0]}").json["series"]["exdate"] == []
    assert as_admin.get(f"/series/{weekly[0]}").json["recurrence"]["exdate"] == []


def test_hidden_date_shows_in_no_form_of_the_series(weekly, as_admin, anyone):
    as_admin.patch(f"/events/{weekly[1]}", status="draft")
    series = anyone.get(f"/series/{weekly[0]}").json
    assert series["exdate"] == series["recurrence"]["exdate"] == [SECOND]
    assert series["count"] == 4


def test_hidden_extra_date_is_left_out(make_weekly, occurrences, as_admin, anyone):
    series = make_weekly(recurrence=EXTRA)
    extra = occurrences(series["id"])[-1]["id"]
    as_admin.patch(f"/events/{extra}", status="draft")
    facts = anyone.get(f"/series/{series['id']}").json
    assert (facts["rdate"], facts["exdate"]) == ([], [])
    feed = anyone.get("/events.ics", start_date="2030-01-01").text
    assert "RDATE;TZID=Europe/Zurich:2030" not in feed
    assert "20300501" not in feed


def test_extra_date_on_a_date_of_the_rule_stays_an_exception(make_weekly, as_admin, anyone):
    series = make_weekly(recurrence=RULED | {"rdate": [SECOND]})
    as_admin.patch(f"/events/{series['id'] + 1}", status="draft")
    facts = anyone.get(f"/series/{series['id']}").json
    assert (facts["rdate"], facts["exdate"]) == ([], [SECOND])


def test_public_event_of_a_draft_series_shows_no_series(draft_series, anyone):
    event = anyone.get(f"/events/{draft_series[2]}").json
    assert (event["series"], event["overrides"], event["recurrence_id"]) == (None, [], None)
    events = anyone.get("/events", start_date="2030-01-01").json["events"]
    assert [event["series"] for event in events] == [None]


def test_public_event_of_a_draft_series_shows_it_to_editors(draft_series, as_admin):
    event = as_admin.get(f"/events/{draft_series[2]}").json
    assert event["series"]["rrule"] == "FREQ=WEEKLY;COUNT=5"
    assert "title" in event["overrides"]


def test_events_of_a_draft_series_are_not_listed_by_it(draft_series, anyone, as_admin):
    assert anyone.get(f"/series/{draft_series[0]}/events").status_code == 403
    assert as_admin.get(f"/series/{draft_series[0]}/events").status_code == 200


@pytest.mark.usefixtures("draft_series")
def test_feed_holds_no_text_and_no_rule_of_a_draft_series(anyone):
    feed = anyone.get("/events.ics", start_date="2030-01-01").text
    assert ":Open" in feed
    for text in ("Secret", "Hush", "RRULE:FREQ=WEEKLY", "EXDATE", "20300306", "20300313"):
        assert text not in feed


def test_feed_holds_all_public_events_of_a_draft_series(draft_series, as_admin, anyone):
    as_admin.patch(f"/events/{draft_series[4]}", status="publish", title="Late")
    feed = anyone.get("/events.ics", start_date="2030-01-01").text
    assert feed.count("BEGIN:VEVENT") == 3
    assert ":Late" in feed
    assert ",20300403T100000" in feed
    assert "Secret" not in feed


def test_open_event_of_a_locked_series_shows_no_rule(weekly, as_admin, anyone):
    as_admin.patch(f"/series/{weekly[0]}", password="open sesame")
    as_admin.patch(f"/events/{weekly[1]}", password="")
    event = anyone.get(f"/events/{weekly[1]}").json
    assert event["series"] is None
    assert "superEvent" not in event["json_ld"]
    unlocked = anyone.get(f"/events/{weekly[1]}", password="open sesame").json
    assert unlocked["series"]["rrule"] == "FREQ=WEEKLY;COUNT=5"


def test_events_of_a_locked_series_need_the_password(weekly, as_admin, anyone):
    as_admin.patch(f"/series/{weekly[0]}", password="open sesame")
    refused = anyone.get(f"/series/{weekly[0]}").status_code
    assert anyone.get(f"/series/{weekly[0]}/events").status_code == refused
    answer = anyone.get(f"/series/{weekly[0]}/events", password="open sesame")
    assert answer.json["total"] == 5


def test_hidden_venue_is_no_override(weekly, as_admin, anyone):
    hidden = as_admin.post("/venues", venue="Den", status="private").json["id"]
    as_admin.patch(f"/events/{weekly[1]}", venue=hidden)
    assert anyone.get(f"/events/{weekly[1]}").json["overrides"] == []
    assert as_admin.get(f"/events/{weekly[1]}").json["overrides"] == ["venue"]


def test_hidden_venue_adds_no_override_to_feeds(weekly, as_admin, anyone):
    hidden = as_admin.post("/venues", venue="Den", status="private").json["id"]
    as_admin.patch(f"/events/{weekly[1]}", venue=hidden)
    assert "RECURRENCE-ID" not in anyone.get("/events.ics", start_date="2030-01-01").text
    assert "RECURRENCE-ID" in as_admin.get("/events.ics", start_date="2030-01-01").text


def test_slug_of_a_private_series_leads_nowhere(make_weekly, as_admin, anyone):
    first = make_weekly(status="private", title="Secret")["id"]
    as_admin.patch(f"/events/{first + 2}", status="publish", title="Open", slug="open")
    unknown = anyone.get("/events/by-slug/unknown")
    assert anyone.get("/events/by-slug/secret").status_code == unknown.status_code
    assert as_admin.get("/events/by-slug/secret").json["id"] == first

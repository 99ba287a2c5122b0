"""The demo calendars keep the rules for their data."""

from collections import Counter
from datetime import time
from urllib.parse import urlsplit

import pytest

from calendar_app.cli.demo.calendars import CALENDARS, calendar_for, read_calendar
from calendar_app.settings import Settings

LINKED = ("categories", "tags", "venues", "organizers")
LABELS = {
    "categories": "name",
    "tags": "name",
    "venues": "venue",
    "organizers": "organizer",
    "events": "title",
}
# South, north, west and east of the two invented places.
BOUNDS = {"de-rm": (46.62, 46.70, 9.32, 9.41), "fr-de": (46.88, 46.90, 7.10, 7.13)}


def site(*languages, default=None):
    return Settings.load(
        environment={}, languages=list(languages), default_language=default or languages[0]
    )


@pytest.fixture(params=CALENDARS)
def name(request):
    return request.param


@pytest.fixture
def calendar(name):
    return read_calendar(name)


def days_of(events):
    return [
        day + 7 * number * (2 if "INTERVAL=2" in event.get("rule", "") else 1)
        for event in events
        for day in event["days"]
        for number in range(int(event.get("rule", "COUNT=1").rpartition("=")[2]))
    ]


def test_calendar_is_as_large_as_a_real_one(calendar):
    assert 10 <= len(calendar["categories"]) <= 14
    assert len(calendar["tags"]) >= 10
    assert 8 <= len(calendar["venues"]) <= 12
    assert 6 <= len(calendar["organizers"]) <= 8
    assert 45 <= len(days_of(calendar["events"])) <= 80


@pytest.mark.parametrize("collection", LINKED)
def test_keys_are_unique(calendar, collection):
    keys = Counter(entry["key"] for entry in calendar[collection])
    assert set(keys.values()) == {1}


def test_every_link_of_an_event_leads_somewhere(calendar):
    keys = {name: {entry["key"] for entry in calendar[name]} for name in LINKED}
    for event in calendar["events"]:
        assert event["venue"] in keys["venues"]
        for name in ("organizers", "categories", "tags"):
            assert set(event[name]) <= keys[name], event
            assert len(set(event[name])) == len(event[name])


def test_every_venue_organizer_and_term_is_used(calendar):
    events = calendar["events"]
    parents = {category["parent"] for category in calendar["categories"]}
    for name in ("organizers", "categories", "tags"):
        used = {key for event in events for key in event[name]} | parents
        assert {entry["key"] for entry in calendar[name]} <= used
    assert {venue["key"] for venue in calendar["venues"]} == {event["venue"] for event in events}


def test_parents_precede_children_two_or_three_levels_deep(calendar):
    level = {None: 0}
    for category in calendar["categories"]:
        level[category["key"]] = level[category["parent"]] + 1
    assert max(level.values()) in (2, 3)


@pytest.mark.parametrize("collection", LINKED)
def test_linked_records_have_a_name_in_every_language(name, calendar, collection):
    for entry in calendar[collection]:
        assert set(entry["variants"]) == set(name.split("-"))


def test_no_text_is_empty(name, calendar):
    for collection, label in LABELS.items():
        for entry in calendar[collection]:
            assert entry["variants"]
            assert set(entry["variants"]) <= set(name.split("-"))
            for texts in entry["variants"].values():
                assert label in texts
                assert all(text.strip() == text and text for text in texts.values()), texts


def test_every_event_is_described_in_sentences(calendar):
    for event in calendar["events"]:
        for texts in event["variants"].values():
            assert len(texts["description"]) > 40
            assert texts["description"].endswith((".", "?", "!", ">"))


def test_about_a_quarter_of_the_events_shows_fallback(calendar):
    single = [event for event in calendar["events"] if len(event["variants"]) == 1]
    assert 0.18 <= len(days_of(single)) / len(days_of(calendar["events"])) <= 0.3
    assert len({language for event in single for language in event["variants"]}) == 2


def test_times_are_hours_and_minutes_and_the_end_follows_the_start(calendar):
    for event in calendar["events"]:
        nights = event.get("nights", 0)
        assert nights >= 0
        if event.get("all_day"):
            assert "start" not in event
            assert "end" not in event
        else:
            start, end = time.fromisoformat(event["start"]), time.fromisoformat(event["end"])
            assert nights or start < end, event


def test_days_reach_from_last_month_over_today_into_the_next_six(calendar):
    days = Counter(days_of(calendar["events"]))
    assert min(days) >= -31
    assert max(days) <= 183
    assert sum(count for day, count in days.items() if day < 0) >= 4
    assert days[0] >= 2
    assert days[1] >= 2
    assert all(any(day // 30 == month for day in days) for month in range(6))


def test_kinds_of_events_that_programs_treat_differently_all_occur(calendar):
    events = calendar["events"]
    assert Counter(event.get("status", "publish") for event in events) == {
        "publish": len(events) - 3,
        "draft": 1,
        "private": 1,
        "pending": 1,
    }
    assert any(event.get("all_day") and not event.get("nights") for event in events)
    assert any(event.get("nights", 0) >= 2 for event in events)
    assert any(event.get("nights") == 1 and event["end"] < event["start"] for event in events)
    assert any(event.get("featured") for event in events)
    assert any(event.get("sticky") for event in events)
    assert any(len(event["organizers"]) > 1 for event in events)
    assert any(event.get("cost") == "Free" for event in events)
    assert any("\N{EN DASH}" in event.get("cost", "") for event in events)
    assert any("cost" not in event for event in events)


def test_venues_lie_in_the_place_that_the_calendar_invents(name, calendar):
    south, north, west, east = BOUNDS[name]
    placed = [venue for venue in calendar["venues"] if "geo_lat" in venue]
    assert len(placed) >= 8
    for venue in placed:
        assert south <= venue["geo_lat"] <= north
        assert west <= venue["geo_lng"] <= east


def test_venues_have_full_addresses(calendar):
    for venue in calendar["venues"]:
        assert len(venue["zip"]) == 4
        for texts in venue["variants"].values():
            assert {"address", "city", "country"} <= set(texts)


def test_organizers_can_be_reached(calendar):
    for organizer in calendar["organizers"]:
        assert organizer["phone"].startswith("+41 ")
        assert "@" in organizer["email"]
        assert all("website" in texts for texts in organizer["variants"].values())


def test_web_addresses_use_reserved_domains(calendar):
    texts = [
        texts
        for collection in ("venues", "organizers", "events")
        for entry in calendar[collection]
        for texts in entry["variants"].values()
    ]
    hosts = [urlsplit(entry["website"]).hostname for entry in texts if "website" in entry]
    hosts += [entry["email"].partition("@")[2] for entry in calendar["organizers"]]
    assert all(host.endswith((".example.org", ".example.com", ".example.net")) for host in hosts)


def test_site_gets_the_calendar_of_its_languages():
    assert calendar_for(site("de", "rm")) == read_calendar("de-rm")
    assert calendar_for(site("rm", "de")) == read_calendar("de-rm")
    assert calendar_for(site("fr", "de")) == read_calendar("fr-de")


def test_most_languages_in_common_decide():
    calendar = calendar_for(site("en", "fr", "de"))
    assert calendar["venues"] == read_calendar("fr-de")["venues"]


def test_default_language_decides_between_equals():
    both = ("de", "rm", "fr")
    assert calendar_for(site(*both, default="fr"))["venues"] == read_calendar("fr-de")["venues"]
    assert calendar_for(site(*both, default="rm"))["venues"] == read_calendar("de-rm")["venues"]


@pytest.mark.parametrize("language", ["de", "rm", "fr"])
def test_site_sees_texts_in_its_own_languages_only(language):
    calendar = calendar_for(site(language, "en"))
    for collection in LABELS:
        assert calendar[collection]
        assert all(set(entry["variants"]) == {language} for entry in calendar[collection])


def test_site_that_shares_no_language_gets_nothing():
    assert not any(calendar_for(site("en")).values())

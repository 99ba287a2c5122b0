"""The demo calendar after loading."""

from datetime import UTC, date, datetime, timedelta

import pytest

from calendar_app.assembly.services import site_of
from calendar_app.calendar.editor import Editor
from calendar_app.calendar.search.vocabulary import Vocabulary
from calendar_app.calendar.series.schedule import Schedule
from calendar_app.calendar.writing.planner import RecordBuilder
from calendar_app.cli.demo.calendars import read_calendar
from calendar_app.cli.demo.loading import ADMINISTRATOR, load_demo
from calendar_app.domain.kinds import BY_NAME, SERIES
from calendar_app.settings import Settings
from calendar_app.storage.mongo.store import Store

# Nearly midnight in UTC, so that the day in the zone of the site is already the next one.
NOW = datetime(2030, 3, 9, 23, 30, tzinfo=UTC)
TODAY = date(2030, 3, 10)


def site(*languages):
    return Settings.load(
        environment={},
        languages=list(languages),
        default_language=languages[0],
        timezone="Europe/Zurich",
        currency_symbol="CHF",
        currency_code="CHF",
    )


def editor_of(store, settings):
    vocabulary = Vocabulary(store, settings.chains())
    now = NOW.replace(tzinfo=None)
    builder = RecordBuilder(store, lambda: now, site_of(settings))
    schedule = Schedule(lambda: now, settings.timezone, past=24, ahead=24, limit=1000)
    return Editor(store, BY_NAME, builder, vocabulary, series=SERIES, schedule=schedule)


def by_start(store):
    return lambda clause: store["events"].find(clause, order=[("start_local", 1), ("_id", 1)])


def loaded(database, settings):
    store = Store(database)
    return store, load_demo(by_start(store), editor_of(store, settings), settings, NOW)


@pytest.fixture(scope="module")
def _counts():
    return {}


@pytest.fixture
def valley(database, _counts):
    """Return a store with a demo calendar, and how many events loading it has told of."""
    if database not in _counts:
        _, _counts[database] = loaded(database, site("de", "rm"))
    return Store(database), _counts[database]


def events_titled(store, language, title):
    documents = store["events"].find({f"variants.{language}.title": title})
    return sorted(documents, key=lambda event: event["start_local"])


def linked(store, event, collection):
    return list(store[collection].find({"_id": {"$in": event[collection]}}))


@pytest.mark.lasting
def test_every_event_of_the_calendar_is_there_and_counted(valley):
    store, count = valley
    assert count == 74
    assert len(list(store["events"].find({}))) == count


@pytest.mark.lasting
def test_events_are_counted_from_today_in_the_zone_of_the_site(valley):
    store, _ = valley
    (market,) = store["series"].find({"variants.de.title": "Wochenmarkt"})
    events = sorted(store["events"].find({"series": market["_id"]}), key=lambda e: e["_id"])
    days = sorted(event["start_local"].date() for event in events)
    assert days == [TODAY + timedelta(days=7 * week) for week in range(-1, 7)]
    assert {event["timezone"] for event in events} == {"Europe/Zurich"}


@pytest.mark.lasting
def test_one_market_is_canceled_and_one_is_held_in_the_evening(valley):
    store, _ = valley
    (canceled,) = store["events"].find({"event_status": "canceled"})
    assert canceled["start_local"].date() == TODAY + timedelta(days=14)
    assert canceled["variants"]["rm"]["status_reason"] == "La plazza vegn solada da nov."
    (evening,) = events_titled(store, "de", "Wochenmarkt am Abend")
    assert evening["start_local"].strftime("%H:%M") == "16:00"
    assert evening["variants"]["rm"]["title"] == "Martgà da l'emna la saira"


@pytest.mark.lasting
def test_a_play_on_two_evenings_is_a_series_of_dates(valley):
    store, _ = valley
    (play,) = store["series"].find({"variants.de.title": "Theater: Die verkaufte Glocke"})
    assert store["events"].count({"series": play["_id"]}) == 2


@pytest.mark.lasting
def test_night_ends_on_the_next_day(valley):
    store, _ = valley
    (night,) = events_titled(store, "de", "Nacht der Sterne")
    assert night["end_local"] - night["start_local"] == timedelta(hours=4, minutes=30)


@pytest.mark.lasting
def test_all_day_event_lasts_to_the_last_second_of_its_day(valley):
    store, _ = valley
    (feast,) = events_titled(store, "de", "Talfest")
    assert feast["all_day"]
    assert feast["end_local"] - feast["start_local"] == timedelta(hours=23, minutes=59, seconds=59)


@pytest.mark.lasting
def test_event_has_its_links_cost_and_place(valley):
    store, _ = valley
    (concert,) = events_titled(store, "de", "Jahreskonzert der Musikgesellschaft")
    (hall,) = linked(store, concert, "venues")
    (band,) = linked(store, concert, "organizers")
    assert hall["variants"]["rm"]["venue"] == "Sala polivalenta Dorta"
    assert concert["location"] == hall["location"]
    assert hall["location"]["coordinates"] == [9.3744, 46.6669]
    assert band["email"] == "info@musica-dorta.example.org"
    assert concert["cost"]["values"] == ["10", "20"]
    assert concert["cost"]["code"] == "CHF"
    assert concert["featured"]


@pytest.mark.lasting
def test_categories_hang_below_their_parents(valley):
    store, _ = valley
    terms = {term["variants"]["de"]["name"]: term for term in store["categories"].find({})}
    assert terms["Klassik"]["parent"] == terms["Musik"]["_id"]
    assert terms["Musik"]["parent"] == terms["Kultur"]["_id"]
    assert terms["Kultur"]["parent"] == 0


@pytest.mark.lasting
def test_drafts_private_and_pending_events_are_kept_from_the_public(valley):
    store, _ = valley
    hidden = list(store["events"].find({"status": {"$ne": "publish"}}))
    assert sorted(event["status"] for event in hidden) == ["draft", "pending", "private"]


@pytest.mark.lasting
def test_every_public_event_has_a_slug_of_its_own_in_each_of_its_languages(valley):
    store, _ = valley
    slugs = [
        (language, texts["slug"])
        for event in store["events"].find({"status": "publish"})
        for language, texts in event["variants"].items()
    ]
    assert len(slugs) == len(set(slugs))


def test_town_is_loaded_where_french_and_german_are_spoken(database):
    store, count = loaded(database, site("fr", "de"))
    assert count >= 45
    assert events_titled(store, "fr", "Fête de la Ville")


def test_other_languages_leave_no_trace(database):
    store, count = loaded(database, site("rm", "en"))
    assert count >= 40
    assert {tag for event in store["events"].find({}) for tag in event["variants"]} == {"rm"}


def test_site_that_shares_no_language_stays_empty(database):
    store, count = loaded(database, site("en"))
    assert count == 0
    assert list(store["venues"].find({})) == []


def test_loading_that_was_interrupted_before_the_events_can_be_repeated(database):
    settings = site("de", "rm")
    store = Store(database)
    editor = editor_of(store, settings)
    valley = read_calendar("de-rm")
    names = ("categories", "tags", "venues", "organizers")
    for name in names:
        texts = {"variants": valley[name][0]["variants"]}
        editor.create(BY_NAME[name], texts, ADMINISTRATOR, "de")
    load_demo(by_start(store), editor, settings, NOW)
    assert {name: len(list(store[name].find({}))) for name in names} == {
        name: len(valley[name]) for name in names
    }

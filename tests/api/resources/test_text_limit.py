"""Sorting and searching texts without an index is limited to a number of records."""

from dataclasses import replace

import pytest
from keeping import kept

from calendar_app.errors import ConfigurationError
from calendar_app.settings import Settings

LIMIT = 3
SEARCHES = ["!", "-abend"]


@pytest.fixture
def settings(settings):
    return replace(settings, languages=("de", "rm", "fr"), text_limit=LIMIT)


@kept
def events(make_event):
    """Return one event more than may be read, a day each."""
    days = range(1, LIMIT + 2)
    return [make_event(title=f"Konzert {day}", start_date=f"2030-03-0{day}") for day in days]


def refused(answer, name):
    assert answer.status_code == 400, answer.json
    assert list(answer.json["data"]["params"]) == [name]
    assert str(LIMIT) in answer.json["data"]["params"][name]


@pytest.mark.usefixtures("events")
@pytest.mark.parametrize("text", SEARCHES)
def test_a_search_that_no_index_helps_with_is_refused(anyone, text):
    refused(anyone.get("/events", search=text), "search")


@pytest.mark.usefixtures("events")
@pytest.mark.parametrize("text", SEARCHES)
def test_filters_can_bring_a_search_under_the_limit(anyone, text):
    response = anyone.get("/events", search=text, start_date="2030-03-02")
    assert response.status_code == 200
    assert response.json["total"] == (0 if text == "!" else LIMIT)


@pytest.mark.usefixtures("events")
@pytest.mark.parametrize("text", ["konzert", "konz", "onze", "z"])
def test_a_search_that_an_index_helps_with_is_answered(anyone, text):
    assert anyone.get("/events", search=text).json["total"] == LIMIT + 1


@pytest.mark.usefixtures("events")
@pytest.mark.parametrize("suffix", ["", ".ics", ".csv"])
@pytest.mark.parametrize("narrowed", [{}, {"search": "konzert"}])
def test_titles_in_languages_of_ones_own_choice_are_not_sorted(anyone, suffix, narrowed):
    sent = {"orderby": "title", "translation_language": "rm", "fallback": "fr,de"}
    refused(anyone.get(f"/events{suffix}", **sent, **narrowed), "fallback")


@pytest.mark.usefixtures("events")
def test_a_few_of_these_titles_are_sorted(anyone):
    sent = {"orderby": "title", "translation_language": "rm", "fallback": "fr,de"}
    page = anyone.get("/events", start_date="2030-03-02", order="desc", **sent).json
    assert [event["title"] for event in page["events"]] == ["Konzert 4", "Konzert 3", "Konzert 2"]


@pytest.mark.usefixtures("events")
@pytest.mark.parametrize("fallback", ["", "none", "rm,fr"])
def test_titles_that_an_index_has_are_sorted(anyone, fallback):
    response = anyone.get("/events", orderby="title", fallback=fallback)
    assert response.json["total"] == LIMIT + 1


def test_a_limit_of_nothing_stops_the_start():
    with pytest.raises(ConfigurationError, match="text_limit"):
        Settings.load(environment={}, text_limit=0)

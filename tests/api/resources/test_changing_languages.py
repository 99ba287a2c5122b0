"""A running site gets another language, and gives one up: a change of the configuration alone."""

import pytest

from calendar_app.app import create_app
from calendar_app.settings import Settings


@pytest.fixture
def settings():
    return Settings.load(environment={}, languages=["de", "rm"], default_language="de")


@pytest.fixture
def site(app, database, clock, as_admin):
    """Return a function that makes a client of the same calendar in other languages."""
    del app

    def reconfigured(*languages):
        changed = Settings.load(
            environment={}, languages=list(languages), default_language=languages[0]
        )
        return type(as_admin)(create_app(changed, database, clock), "admin", as_admin.id)

    return reconfigured


@pytest.fixture
def path(make_event):
    """Return the path of an event in two languages."""
    variants = {"de": {"title": "Konzert"}, "rm": {"title": "Concert"}}
    return f"/events/{make_event(title=None, variants=variants)['id']}"


def test_a_new_language_shows_the_texts_that_there_are(site, path):
    response = site("de", "rm", "it").get(path, translation_language="it")
    assert response.status_code == 200
    assert response.json["title"] == "Konzert"
    assert response.json["translations"]["it"]["status"] == "missing"


def test_a_new_language_can_be_written_at_once(site, path):
    italian = site("de", "rm", "it")
    response = italian.post(path, translation_language="it", title="Concerto")
    assert (response.json["title"], response.json["slug"]) == ("Concerto", "concerto")
    assert italian.get("/events/by-slug/concerto").json["title"] == "Konzert"
    query = {"translation_language": "it", "fallback": "none"}
    assert italian.get("/events", **query).json["total"] == 1


def test_a_retired_language_is_no_language_any_more(site, path):
    german = site("de")
    answer = german.get(path, translation_language="rm")
    assert (answer.status_code, answer.invalid_params) == (400, ["translation_language"])
    record = german.get(path).json
    assert record["translations"].keys() == {"de"}
    assert german.get("/events", search="concert").json["total"] == 0


def test_a_retired_language_is_in_no_answer(site, path):
    answer = site("de").get(path, translation_language="all")
    assert answer.json["variants"].keys() == {"de"}
    assert "Concert" not in answer.get_data(as_text=True)


def test_texts_of_a_retired_language_come_back_with_it(site, path):
    german = site("de")
    german.post(path, description="Musik")
    again = site("de", "rm").get(path, translation_language="rm").json
    assert (again["title"], again["slug"]) == ("Concert", "concert")
    assert again["description"] == "<p>Musik</p>"


def test_translation_outdated_while_its_language_was_retired_is_marked(site, path):
    site("de").post(path, title="Konzert am See")
    again = site("de", "rm").get(path).json
    assert again["translations"]["rm"]["status"] == "outdated"


def test_slug_of_a_retired_language_stays_reserved(site, path, as_admin, make_event):
    site("de").post(path, description="Musik")
    other_event = make_event(title="Concert", translation_language="rm")
    assert other_event["slug"] == "concert-2"
    assert as_admin.get(path, translation_language="rm").json["slug"] == "concert"


def test_a_record_of_a_retired_language_alone_keeps_it(site, make_event):
    event = make_event(title="Concert", translation_language="rm")
    path = f"/events/{event['id']}"
    german = site("de")
    assert german.get(path).status_code == 200
    assert german.post(path, title="Konzert").json["title"] == "Konzert"
    assert site("de", "rm").get(path, translation_language="rm").json["title"] == "Concert"


def test_a_record_keeps_the_last_language_that_the_site_still_has(site, path):
    answer = site("de").delete(path, translation_language="de", translation_only=True)
    assert (answer.status_code, answer.code) == (409, "last_translation")


def test_another_default_language_changes_no_record(site, path):
    romansh = site("rm", "de")
    assert romansh.get(path).json["title"] == "Concert"
    assert romansh.get(path, translation_language="de").json["title"] == "Konzert"

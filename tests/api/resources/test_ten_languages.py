"""A site in ten languages, of several scripts and both directions."""

import pytest

pytestmark = pytest.mark.without_mongodb

TITLES = {
    "de": "Konzert im Park",
    "rm": "Concert en il parc",
    "fr": "Concert au parc",
    "it": "Concerto nel parco",
    "en": "Concert in the park",
    "el": "Συναυλία στο πάρκο",
    "uk": "Концерт в парку",
    "ar": "حفلة في الحديقة",
    "he": "קונצרט בפארק",
    "ja": "公園での音楽会",
}


@pytest.fixture
def settings(settings):
    return type(settings).load(
        environment={}, site_url=settings.site_url, languages=list(TITLES), default_language="de"
    )


@pytest.fixture
def event(make_event):
    return make_event(title=None, variants={tag: {"title": title} for tag, title in TITLES.items()})


@pytest.mark.parametrize("tag", TITLES)
def test_each_language_shows_its_own_title(anyone, event, tag):
    response = anyone.get(f"/events/{event['id']}", translation_language=tag)
    assert response.json["title"] == TITLES[tag]
    assert response.json["fallback_fields"] == []
    assert response.headers["Content-Language"] == tag


@pytest.mark.parametrize("tag", TITLES)
def test_each_language_has_a_slug_by_which_the_record_is_found(anyone, event, tag):
    slug = anyone.get(f"/events/{event['id']}", translation_language=tag).json["slug"]
    response = anyone.get(f"/events/by-slug/{slug}", translation_language=tag)
    assert (response.json["id"], response.json["slug"]) == (event["id"], slug)


@pytest.mark.parametrize(("tag", "word"), [("ar", "الحديقة"), ("he", "בפארק"), ("ja", "音楽")])
def test_a_word_is_found_in_the_language_that_has_it_alone(anyone, event, tag, word):
    listed_events = anyone.get("/events", search=word, translation_language=tag).json["events"]
    assert [listed_event["id"] for listed_event in listed_events] == [event["id"]]
    assert anyone.get("/events", search=word, translation_language="de").json["total"] == 0


def test_all_ten_are_written_and_read_in_one_request_each(anyone, event):
    variants = anyone.get(f"/events/{event['id']}", translation_language="all").json["variants"]
    assert {tag: texts["title"] for tag, texts in variants.items()} == TITLES


def test_one_of_ten_can_be_taken_away(anyone, as_admin, event):
    path = f"/events/{event['id']}"
    as_admin.delete(path, translation_language="ja", translation_only=True)
    record = anyone.get(path, translation_language="ja").json
    assert record["title"] == TITLES["de"]
    missing = [tag for tag, each in record["translations"].items() if each["status"] == "missing"]
    assert missing == ["ja"]

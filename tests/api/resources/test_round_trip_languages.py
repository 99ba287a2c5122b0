"""A record read in one language or in all can be sent back in any language."""

import dataclasses

import pytest
from api.resources.five_collections import PLURALS, REQUIRED
from keeping import kept

LANGUAGES = ("de", "fr", "rm")
FALLBACKS = ({}, {"fallback": "none"}, {"fallback": "fr,de"})
# A write names another chain than the site's if the record was read with it.
CHAINS = [*((chain, chain) for chain in FALLBACKS), *(({}, chain) for chain in FALLBACKS[1:])]
EVENT = {
    "de": {"title": "Konzert & mehr", "excerpt": "<p>Abend</p>"},
    "fr": {
        "title": "Concert & plus",
        "description": "<p>Soir</p>",
        "website": "https://a.example/",
    },
}
VENUE = {
    "de": {"venue": "Halle", "country": "Schweiz", "province": "Graubünden"},
    "fr": {"venue": "Salle", "country": "Suisse", "province": "Grisons", "city": "Coire"},
}
TEXTS = {
    "event": EVENT,
    "venue": VENUE,
    "organizer": {"fr": {"organizer": "Choeur", "website": "https://a.example/?a=1&b=2"}},
    "category": {"de": {"name": "Musik"}, "fr": {"name": "Musique", "description": "Sons"}},
    "tag": {"fr": {"name": "Musique"}},
}


@pytest.fixture
def settings(settings):
    return dataclasses.replace(settings, languages=LANGUAGES)


@pytest.fixture
def make_in(make_kind):
    """Return a function that creates a record with only these texts: its path."""

    def make(kind, variants):
        plural, label = PLURALS[kind]
        return f"/{plural}/{make_kind(kind, **{label: None}, variants=variants)['id']}"

    return make


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("chains", CHAINS)
def test_a_record_can_be_sent_back_if_the_site_or_the_write_names_its_fallback(
    as_admin, make_in, clock, kind, chains
):
    path, (read, write) = make_in(kind, TEXTS[kind]), chains
    before = as_admin.get(path, translation_language="all").json
    clock.advance(hours=1)
    for language, requested in [(tag, each) for tag in LANGUAGES for each in (tag, "all")]:
        record = as_admin.get(path, translation_language=requested, **read).json
        query = {"translation_language": language, **write}
        answer = as_admin.send("PUT", path, json=record, query_string=query)
        assert answer.status_code == 200, answer.json
        assert as_admin.get(path, translation_language="all").json == before, requested


def test_a_text_of_a_chain_that_the_write_does_not_name_is_written(as_admin, make_in, stored_texts):
    path = make_in("event", EVENT)
    record = as_admin.get(path, translation_language="rm", fallback="fr,de").json
    as_admin.send("PUT", f"{path}?translation_language=rm", json=record)
    assert stored_texts(path)["rm"]["title"] == stored_texts(path)["fr"]["title"]


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("fallback", FALLBACKS)
def test_copy_of_a_record_in_all_languages_has_the_same_languages(
    as_admin, make_in, stored_texts, kind, fallback
):
    path = make_in(kind, {"fr": TEXTS[kind]["fr"]})
    record = as_admin.get(path, translation_language="all", **fallback).json
    as_admin.delete(path, force=True)
    plural, _ = PLURALS[kind]
    copy = as_admin.post(f"/{plural}", **record)
    assert copy.status_code == 201, copy.json
    assert stored_texts(f"/{plural}/{copy.json['id']}") == record["variants"]
    assert copy.json["translations"]["de"]["status"] == "missing"


@pytest.mark.parametrize("sent", [{}, {"fallback_fields": []}, {"language": "de"}])
def test_the_same_text_in_two_languages_makes_both(make_event, stored_texts, sent):
    event = make_event(title="Jazz", variants={"fr": {"title": "Jazz"}}, **sent)
    texts = stored_texts(f"/events/{event['id']}")
    assert [texts[language]["title"] for language in ("de", "fr")] == ["Jazz", "Jazz"]


def test_changed_fallback_text_is_stored(as_admin, make_in, stored_texts):
    path = make_in("event", EVENT)
    for read in ({"translation_language": "rm"}, {"translation_language": "all"}):
        record = as_admin.get(path, **read).json
        changed = record | {"title": f"Concert {len(record)}"}
        as_admin.send("PUT", f"{path}?translation_language=rm&fallback=none", json=changed)
        assert stored_texts(path)["rm"]["title"] == changed["title"]
    assert stored_texts(path)["rm"].keys() == {"title", "slug"}


@pytest.mark.parametrize(("read", "language"), [("rm", "rm"), ("all", "rm"), ("all", "de")])
def test_a_text_that_was_typed_is_written_though_a_third_language_has_it(
    as_admin, make_in, stored_texts, read, language
):
    for fallback in FALLBACKS[:2]:
        path = make_in("event", EVENT)
        before, record = stored_texts(path), as_admin.get(path, translation_language=read).json
        typed = record | {"title": EVENT["fr"]["title"]}
        query = {"translation_language": language, **fallback}
        assert as_admin.send("PUT", path, json=typed, query_string=query).status_code == 200
        texts = stored_texts(path)
        assert texts[language]["title"] == texts["fr"]["title"]
        assert texts[language].keys() == set(before.get(language, ("title", "slug")))


@pytest.mark.parametrize(
    "typed", [{"city": "Coire"}, {"city": "Coire", "country": "Suisse", "stateprovince": "Grisons"}]
)
@pytest.mark.parametrize("read", ["rm", "all"])
def test_names_of_places_may_be_those_of_a_third_language(
    as_admin, make_in, stored_texts, read, typed
):
    hall = {"venue": "Arena", "address": "Plazza 1"}
    german = hall | {"city": "Chur", "country": "Schweiz", "province": "Graubünden"}
    french = hall | {"city": "Coire", "country": "Suisse", "province": "Grisons"}
    path = make_in("venue", {"de": german, "fr": french})
    record = as_admin.get(path, translation_language=read).json
    as_admin.send("PUT", f"{path}?translation_language=rm", json=record | typed)
    assert {name: stored_texts(path)["rm"].get(name) for name in typed} == typed


def test_text_other_than_the_fallback_is_stored(as_admin, make_in, stored_texts):
    path = make_in("event", EVENT)
    typed = {"title": "Concert & plus", "language": "rm", "fallback_fields": ["title"]}
    as_admin.send("PUT", f"{path}?translation_language=rm", json=typed)
    assert stored_texts(path)["rm"]["title"] == stored_texts(path)["fr"]["title"]


def test_a_text_that_was_emptied_is_taken_away(as_admin, make_in, stored_texts):
    path = make_in("event", EVENT)
    record = as_admin.get(path, translation_language="all").json
    assert as_admin.put(path, **record | {"title": ""}).invalid_params == ["title"]
    assert as_admin.put(path, **record | {"excerpt": ""}).status_code == 200
    assert "excerpt" not in stored_texts(path)["de"]


@pytest.mark.parametrize("fallback_fields", ["title", [["title"]], {"title": 1}, [5, None], None])
def test_malformed_fallback_fields_are_ignored(as_admin, make_in, stored_texts, fallback_fields):
    path = make_in("event", EVENT)
    body = {"title": "Concert & plus", "language": "rm", "fallback_fields": fallback_fields}
    answer = as_admin.send("PUT", f"{path}?translation_language=rm&fallback=none", json=body)
    assert answer.status_code == 200
    assert stored_texts(path)["rm"]["title"] == "Concert & plus"


def test_unknown_language_is_reported_with_other_errors(as_admin, make_in):
    path = make_in("event", EVENT)
    record = as_admin.get(path, translation_language="all").json
    for address, body in ((path, {}), ("/events", REQUIRED["events"])):
        wrong = record | body | {"translation_language": "xx", "all_day": "perhaps"}
        wrong["status"] = "nowhere"
        answer = as_admin.post(address, **wrong)
        assert set(answer.invalid_params) == {"translation_language", "status"}


@kept
def termed(make_event, make_category, make_venue):
    """Return the path of an event with two categories that languages show in another order."""
    first = make_category(name="A", variants={"rm": {"name": "Z"}})["id"]
    last = make_category(name="B", variants={"rm": {"name": "Y"}})["id"]
    hall = make_venue(status="draft")["id"]
    return f"/events/{make_event(categories=[last, first], venue=hall)['id']}"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("read", LANGUAGES)
def test_terms_in_the_order_of_another_language_are_no_change(
    as_admin, termed, clock, read, language
):
    before = as_admin.get(termed)
    clock.advance(hours=1)
    record = as_admin.get(termed, translation_language=read, _fields="categories").json
    assert len(record["categories"]) == 2
    answer = as_admin.send("PUT", f"{termed}?translation_language={language}", json=record)
    assert answer.status_code == 200
    again = as_admin.get(termed)
    assert (again.json, again.headers["ETag"]) == (before.json, before.headers["ETag"])
    assert again.json["venue"]["status"] == "draft"


def test_order_of_terms_is_irrelevant(as_admin, termed, clock):
    before = as_admin.get(termed).json
    first, last = (term["id"] for term in before["categories"])
    clock.advance(hours=1)
    for same in ([first, last, first], [last, first], f"{first},{last}", ["b", "a"]):
        assert as_admin.patch(termed, categories=same).json["modified"] == before["modified"]
    assert as_admin.patch(termed, categories=[first]).json["modified"] != before["modified"]


def test_languages_may_be_sent_back_in_any_letter_case(
    as_admin, make_event, make_venue, stored_texts
):
    hall = make_venue(status="draft")["id"]
    event = make_event(title="Markt", variants={"fr": {"title": "Foire"}}, venue=hall)
    path = f"/events/{event['id']}"
    before = stored_texts(path)
    sent = {"title": "Markt", "variants": {tag.upper(): texts for tag, texts in before.items()}}
    answer = as_admin.send("PUT", f"{path}?translation_language=fr", json=sent)
    assert answer.status_code == 200
    assert stored_texts(path) == before
    assert as_admin.get(f"/venues/{hall}").json["status"] == "draft"

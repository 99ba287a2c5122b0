"""The memory of a record: current texts in several languages, and their sentences."""

import pytest

from calendar_app.domain.kinds import EVENT, VENUE
from calendar_app.domain.memory import (
    equal_key,
    like_keys,
    marked_words,
    may_differ,
    remembered,
    sentences,
)
from calendar_app.domain.translations import translated

TEXTS = {
    "de": {"title": "Konzert", "description": "<p>Eintritt frei. Mit Apéro.</p>"},
    "rm": {"title": "Concert", "description": "<p>Entrada libra. Cun aperitiv.</p>"},
}


def event(variants=TEXTS, **fields):
    record = {"_id": 7, "status": "publish", "author": 3, "variants": variants} | fields
    names_by_tag = {tag: set(texts) for tag, texts in variants.items()}
    state = {"origin": "de"} | fields
    return record | translated(EVENT, record | state, names_by_tag)


def texts_of(record, kind=EVENT):
    units = remembered(kind, record).get("units", [])
    return [(unit["field"], unit["place"], unit["texts"]) for unit in units]


def test_texts_are_remembered_whole_and_by_sentence():
    assert texts_of(event()) == [
        ("title", 0, {"de": "Konzert", "rm": "Concert"}),
        (
            "description",
            0,
            {"de": TEXTS["de"]["description"], "rm": TEXTS["rm"]["description"]},
        ),
        ("description", 1, {"de": "Eintritt frei.", "rm": "Entrada libra."}),
        ("description", 2, {"de": "Mit Apéro.", "rm": "Cun aperitiv."}),
    ]


def test_sentences_of_other_numbers_are_not_paired():
    variants = TEXTS | {"rm": {"description": "<p>Entrada libra, cun aperitiv.</p>"}}
    assert [place for _, place, _ in texts_of(event(variants))] == [0]


def test_each_language_is_a_translation_of_each_other():
    variants = TEXTS | {"fr": {"title": "Concert du soir"}}
    title = remembered(EVENT, event(variants))["units"][0]
    for source, target in (("de", "fr"), ("fr", "de"), ("rm", "fr"), ("fr", "rm")):
        words = title["texts"][source]
        assert equal_key(source, target, words, is_public=True) in title["keys"]
    assert set(like_keys("de", "Konzert", is_public=True)) <= set(title["keys"])
    assert not set(like_keys("de", "Konzert", is_public=False)) & set(title["keys"])


@pytest.mark.parametrize(
    "fields",
    [
        {"status": "trash"},
        {"variants": {"de": TEXTS["de"]}},
        {"variants": {"de": {"slug": "konzert", "website": "https://a.example"}}},
        {"series": 3, "overrides": ["start_local", "variants.rm.slug"]},
    ],
)
def test_nothing_is_remembered_of(fields):
    assert remembered(EVENT, event() | fields) == {}


def test_date_of_a_series_with_texts_of_its_own_is_remembered():
    assert texts_of(event() | {"series": 3, "overrides": ["variants.rm.title"]})


def test_outdated_text_is_not_remembered():
    record = event()
    changed = record["variants"] | {"de": TEXTS["de"] | {"title": "Abendkonzert"}}
    assert "title" not in [field for field, *_ in texts_of(record | {"variants": changed})]


def test_text_that_waits_for_a_check_is_not_remembered():
    waits = {"origin": "machine", "by": "libretranslate", "at": None}
    ledger = {"rm": {"title": waits}}
    assert "title" not in [field for field, *_ in texts_of(event() | {"ledger": ledger})]
    ledger["rm"]["title"] = waits | {"reviewed": {"by": 1, "at": None}}
    assert "title" in [field for field, *_ in texts_of(event() | {"ledger": ledger})]


@pytest.mark.parametrize(
    ("fields", "author"),
    [
        ({}, None),
        ({"status": "draft"}, 3),
        ({"status": "future"}, 3),
        ({"status": "private"}, 3),
        ({"password": "secret"}, 3),
    ],
)
def test_what_the_public_may_not_read_has_other_keys(fields, author):
    document = remembered(EVENT, event() | fields)
    key = equal_key("de", "rm", "Konzert", is_public=author is None)
    assert document["author"] == author
    assert key in document["units"][0]["keys"]


def test_parts_of_custom_fields_are_remembered_by_key():
    variants = {
        "de": {"custom_fields": {"doors": {"label": "Türöffnung", "value": "19 Uhr"}}},
        "rm": {"custom_fields": {"doors": {"label": "Avertura", "value": "19.00"}}},
    }
    assert [field for field, *_ in texts_of(event(variants))] == [
        "custom_fields.doors.label",
        "custom_fields.doors.value",
    ]


def test_names_of_places_are_remembered():
    variants = {"de": {"venue": "Gemeindehaus"}, "rm": {"venue": "Chasa communala"}}
    assert texts_of({"_id": 1, "status": "publish", "variants": variants}, VENUE)


@pytest.mark.parametrize(
    ("text", "parted"),
    [
        ("Eintritt frei. Mit Apéro!", [["Eintritt frei.", "Mit Apéro!"]]),
        ("Am 12. Mai in St. Gallen.", [["Am 12. Mai in St. Gallen."]]),
        ("<p>Eins. Zwei.</p><p>Drei</p>", [["Eins.", "Zwei."], ["Drei"]]),
        (
            "Kommt alle! «Wir freuen uns.» Bis bald",
            [["Kommt alle!", "«Wir freuen uns.»", "Bis bald"]],
        ),
        ("z. B. Musik u. a. Tanz", [["z. B. Musik u. a. Tanz"]]),
        ("", []),
    ],
)
def test_sentences_end_where_people_see_them_end(text, parted):
    assert sentences(text) == parted


def test_long_words_tell_a_text_from_others():
    marks = marked_words("Konzert der Musikgesellschaft im Mai 2030")
    assert {"konzer", "musikg", "konzer musikg"} <= set(marks)
    assert "der" not in marks
    assert marked_words("Mai 2030") == ["2030", "mai", "mai 2030"]


def test_times_do_not_change_the_memory():
    record = event()
    assert not may_differ(record, record | {"modified": 1, "revision": 9, "start_local": 2})
    assert may_differ(record, record | {"status": "draft"})

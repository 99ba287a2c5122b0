"""With ``memory_fills`` a new record gets the undisputed translations of its texts at once."""

from dataclasses import replace

import pytest

EVENING = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 22:00:00"}


@pytest.fixture
def settings(settings):
    return replace(settings, memory_fills=True)


@pytest.fixture
def say(as_admin):
    """Return a function that stores an event with texts in both languages."""

    def store(de, rm):
        answer = as_admin.post("/events", **EVENING, variants={"de": de, "rm": rm})
        assert answer.status_code == 201, answer.json

    return store


@pytest.fixture
def create(as_admin):
    """Return a function that creates a German event; it returns its texts and their origins."""

    def make(**texts):
        created = as_admin.post("/events", **EVENING, **texts)
        assert created.status_code == 201, created.json
        read = as_admin.get(f"/events/{created.json['id']}", translation_language="all").json
        return read["variants"], read["text_origins"]

    return make


def test_what_is_said_the_same_everywhere_is_filled_in_and_waits(say, create, as_admin):
    for title in ("Markt", "Fest"):
        say(
            {"title": title, "excerpt": "Eintritt frei"}, {"title": "X", "excerpt": "Entrada libra"}
        )
    variants, origins = create(title="Ganz neu", excerpt="Eintritt frei")
    assert variants["rm"] == {"excerpt": "<p>Entrada libra</p>"}
    assert origins["rm"]["excerpt"]["origin"] == "memory"
    assert origins["rm"]["excerpt"]["reviewed"] is False
    waiting = as_admin.get("/events", translation_language="rm", translation_state="unreviewed")
    assert waiting.json["total"] == 1


def test_what_is_said_in_two_ways_stays_open(say, create):
    for rm in ("Concert", "Concert da saira"):
        say({"title": "Konzert"}, {"title": rm})
    variants, _ = create(title="Konzert")
    assert "rm" not in variants


def hide(as_admin, **changes):
    event = as_admin.get("/events").json["events"][0]
    assert as_admin.post(f"/events/{event['id']}", **changes).status_code == 200


@pytest.mark.parametrize(
    "changes", [{"status": "private"}, {"status": "draft"}, {"password": "secret"}]
)
def test_hidden_texts_fill_no_new_record(say, create, as_admin, changes):
    say({"title": "Konzert"}, {"title": "Concert"})
    hide(as_admin, **changes)
    variants, _ = create(title="Konzert")
    assert "rm" not in variants


def test_hidden_texts_do_not_keep_public_ones_from_filling(say, create, as_admin):
    say({"title": "Konzert"}, {"title": "Concert"})
    hide(as_admin, status="private")
    say({"title": "Konzert"}, {"title": "Producziun"})
    variants, _ = create(title="Konzert")
    assert variants["rm"]["title"] == "Producziun"


def test_what_is_written_stays(say, create):
    say({"title": "Konzert"}, {"title": "Concert"})
    variants, origins = create(variants={"de": {"title": "Konzert"}, "rm": {"title": "Musica"}})
    assert variants["rm"]["title"] == "Musica"
    assert origins["rm"]["title"]["origin"] == "human"


def test_further_details_are_filled_in_with_their_labels(say, create):
    fields = {"entry": {"label": "Eintritt", "value": "frei"}}
    translated_fields = {"entry": {"label": "Entrada", "value": "libra"}}
    say(
        {"title": "Markt", "custom_fields": fields},
        {"title": "Fiera", "custom_fields": translated_fields},
    )
    variants, origins = create(title="Ganz neu", custom_fields=fields)
    assert variants["rm"]["custom_fields"] == translated_fields
    assert origins["rm"]["custom_fields"]["origin"] == "memory"


def test_what_the_glossary_says_counts_before_what_was_said(say, create, as_admin):
    say({"title": "Konzert"}, {"title": "Concert"})
    terms = [{"term": "Konzert", "translation": "Producziun"}]
    as_admin.post("/translations/glossary", source="de", target="rm", terms=terms)
    variants, _ = create(title="Konzert")
    assert variants["rm"]["title"] == "Producziun"

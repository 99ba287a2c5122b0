"""Translations are proposed as the calendar has said them before, to those who may read that."""

import pytest

EVENING = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 22:00:00"}


@pytest.fixture
def say(as_admin):
    """Return a function that stores an event with texts in both languages."""

    def store(de, rm, field="title", by=as_admin, **changes):
        usual = {"de": {"title": "Anlass"}, "rm": {}} if field != "title" else {"de": {}, "rm": {}}
        variants = {"de": usual["de"] | {field: de}, "rm": usual["rm"] | {field: rm}}
        answer = by.post("/events", **EVENING, variants=variants, **changes)
        assert answer.status_code == 201, answer.json
        return answer.json["id"]

    return store


@pytest.fixture
def propose(as_editor):
    """Return a function that asks for proposals from German into Romansh."""

    def ask(*texts, by=as_editor, **changes):
        body = {"source": "de", "target": "rm", "texts": list(texts)} | changes
        answer = by.post("/translations/propose", **body)
        assert answer.status_code == 200, answer.json
        return [text["proposals"] for text in answer.json["texts"]]

    return ask


def proposed_texts(proposals):
    return [each["text"] for each in proposals]


def test_equal_text_is_proposed_with_its_record(say, propose):
    event = say("Eintritt frei", "Entrada libra")
    ((proposal,),) = propose("Eintritt frei")
    assert proposal["text"] == "Entrada libra"
    assert proposal["likeness"] == 100
    assert (proposal["from"]["kind"], proposal["from"]["id"]) == ("events", event)
    assert proposal["from"]["field"] == "title"


def test_usual_translation_comes_first(say, propose):
    for rm in ("Concert", "Concert da saira", "Concert"):
        say("Konzert", rm)
    (proposals,) = propose("Konzert")
    assert [(each["text"], each["uses"]) for each in proposals] == [
        ("Concert", 2),
        ("Concert da saira", 1),
    ]


def test_text_of_the_same_field_comes_before_others(say, propose):
    for _ in range(2):
        say("Konzert", "Concert (curt)", field="excerpt")
    say("Konzert", "Concert")
    (proposals,) = propose(texts={"title": "Konzert"})
    assert proposed_texts(proposals)[0] == "Concert"


def test_similar_texts_are_proposed_with_their_difference(say, propose):
    say("Konzert der Musikgesellschaft Trun", "Concert da la societad da musica Trun")
    say("Gemeindeversammlung", "Radunanza communala")
    ((proposal,),) = propose("Konzert der Musikgesellschaft Sedrun")
    assert 75 <= proposal["likeness"] < 100
    assert proposal["difference"] == (
        "Konzert der Musikgesellschaft <del>Trun</del><ins>Sedrun</ins>"
    )


def test_nothing_is_proposed_for_what_nobody_has_said(say, propose):
    say("Konzert", "Concert")
    assert propose("Gemeindeversammlung", "") == [[], []]


def test_sentences_that_are_known_are_proposed(say, as_editor):
    say("<p>Eintritt frei. Mit Kuchen.</p>", "<p>Entrada libra. Cun turta.</p>", "description")
    texts = {"description": "<p>Grosses Fest. Eintritt frei.</p>"}
    answer = as_editor.post("/translations/propose", source="de", target="rm", texts=texts)
    (text,) = answer.json["texts"]
    assert text["field"] == "description"
    ((sentence, proposal),) = [(e["sentence"], e["proposal"]) for e in text["sentences"]]
    assert (sentence, proposal["text"]) == ("Eintritt frei.", "Entrada libra.")


def test_sentence_is_known_from_a_text_without_its_full_stop(say, as_editor):
    say("Eintritt frei", "Entrada libra")
    texts = {"description": "<p>Grosses Fest. Eintritt frei.</p>"}
    answer = as_editor.post("/translations/propose", source="de", target="rm", texts=texts)
    (text,) = answer.json["texts"]
    ((sentence, proposal),) = [(e["sentence"], e["proposal"]) for e in text["sentences"]]
    assert (sentence, proposal["text"]) == ("Eintritt frei.", "Entrada libra.")


def test_either_language_is_proposed_for_the_other(say, propose):
    say("Eintritt frei", "Entrada libra")
    assert proposed_texts(propose("Entrada libra", source="rm", target="de")[0]) == [
        "Eintritt frei"
    ]


def test_proposals_store_nothing(say, propose, database):
    say("Eintritt frei", "Entrada libra")
    before = list(database["events"].find()), list(database["memory"].find())
    propose("Eintritt frei", "Eintritt freier")
    assert (list(database["events"].find()), list(database["memory"].find())) == before


def test_markup_is_proposed_where_the_field_takes_it(say, propose):
    say("<p>Mit <b>Kuchen</b></p>", "<p>Cun <b>turta</b></p>", "description")
    assert proposed_texts(propose("Mit Kuchen")[0]) == ["Cun turta"]
    texts = {"description": "<p>Mit Kuchen</p>"}
    assert "<b>turta</b>" in proposed_texts(propose(texts=texts)[0])[0]


def test_outdated_text_is_not_proposed(say, propose, as_admin):
    event = say("Konzert", "Concert")
    as_admin.post(f"/events/{event}", title="Konzert am See")
    assert propose("Konzert", "Konzert am See") == [[], []]


@pytest.mark.parametrize("status", ["draft", "pending", "private"])
def test_text_of_a_draft_is_proposed_to_its_author_and_to_editors_alone(
    say, propose, calling_as, status
):
    say("Geheimes Fest der Musik", "Festa secreta", by=calling_as("author"), status=status)
    for text in ("Geheimes Fest der Musik", "Geheimes Fest der Musiken"):
        for reader in ("editor", "author"):
            assert proposed_texts(propose(text, by=calling_as(reader))[0]) == ["Festa secreta"]
        for stranger in ("author2", "contributor"):
            assert propose(text, by=calling_as(stranger)) == [[]]


def test_text_behind_a_password_is_proposed_to_editors_alone(say, propose, as_author2):
    say("Geheimes Fest", "Festa secreta", password="open sesame")
    assert proposed_texts(propose("Geheimes Fest")[0]) == ["Festa secreta"]
    assert propose("Geheimes Fest", by=as_author2) == [[]]


def test_names_of_places_are_proposed_from_themselves(propose, as_admin):
    variants = {"de": {"venue": "Gemeindehaus"}, "rm": {"venue": "Chasa communala"}}
    assert as_admin.post("/venues", variants=variants).status_code == 201
    assert proposed_texts(propose("Gemeindehaus")[0]) == ["Chasa communala"]


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ({"source": "xx"}, "source"),
        ({"target": "xx"}, "target"),
        ({"target": "de"}, "target"),
        ({"target": 5}, "target"),
        ({"texts": "Konzert"}, "texts"),
        ({"texts": []}, "texts"),
        ({"texts": [5]}, "texts"),
        ({"texts": {"title": None}}, "texts"),
        ({"texts": ["a"] * 21}, "texts"),
        ({"texts": ["a" * 20_001]}, "texts"),
        ({"kind": "users"}, "kind"),
    ],
)
def test_refusal_names_the_parameter(as_editor, body, name):
    sent = {"source": "de", "target": "rm", "texts": ["Konzert"]} | body
    answer = as_editor.post("/translations/propose", **sent)
    assert (answer.status_code, answer.invalid_params) == (400, [name])


def test_missing_parameters_are_named(as_editor):
    answer = as_editor.post("/translations/propose")
    assert answer.invalid_params == ["source", "target", "texts"]


def test_proposals_are_for_those_who_may_write(anyone, as_subscriber):
    body = {"source": "de", "target": "rm", "texts": ["Konzert"]}
    assert anyone.post("/translations/propose", **body).status_code == 401
    assert as_subscriber.post("/translations/propose", **body).status_code == 403

"""Terms have a settled translation: proposals follow it, and texts that do not are named."""

import pytest

PATH = "/translations/glossary"
EVENING = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 22:00:00"}


@pytest.fixture
def settle(as_editor):
    """Return a function that settles how German terms are said in Romansh."""

    def change(by=as_editor, **terms):
        sent = [{"term": term, "translation": translation} for term, translation in terms.items()]
        return by.post(PATH, source="de", target="rm", terms=sent)

    return change


def terms_of(answer):
    assert answer.status_code == 200, answer.json
    return {each["term"]: each["translation"] for each in answer.json["terms"]}


def proposals(client, text):
    body = {"source": "de", "target": "rm", "texts": [text]}
    return client.post("/translations/propose", **body).json["texts"][0]


def test_terms_are_added_changed_and_taken_away(settle, as_author):
    assert terms_of(settle(Gemeindehaus="chasa", Chor="cor")) == {
        "Chor": "cor",
        "Gemeindehaus": "chasa",
    }
    assert terms_of(settle(gemeindehaus="chasa communala", Chor=None)) == {
        "gemeindehaus": "chasa communala"
    }
    assert terms_of(as_author.get(PATH, source="de", target="rm")) == {
        "gemeindehaus": "chasa communala"
    }
    assert terms_of(as_author.get(PATH, source="rm", target="de")) == {}


def test_the_term_itself_is_proposed_first(settle, as_author, make_event):
    make_event(title="Gemeindehaus", variants={"rm": {"title": "Chasa da vischnanca"}})
    settle(Gemeindehaus="chasa communala")
    first, second = proposals(as_author, "Gemeindehaus")["proposals"]
    assert (first["text"], first["likeness"], first["from"]["kind"]) == (
        "chasa communala",
        100,
        "glossary",
    )
    assert first["from"]["rest_url"] is None
    assert second["misses"] == [{"term": "Gemeindehaus", "translation": "chasa communala"}]


def test_proposals_that_follow_the_glossary_come_before_those_that_do_not(
    settle, as_author, make_event
):
    for rm in ("Fest tar la chasa da vischnanca",) * 2 + ("Fest tar la chasa communala",):
        make_event(title="Fest beim Gemeindehaus", variants={"rm": {"title": rm}})
    usual = proposals(as_author, "Fest beim Gemeindehaus")
    assert usual["proposals"][0]["text"] == "Fest tar la chasa da vischnanca"
    assert usual["terms"] == []
    settle(Gemeindehaus="chasa communala")
    followed = proposals(as_author, "Fest beim Gemeindehaus")
    assert [each["text"] for each in followed["proposals"]] == [
        "Fest tar la chasa communala",
        "Fest tar la chasa da vischnanca",
    ]
    assert followed["terms"] == [{"term": "Gemeindehaus", "translation": "chasa communala"}]


def test_a_saved_text_that_misses_a_term_is_named_and_not_refused(settle, as_author):
    settle(Gemeindehaus="chasa communala")
    texts = {"de": {"title": "Fest beim Gemeindehaus"}, "rm": {"title": "Festa en chasa"}}
    created = as_author.post("/events", **EVENING, variants=texts)
    assert (created.status_code, created.headers["X-Calendar-Glossary"]) == (201, "rm.title")
    path = f"/events/{created.json['id']}"
    mended = as_author.post(path, translation_language="rm", title="Festa tar la chasa communala")
    assert "X-Calendar-Glossary" not in mended.headers
    changed = as_author.post(path, translation_language="rm", title="Festa en chasa")
    assert changed.headers["X-Calendar-Glossary"] == "rm.title"
    assert "X-Calendar-Glossary" not in as_author.post(path, cost="5").headers


@pytest.mark.parametrize("terms", ["x", [], [5], [{"term": ""}], [{"term": "a\nb" * 99}], [{}]])
def test_what_are_no_terms_is_refused(as_editor, terms):
    answer = as_editor.post(PATH, source="de", target="rm", terms=terms)
    assert (answer.status_code, answer.invalid_params) == (400, ["terms"])


def test_a_glossary_is_of_two_languages_of_the_site(as_editor):
    assert as_editor.get(PATH, source="de", target="de").invalid_params == ["target"]
    assert as_editor.get(PATH, source="xx", target="de").invalid_params == ["source"]


def test_writers_read_the_glossary_and_editors_change_it(settle, as_author, anyone, as_subscriber):
    assert settle(by=as_author, Chor="cor").status_code == 403
    assert settle(by=anyone, Chor="cor").status_code == 401
    assert as_subscriber.get(PATH, source="de", target="rm").status_code == 403

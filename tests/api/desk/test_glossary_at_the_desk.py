"""The glossary and the memory have a page, and saved texts that miss a term are named."""

from io import BytesIO

import pytest
from desking import form_of

PAIR = "/translations/memory?from=de&into=rm"
EVENING = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 22:00:00"}
TMX = b"""<?xml version="1.0"?><tmx version="1.4"><header/><body>
<tu><tuv xml:lang="de"><seg>Eintritt frei</seg></tuv>
<tuv xml:lang="rm"><seg>Entrada libra</seg></tuv></tu></body></tmx>"""


@pytest.fixture
def settle(as_editor):
    """Return a function that settles how terms are said in Romansh."""

    def change(**terms):
        sent = [{"term": term, "translation": translation} for term, translation in terms.items()]
        as_editor.post("/translations/glossary", source="de", target="rm", terms=sent)

    return change


def lines(page):
    columns = [
        page.tree.xpath(f'//input[@name="{name}"]/@value') for name in ("term", "translation")
    ]
    return {
        term: translation for term, translation in zip(*columns, strict=True) if term or translation
    }


def save(browser, **columns):
    token = dict(form_of(browser.get(PAIR)).form_values())["csrf_token"]
    return browser.post(PAIR, csrf_token=token, **columns)


def test_terms_are_added_renamed_and_taken_away(desk, settle):
    settle(Chor="cor", Haus="chasa")
    browser = desk()
    assert lines(browser.get(PAIR)) == {"Chor": "cor", "Haus": "chasa"}
    saved = save(
        browser,
        was=["Chor", "Haus", ""],
        term=["Chöre", "", "Musik"],
        translation=["cors", "", "musica"],
    )
    assert saved.status == 303
    assert lines(browser.get(PAIR)) == {"Chöre": "cors", "Musik": "musica"}


def test_half_a_term_is_shown_again_and_nothing_is_saved(desk, settle):
    settle(Chor="cor")
    browser = desk()
    refused = save(browser, was=["Chor", ""], term=["Chor", "Musik"], translation=["cors", ""])
    assert refused.status == 422
    assert "Musik" in refused.tree.xpath('string(//*[@role="alert"])')
    assert lines(refused) == {"Chor": "cors", "Musik": ""}
    assert lines(browser.get(PAIR)) == {"Chor": "cor"}


def test_authors_read_the_glossary(desk, settle):
    settle(Chor="cor")
    page = desk("author").get(PAIR)
    assert page.tree.xpath("//dt/text()") == ["Chor"]
    assert not page.tree.xpath('//input[@name="term"]')


def test_saved_text_that_misses_a_term_is_named(desk, settle, make_event):
    settle(Gemeindehaus="chasa communala")
    event = make_event(title="Fest beim Gemeindehaus")
    browser, path = desk(), f"/events/{event['id']}/translate/rm"
    page = browser.get(path)
    assert "chasa communala" in page.tree.xpath('string(//*[contains(@class, "glossary-terms")])')
    saved = browser.send(path, title="Festa en chasa", press="save")
    assert saved.status == 303
    after = browser.get(path)
    assert "chasa communala" in after.tree.xpath('string(//*[contains(@class, "notice-warning")])')
    assert after.tree.xpath('//li[@class="is-missed"]')
    form = browser.get(f"/events/{event['id']}")
    assert "chasa communala" in form.tree.xpath('string(//*[contains(@class, "is-missed")])')


def test_memory_goes_out_and_comes_in_as_a_file(desk, as_editor, make_event):
    make_event(title="Konzert", variants={"rm": {"title": "Concert"}})
    browser = desk()
    file = browser.get("/translations/memory.tmx")
    assert file.answer.headers["Content-Disposition"] == 'attachment; filename="memory.tmx"'
    assert "Concert" in file.text
    token = dict(form_of(browser.get(PAIR), "/import").form_values())["csrf_token"]
    answer = browser.post(
        "/translations/memory/import", csrf_token=token, file=(BytesIO(TMX), "other.tmx")
    )
    assert answer.status == 303
    body = {"source": "de", "target": "rm", "texts": ["Eintritt frei"]}
    (text,) = as_editor.post("/translations/propose", **body).json["texts"]
    assert text["proposals"][0]["text"] == "Entrada libra"


def test_what_is_no_tmx_is_said_so(desk):
    browser = desk()
    token = dict(form_of(browser.get(PAIR), "/import").form_values())["csrf_token"]
    for sent in ({}, {"file": (BytesIO(b"<html>"), "other.tmx")}):
        refused = browser.post("/translations/memory/import", csrf_token=token, **sent)
        assert refused.status == 422
        assert refused.tree.xpath('//*[@role="alert"]')

"""What is typed in one language of an event's form stays when another one is looked at."""

import pytest
from desking import form_of

WHEN = {"start_date": "12.5.2031", "start_time": "19:30", "end_time": "21:00"}


@pytest.fixture
def typed(desk):
    """Return a function that opens a form and types; it returns functions to go on."""
    browser = desk("editor")

    class Typing:
        def __init__(self, path):
            self.path, self.page = path, browser.get(path)

        def send(self, button, language="", **changes):
            form = form_of(self.page)
            fields = dict(form.form_values()) | changes | {"button": button}
            target = f"{self.path}?translation_language={language}" if language else form.action
            self.page = browser.post(target, **fields)
            return self

        def look_at(self, language, **changes):
            self.send("language", language, **changes)
            assert self.page.status == 200
            return self

        def value(self, name):
            return dict(form_of(self.page).form_values())[name].strip()

    return Typing


@pytest.fixture
def market(make_event, as_editor):
    return make_event(
        by=as_editor,
        title="Markt",
        description="<p>Alt</p>",
        variants={"rm": {"title": "Fiera"}},
        start_date="2031-05-12 10:00:00",
        end_date="2031-05-12 12:00:00",
    )["id"]


def texts_of(event_id, as_editor, name="title"):
    event = as_editor.get(f"/events/{event_id}", translation_language="all").json
    return {tag: texts.get(name, "") for tag, texts in event["variants"].items()}


def created(typing):
    assert typing.page.status == 303, typing.page.text
    return int(typing.page.headers["Location"].rpartition("/")[2].partition("?")[0])


def test_new_event_is_written_in_two_languages_and_saved_at_once(typed, as_editor):
    typing = typed("/events/new").look_at("rm", title="Konzert", **WHEN)
    assert (typing.value("title"), typing.value("start_date")) == ("", "12.5.2031")
    typing.look_at("de", title="Concert")
    assert typing.value("title") == "Konzert"
    number = created(typing.send("publish"))
    assert texts_of(number, as_editor) == {"de": "Konzert", "rm": "Concert"}


def test_new_event_is_saved_in_the_language_in_which_it_was_written(typed, as_editor):
    typing = typed("/events/new").look_at("rm", title="Konzert", **WHEN)
    number = created(typing.send("publish"))
    assert texts_of(number, as_editor) == {"de": "Konzert"}


def test_texts_of_a_stored_event_are_saved_with_those_of_the_other_language(
    typed, as_editor, market
):
    typing = typed(f"/events/{market}").look_at("rm", title="Markttag", cost="20")
    assert typing.value("title") == "Fiera"
    created(typing.send("save", title="Di da fiera"))
    assert texts_of(market, as_editor) == {"de": "Markttag", "rm": "Di da fiera"}
    assert texts_of(market, as_editor, "description")["de"] == "<p>Alt</p>"
    assert as_editor.get(f"/events/{market}").json["cost"] == "$20"


def test_looking_at_a_language_changes_nothing(typed, as_editor, market):
    before = as_editor.get(f"/events/{market}").json
    typing = typed(f"/events/{market}").look_at("rm").look_at("de").look_at("rm")
    assert 'data-unsaved=""' in typing.page.answer.get_data(as_text=True)
    created(typing.send("save"))
    assert as_editor.get(f"/events/{market}").json == before


def test_text_that_others_have_changed_as_well_is_shown_in_its_language(typed, as_editor, market):
    typing = typed(f"/events/{market}").look_at("rm", title="Markttag")
    as_editor.post(f"/events/{market}", title="Jahrmarkt")
    typing.send("save", title="Di da fiera")
    assert typing.page.status == 409
    assert typing.value("form_language") == "de"
    for title in ("Jahrmarkt", "Markttag"):
        assert title in typing.page.text
    created(typing.send("save"))
    assert texts_of(market, as_editor) == {"de": "Markttag", "rm": "Di da fiera"}


def test_missing_title_is_said_in_its_language(typed, as_editor, market):
    typing = typed(f"/events/{market}").look_at("rm", title=" ").send("save", title="Di da fiera")
    assert typing.page.status == 422
    assert typing.value("form_language") == "de"
    assert texts_of(market, as_editor) == {"de": "Markt", "rm": "Fiera"}


@pytest.mark.parametrize("others", ["[", "[1]", '{"rm": 1}', '{"rm": {"values": {"title": 1}}}'])
def test_texts_that_no_form_has_sent_are_left_out(typed, as_editor, others):
    number = created(typed("/events/new").send("publish", others=others, title="Konzert", **WHEN))
    assert texts_of(number, as_editor) == {"de": "Konzert"}

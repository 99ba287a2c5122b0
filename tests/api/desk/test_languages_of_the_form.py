"""All languages of an event are written in one form, and saved at once."""

import pytest
from desking import form_of, values_of

WHEN = {"start_date": "12.5.2031", "start_time": "19:30", "end_time": "21:00"}


@pytest.fixture
def editor(desk):
    return desk("editor")


@pytest.fixture
def market(make_event, as_editor):
    return make_event(
        by=as_editor,
        title="Markt",
        description="<p>Alt</p>",
        variants={"rm": {"title": "Fiera", "description": "<p>Vegl</p>"}},
        start_date="2031-05-12 10:00:00",
        end_date="2031-05-12 12:00:00",
    )["id"]


def musts_of(page):
    """Return the ids of the titles that are marked as required."""
    marks = page.tree.xpath("//label[span[@class='field-must']]/@for")
    return [each for each in marks if "title" in each]


def test_title_is_required_in_the_language_that_has_it(editor, make_event, as_editor):
    event = make_event(by=as_editor, title="Markt")["id"]
    marks = [
        musts_of(editor.get(f"/events/{path}?translation_language=rm")) for path in (event, "new")
    ]
    assert marks == [["event-title-de"], ["event-title"]]


def rm(name):
    return f"variants[rm][{name}]"


def texts_of(event_id, as_editor, name="title"):
    event = as_editor.get(f"/events/{event_id}", translation_language="all").json
    return {tag: texts.get(name, "") for tag, texts in event["variants"].items()}


def saved(answer):
    assert answer.status == 303, answer.text
    return int(answer.headers["Location"].rpartition("/")[2].partition("?")[0])


def create(editor, **texts):
    return saved(editor.send("/events/new", button="publish", **WHEN, **texts))


def test_new_event_is_written_in_two_languages_and_saved_at_once(editor, as_editor):
    number = create(editor, title="Konzert", **{rm("title"): "Concert"})
    assert texts_of(number, as_editor) == {"de": "Konzert", "rm": "Concert"}


@pytest.mark.parametrize(
    ("texts", "stored"),
    [({"title": "Konzert"}, {"de": "Konzert"}), ({rm("title"): "Concert"}, {"rm": "Concert"})],
)
def test_new_event_is_saved_in_the_language_in_which_it_was_written(
    editor, as_editor, texts, stored
):
    assert texts_of(create(editor, **texts), as_editor) == stored


def test_texts_of_two_languages_are_changed_by_one_save(editor, as_editor, market):
    changes = {"title": "Markttag", "cost": "20", rm("title"): "Di da fiera"}
    saved(editor.send(f"/events/{market}", **changes))
    assert texts_of(market, as_editor) == {"de": "Markttag", "rm": "Di da fiera"}
    assert texts_of(market, as_editor, "description")["de"] == "<p>Alt</p>"
    assert as_editor.get(f"/events/{market}").json["cost"] == "$20"


@pytest.mark.parametrize("first", ["de", "rm"])
def test_form_that_nobody_touched_changes_nothing(editor, as_editor, market, first):
    before = as_editor.get(f"/events/{market}").json
    path = f"/events/{market}?translation_language={first}"
    saved(editor.send(path))
    assert as_editor.get(f"/events/{market}").json == before


def test_text_that_others_have_changed_as_well_is_shown_in_its_language(editor, as_editor, market):
    opened = form_of(editor.get(f"/events/{market}"))
    as_editor.post(f"/events/{market}", variants={"rm": {"title": "Fiera gronda"}}, cost="20")
    typed = values_of(opened) | {"title": "Markttag", rm("title"): "Di da fiera"}
    page = editor.post(opened.action, **typed)
    assert page.status == 409
    assert "Fiera gronda" in page.text
    assert values_of(form_of(page))[rm("title")] == "Di da fiera"
    theirs = values_of(form_of(page)) | {f"keep_{rm('title')}": "theirs"}
    saved(editor.post(opened.action, **theirs))
    assert texts_of(market, as_editor) == {"de": "Markttag", "rm": "Fiera gronda"}


def test_missing_title_is_said_in_its_language(editor, as_editor, market):
    page = editor.send(f"/events/{market}", title="Markttag", **{rm("title"): " "})
    assert page.status == 422
    (line,) = page.tree.xpath("//*[@id='problems']//li")
    assert " ".join(line.text_content().split()).startswith("Rumantsch, Titel:")
    assert page.tree.xpath("//*[@id='event-title-rm-problem']")
    assert texts_of(market, as_editor) == {"de": "Markt", "rm": "Fiera"}


def test_translation_without_a_title_is_refused_beside_it(editor):
    page = editor.send("/events/new", title="Fest", **{rm("description"): "Bel"}, **WHEN)
    assert page.status == 422
    assert page.tree.xpath("//*[@id='problems']//a/@href") == ["#event-title-rm"]
    assert values_of(form_of(page))[rm("description")].strip() == "Bel"


def test_form_tells_what_changed_in_the_source_and_takes_that_a_text_is_right(
    editor, as_editor, market
):
    as_editor.post(f"/events/{market}", title="Jahrmarkt", description="<p>Neu</p>")
    page = editor.get(f"/events/{market}")
    assert page.tree.xpath("//input[@name='right']/@value") == ["rm.title", "rm.description"]
    assert page.tree.xpath("//del/text()") == ["Markt", "Alt"]
    saved(editor.send(f"/events/{market}", right=["rm.title"]))
    page = editor.get(f"/events/{market}")
    assert page.tree.xpath("//input[@name='right']/@value") == ["rm.description"]


def test_nothing_is_right_of_a_source_that_was_changed_meanwhile(editor, as_editor, market):
    as_editor.post(f"/events/{market}", title="Jahrmarkt")
    opened = form_of(editor.get(f"/events/{market}"))
    as_editor.post(f"/events/{market}", title="Flohmarkt")
    saved(editor.post(opened.action, **values_of(opened), right="rm.title"))
    right = editor.get(f"/events/{market}").tree.xpath("//input[@name='right']/@value")
    assert right == ["rm.title"]


def test_further_details_share_their_key_in_all_languages(editor, as_editor):
    rows = {"custom_label": ["Türöffnung"], "custom_value": ["18 Uhr"]}
    rows |= {rm("custom_label"): ["Avertura"], rm("custom_value"): ["las 18"]}
    number = create(editor, title="Fest", **{rm("title"): "Festa"}, **rows)
    assert texts_of(number, as_editor, "custom_fields") == {
        "de": {"turoffnung": {"label": "Türöffnung", "value": "18 Uhr"}},
        "rm": {"turoffnung": {"label": "Avertura", "value": "las 18"}},
    }
    emptied = {"custom_label": [""], "custom_value": [""]}
    emptied |= {rm("custom_label"): [""], rm("custom_value"): [""]}
    saved(editor.send(f"/events/{number}", **emptied))
    assert not any(texts_of(number, as_editor, "custom_fields").values())


def test_proposal_that_is_taken_over_keeps_its_origin(editor, database):
    origin = '{"origin": "machine", "by": "DeepL", "proposal": "Concert"}'
    sent = {rm("title"): "Concert", "proposed[rm][title]": origin}
    number = create(editor, title="Konzert", **sent)
    entry = database["events"].find_one({"_id": number})["ledger"]["rm"]["title"]
    assert (entry["origin"], entry["by"]) == ("machine", "DeepL")
    assert "reviewed" in entry


@pytest.mark.parametrize("origin", ["[", "[1]", '{"origin": "human"}', '{"origin": 1}', "x" * 9000])
def test_origin_that_no_script_sends_is_left_out(editor, database, origin):
    sent = {rm("title"): "Concert", "proposed[rm][title]": origin, "proposed[xx": "y"}
    number = create(editor, title="Konzert", **sent)
    ledger = database["events"].find_one({"_id": number})["ledger"]
    assert ledger["rm"]["title"]["origin"] == "human"


def test_text_of_a_machine_is_checked_by_one_press(editor, as_editor, market, database):
    machine = {"rm": {"title": {"origin": "machine", "by": "DeepL"}}}
    texts = {"rm": {"title": "Fiera nova"}}
    as_editor.post(f"/events/{market}", variants=texts, translation_origin=machine)
    page = editor.get(f"/events/{market}")
    assert page.tree.xpath("//input[@name='checked']/@value") == ["rm.title"]
    saved(editor.send(f"/events/{market}", checked=["rm.title", "rm.nothing", "xx.title"]))
    page = editor.get(f"/events/{market}")
    assert page.tree.xpath("//input[@name='checked']") == []
    assert "reviewed" in database["events"].find_one({"_id": market})["ledger"]["rm"]["title"]

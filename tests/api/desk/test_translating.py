"""Translating at the desk: source and translation side by side, nothing lost."""

import json

import pytest
from browsing import labels_above
from desking import form_of


def _typed(page):
    return dict(form_of(page).form_values())


@pytest.fixture
def outdated(make_event, as_admin):
    """Return the id of an event with an outdated title and description in Romansh."""
    event = make_event(title="Konzert im Park", description="<p>Musik für alle</p>", excerpt="Kurz")
    path = f"/events/{event['id']}"
    texts = {"title": "Concert en il parc", "description": "Musica per tuts"}
    as_admin.patch(path, variants={"rm": texts})
    as_admin.patch(path, title="Konzert am See", description="<p>Musik für viele</p>")
    return event["id"]


@pytest.fixture
def stored(as_admin):
    """Return a function that reads texts and state of an event in Romansh."""

    def read(event_id):
        event = as_admin.get(f"/events/{event_id}", translation_language="all").json
        return event["variants"]["rm"] | {"status": event["translations"]["rm"]["status"]}

    return read


def test_outdated_field_shows_what_has_changed_in_its_source(desk, outdated):
    page = desk().get(f"/events/{outdated}/translate/rm")
    assert page.status == 200, page.text
    changes = page.tree.xpath('//*[@id="title-changes"]')[0]
    assert changes.xpath("del/text()") == ["im Park"]
    assert changes.xpath("ins/text()") == ["am See"]
    assert page.tree.xpath('//*[@id="description-changes"]/ins/text()') == ["viele"]


def test_unknown_change_is_said_plainly(desk, outdated, database):
    database["history"].delete_many({})
    page = desk().get(f"/events/{outdated}/translate/rm")
    assert "reicht der Verlauf nicht zurück" in page.text
    assert "Konzert am See" in page.text


def test_saved_texts_are_written_and_count_as_translated(desk, outdated, stored):
    browser, path = desk(), f"/events/{outdated}/translate/rm"
    answer = browser.send(path, title="Concert al lai", description="Musica per blers")
    assert answer.status == 303
    texts = stored(outdated)
    assert (texts["title"], texts["description"]) == ("Concert al lai", "<p>Musica per blers</p>")
    assert texts["status"] == "current"


def test_fields_left_alone_stay_outdated(desk, outdated, stored):
    desk().send(f"/events/{outdated}/translate/rm", title="Concert al lai")
    assert stored(outdated)["description"] == "<p>Musica per tuts</p>"
    assert stored(outdated)["status"] == "outdated"


def test_field_is_confirmed_by_one_press(desk, outdated, stored):
    browser, path = desk(), f"/events/{outdated}/translate/rm"
    browser.send(path, right="title")
    row = '//section[contains(@class, "is-outdated")]//input[@name="right"]/@value'
    assert browser.get(path).tree.xpath(row) == ["description"]
    browser.send(path, right="description")
    assert stored(outdated) == {
        "title": "Concert en il parc",
        "description": "<p>Musica per tuts</p>",
        "slug": "concert-en-il-parc",
        "status": "current",
    }


def test_all_fields_are_confirmed_by_one_press_which_leads_on(desk, outdated, stored):
    browser = desk()
    answer = browser.send(f"/events/{outdated}/translate/rm", press="right")
    assert "/desk/translations/next" in answer.headers["Location"]
    assert stored(outdated)["status"] == "current"


def test_refused_text_stands_beside_its_field_and_is_kept(desk, outdated, stored):
    browser, path = desk(), f"/events/{outdated}/translate/rm"
    page = browser.send(path, title="", description="Musica per blers")
    assert page.status == 400
    assert page.tree.xpath('//*[@id="title"]/@aria-invalid') == ["true"]
    assert page.tree.xpath('//*[@id="description"]')[0].text.strip() == "Musica per blers"
    assert stored(outdated)["title"] == "Concert en il parc"


def test_conflict_keeps_what_was_typed_and_shows_what_was_saved(desk, outdated, stored, as_admin):
    browser, path = desk(), f"/events/{outdated}/translate/rm"
    form = _typed(browser.get(path))
    theirs = {"title": "Concert grond", "description": "Musica dals auters"}
    as_admin.patch(f"/events/{outdated}", variants={"rm": theirs})
    page = browser.post(path, **form | {"title": "Concert al lai"})
    assert page.status == 412
    assert page.tree.xpath('//*[@id="title"]/@value') == ["Concert al lai"]
    assert "Concert grond" in page.text
    assert page.tree.xpath('//*[@id="description"]')[0].text.strip() == "Musica dals auters"
    assert stored(outdated)["title"] == "Concert grond"


def test_untouched_form_conflicts_with_nothing(desk, outdated, stored, as_admin):
    browser, path = desk(), f"/events/{outdated}/translate/rm"
    form = _typed(browser.get(path))
    as_admin.patch(f"/events/{outdated}", variants={"rm": {"title": "Concert grond"}})
    assert browser.post(path, **form).status == 303
    assert stored(outdated)["title"] == "Concert grond"


def test_buttons_of_a_rich_text_have_names(desk, make_event):
    event = make_event(description='<p>Mit <a href="https://example.org/">Link</a></p>')
    page = desk().get(f"/events/{event['id']}/translate/rm")
    names = page.tree.xpath('//*[@id="description"]/@data-names')[0]
    assert json.loads(names)["bold"] == "Fett"


def test_second_save_after_a_conflict_keeps_the_fields_of_others(desk, outdated, stored, as_admin):
    browser, path = desk(), f"/events/{outdated}/translate/rm"
    form = _typed(browser.get(path))
    as_admin.patch(f"/events/{outdated}", variants={"rm": {"description": "Musica dals auters"}})
    page = browser.post(path, **form | {"title": "Concert al lai"})
    browser.post(path, **_typed(page))
    assert stored(outdated)["title"] == "Concert al lai"
    assert stored(outdated)["description"] == "<p>Musica dals auters</p>"


def test_source_is_taken_over_without_being_saved(desk, make_event, stored, as_admin):
    event = make_event(title="Openair")
    browser, path = desk(), f"/events/{event['id']}/translate/rm"
    page = browser.send(path, take="source.title")
    assert page.tree.xpath('//*[@id="title"]/@value') == ["Openair"]
    event = as_admin.get(f"/events/{event['id']}", translation_language="all").json
    assert "rm" not in event["variants"]
    browser.post(path, **_typed(page))
    assert stored(event["id"])["title"] == "Openair"


def test_translator_is_led_to_the_next_record(desk, make_event):
    first, second = (make_event(title=title)["id"] for title in ("Eins", "Zwei"))
    browser = desk()
    answer = browser.send(f"/events/{first}/translate/rm?state=missing", title="In", press="next")
    answer = browser.get(answer.headers["Location"])
    assert f"/desk/events/{second}/translate/rm" in answer.headers["Location"]
    answer = browser.send(f"/events/{second}/translate/rm?state=missing", title="Dus", press="next")
    answer = browser.get(answer.headers["Location"])
    assert answer.headers["Location"].startswith("/desk/translations/")


@pytest.mark.parametrize("language", ["it", "xx"])
def test_language_that_the_site_lacks_is_not_found(desk, outdated, language):
    assert desk().get(f"/events/{outdated}/translate/{language}").status == 404


def test_source_language_itself_is_not_translated(desk, outdated):
    page = desk().get(f"/events/{outdated}/translate/de")
    assert "nichts, woraus es zu übersetzen wäre" in page.text


def test_author_may_not_translate_events_of_others(desk, outdated):
    assert desk("author").get(f"/events/{outdated}/translate/rm").status == 403
    browser = desk("author")
    answer = browser.post(
        f"/events/{outdated}/translate/rm", csrf_token=browser.token(), title="X", revision="3"
    )
    assert answer.status == 403


@pytest.mark.parametrize("kind", ["events", "venues", "organizers", "categories", "tags"])
def test_records_of_all_kinds_are_translated(desk, request, as_admin, kind):
    label = {"events": "title", "venues": "venue", "organizers": "organizer"}.get(kind, "name")
    singular = {"categories": "category"}.get(kind, kind[:-1])
    record = request.getfixturevalue(f"make_{singular}")(**{label: "Gemeinde"})
    desk().send(f"/{kind}/{record['id']}/translate/rm", **{label: "Vischnanca"})
    path = f"/{kind}/{record['id']}"
    assert as_admin.get(path, translation_language="rm").json[label] == "Vischnanca"


def test_refusals_of_a_translation_bear_the_labels_above_the_fields(desk, make_event):
    event = make_event(title="Konzert", website="https://example.org/")
    page = desk().send(f"/events/{event['id']}/translate/rm", title="", website="nagin")
    assert page.status == 400
    in_summary, above = labels_above(page)
    assert in_summary == above == ["Website"]


def test_translating_a_text_belongs_to_the_translations(desk, make_event, as_editor):
    event = make_event(by=as_editor, title="Markt")["id"]
    page = desk("editor").get(f"/events/{event}/translate/rm")
    lit = page.tree.xpath("//nav[contains(@class, 'desk-side')]//a[@aria-current]/@href")
    assert lit == ["/desk/translations/"]

"""Senders see the state of their event at their page, and correct it there."""

import pytest
from browsing import Browser


@pytest.fixture
def browse(app):
    return Browser(app)


@pytest.fixture
def own_page(send, browse):
    """Return a function that sends a contribution and opens or posts to its sender's page."""
    sent = send()

    def visit(method="GET", **data):
        return browse(sent["url"], method=method, **({"data": data} if data else {}))

    visit.id = sent["id"]
    return visit


def _fields(page):
    (form,) = page.tree.xpath("//form[@id='submission']")
    texts = {each.name: each.value for each in form.inputs if each.get("type") != "checkbox"}
    checked = form.xpath('.//input[@type="checkbox"][@checked]')
    return {name: (value or "").strip() for name, value in texts.items() if name} | {
        each.name: each.get("value") for each in checked
    }


def test_page_shows_what_was_sent(own_page):
    page = own_page()
    fields = _fields(page)
    assert fields["title[de]"] == "Hausmusik"
    assert fields["description[de]"] == "Mit Flöte\n\nund Laute"
    assert (fields["start_day"], fields["start_time"]) == ("2030-03-10", "19:00")
    assert (fields["venue"], fields["organizer"]) == ("Alte Mühle", "Musikfreunde")


def test_unchanged_form_changes_nothing(own_page, as_editor):
    before = as_editor.get(f"/events/{own_page.id}").json
    assert own_page("POST", **_fields(own_page())).status == 303
    after = as_editor.get(f"/events/{own_page.id}").json
    assert after == before


def test_sender_mends_on_the_page(own_page, as_editor):
    fields = _fields(own_page()) | {"title[de]": "Tafelmusik", "end_time": "22:30", "website": ""}
    answer = own_page("POST", **fields)
    assert answer.status == 303
    event = as_editor.get(f"/events/{own_page.id}").json
    assert (event["title"], event["end_date"]) == ("Tafelmusik", "2030-03-10 22:30:00")


def test_wrong_field_is_named_and_nothing_is_lost(own_page):
    page = own_page("POST", **(_fields(own_page()) | {"start_day": "bald", "title[de]": "Neu"}))
    assert page.status == 400
    assert page.tree.xpath('//*[@aria-invalid="true"]/@name') == ["start_day"]
    assert _fields(page)["title[de]"] == "Neu"


def test_sender_adds_a_language_and_takes_one_away(own_page, as_editor):
    def titles():
        event = as_editor.get(f"/events/{own_page.id}", translation_language="all").json
        return {tag: texts["title"] for tag, texts in event["variants"].items()}

    fields = _fields(own_page()) | {
        "title[rm]": "Musica da chasa",
        "website": "https://example.org/musik",
    }
    own_page("POST", **(fields | {"languages[]": ["de", "rm"]}))
    assert titles() == {"de": "Hausmusik", "rm": "Musica da chasa"}
    own_page("POST", **(fields | {"languages[]": "rm"}))
    assert titles() == {"rm": "Musica da chasa"}
    event = as_editor.get(f"/events/{own_page.id}", translation_language="rm").json
    assert event["website"] == "https://example.org/musik"
    assert own_page().status == 200


def test_question_stands_on_the_page_until_it_is_answered(own_page, as_editor):
    as_editor.post(f"/submissions/{own_page.id}/ask", question="Wann endet <b>es</b>?")
    page = own_page()
    assert "Wann endet <b>es</b>?" in page.text
    own_page("POST", **(_fields(page) | {"end_time": "22:00"}))
    assert "Wir haben eine Frage" not in own_page().text


def test_published_event_is_linked(own_page, as_editor):
    as_editor.post(f"/submissions/{own_page.id}/publish")
    page = own_page()
    assert page.tree.xpath('//a[@href="/event/hausmusik/"]')
    assert not page.tree.xpath("//form[@method='post']")


def test_reason_of_a_refusal_is_shown(own_page, as_editor):
    as_editor.post(f"/submissions/{own_page.id}/refuse", reason="Zu weit weg")
    assert "Zu weit weg" in own_page().text


def test_what_was_decided_meanwhile_is_not_changed(own_page, as_editor):
    fields = _fields(own_page())
    as_editor.post(f"/submissions/{own_page.id}/publish")
    assert own_page("POST", **(fields | {"title[de]": "Anders"})).status == 303
    assert as_editor.get(f"/events/{own_page.id}").json["title"] == "Hausmusik"


@pytest.fixture
def last_category(as_admin):
    """Return the last of 61 categories, more than a page of the interface has."""
    names = (f"Category {number:02}" for number in range(61))
    *_, last = [as_admin.post("/categories", name=name).json for name in names]
    return last


def test_form_offers_all_categories_and_keeps_the_chosen_one(
    last_category, send, browse, as_editor
):
    sent = send(categories=[last_category["id"]])

    def stored_event():
        event = as_editor.get(f"/events/{sent['id']}").json
        return event["title"], [category["name"] for category in event["categories"]]

    page = browse(sent["url"])
    assert len(page.tree.xpath('//input[@name="categories[]"]')) == 61
    unfinished = _fields(page) | {"title[de]": ""}
    again = browse(sent["url"], method="POST", data=unfinished)
    assert (again.status, stored_event()) == (400, ("Hausmusik", ["Category 60"]))
    mended = _fields(again) | {"title[de]": "Tafelmusik"}
    assert browse(sent["url"], method="POST", data=mended).status == 303
    assert stored_event() == ("Tafelmusik", ["Category 60"])


@pytest.mark.parametrize("query", ["", "?token=", "?token=nothing", "?token[]=x"])
def test_without_the_secret_there_is_no_page(browse, query):
    assert browse(f"/events/submit/sent/{query}").status == 404


def test_sender_answers_in_words_on_the_page(browse, send, as_editor, follow):
    sent = send()
    as_editor.post(f"/submissions/{sent['id']}/ask", question="Wann endet es?")
    path = f"/events/submit/sent/?token={sent['token']}"
    refused = browse(path, method="POST", data={"answer": " "})
    assert refused.status == 400
    assert refused.tree.xpath('//textarea[@name="answer"]/@aria-invalid') == ["true"]
    assert browse(path, method="POST", data={"answer": "Um <b>zehn</b>"}).status == 303
    page = browse(path)
    assert [each.text for each in page.find("said")] == ["Wann endet es?", "Um <b>zehn</b>"]
    assert follow(sent["token"])["state"] == "waiting"


def test_nobody_is_told_of_a_check_that_is_still_to_come(own_page, as_editor):
    def steps():
        return [each.text_content() for each in own_page().tree.xpath("//ol[1]/li")]

    assert steps() == ["Gesendet", "Wir prüfen sie", "Veröffentlicht"]
    as_editor.post(f"/submissions/{own_page.id}/publish")
    assert steps() == ["Gesendet", "Geprüft", "Veröffentlicht"]

"""Editors publish, refuse or ask back contributions in the queue of the desk."""

import pytest
from api.submissions.conftest import CONTRIBUTION
from sites import swiss_site

from calendar_app.api.http.request.state import get_services
from calendar_app.api.resources.submissions.handling import send_letters_due


@pytest.fixture(scope="session")
def settings(settings):
    return swiss_site(settings, submissions=True)


@pytest.fixture
def send(anyone):
    """Return a function that sends a contribution and returns its receipt."""
    return lambda **changes: anyone.post("/submissions", **(CONTRIBUTION | changes)).json


@pytest.mark.parametrize("language", ["de", "en", "fr", "it", "rm"])
def test_cards_of_the_overview_have_names_of_their_own(desk, language):
    page = desk().get("/", headers={"Accept-Language": language})
    names = [card.text_content() for card in page.tree.xpath("//h2/span[1] | //h2[not(span)]")]
    assert len(set(names)) == len(names) > 3


def test_queue_shows_what_waits_with_what_is_similar(desk, send, make_event):
    make_event(title="Hausmusik im Tal", start_date="2030-03-10 17:00", end_date="2030-03-10 18:00")
    number = send()["id"]
    page = desk().get("/queue/")
    assert page.tree.xpath(f'//a[@href="/desk/queue/{number}"]/text()') == ["Hausmusik"]
    assert "Hausmusik im Tal" in page.text
    assert "10. März 2030" in page.text
    assert "Ursina" not in page.text


def test_empty_queue_says_so(desk):
    assert desk().get("/queue/").status == 200


def test_page_behind_the_last_leads_to_the_last(desk, send):
    send()
    answer = desk().get("/queue/?asked=&page=99")
    assert (answer.status, answer.headers["Location"]) == (302, "?asked=&page=1")
    answer = desk().get("/queue/?page=99")
    assert (answer.status, answer.headers["Location"]) == (302, "?page=1")


def test_editor_publishes_what_was_read(desk, send, anyone):
    number = send()["id"]
    assert desk().send(f"/queue/{number}", "/publish").status == 303
    assert anyone.get(f"/events/{number}").json["title"] == "Hausmusik"


def test_what_was_mended_meanwhile_is_shown_anew(desk, send, anyone):
    sent, browser = send(), desk()
    page = browser.get(f"/queue/{sent['id']}")
    (revision,) = page.tree.xpath('//input[@name="revision"]/@value')
    anyone.post("/submissions/sent", token=sent["token"], title="Inzwischen anders")
    page = browser.post(
        f"/queue/{sent['id']}/publish", csrf_token=browser.token(), revision=revision
    )
    assert page.status == 412
    assert "Inzwischen anders" in page.text
    assert "hat dies um" in page.text
    assert page.tree.xpath('//*[@role="alert"]')
    assert anyone.get(f"/events/{sent['id']}").status_code == 403
    (newer,) = page.tree.xpath('//input[@name="revision"]/@value')
    assert int(newer) > int(revision)


def test_editor_asks_back(desk, send, anyone):
    sent = send()
    assert desk().send(f"/queue/{sent['id']}", "/ask", question="Wann endet es?").status == 303
    state = anyone.get("/submissions/sent", token=sent["token"]).json
    assert (state["state"], state["question"]) == ("asked", "Wann endet es?")


def test_editor_refuses_with_a_reason(desk, send, anyone):
    sent, browser = send(), desk()
    page = browser.send(f"/queue/{sent['id']}", "/refuse")
    assert page.status == 400
    assert page.tree.xpath('//textarea[@name="reason"]/@aria-invalid') == ["true"]
    assert browser.send(f"/queue/{sent['id']}", "/refuse", reason="Zu weit").status == 303
    state = anyone.get("/submissions/sent", token=sent["token"]).json
    assert (state["state"], state["reason"]) == ("refused", "Zu weit")


@pytest.mark.parametrize("path", ["/queue/", "/queue/{}"])
@pytest.mark.parametrize("name", ["author", "contributor", "subscriber"])
def test_queue_is_closed_to_others(desk, send, path, name):
    assert desk(name).get(path.format(send()["id"])).status == 403


@pytest.mark.parametrize("decision", ["publish", "ask", "refuse"])
def test_others_decide_nothing(desk, send, as_editor, decision):
    number, browser = send()["id"], desk("author")
    page = browser.post(
        f"/queue/{number}/{decision}", csrf_token=browser.token(), question="x", reason="x"
    )
    assert page.status == 403
    assert as_editor.get(f"/submissions/{number}").json["state"] == "waiting"


def test_stranger_is_led_to_the_login(stranger, send):
    page = stranger.get(f"/queue/{send()['id']}")
    assert (page.status, page.headers["Location"].partition("?")[0]) == (303, "/desk/login")


def test_what_is_no_contribution_is_not_there(desk, make_event):
    assert desk().get(f"/queue/{make_event(title='Own')['id']}").status == 404
    assert desk().get("/queue/99999").status == 404


def test_decided_contribution_has_no_decisions_left(desk, send, as_editor):
    number = send()["id"]
    as_editor.post(f"/submissions/{number}/publish")
    page = desk().get(f"/queue/{number}")
    assert not page.tree.xpath("//main//form")
    browser = desk()
    again = browser.post(f"/queue/{number}/ask", csrf_token=browser.token(), question="x")
    assert again.status == 409


def _titles(page):
    return [link.text_content() for link in page.tree.xpath("//li//h2/a")]


def test_inbox_has_contributions_and_what_contributors_hand_in(
    desk, send, make_event, make_venue, as_contributor
):
    send()
    make_event(
        as_contributor,
        title="Chorabend",
        status="pending",
        start_date="2030-02-01 19:00",
        end_date="2030-02-01 21:00",
    )
    make_venue(as_contributor, venue="Turnhalle", status="pending")
    page = desk().get("/queue/")
    # The soonest first; what has no day comes behind. The sender's own place waits with its event.
    assert _titles(page) == ["Chorabend", "Hausmusik", "Turnhalle"]
    assert page.tree.xpath("//nav//li//span[@class='count']/text()") == ["3", "3"]


def test_number_of_the_menu_is_for_those_who_decide(desk, send):
    send()
    assert not desk("author").get("/").tree.xpath("//span[@class='count']")


def test_publishing_from_the_list_is_taken_back_with_one_press(desk, send, anyone, as_editor):
    number, browser = send()["id"], desk()
    browser.send("/queue/", f"/queue/{number}/publish")
    assert anyone.get(f"/events/{number}").status_code == 200
    place = as_editor.get(f"/events/{number}").json["venue"]["id"]
    assert anyone.get(f"/venues/{place}").status_code == 200
    assert browser.send("/queue/", f"/queue/{number}/undo").status == 303
    assert as_editor.get(f"/submissions/{number}").json["state"] == "waiting"
    assert anyone.get(f"/venues/{place}").status_code == 403
    assert _titles(browser.get("/queue/")) == ["Hausmusik"]


def test_sender_is_remembered_until_publishing_is_final(desk, send, app, database, clock):
    waiting, number, browser = send()["id"], send()["id"], desk()
    browser.send("/queue/", f"/queue/{number}/publish")
    services = get_services(app)
    send_letters_due(services.submissions, services.mailer)
    assert _email(database, number) == "ursina@example.org"
    clock.advance(minutes=3)
    send_letters_due(services.submissions, services.mailer)
    assert _email(database, number) == ""
    assert _email(database, waiting) == "ursina@example.org"


def _email(database, number):
    return database["submissions"].find_one({"_id": number})["email"]


def test_answer_in_words_comes_back_to_the_inbox(desk, send, anyone):
    sent, browser = send(), desk()
    browser.send(f"/queue/{sent['id']}", "/ask", question="Wann endet es?")
    assert _titles(browser.get("/queue/")) == []
    assert _titles(browser.get("/queue/?asked=1")) == ["Hausmusik"]
    answer = {"token": sent["token"], "answer": "Um zehn Uhr."}
    own = anyone.post("/submissions/sent/answer", **answer).json
    assert [(each["from"], each["text"]) for each in own["messages"]] == [
        ("desk", "Wann endet es?"),
        ("sender", "Um zehn Uhr."),
    ]
    assert own["state"] == "waiting"
    assert _titles(browser.get("/queue/")) == ["Hausmusik"]
    page = browser.get(f"/queue/{sent['id']}")
    assert [each.text for each in page.find("said")] == ["Wann endet es?", "Um zehn Uhr."]


@pytest.mark.parametrize("answer", ["", "x" * 20_001])
def test_odd_answer_is_refused(send, anyone, answer):
    refused = anyone.post("/submissions/sent/answer", token=send()["token"], answer=answer)
    assert refused.status_code == 400
    assert list(refused.json["data"]["params"]) == ["answer"]


def test_contributor_is_asked_and_answers_at_the_desk(desk, make_event, as_contributor):
    number = make_event(as_contributor, title="Chorabend", status="pending")["id"]
    browser, own = desk(), desk("contributor")
    browser.send(f"/queue/{number}", "/ask", question="Wo denn?")
    assert "Wo denn?" in own.get("/").text
    assert own.send(f"/queue/{number}", "/answer", answer="Im Saal.").status == 303
    assert "Wo denn?" not in own.get("/").text
    page = browser.get("/queue/")
    assert _titles(page) == ["Chorabend"]
    assert "Im Saal." in page.text


def test_refused_event_of_a_contributor_is_their_draft_again(desk, make_event, as_contributor):
    number = make_event(as_contributor, title="Chorabend", status="pending")["id"]
    desk().send(f"/queue/{number}", "/refuse", reason="Bitte mit Bild.")
    assert as_contributor.get(f"/events/{number}").json["status"] == "draft"
    assert "Bitte mit Bild." in desk("contributor").get("/").text
    as_contributor.patch(f"/events/{number}", status="pending", title="Chorabend mit Bild")
    assert "Bitte mit Bild." not in desk("contributor").get("/").text
    assert _titles(desk().get("/queue/")) == ["Chorabend mit Bild"]


def test_place_of_a_contributor_is_published_and_taken_back(desk, make_venue, as_contributor):
    number = make_venue(as_contributor, venue="Turnhalle", status="pending")["id"]
    browser = desk()
    browser.send("/queue/", f"/queue/venues/{number}/publish")
    assert as_contributor.get(f"/venues/{number}").json["status"] == "publish"
    browser.send("/queue/", f"/queue/venues/{number}/undo")
    assert as_contributor.get(f"/venues/{number}").json["status"] == "pending"


def test_what_was_changed_since_is_not_taken_back(desk, send, as_editor):
    number, browser = send()["id"], desk()
    browser.send("/queue/", f"/queue/{number}/publish")
    as_editor.patch(f"/events/{number}", title="Inzwischen anders")
    browser.send("/queue/", f"/queue/{number}/undo")
    assert as_editor.get(f"/events/{number}").json["status"] == "publish"
    assert "Es bleibt veröffentlicht" in browser.get("/queue/").text


def test_series_of_a_contributor_waits_once_and_is_published_whole(
    desk, make_event, as_contributor, anyone
):
    make_event(
        as_contributor, title="Chorprobe", status="pending", recurrence="FREQ=WEEKLY;COUNT=3"
    )
    browser = desk()
    page = browser.get("/queue/")
    assert _titles(page) == ["Chorprobe"]
    (path,) = page.tree.xpath("//li//h2/a/@href")
    assert browser.get(path).status == 200
    browser.send("/queue/", f"{path.removeprefix('/desk')}/publish")
    assert anyone.get("/events").json["total"] == 3
    browser.send("/queue/", f"{path.removeprefix('/desk')}/undo")
    assert anyone.get("/events").json["total"] == 0
    assert _titles(browser.get("/queue/")) == ["Chorprobe"]

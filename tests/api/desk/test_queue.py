"""At the desk editors see what strangers have sent, and publish, ask back or refuse."""

import pytest
from api.submissions.conftest import CONTRIBUTION

from calendar_app.settings import Settings


@pytest.fixture(scope="session")
def settings(settings):
    return Settings.load(
        environment={},
        site_url=settings.site_url,
        languages=list(settings.languages),
        default_language="de",
        timezone="Europe/Zurich",
        submissions=True,
    )


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

"""Earlier translations stand beside the texts that wait at the desk."""

import pytest
from desking import form_of

EVENING = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 22:00:00"}
PROPOSE = "/translations/propose"


def proposals_for(browser, **sent):
    """Ask as the script of a form does."""
    token = dict(form_of(browser.get("/events/new")).form_values())["csrf_token"]
    return browser.post(PROPOSE, **sent, csrf_token=token)


@pytest.fixture
def concert(as_admin):
    """Store an event in two languages."""
    variants = {"de": {"title": "Konzert am See"}, "rm": {"title": "Concert al lai"}}
    return as_admin.post("/events", **EVENING, variants=variants).json["id"]


@pytest.fixture
def path(concert, make_event):
    """Return the page on which an event of the same name is translated."""
    del concert
    return f"/events/{make_event(title='Konzert am See')['id']}/translate/rm"


def test_what_was_said_before_stands_beside_a_text_that_waits(desk, path):
    page = desk().get(path)
    (proposals,) = page.tree.xpath('//div[@class="remembered"]')
    assert "Concert al lai" in proposals.text_content()
    assert "100 %" in proposals.text_content()


def test_text_that_is_taken_over_comes_from_the_memory_and_is_checked(desk, path, as_admin):
    browser = desk()
    form = dict(form_of(browser.get(path)).form_values())
    answer = browser.post(path, **form | {"take": "memory1.title"})
    assert answer.tree.xpath('//*[@id="title"]/@value') == ["Concert al lai"]
    browser.post(path, **dict(form_of(answer).form_values()))
    event = as_admin.get(path[: path.index("/translate")], context="edit").json
    entry = event["text_origins"]["rm"]["title"]
    assert (entry["origin"], entry["reviewed"]) == ("memory", True)


def test_form_is_told_what_was_said_before(desk, concert):
    sent = {"kind": "events", "field": "title", "from": "de", "into": "rm"}
    answer = proposals_for(desk(), **sent, text="Konzert am Seeufer")
    assert answer.status == 200
    assert "Concert al lai" in answer.text
    assert answer.tree.xpath("//a/@href") == [f"/desk/events/{concert}"]
    assert answer.tree.xpath("//del/text()") == ["See"]


def test_what_stands_in_the_field_is_not_proposed(desk, concert):
    assert concert
    sent = {"kind": "events", "field": "title", "from": "de", "into": "rm"}
    answer = proposals_for(desk(), **sent, text="Konzert am See", own="Concert al lai")
    assert not answer.tree.xpath("//button")


@pytest.mark.parametrize(
    "wrong", [{"from": "xx"}, {"into": "de"}, {"kind": "users"}, {"text": "a" * 20_001}]
)
def test_what_cannot_be_asked_is_refused(desk, wrong):
    sent = {"kind": "events", "field": "title", "from": "de", "into": "rm", "text": "Konzert"}
    assert proposals_for(desk(), **sent | wrong).status == 400

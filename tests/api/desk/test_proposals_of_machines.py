"""Proposals of a machine: marked as such, never saved by themselves, never in the way."""

import sys
from dataclasses import replace
from threading import Event
from types import ModuleType

import pytest
from desking import form_of

from calendar_app.app import create_app
from calendar_app.errors import ConfigurationError

pytestmark = pytest.mark.without_mongodb


def _bracketed(texts, source, target):
    return {name: f"[{source}>{target}] {text}" for name, text in texts.items()}


def _failing(_texts, _source, _target):
    raise RuntimeError("quota")


@pytest.fixture
def machine():
    """Return the name of the module that has the functions of this test.

    The slow one answers when the test is over.
    """
    is_over = Event()

    def slow(texts, _source, _target):
        is_over.wait()
        return texts

    module = ModuleType("machine_for_tests")
    vars(module).update(bracketed=_bracketed, failing=_failing, slow=slow, text="no function")
    sys.modules[module.__name__] = module
    yield module.__name__
    is_over.set()
    del sys.modules[module.__name__]


@pytest.fixture
def settings(settings, machine, request):
    """Return settings with the translator that the test names."""
    name = getattr(request, "param", "bracketed")
    timeout = 1 if name == "slow" else 60
    return replace(settings, translator=f"{machine}:{name}", translator_timeout=timeout)


@pytest.fixture
def path(make_event):
    return f"/events/{make_event(title='Konzert', excerpt='Kurz')['id']}/translate/rm"


def test_proposals_are_marked_and_not_saved(desk, path, as_admin):
    page = desk().send(path, press="propose")
    assert page.status == 200
    assert "Vorschlag einer Maschine" in page.text
    assert "[de>rm] Konzert" in page.text
    assert page.tree.xpath('//*[@id="title"]/@value') == [""]
    event = path[: path.index("/translate")]
    assert "rm" not in as_admin.get(event, translation_language="all").json["variants"]


def test_term_that_the_machine_says_otherwise_stands_beside_its_proposal(desk, path, as_admin):
    terms = [{"term": "Konzert", "translation": "concert"}]
    as_admin.post("/translations/glossary", source="de", target="rm", terms=terms)
    proposal = "//div[@class='proposal'][contains(., 'Konzert')]"
    page = desk().send(path, press="propose")
    assert page.tree.xpath(f"string({proposal}//p[contains(@class, 'is-missed')]//b)") == "concert"


def test_one_text_of_a_form_is_proposed_when_it_is_asked_for(desk):
    browser = desk()
    sent = {"kind": "events", "field": "title", "from": "de", "into": "rm", "text": "Konzert"}
    token = browser.token("/events/new")
    offered = browser.post("/translations/propose", **sent, csrf_token=token)
    assert offered.tree.xpath("//button[@data-ask-machine]")
    assert "[de>rm]" not in offered.text
    answered = browser.post("/translations/propose", **sent, csrf_token=token, machine="1")
    assert answered.tree.xpath("//button/@data-take") == ["[de>rm] Konzert"]
    (origin,) = answered.tree.xpath("//button/@data-origin")
    assert '"origin": "machine"' in origin


def test_name_of_a_place_is_not_sent_to_a_machine(desk):
    browser = desk()
    sent = {"kind": "venues", "field": "venue", "from": "de", "into": "rm", "text": "Hirschen"}
    token = browser.token("/events/new")
    answer = browser.post("/translations/propose", **sent, csrf_token=token, machine="1")
    assert not answer.tree.xpath("//button")


def test_proposal_that_is_taken_over_is_saved_with_the_form(desk, path, as_admin):
    browser = desk()
    form = dict(form_of(browser.send(path, press="propose")).form_values())
    answer = browser.post(path, **form | {"take": "proposal.title"})
    assert answer.tree.xpath('//*[@id="title"]/@value') == ["[de>rm] Konzert"]
    browser.post(path, **dict(form_of(answer).form_values()))
    event = as_admin.get(path[: path.index("/translate")], translation_language="all").json
    assert event["variants"]["rm"]["title"] == "[de>rm] Konzert"
    assert "excerpt" not in event["variants"]["rm"]


@pytest.mark.parametrize(
    ("settings", "reason"),
    [("failing", "ist gescheitert"), ("slow", "nicht rechtzeitig")],
    indirect=["settings"],
)
def test_machine_that_fails_is_told_and_nothing_typed_is_lost(desk, path, reason):
    page = desk().send(path, press="propose", title="Concert")
    assert page.status == 200
    assert reason in page.text
    assert page.tree.xpath('//*[@id="title"]/@value') == ["Concert"]


@pytest.mark.parametrize("name", ["text", "absent"])
def test_translator_that_is_no_function_keeps_the_service_from_starting(
    settings, database, machine, name
):
    with pytest.raises(ConfigurationError, match="translator"):
        create_app(replace(settings, translator=f"{machine}:{name}"), database)

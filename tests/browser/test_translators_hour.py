"""A translator's hour: thirty outdated fields, by the keyboard alone."""

import os
import re
import subprocess
import sys

import httpx
import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.timeout(300)

RECORDS = 15  # each with two fields
BASE = "/calendar/events/v1"
FIRST = "/desk/translations/next?language=rm&state=outdated"


@pytest.fixture(scope="module")
def interface(site, data):
    """Return a client of the interface that may write."""
    command = [sys.executable, "-m", "calendar_app", "users", "add", "source", "--role", "editor"]
    environment = os.environ | {"CALENDAR_DATA": str(data)}
    finished = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    secret = re.search(r"(?:\w{4} ){5}\w{4}", finished.stdout)[0]
    with httpx.Client(base_url=f"{site}{BASE}", auth=("source", secret), timeout=60) as client:
        yield client


@pytest.fixture
def outdated(interface):
    """Return a function that makes organizers with outdated names and descriptions in Romansh."""
    numbers = []

    def make(number=1):
        numbers.extend(_outdated(interface, each) for each in range(number))
        return numbers

    yield make
    for number in numbers:
        interface.delete(f"/organizers/{number}", params={"force": "true"})


def _outdated(interface, number):
    texts = {
        "de": {"organizer": f"Verein {number}", "description": "<p>Wir singen im Dorf.</p>"},
        "rm": {"organizer": f"Uniun {number}", "description": "<p>Nus chantain.</p>"},
    }
    created = interface.post(
        "/organizers", json={"organizer": f"Verein {number}", "variants": texts}
    )
    path = f"/organizers/{created.raise_for_status().json()['id']}"
    changed = {"organizer": f"Chor {number}", "description": "<p>Wir singen im ganzen Tal.</p>"}
    interface.patch(path, json={"variants": {"de": changed}}).raise_for_status()
    return created.json()["id"]


def _texts(interface, number):
    read = interface.get(f"/organizers/{number}", params={"translation_language": "all"}).json()
    return read["variants"]["rm"] | {"status": read["translations"]["rm"]["status"]}


def _press(page, keys):
    """Press a key that leads to another page."""
    with page.expect_navigation(wait_until="load"):
        page.keyboard.press(keys)


def test_thirty_outdated_fields_are_done_by_keyboard_alone(at_desk, interface, outdated):
    numbers = outdated(RECORDS)
    page = at_desk(FIRST, role="editor")
    keys = 0
    for number in range(RECORDS):
        assert "/translate/rm" in page.url
        # A page may have loaded before its field takes the focus.
        expect(page.locator("#organizer")).to_be_focused()
        if number % 3 == 0:  # Both texts are still right.
            _press(page, "Control+Shift+Enter")
            keys += 1
        elif number % 3 == 1:  # The name is still right, the description is not.
            for key in ("Tab", "Space", "Tab", "Tab", "Control+End"):
                if page.evaluate("document.activeElement.id") == "description":
                    break
                page.keyboard.press(key)
                keys += 1
            _write(page, "description", "Nus chantain en l'entira val.")
            keys += 1
            _press(page, "Control+Enter")
            keys += 1
        else:  # Both are written anew.
            _write(page, "organizer", f"Chor {number}")
            _write(page, "description", "Nus chantain en l'entira val.")
            _press(page, "Control+Enter")
            keys += 3
    assert "/desk/translations/" in page.url
    assert {_texts(interface, number)["status"] for number in numbers} == {"current"}
    descriptions = [_texts(interface, number)["description"] for number in numbers]
    assert (
        descriptions.count("<p>Nus chantain en l&#39;entira val.</p>")
        + descriptions.count("<p>Nus chantain en l'entira val.</p>")
        == 10
    )
    # Besides the words themselves.
    assert keys <= 4 * RECORDS


def _write(page, name, text):
    """Reach a field by the tab key, and write over it."""
    # Between two fields are five proposals at most, each with its source, a check and a fold.
    for _ in range(5 * 2 + 2 + 2):
        if page.evaluate("document.activeElement.id") == name:
            page.keyboard.press("Control+a")
            page.keyboard.type(text)
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"The tab key does not reach {name}.")


def test_translating_works_without_scripts(at_desk, interface, outdated):
    (number,) = outdated()
    path = f"/desk/organizers/{number}/translate/rm"
    page = at_desk(path, role="editor", java_script_enabled=False)
    page.fill("#organizer", "Chor da la val")
    page.check("input[name='right'][value='description']")
    page.click("button[value='next']")
    page.wait_for_selector(".notice-done")
    texts = _texts(interface, number)
    assert (texts["organizer"], texts["status"]) == ("Chor da la val", "current")


def test_typed_translation_survives_an_ended_session(at_desk, interface, outdated):
    (number,) = outdated()
    page = at_desk(f"/desk/organizers/{number}/translate/rm", role="editor")
    page.fill("#description", "Nus chantain anc adina.")
    page.context.clear_cookies(name="desk_session")
    page.click(".form-foot button[value='next']")
    page.fill("#name", "editor")
    page.fill("#password", "correct horse battery")
    page.click("main button")
    page.click("main form:not(:has(#password)) button")
    page.wait_for_selector(".notice-done")
    assert "Nus chantain anc adina." in _texts(interface, number)["description"]

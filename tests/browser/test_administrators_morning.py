"""An administrator invites somebody, changes a role, blocks, and ends sessions."""

import os
from itertools import count
from pathlib import Path

import pytest
from playwright.sync_api import expect

SHOTS = os.environ.get("SCREENSHOTS", "")
NEW_PASSWORD = "ein langes Passwort"
LOOKS = [
    {"viewport": {"width": width, "height": 900}, "color_scheme": scheme}
    for width in (320, 1280)
    for scheme in ("light", "dark")
]
_numbers = count(1)


@pytest.fixture(autouse=True)
def _clean(page_errors):
    yield
    assert page_errors == []


@pytest.fixture
def page_errors():
    return []


@pytest.fixture
def name():
    """Return the name of a person whom no other test knows."""
    return f"Ursina {next(_numbers)}"


@pytest.fixture
def admin(at_desk, page_errors):
    """Return the desk of an administrator, at the list of users."""

    def open_page(path="/desk/users/", **options):
        page = at_desk(path, **options)
        page.on("pageerror", lambda error: page_errors.append(str(error)))
        return page

    return open_page


def keep(page, title):
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"{title}.png", full_page=True)


def invite(page, name, role="author"):
    """Invite somebody; return the link."""
    page.goto("/desk/users/")
    page.get_by_role("link", name="Jemanden einladen").click()
    page.get_by_label("Name zum Anmelden").fill(name)
    page.get_by_label("E-Mail").fill("ursina@example.org")
    page.locator(f"input[value={role}]").check()
    with page.expect_navigation():
        page.get_by_role("button", name="Einladen").click()
    return page.get_by_label("Der Link").input_value()


def enter(visit, link):
    """Follow a link of an invitation, and choose a password."""
    page = visit(link, locale="de")
    page.locator("#password").fill(NEW_PASSWORD)
    page.locator("#again").fill(NEW_PASSWORD)
    page.get_by_role("button", name="Speichern und anmelden").click()
    page.wait_for_url("**/desk/")
    return page


def open_user(page, name):
    page.goto("/desk/users/")
    with page.expect_navigation():
        page.get_by_role("link", name=name, exact=True).click()


def test_morning_of_an_administrator(admin, visit, name):
    page = admin()
    ursina = enter(visit, invite(page, name))
    assert "token" not in ursina.url

    # Another role ends the sessions, and counts from the next login on.
    open_user(page, name)
    page.locator("input[name=role][value=editor]").check()
    page.get_by_role("button", name="Speichern").click()
    page.get_by_role("status").wait_for()
    expect(page.locator("input[name=role][value=editor]")).to_be_checked()
    ursina.reload()
    assert "/desk/login" in ursina.url

    ursina.get_by_label("Name oder E-Mail").fill(name)
    ursina.get_by_label("Passwort").fill(NEW_PASSWORD)
    ursina.locator("main button").click()
    ursina.wait_for_url("**/desk/")
    page.reload()
    page.get_by_role("button", name="Alle Sitzungen beenden").click()
    page.get_by_text("Niemand ist angemeldet.").wait_for()
    ursina.reload()
    assert "/desk/login" in ursina.url

    page.get_by_role("button", name="Sperren").click()
    page.get_by_role("button", name="Entsperren").wait_for()
    ursina.get_by_label("Name oder E-Mail").fill(name)
    ursina.get_by_label("Passwort").fill(NEW_PASSWORD)
    ursina.locator("main button").click()
    ursina.get_by_role("alert").wait_for()

    page.get_by_text(f"{name} endgültig entfernen").click()
    page.get_by_role("button", name="Endgültig entfernen").click()
    page.wait_for_url("**/desk/users/")
    expect(page.get_by_role("link", name=name, exact=True)).to_have_count(0)


def test_morning_without_scripts(admin, visit, name):
    page = admin(java_script_enabled=False)
    enter(visit, invite(page, name))
    open_user(page, name)
    page.get_by_role("button", name="Sperren").click()

    expect(page.get_by_role("button", name="Entsperren")).to_be_visible()


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_axe_finds_nothing_on_pages_of_users(admin, visit, findings, name, look):
    page, problems = admin(**look), {}
    shape = f"{look['viewport']['width']}-{look['color_scheme']}"

    def look_at(page, title):
        keep(page, f"{title}-{shape}")
        wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
        problems[title] = [*findings(page), *(["wide"] if wide else [])]

    link = invite(page, name)
    look_at(page, "invited")
    welcome = visit(link, locale="de", **look)
    look_at(welcome, "welcome")
    look_at(visit("/desk/welcome?token=x", locale="de", **look), "over")
    open_user(page, name)
    look_at(page, "user")
    page.goto("/desk/users/")
    look_at(page, "users")
    page.goto("/desk/users/new")
    with page.expect_navigation():
        page.get_by_role("button", name="Einladen").click()
    page.get_by_role("alert").wait_for()
    look_at(page, "wrong")

    assert {title: faults for title, faults in problems.items() if faults} == {}


def test_link_is_followed_by_keyboard(admin, visit, name):
    link = invite(admin(), name)
    page = visit(link, locale="de")
    page.locator("#password").focus()
    page.keyboard.type(NEW_PASSWORD)
    page.keyboard.press("Tab")
    page.keyboard.type(NEW_PASSWORD)
    page.keyboard.press("Enter")

    page.wait_for_url("**/desk/")

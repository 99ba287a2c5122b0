"""Invited people set their password at a link that holds once and for a day."""

import pytest
from calling import SITE
from desking import PASSWORD, Desk

NEW = {"password": "ein neues Passwort", "again": "ein neues Passwort"}


@pytest.fixture
def link(as_admin):
    answer = as_admin.post("/users", name="Ursina", role="author")
    return answer.json["invitation"]["link"].removeprefix(SITE)


def follow(browser, link):
    """Open the link of a letter; return the page to which it leads."""
    answer = browser.get(link)
    assert answer.status == 303, answer.text
    return browser.get(answer.headers["Location"])


def test_invited_person_sets_a_password_and_is_logged_in(stranger, link, app):
    assert "Ursina" in follow(stranger, link).text

    entered = stranger.send("/welcome", **NEW)

    assert (entered.status, entered.headers["Location"]) == (303, "/desk/")
    assert "Ursina" in stranger.get("/me/").text
    assert Desk(app).log_in("Ursina", NEW["password"]).status == 303


def test_token_leaves_the_address_at_once(stranger, link):
    answer = stranger.get(link)

    assert answer.headers["Location"] == "/desk/welcome"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert "no-store" in answer.headers["Cache-Control"]
    assert link.partition("=")[2] not in stranger.get("/welcome").text


def test_reading_a_link_does_not_use_it_up(stranger, link, app):
    for _ in range(3):
        assert follow(Desk(app), link).status == 200

    follow(stranger, link)
    assert stranger.send("/welcome", **NEW).status == 303


def test_used_link_holds_no_longer(stranger, link, app):
    late = Desk(app)
    follow(late, link)
    token = late.get("/welcome").tree.xpath('//input[@name="csrf_token"]/@value')[0]
    follow(stranger, link)
    stranger.send("/welcome", **NEW)

    assert late.post("/welcome", csrf_token=token, **NEW).status == 410
    assert Desk(app).get(link).status == 410


def test_link_ends_after_a_day(stranger, link, clock):
    clock.advance(hours=25)

    assert stranger.get(link).status == 410


@pytest.mark.parametrize("token", ["", "x", "\0", "a" * 5000, "%00", "$ne"])
def test_invented_token_opens_nothing(stranger, token):
    assert stranger.get("/welcome", query_string={"token": token}).status == 410


def test_page_without_a_link_opens_nothing(stranger):
    assert stranger.get("/welcome").status == 410
    assert stranger.post("/welcome", **NEW).status == 410


def test_newer_link_voids_the_earlier_one(stranger, link, as_admin):
    user_id = as_admin.get("/users", role="author", per_page=1).json["users"][0]["id"]
    user_id = max(user["id"] for user in as_admin.get("/users").json["users"])
    as_admin.post(f"/users/{user_id}/invitation")

    assert stranger.get(link).status == 410


def test_link_of_a_user_who_is_blocked_or_removed_opens_nothing(stranger, link, as_admin):
    user_id = max(user["id"] for user in as_admin.get("/users").json["users"])
    follow(stranger, link)
    as_admin.patch(f"/users/{user_id}", blocked=True)
    assert stranger.post("/welcome", **NEW).status == 410

    as_admin.patch(f"/users/{user_id}", blocked=False)
    again = as_admin.post(f"/users/{user_id}/invitation").json["invitation"]["link"]
    as_admin.delete(f"/users/{user_id}")
    assert stranger.get(again.removeprefix(SITE)).status == 410


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"password": "short", "again": "short"}, "password"),
        ({"password": "ein neues Passwort", "again": "ein anderes Passwort"}, "again"),
        ({"password": "", "again": ""}, "password"),
    ],
)
def test_wrong_password_is_named_and_the_link_goes_on_holding(stranger, link, sent, field):
    follow(stranger, link)

    refused = stranger.send("/welcome", **sent)

    assert refused.status == 400
    assert refused.tree.xpath(f'//*[@id="{field}"]/@aria-invalid') == ["true"]
    assert stranger.send("/welcome", **NEW).status == 303


def test_form_without_its_token_is_refused(stranger, link, app):
    follow(stranger, link)

    assert stranger.post("/welcome", **NEW).status == 400
    assert Desk(app).log_in("Ursina", NEW["password"]).status == 403


def test_new_password_ends_the_sessions_of_before(desk, stranger, as_admin, as_editor):
    browser = desk("editor")
    answer = as_admin.post(f"/users/{as_editor.id}/invitation")
    follow(stranger, answer.json["invitation"]["link"].removeprefix(SITE))
    stranger.send("/welcome", **NEW)

    assert browser.get("/me/").status == 303
    assert stranger.get("/me/").status == 200


def test_invitation_does_not_take_over_the_session_of_somebody_else(desk, link):
    browser = desk("editor")
    follow(browser, link)

    assert browser.send("/welcome", **NEW).status == 303
    assert "Ursina" in browser.get("/me/").text
    assert NEW["password"] != PASSWORD

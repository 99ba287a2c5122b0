"""Who comes to the desk, and how they leave it."""

import pytest
from desking import PASSWORD

pytestmark = pytest.mark.without_mongodb


@pytest.mark.usefixtures("with_passwords")
def test_name_and_password_open_the_desk(stranger):
    answer = stranger.log_in("editor")
    assert answer.status == 303
    assert answer.headers["Location"] == "/desk/"
    assert stranger.get("/").status == 200


@pytest.mark.usefixtures("with_passwords")
@pytest.mark.parametrize("typed", ["anna@example.org", " ANNA@Example.ORG "])
def test_address_of_e_mail_opens_the_desk_too(stranger, as_admin, typed):
    as_admin.patch("/users/3", email="Anna@example.org")
    assert stranger.log_in(typed).status == 303
    assert stranger.get("/").status == 200


@pytest.mark.usefixtures("with_passwords")
def test_address_of_two_users_opens_nothing_and_tells_nothing(stranger, as_admin):
    for number in (2, 3):
        as_admin.patch(f"/users/{number}", email="desk@example.org")
    answers = [stranger.log_in(name) for name in ("desk@example.org", "nobody@example.org")]
    assert {answer.status for answer in answers} == {403}
    assert len({answer.text.replace("nobody@", "desk@") for answer in answers}) == 1


@pytest.mark.usefixtures("with_passwords")
def test_who_is_not_logged_in_is_led_to_the_login_and_back(stranger):
    answer = stranger.get("/me/?tab=a")
    assert answer.status == 303
    assert answer.headers["Location"] == "/desk/login?next=/desk/me/%3Ftab%3Da"
    page = stranger.send(
        answer.headers["Location"].removeprefix("/desk"), name="editor", password=PASSWORD
    )
    assert page.headers["Location"] == "/desk/me/?tab=a"


@pytest.mark.parametrize(
    "elsewhere",
    [
        "https://evil.example/",
        "//evil.example/desk/",
        "/desk//evil.example",
        "/desk/../events/",
        "/\\evil.example",
        "/desk\\@evil.example",
        "/\t/evil.example",
        "https:evil.example",
        "/deskevil",
        "javascript:alert(1)",
        "/desk/\r\nSet-Cookie: a=b",
    ],
)
@pytest.mark.usefixtures("with_passwords")
def test_login_leads_nowhere_but_to_the_desk(stranger, elsewhere):
    answer = stranger.send("/login", name="editor", password=PASSWORD, next=elsewhere)
    assert answer.headers["Location"] == "/desk/"


@pytest.mark.parametrize("name", ["editor", "nobody"])
@pytest.mark.usefixtures("with_passwords")
def test_wrong_password_and_unknown_name_are_refused_alike(stranger, name):
    answer = stranger.send("/login", name=name, password="wrong wrong wrong")
    assert answer.status == 403
    assert "Name oder Passwort ist falsch." in answer.text
    assert stranger.cookie() is None


def test_application_password_does_not_open_the_desk(stranger):
    answer = stranger.send("/login", name="editor", password="abcd EFGH ijkl MNOP qrst UVWX")
    assert answer.status == 403


@pytest.mark.usefixtures("with_passwords")
def test_session_has_a_new_token_after_each_login(stranger):
    stranger.client.set_cookie("desk_session", "chosen-by-somebody-else", path="/desk")
    stranger.log_in("editor")
    first = stranger.cookie().value
    assert first != "chosen-by-somebody-else"
    stranger.post("/logout", csrf_token=stranger.token())
    stranger.log_in("editor")
    assert stranger.cookie().value != first


def test_logout_ends_the_session(log_in):
    browser = log_in("editor")
    stolen = browser.cookie().value
    browser.post("/logout", csrf_token=browser.token())
    assert browser.cookie() is None
    browser.client.set_cookie("desk_session", stolen, path="/desk")
    assert browser.get("/").status == 303


def test_cookie_is_for_the_desk_alone(log_in):
    cookie = log_in("editor").cookie()
    assert (cookie.path, cookie.http_only, cookie.secure) == ("/desk", True, True)
    assert cookie.same_site == "Lax"


def test_session_ends_after_its_hours(log_in, clock):
    browser = log_in("editor")
    clock.advance(hours=11, minutes=59)
    assert browser.get("/").status == 200
    clock.advance(minutes=1)
    assert browser.get("/").status == 303

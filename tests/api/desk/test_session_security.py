"""The protection of sessions: tokens, origins, headers, throttling."""

from base64 import b64encode

import pytest
from calling import BASE, SECRET

WRITES = ("/me/own", "/me/sessions/end", "/tags/new", "/logout")
_ELSEWHERE = {"Origin": "https://evil.example"}


@pytest.mark.parametrize("path", WRITES)
@pytest.mark.parametrize("token", ["", "0" * 64])
def test_write_without_the_token_is_refused(desk, path, token):
    browser = desk("editor")
    answer = browser.post(path, csrf_token=token, **{"variants[de][name]": "Markt"})
    assert answer.status == 403
    assert "Markt" not in browser.get("/tags/").text
    assert browser.get("/").status == 200


def test_token_of_another_session_is_refused(desk):
    foreign = desk("admin").token()
    answer = desk("editor").post("/me/sessions/end", csrf_token=foreign)
    assert answer.status == 403


def test_token_in_a_header_is_taken_from_scripts(desk):
    browser = desk("editor")
    answer = browser.post("/me/sessions/end", {"X-CSRF-Token": browser.token()})
    assert answer.status == 303


@pytest.mark.parametrize("headers", [_ELSEWHERE, {"Sec-Fetch-Site": "cross-site"}])
def test_write_from_another_site_is_refused_with_any_token(desk, headers):
    browser = desk("editor")
    answer = browser.post("/me/sessions/end", headers, csrf_token=browser.token())
    assert answer.status == 403


@pytest.mark.usefixtures("with_passwords")
def test_login_needs_a_token_of_its_own(stranger):
    answer = stranger.post("/login", name="editor", password="correct horse battery")
    assert answer.status == 400
    assert stranger.cookie() is None


@pytest.mark.parametrize("path", ["/login", "/", "/me/", "/nowhere", "/venues/"])
def test_pages_of_the_desk_cannot_be_framed_or_kept(desk, path):
    headers = desk("editor").get(path).headers
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cache-Control"] == "private, no-store"


def test_other_origins_may_not_read_the_desk(desk):
    headers = desk("editor").get("/", {"Origin": "https://evil.example"}).headers
    assert not [name for name, _ in headers if name.startswith("Access-Control")]


def test_interface_never_takes_the_cookie(desk, make_event):
    draft = make_event(status="draft")
    browser = desk("admin")
    browser.client.set_cookie("desk_session", browser.cookie().value, path="/")
    answer = browser.client.get(f"{BASE}/events/{draft['id']}")
    assert answer.status_code == 403
    assert browser.client.post(f"{BASE}/tags", json={"name": "Markt"}).status_code == 401


@pytest.mark.parametrize(
    "credentials",
    [f"Basic {b64encode(f'admin:{SECRET}'.encode()).decode()}", f"Bearer {SECRET}"],
)
def test_desk_takes_no_credentials_of_the_interface(stranger, credentials):
    assert stranger.get("/", {"Authorization": credentials}).status == 303
    answer = stranger.post("/tags/new", {"Authorization": credentials}, name="Markt")
    assert answer.status == 403


@pytest.mark.usefixtures("with_passwords")
def test_guessing_is_throttled(stranger):
    for _ in range(10):
        assert stranger.send("/login", name="editor", password="wrong wrong").status == 403
    answer = stranger.send("/login", name="editor", password="wrong wrong")
    assert answer.status == 429
    assert 0 < int(answer.headers["Retry-After"]) <= 60


@pytest.mark.usefixtures("with_passwords")
def test_unknown_names_count_for_the_address(stranger):
    for number in range(30):
        stranger.send("/login", name=f"nobody-{number}", password="wrong wrong")
    assert stranger.log_in("editor").status == 429


def test_tokens_are_stored_as_digests_only(desk, database):
    token = desk("editor").cookie().value
    stored = database["sessions"].find_one()
    assert token not in str(stored)
    assert len(token) >= 43  # 256 bits in Base64


def test_what_one_user_was_answered_is_shown_to_nobody_else(desk, stranger, make_venue):
    make_venue(venue="Geheime Grotte", status="draft")
    path = "/events/suggestions?kind=venue&text=Grotte"
    for _ in range(2):
        assert "Grotte" in desk("editor").get(path).answer.text
    assert stranger.get(path).status == 303

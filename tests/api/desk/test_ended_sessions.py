"""When sessions end, and that nothing typed is lost by it."""

import pytest
from desking import PASSWORD, form_of, values_of

from calendar_app.api.http.request.state import get_services


def _ends(app, name, change):
    accounts = get_services(app).accounts
    {
        "password": lambda: accounts.change_desk_password(name, "another password"),
        "role": lambda: accounts.change_role(name, "author"),
        "removal": lambda: accounts.remove(name),
    }[change]()


@pytest.mark.parametrize("change", ["password", "role", "removal"])
def test_session_ends_when_its_user_changes(app, desk, change):
    browser = desk("editor")
    _ends(app, "editor", change)
    assert browser.get("/").status == 303


def test_blocked_user_has_no_session(desk, database):
    browser = desk("editor")
    database["users"].update_one({"name": "editor"}, {"$set": {"blocked": True}})
    assert browser.get("/").status == 303


def test_other_sessions_can_be_ended(desk):
    this_session, other_session = desk("editor"), desk("editor")
    assert "Alle anderen beenden" in this_session.get("/me/").text
    this_session.send("/me/", "/sessions/end")
    assert other_session.get("/").status == 303
    assert "Alle anderen Sitzungen sind beendet." in this_session.get("/me/").text


def test_changed_password_ends_all_other_sessions(desk, stranger):
    this_session, other_session = desk("editor"), desk("editor")
    before = this_session.cookie().value
    new = "a new long password"
    answer = this_session.send("/me/", "/password", present=PASSWORD, password=new, again=new)
    assert answer.status == 303
    assert this_session.get("/").status == 200
    assert this_session.cookie().value != before
    assert other_session.get("/").status == 303
    assert stranger.log_in("editor").status == 403
    assert stranger.log_in("editor", new).status == 303


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        ({"present": "wrong wrong"}, "Das ist nicht Ihr Passwort."),
        ({"password": "short", "again": "short"}, "mindestens 10 Zeichen"),
        ({"again": "something else"}, "Die beiden neuen Passwörter sind verschieden."),
    ],
)
def test_password_that_cannot_be_taken_is_refused_beside_its_field(desk, sent, message):
    new = "a new long password"
    fields = {"present": PASSWORD, "password": new, "again": new, **sent}
    answer = desk("editor").send("/me/", "/password", **fields)
    assert answer.status in (400, 403)
    assert message in answer.text


def test_text_typed_in_an_ended_session_is_saved_after_a_new_login(desk, clock, as_admin):
    browser = desk("editor")
    page = browser.get("/tags/new")
    clock.advance(hours=13)
    typed = {**values_of(form_of(page)), "variants[de][name]": "Markt & „Fest“"}
    login = browser.post("/tags/new", **typed)
    assert login.status == 403
    fields = {**values_of(form_of(login)), "name": "editor", "password": PASSWORD}
    resumed = browser.post("/login", **fields)
    assert resumed.status == 200
    form = form_of(resumed)
    answer = browser.post(form.action, **values_of(form))
    assert answer.status == 303
    names = [tag["name"] for tag in as_admin.get("/tags", hide_empty="false").json["tags"]]
    assert names == ["Markt &amp; „Fest“"]


def test_form_of_an_earlier_session_can_be_sent_again(desk):
    browser = desk("editor")
    page = browser.get("/tags/new")
    browser.post("/logout", csrf_token=browser.token())
    browser.log_in("editor")
    typed = {**values_of(form_of(page)), "variants[de][name]": "Markt"}
    stale = browser.post("/tags/new", **typed)
    assert stale.status == 403
    form = form_of(stale)
    assert browser.post(form.action, **values_of(form)).status == 303
    assert "Markt" in browser.get("/tags/").text


def test_text_typed_in_an_ended_session_is_not_shown_to_another_user(desk, clock):
    browser = desk("editor")
    sent = values_of(form_of(browser.get("/tags/new"))) | {"variants[de][name]": "Secret plan"}
    clock.advance(hours=13)
    login = browser.post("/tags/new", **sent)
    fields = values_of(form_of(login)) | {"name": "author", "password": PASSWORD}
    answer = browser.post("/login", **fields)
    assert (answer.status, "Secret plan" in answer.text) == (303, False)


def test_form_of_another_user_is_not_taken_in_this_session(desk):
    sent = values_of(form_of(desk("editor").get("/tags/new"))) | {
        "variants[de][name]": "Secret plan"
    }
    browser = desk("author")
    answer = browser.post("/tags/new", **sent)
    assert (answer.status, "Secret plan" in answer.text) == (303, False)
    assert "Secret plan" not in browser.get("/tags/").text

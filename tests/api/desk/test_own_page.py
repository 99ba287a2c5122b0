"""The page of a user: language and application passwords."""

import pytest
from calling import BASE


def _secret(page):
    return page.tree.xpath("//code/text()")[0]


def test_language_of_the_desk_is_kept_with_the_user(desk):
    browser = desk("editor")
    assert browser.get("/").tree.get("lang") == "de"
    assert browser.send("/me/", "/me/own", language="rm").status == 303
    page = browser.get("/")
    assert page.tree.get("lang") == "rm"
    assert "Occurrenzas" in page.text
    assert desk("editor").get("/").tree.get("lang") == "rm"
    assert desk("author").get("/").tree.get("lang") == "de"


@pytest.mark.parametrize(
    ("chosen", "language"), [("en", "en-GB"), *((each, each) for each in ("de", "fr", "it", "rm"))]
)
def test_every_page_is_in_the_chosen_language(desk, chosen, language):
    browser = desk("admin")
    browser.send("/me/", "/me/own", language=chosen)
    for path in ("/", "/me/", "/venues/", "/venues/new", "/nowhere"):
        page = browser.get(path)
        assert page.tree.get("lang") == language
        assert page.headers["Content-Language"] == language
    assert browser.get("/me/").tree.xpath("//select/option[@selected]/@value") == [chosen]


def test_unknown_language_is_refused(desk):
    browser = desk("editor")
    answer = browser.post("/me/own", csrf_token=browser.token(), language="xx")
    assert answer.status == 400


def test_application_password_is_shown_once_and_opens_the_interface(desk, anyone):
    browser = desk("author")
    page = browser.send("/me/", "/application-passwords", label="Telefon")
    secret = _secret(page)
    headers = {"Authorization": f"Bearer {secret}"}
    assert anyone.send("GET", "/events?status=draft", headers).status_code == 200
    page = browser.get("/me/")
    assert secret not in page.text
    assert "Telefon" in page.text


def test_revoked_application_password_opens_nothing(desk, anyone):
    browser = desk("author")
    secret = _secret(browser.send("/me/", "/application-passwords", label="Telefon"))
    token = browser.token()
    browser.post("/me/application-passwords/revoke", csrf_token=token, label="Telefon")
    assert "Das Passwort Telefon gilt nicht mehr." in browser.get("/me/").text
    headers = {"Authorization": f"Bearer {secret}"}
    assert anyone.send("POST", "/events", headers, base=BASE).status_code == 401


def test_two_application_passwords_have_different_names(desk):
    browser = desk("author")
    browser.send("/me/", "/application-passwords", label="Telefon")
    answer = browser.send("/me/", "/application-passwords", label="Telefon")
    assert answer.status == 409
    assert "schon ein Passwort dieses Namens" in answer.text


def test_name_that_others_see_stands_in_the_history(desk, make_event, as_editor):
    browser = desk("editor")
    browser.send("/me/", "/me/own", display_name="Anna Caduff", language="de")
    number = make_event(as_editor, title="Markt")["id"]
    page = desk("admin").get(f"/events/{number}/history")
    assert "Anna Caduff" in page.text
    assert "Anna Caduff" in browser.get("/").text


@pytest.mark.parametrize(
    "name",
    [
        "admin",
        "\u0410dmin",
        "editor",
        "E d i t o r",
        "Éditor",
        "Redacziun",
        "Anna Caduff",
    ],
)
def test_nobody_is_displayed_as_somebody_else(desk, as_admin, as_editor, name):
    as_admin.patch(f"/users/{as_editor.id}", display_name="Anna Caduff")
    answer = desk("contributor").send("/me/", "/me/own", display_name=name, language="de")
    assert answer.status == 400
    assert "Wählen Sie einen anderen" in answer.text


def test_own_names_and_names_given_by_administrators_stay(desk, as_admin, as_contributor):
    path = f"/users/{as_contributor.id}"
    assert as_admin.patch(path, display_name="Editor").status_code == 200
    for name in ("contributor-1", "Beat Caduff", "Beat Caduff", ""):
        answer = desk("contributor").send("/me/", "/me/own", display_name=name, language="de")
        assert answer.status == 303
    assert desk("admin").send("/me/", "/me/own", display_name="Admin", language="de").status == 303


AGENTS = {
    "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0": "Firefox unter Linux",
    "Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36": "Telefon, Chrome",
    "Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) Mobile Safari/604.1": "Safari unter iPad",
    "curl/8.5": "Unbekannter Browser",
}


@pytest.mark.parametrize("agent", AGENTS)
def test_sessions_are_told_in_words(desk, database, clock, agent):
    browser = desk("editor")
    database["sessions"].update_many({}, {"$set": {"agent": agent}})
    page = browser.get("/me/")
    assert AGENTS[agent] in page.text
    assert "jetzt ·" in page.text
    older = desk("editor")
    for words, hours in (("heute um ", 2), ("gestern", 22)):
        database["sessions"].update_many({}, {"$set": {"expires": clock.now.replace(year=2040)}})
        clock.advance(seconds=hours * 3600)
        assert words in browser.get("/me/").text
    assert older.get("/me/").status == 200

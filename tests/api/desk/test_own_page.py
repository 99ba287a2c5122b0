"""The page of a user: language and application passwords."""

import pytest
from calling import BASE


def _secret(page):
    return page.tree.xpath("//code/text()")[0]


def test_language_of_the_desk_is_kept_with_the_user(desk):
    browser = desk("editor")
    assert browser.get("/").tree.get("lang") == "de"
    assert browser.send("/me/", "/language", language="rm").status == 303
    page = browser.get("/")
    assert page.tree.get("lang") == "rm"
    assert "Occurrenzas" in page.text
    assert desk("editor").get("/").tree.get("lang") == "rm"
    assert desk("author").get("/").tree.get("lang") == "de"


@pytest.mark.parametrize("language", ["de", "en", "fr", "it", "rm"])
def test_every_page_is_in_the_chosen_language(desk, language):
    browser = desk("admin")
    browser.send("/me/", "/language", language=language)
    for path in ("/", "/me/", "/venues/", "/venues/new", "/nowhere"):
        page = browser.get(path)
        assert page.tree.get("lang") == language
        assert page.headers["Content-Language"] == language


def test_unknown_language_is_refused(desk):
    browser = desk("editor")
    answer = browser.post("/me/language", csrf_token=browser.token(), language="xx")
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

"""People log in with accounts of an OpenID Connect provider, over HTTP on loopback."""

import dataclasses
from urllib.parse import parse_qs, urlsplit

import pytest
from calling import SITE
from clock import NOON
from desking import Desk
from joserfc.jwk import OctKey, RSAKey
from provider import CLIENT, SECRET, running_provider

from calendar_app.api.http.request.state import get_services
from calendar_app.app import create_app
from calendar_app.errors import ConfigurationError
from calendar_app.settings import Settings

HOUR = 3600


@pytest.fixture(scope="module")
def _provider():
    with running_provider() as provider:
        yield provider


@pytest.fixture
def provider(_provider):
    _provider.reset()
    return _provider


@pytest.fixture
def settings(settings, provider):
    return dataclasses.replace(
        settings,
        oidc_issuer=provider.issuer,
        oidc_client_id=CLIENT,
        oidc_client_secret=SECRET,
    )


@pytest.fixture
def app(app, database):
    """Return the service; an author has the address that the provider tells."""
    email = {"email": "Author@example.org", "email_key": "author@example.org"}
    database["users"].update_one({"name": "author"}, {"$set": email})
    return app


def begin(browser, path=""):
    """Begin a login; return where the browser is led."""
    answer = browser.get("/oidc/start", query_string={"next": path} if path else {})
    assert answer.status == 303, answer.text
    return answer.headers["Location"]


def log_in(browser, provider, path=""):
    """Log in at the provider; return the answer to the way back."""
    return browser.get(provider.log_in(begin(browser, path)))


def is_logged_in(browser):
    return browser.get("/me/").status == 200


def test_user_who_is_known_by_email_comes_in(stranger, provider):
    answer = log_in(stranger, provider)

    assert (answer.status, answer.headers["Location"]) == (303, "/desk/")
    assert "author" in stranger.get("/me/").text
    assert not stranger.cookie("desk_oidc")


def test_login_leads_back_to_the_page_that_wanted_it(stranger, provider):
    assert log_in(stranger, provider, "/desk/me/").headers["Location"] == "/desk/me/"


@pytest.mark.without_mongodb
@pytest.mark.parametrize("path", ["https://evil.example", "//evil.example", "/desk/../x", "/x"])
def test_login_leads_nowhere_else(stranger, provider, path):
    assert log_in(stranger, provider, path).headers["Location"] == "/desk/"


@pytest.mark.without_mongodb
def test_login_page_offers_the_provider(stranger):
    assert stranger.get("/login").tree.xpath('//a[starts-with(@href, "/desk/oidc/start")]')


@pytest.mark.without_mongodb
def test_secrets_of_the_login_stay_between_service_and_provider(stranger, provider):
    address = begin(stranger)
    query = parse_qs(urlsplit(address).query)

    assert query["redirect_uri"] == [f"{SITE}/desk/oidc/callback"]
    assert "client_secret" not in query
    cookie = stranger.cookie("desk_oidc")
    assert cookie.http_only
    assert cookie.value.partition(".")[0] not in address
    assert address != begin(stranger)
    assert provider.logins == {}


@pytest.mark.without_mongodb
def test_wrong_state_is_refused(stranger, provider):
    way_back = provider.log_in(begin(stranger))

    assert stranger.get(way_back + "x").status == 403
    assert not is_logged_in(stranger)


def test_login_that_another_browser_began_is_refused(stranger, provider, app):
    way_back = provider.log_in(begin(stranger))
    victim = Desk(app)

    assert victim.get(way_back).status == 403
    begin(victim)
    assert victim.get(way_back).status == 403
    assert not is_logged_in(victim)


def test_way_back_leads_in_once(stranger, provider):
    way_back = provider.log_in(begin(stranger))

    assert stranger.get(way_back).status == 303
    assert stranger.get(way_back).status == 403


@pytest.mark.without_mongodb
@pytest.mark.parametrize(
    "changes",
    [
        {"nonce": "another"},
        {"nonce": None},
        {"exp": int(NOON.timestamp()) - HOUR},
        {"exp": None},
        {"aud": "another"},
        {"iss": "https://evil.example"},
        {"azp": "another"},
        {"nbf": int(NOON.timestamp()) + HOUR},
        {"sub": None},
        {"email_verified": False},
        {"email_verified": None},
        {"email_verified": "no"},
        {"email": ""},
    ],
    ids=str,
)
def test_token_that_does_not_fit_is_refused(stranger, provider, changes):
    provider.changes = changes

    assert log_in(stranger, provider).status == 403
    assert not is_logged_in(stranger)


@pytest.mark.without_mongodb
def test_token_of_a_key_that_is_not_published_is_refused(stranger, provider):
    provider.key = RSAKey.generate_key(2048, {"kid": "first", "use": "sig"})

    assert log_in(stranger, provider).status == 403


@pytest.mark.without_mongodb
def test_token_signed_with_a_shared_secret_is_refused(stranger, provider):
    provider.key = OctKey.import_key(SECRET * 2, {"kid": "first"})
    provider.algorithm = "HS256"

    assert log_in(stranger, provider).status == 403


def test_new_key_of_the_provider_is_fetched(stranger, provider, app):
    assert log_in(stranger, provider).status == 303
    provider.key = RSAKey.generate_key(2048, {"kid": "second", "use": "sig"})
    provider.published.append(provider.key)

    assert log_in(Desk(app), provider).status == 303


def test_email_beside_the_token_counts_for_the_same_person(stranger, provider, app):
    provider.claims, user_info = {}, {"email": "author@example.org", "email_verified": True}
    provider.user_info = user_info | {"sub": "another"}
    assert log_in(stranger, provider).status == 403

    provider.user_info = user_info | {"sub": "7"}
    assert log_in(Desk(app), provider).status == 303


def test_unknown_email_is_refused_without_a_role(stranger, provider, database):
    provider.claims["email"] = "new@example.org"

    assert log_in(stranger, provider).status == 403
    assert database["users"].count_documents({}) == 7


@pytest.mark.parametrize("email", ["new@example.org", f"{'x' * 70}@example.org"])
def test_unknown_email_gets_the_role_of_the_setting(settings, database, clock, provider, email):
    own = dataclasses.replace(settings, oidc_role="contributor")
    database["users"].delete_one({"name": "contributor2"})
    browser = Desk(create_app(own, database, clock))
    provider.claims["email"] = email

    assert log_in(browser, provider).status == 303
    user = database["users"].find_one({"email": email})
    assert (user["role"], user["secrets"]) == ("contributor", [])
    assert log_in(browser, provider).status == 303
    assert database["users"].count_documents({"email": email}) == 1


def test_email_of_two_users_is_refused(stranger, provider, database):
    same = {"email": "author@example.org", "email_key": "author@example.org"}
    database["users"].update_one({"name": "admin"}, {"$set": same})

    assert log_in(stranger, provider).status == 403


def test_blocked_user_stays_out(stranger, provider, database):
    database["users"].update_one({"name": "author"}, {"$set": {"blocked": True}})

    assert log_in(stranger, provider).status == 403
    assert not is_logged_in(stranger)


@pytest.mark.without_mongodb
def test_refusal_of_the_provider_is_a_page(stranger, provider):
    state = parse_qs(urlsplit(begin(stranger)).query)["state"][0]
    provider.logins.clear()

    answer = stranger.get(f"/oidc/callback?error=access_denied&state={state}")
    assert answer.status == 403
    assert answer.tree.xpath('//*[@role="alert"]')


@pytest.mark.without_mongodb
def test_code_that_the_provider_does_not_know_is_refused(stranger, provider):
    way_back = provider.log_in(begin(stranger))
    provider.logins.clear()

    assert stranger.get(way_back).status == 403


@pytest.mark.without_mongodb
def test_provider_that_is_broken_or_away_is_a_page(stranger, provider, settings, database, clock):
    way_back = provider.log_in(begin(stranger))
    provider.is_broken = True
    assert stranger.get(way_back).status == 503

    away = dataclasses.replace(settings, oidc_issuer="http://127.0.0.1:1")
    assert Desk(create_app(away, database, clock)).get("/oidc/start").status == 503


@pytest.mark.without_mongodb
def test_provider_that_describes_another_issuer_is_refused(stranger, app, provider, settings):
    own = get_services(app).openid
    own.issuer = f"{provider.issuer}/"
    try:
        assert stranger.get("/oidc/start").status == 503
    finally:
        own.issuer = settings.oidc_issuer


@pytest.mark.without_mongodb
def test_without_a_provider_there_are_no_such_pages(settings, database, clock):
    browser = Desk(create_app(dataclasses.replace(settings, oidc_issuer=""), database, clock))

    assert {browser.get(f"/oidc/{name}").status for name in ("start", "callback")} == {404}


@pytest.mark.parametrize(
    "wrong",
    [
        {"oidc_issuer": "http://login.example.org", "oidc_client_id": "x"},
        {"oidc_issuer": "login.example.org", "oidc_client_id": "x"},
        {"oidc_issuer": "https://login.example.org"},
    ],
)
def test_setting_that_cannot_be_safe_is_refused(wrong):
    with pytest.raises(ConfigurationError, match="oidc_"):
        Settings.load(environment={}, **wrong)


@pytest.mark.without_mongodb
def test_role_that_does_not_exist_is_refused(settings, database):
    with pytest.raises(ConfigurationError, match="oidc_role"):
        create_app(dataclasses.replace(settings, oidc_role="emperor"), database)

import base64
from datetime import UTC, datetime

import mongomock
import pytest
from flask import Request
from werkzeug.test import EnvironBuilder

from calendar_app.access.caller import ANYONE, Caller
from calendar_app.catalogue.accounts.users import Accounts
from calendar_app.errors import TooManyAttempts, UnknownUser, WrongSecret
from calendar_app.rest.request.authentication import authenticate
from calendar_app.storage.store import Store

SECRET = "abcd EFGH ijkl MNOP 1234 5678"
ANNA = Caller(1, "Ursìn", "editor")


@pytest.fixture
def accounts():
    made = Accounts(Store(mongomock.MongoClient().calendar), lambda: datetime.now(UTC), 30)
    made.add(ANNA.name, ANNA.role, secret=SECRET)
    return made


def request(authorization=None, address="192.0.2.1"):
    headers = {} if authorization is None else {"Authorization": authorization}
    environ = EnvironBuilder(headers=headers).get_environ()
    return Request(environ | {"REMOTE_ADDR": address})


def encoded(text):
    return base64.b64encode(text.encode()).decode()


def basic(name, secret):
    return f"Basic {encoded(f'{name}:{secret}')}"


def test_who_says_nothing_is_anyone(accounts):
    assert authenticate(accounts, request()) == ANYONE
    assert authenticate(accounts, request("")) == ANYONE


@pytest.mark.parametrize("secret", [SECRET, SECRET.replace(" ", "")])
def test_name_and_secret_are_recognised(accounts, secret):
    assert authenticate(accounts, request(basic(ANNA.name, secret))) == ANNA


@pytest.mark.parametrize("secret", [SECRET, SECRET.replace(" ", "")])
def test_a_bearers_secret_is_recognised(accounts, secret):
    assert authenticate(accounts, request(f"Bearer {secret}")) == ANNA


@pytest.mark.parametrize("scheme", ["basic", "BASIC", " Basic "])
def test_letter_case_and_blanks_around_a_scheme_do_not_count(accounts, scheme):
    header = f"{scheme} {encoded(f'{ANNA.name}:{SECRET}')}"

    assert authenticate(accounts, request(header)) == ANNA


@pytest.mark.parametrize(
    "header", ["Digest username=anna", "Negotiate YII=", "nonsense", "Token x"]
)
def test_another_scheme_is_ignored(accounts, header):
    assert authenticate(accounts, request(header)) == ANYONE


@pytest.mark.parametrize(
    "credentials",
    ["", "!!!", "YWJj*", encoded("no colon"), base64.b64encode(b"anna:\xff\xfe").decode(), "é"],
)
def test_malformed_credentials_fail_the_request(accounts, credentials):
    with pytest.raises(WrongSecret):
        authenticate(accounts, request(f"Basic {credentials}"))


def test_a_wrong_secret_fails_the_request(accounts):
    with pytest.raises(WrongSecret):
        authenticate(accounts, request(basic(ANNA.name, "wrong")))
    with pytest.raises(WrongSecret):
        authenticate(accounts, request(basic(ANNA.name, "")))


@pytest.mark.parametrize("header", ["Bearer", "Bearer wrong", "Bearer é"])
def test_a_wrong_bearers_secret_fails_the_request(accounts, header):
    with pytest.raises(WrongSecret):
        authenticate(accounts, request(header))


def test_an_unknown_name_fails_the_request(accounts):
    with pytest.raises(UnknownUser):
        authenticate(accounts, request(basic("nobody", SECRET)))


def test_a_secret_may_hold_colons(accounts):
    accounts.add("colon", "author", secret="a:b:c")

    assert authenticate(accounts, request(basic("colon", "a:b:c"))).name == "colon"


def test_wrong_secrets_are_counted_by_the_address_of_the_request(accounts):
    for _ in range(30):
        with pytest.raises(UnknownUser):
            authenticate(accounts, request(basic("nobody", "x"), "192.0.2.9"))

    with pytest.raises(TooManyAttempts):
        authenticate(accounts, request(basic(ANNA.name, SECRET), "192.0.2.9"))
    assert authenticate(accounts, request(basic(ANNA.name, SECRET))) == ANNA
    assert authenticate(accounts, request(address="192.0.2.9")) == ANYONE

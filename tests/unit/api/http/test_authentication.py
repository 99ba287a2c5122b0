import base64
from datetime import UTC, datetime

import mongomock
import pytest
from emptying import replace_all
from flask import Request
from werkzeug.test import EnvironBuilder

from calendar_app.accounts.callers import ANYONE, Caller
from calendar_app.accounts.users import Accounts
from calendar_app.api.http.request.authentication import authenticate
from calendar_app.errors import TooManyAttempts, UnknownUser, WrongSecret
from calendar_app.storage.mongo.store import Store

SECRET = "abcd EFGH ijkl MNOP 1234 5678"
ANNA = Caller(1, "Ursìn", "editor")


@pytest.fixture(scope="module")
def documents():
    """Return the documents of Anna's account, created once because hashing is slow."""
    database = mongomock.MongoClient().calendar
    accounts_in(database).add(ANNA.name, ANNA.role, secret=SECRET)
    return {name: list(database[name].find()) for name in database.list_collection_names()}


@pytest.fixture
def accounts(documents):
    database = mongomock.MongoClient().calendar
    replace_all(database, documents)
    return accounts_in(database)


def accounts_in(database):
    return Accounts(Store(database), lambda: datetime.now(UTC), 30)


def request(authorization=None, address="192.0.2.1", method="GET"):
    headers = {} if authorization is None else {"Authorization": authorization}
    environ = EnvironBuilder(headers=headers, method=method).get_environ()
    return Request(environ | {"REMOTE_ADDR": address})


def encoded(text):
    return base64.b64encode(text.encode()).decode()


def basic(name, secret):
    return f"Basic {encoded(f'{name}:{secret}')}"


def test_request_without_credentials_is_anonymous(accounts):
    assert authenticate(accounts, request()) == ANYONE
    assert authenticate(accounts, request("")) == ANYONE


@pytest.mark.parametrize("secret", [SECRET, SECRET.replace(" ", "")])
def test_name_and_secret_are_recognized(accounts, secret):
    assert authenticate(accounts, request(basic(ANNA.name, secret))) == ANNA


@pytest.mark.parametrize("secret", [SECRET, SECRET.replace(" ", "")])
def test_a_bearers_secret_is_recognized(accounts, secret):
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


FOREIGN = [
    "Bearer",
    "Bearer null",
    "Bearer undefined",
    "Bearer [object Object]",
    "Bearer eyJhbGciOiJIUzI1NiJ9.eyJpZCI6MX0.abc",
    "Bearer eyJhbGciOiJub25lIn0.eyJpZCI6MX0.",
    "Bearer VOTRE_TOKEN",
    "Bearer é",
    "Bearer $ne",
    "Basic",
    "Basic undefined",
    "Basic null",
    "Basic !!!",
    "Basic YWJj*",
    "Basic é",
    f"Basic {encoded('no colon')}",
]


@pytest.mark.parametrize("header", FOREIGN)
@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_reads_with_foreign_credentials_are_anonymous(accounts, header, method):
    assert authenticate(accounts, request(header, method=method)) == ANYONE


@pytest.mark.parametrize("header", FOREIGN)
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_writes_with_foreign_credentials_fail(accounts, header, method):
    with pytest.raises(WrongSecret):
        authenticate(accounts, request(header, method=method))


def test_foreign_credentials_on_reads_do_not_lock_out(accounts):
    for header in FOREIGN * 31:
        authenticate(accounts, request(header))

    assert authenticate(accounts, request(basic(ANNA.name, SECRET))) == ANNA


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_credentials_that_are_not_in_utf_8_fail_the_request(accounts, method):
    pair = base64.b64encode(b"anna:\xff\xfe").decode()
    with pytest.raises(WrongSecret):
        authenticate(accounts, request(f"Basic {pair}", method=method))


@pytest.mark.parametrize(
    "secret", ["a.b.c.d.e.f.g.h.i", "nullnullnullnull", "eyJ0 eyJ1 eyJ2 eyJ3 eyJ4 eyJ5"]
)
def test_a_secret_of_another_form_than_usual_is_recognized_in_reads(accounts, secret):
    accounts.add("own", "author", secret=secret)

    assert authenticate(accounts, request(f"Bearer {secret}")).name == "own"


def test_a_wrong_secret_fails_the_request(accounts):
    with pytest.raises(WrongSecret):
        authenticate(accounts, request(basic(ANNA.name, "wrong")))
    with pytest.raises(WrongSecret):
        authenticate(accounts, request(basic(ANNA.name, "")))


def test_who_guesses_secrets_in_reads_is_refused_after_thirty(accounts):
    for number in range(30):
        assert authenticate(accounts, request(f"Bearer guess {number}")) == ANYONE

    with pytest.raises(TooManyAttempts):
        authenticate(accounts, request(f"Bearer {SECRET}"))


def test_an_unknown_name_fails_the_request(accounts):
    with pytest.raises(UnknownUser):
        authenticate(accounts, request(basic("nobody", SECRET)))


def test_a_secret_may_hold_colons(accounts):
    accounts.add("colon", "author", secret="a:b:c:of:sixteen:or:more")

    assert (
        authenticate(accounts, request(basic("colon", "a:b:c:of:sixteen:or:more"))).name == "colon"
    )


def test_wrong_secrets_are_counted_by_the_address_of_the_request(accounts):
    for _ in range(30):
        with pytest.raises(UnknownUser):
            authenticate(accounts, request(basic("nobody", "x"), "192.0.2.9"))

    with pytest.raises(TooManyAttempts):
        authenticate(accounts, request(basic(ANNA.name, SECRET), "192.0.2.9"))
    assert authenticate(accounts, request(basic(ANNA.name, SECRET))) == ANNA
    assert authenticate(accounts, request(address="192.0.2.9")) == ANYONE

from datetime import UTC, datetime, timedelta

import pytest

from calendar_app.access.caller import Caller
from calendar_app.access.secrets import hash_secret
from calendar_app.catalogue.accounts import ACCOUNT_INDEXES, Accounts
from calendar_app.errors import (
    DuplicateKey,
    InvalidParameters,
    TooManyAttempts,
    UnknownUser,
    WrongSecret,
)
from calendar_app.storage.connection import count_round_trips_anew, round_trips
from calendar_app.storage.indexes import ensure_indexes
from calendar_app.storage.store import Store

HOME, ELSEWHERE = "192.0.2.1", "2001:db8::2"
SECRET = "abcd EFGH ijkl MNOP 1234 5678"


class Clock:
    """Stands still until it is moved; close to the present, as the database has its own clock."""

    def __init__(self):
        self.now = datetime.now(UTC)

    def __call__(self):
        return self.now

    def move(self, seconds):
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def store(database):
    store = Store(database)
    ensure_indexes(store, ACCOUNT_INDEXES)
    return store


@pytest.fixture
def accounts(store, clock):
    return Accounts(store, clock, remember_seconds=30)


@pytest.fixture
def anna(accounts):
    accounts.add("Anna", "editor", id=7, secret=SECRET)
    return Caller(7, "Anna", "editor")


def fail(accounts, times, *, name="Anna", address=HOME):
    """Try wrong secrets; return the refusals."""
    refusals = []
    for number in range(times):
        with pytest.raises((WrongSecret, UnknownUser, TooManyAttempts)) as refusal:
            accounts.authenticate(name, f"wrong {number}", address)
        refusals.append(refusal.value)
    return refusals


# Who they are


def test_a_new_user_is_recognised_by_the_secret_that_was_returned(accounts):
    secret = accounts.add("Anna", "editor")

    assert accounts.authenticate("Anna", secret, HOME) == Caller(1, "Anna", "editor")


def test_a_given_secret_is_the_users(accounts, anna):
    assert accounts.authenticate("Anna", SECRET.replace(" ", ""), HOME) == anna


def test_letter_case_of_a_name_does_not_count(accounts, anna):
    assert accounts.authenticate("aNNA", SECRET, HOME) == anna


def test_letter_case_of_a_secret_counts(accounts, anna):
    with pytest.raises(WrongSecret):
        accounts.authenticate(anna.name, SECRET.lower(), HOME)


def test_a_wrong_secret_is_told_from_an_unknown_name(accounts, anna):
    with pytest.raises(WrongSecret):
        accounts.authenticate(anna.name, "wrong", HOME)
    with pytest.raises(UnknownUser):
        accounts.authenticate("Nobody", SECRET, HOME)


def test_an_empty_secret_is_wrong(accounts, anna):
    with pytest.raises(WrongSecret):
        accounts.authenticate(anna.name, "", HOME)
    with pytest.raises(WrongSecret):
        accounts.authenticate_bearer("", HOME)


def test_a_secret_finds_its_user_without_a_name(accounts, anna):
    beats = accounts.add("Beat", "author")

    assert accounts.authenticate_bearer(SECRET, HOME) == anna
    assert accounts.authenticate_bearer(beats, HOME) == Caller(8, "Beat", "author")


def test_a_secret_of_nobody_is_wrong(accounts, anna):
    del anna
    with pytest.raises(WrongSecret):
        accounts.authenticate_bearer("wrong", HOME)


def test_another_process_recognises_the_same_users(store, clock, anna):
    other = Accounts(store, clock, remember_seconds=30)

    assert other.authenticate("Anna", SECRET, HOME) == anna
    assert other.authenticate_bearer(SECRET, HOME) == anna


def test_no_secret_is_stored(accounts, anna, database):
    accounts.authenticate(anna.name, SECRET, HOME)
    stored = repr([list(database[name].find()) for name in database.list_collection_names()])

    assert SECRET not in stored
    assert SECRET.replace(" ", "") not in stored


def test_users_whose_secrets_have_the_same_hint_are_told_apart(accounts, anna, database):
    annas = database.users.find_one_and_delete({"_id": anna.id})
    other = annas["secrets"][0] | {"hash": hash_secret("another secret")}
    beat = {"_id": 1, "name": "Beat", "key": "beat", "role": "author", "email": ""}
    database.users.insert_one(beat | {"secrets": [other]})
    database.users.insert_one(annas)

    assert accounts.authenticate_bearer(SECRET, HOME) == anna
    with pytest.raises(WrongSecret):
        accounts.authenticate("Beat", SECRET, HOME)


# Remembering


@pytest.mark.needs_mongodb
def test_a_remembered_secret_costs_no_round_trip(accounts, anna):
    accounts.authenticate(anna.name, SECRET, HOME)
    accounts.authenticate_bearer(SECRET, HOME)
    count_round_trips_anew()

    assert accounts.authenticate(anna.name, SECRET, HOME) == anna
    assert accounts.authenticate_bearer(SECRET, HOME) == anna
    assert round_trips() == 0


def test_what_another_process_revoked_works_no_longer_than_it_is_remembered(
    accounts, anna, store, clock
):
    accounts.authenticate(anna.name, SECRET, HOME)
    Accounts(store, clock, 30).revoke(anna.name, "password-1")
    clock.move(seconds=30)

    with pytest.raises(WrongSecret):
        accounts.authenticate(anna.name, SECRET, HOME)


def test_what_is_revoked_here_stops_working_at_once(accounts, anna):
    accounts.authenticate(anna.name, SECRET, HOME)
    accounts.revoke(anna.name, "password-1")

    with pytest.raises(WrongSecret):
        accounts.authenticate(anna.name, SECRET, HOME)


def test_a_wrong_secret_is_never_remembered_as_right(accounts, anna):
    for _ in range(2):
        with pytest.raises(WrongSecret):
            accounts.authenticate(anna.name, "wrong", HOME)


# Too many wrong secrets


def test_after_ten_wrong_secrets_of_a_user_the_next_is_one_too_many(accounts, anna):
    refusals = fail(accounts, 11, name=anna.name)

    assert [type(refusal) for refusal in refusals] == [WrongSecret] * 10 + [TooManyAttempts]
    assert refusals[-1].retry_after == 60


def test_they_are_counted_wherever_they_come_from(accounts, anna):
    fail(accounts, 10, name=anna.name, address=ELSEWHERE)

    assert isinstance(fail(accounts, 1, name=anna.name)[0], TooManyAttempts)


def test_the_right_secret_of_a_user_under_attack_still_works(accounts, anna):
    fail(accounts, 20, name=anna.name, address=ELSEWHERE)

    assert accounts.authenticate(anna.name, SECRET, HOME) == anna
    assert accounts.authenticate(anna.name, SECRET, ELSEWHERE) == anna


def test_one_user_under_attack_is_no_burden_to_another(accounts, anna):
    accounts.add("Beat", "author")
    fail(accounts, 11, name=anna.name)

    assert isinstance(fail(accounts, 1, name="Beat")[0], WrongSecret)


def test_after_thirty_wrong_secrets_an_address_is_refused_altogether(accounts, anna):
    fail(accounts, 30, name="Nobody")

    with pytest.raises(TooManyAttempts) as refusal:
        accounts.authenticate(anna.name, SECRET, HOME)
    assert refusal.value.retry_after == 60
    with pytest.raises(TooManyAttempts):
        accounts.authenticate_bearer(SECRET, HOME)


def test_wrong_secrets_without_a_name_count_for_the_address(accounts, anna):
    del anna
    for number in range(30):
        with pytest.raises(WrongSecret):
            accounts.authenticate_bearer(f"wrong {number}", HOME)

    with pytest.raises(TooManyAttempts):
        accounts.authenticate_bearer(SECRET, HOME)


def test_the_others_are_let_in_while_one_address_is_refused(accounts, anna):
    fail(accounts, 30, name="Nobody")

    assert accounts.authenticate(anna.name, SECRET, ELSEWHERE) == anna


def test_a_minute_later_all_is_forgiven(accounts, anna, clock):
    fail(accounts, 31, name=anna.name)
    clock.move(seconds=61)

    assert isinstance(fail(accounts, 1, name=anna.name)[0], WrongSecret)
    assert accounts.authenticate(anna.name, SECRET, HOME) == anna


def test_all_processes_count_together(accounts, anna, store, clock):
    other = Accounts(store, clock, remember_seconds=30)
    fail(accounts, 15, name="Nobody")
    fail(other, 15, name="Nobody")

    with pytest.raises(TooManyAttempts):
        accounts.authenticate(anna.name, SECRET, HOME)


def test_what_is_kept_of_wrong_secrets_is_bounded_and_expires(accounts, anna, clock, database):
    for _ in range(4):
        fail(accounts, 20, name=anna.name)
        clock.move(seconds=70)

    kept = list(database.attempts.find())
    assert len(kept) == 2
    assert all(len(document["times"]) <= 31 for document in kept)
    assert all(document["expires"] <= clock().replace(tzinfo=None) for document in kept)


# Care of users


def test_ids_are_counted_from_one_and_go_on_behind_a_given_one(accounts):
    accounts.add("first", "author")
    accounts.add("given", "author", id=10)
    accounts.add("next", "author")

    assert [(user.id, user.name) for user in accounts.users()] == [
        (1, "first"),
        (10, "given"),
        (11, "next"),
    ]


def test_users_are_listed_with_what_an_operator_needs_to_know(accounts):
    accounts.add("Anna", "editor", id=7, email="anna@example.org")
    accounts.new_password("anna", "phone")

    (user,) = accounts.users()
    assert (user.name, user.role, user.email) == ("Anna", "editor", "anna@example.org")
    assert user.labels == ("password-1", "phone")


@pytest.mark.parametrize("name", ["Anna", "anna", "ANNA"])
def test_a_name_is_taken_in_any_letter_case(accounts, anna, name):
    del anna
    with pytest.raises(DuplicateKey):
        accounts.add(name, "author")


def test_an_id_is_taken_once(accounts, anna):
    with pytest.raises(DuplicateKey):
        accounts.add("Beat", "author", id=anna.id)


@pytest.mark.parametrize("name", ["", " ", "a:b", "tab\t", " anna", "anna ", "x" * 61, "\udcff"])
def test_a_name_that_cannot_be_sent_or_read_is_refused(accounts, name):
    with pytest.raises(InvalidParameters) as refusal:
        accounts.add(name, "author")
    assert set(refusal.value.reasons) == {"name"}


@pytest.mark.parametrize("name", ["a", "x" * 60, "Anna Muster", "anna@example.org", "Ursìn"])
def test_any_other_name_is_taken_as_it_is(accounts, name):
    secret = accounts.add(name, "author")

    assert accounts.authenticate(name, secret, HOME).name == name


def test_an_unknown_role_a_bad_id_and_an_empty_secret_are_refused_together(accounts):
    with pytest.raises(InvalidParameters) as refusal:
        accounts.add("Anna", "emperor", id=0, secret=" ")
    assert set(refusal.value.reasons) == {"role", "id", "application_password"}
    assert not accounts.any_user()


def test_a_removed_user_is_unknown_at_once(accounts, anna):
    accounts.authenticate(anna.name, SECRET, HOME)
    accounts.remove("ANNA")

    with pytest.raises(UnknownUser):
        accounts.authenticate(anna.name, SECRET, HOME)
    assert not accounts.exists(anna.id)


def test_a_removed_name_can_be_given_again_under_a_new_id(accounts, anna):
    accounts.remove(anna.name)
    accounts.add(anna.name, "author")

    assert [user.id for user in accounts.users()] == [8]


def test_one_more_secret_leaves_the_others_as_they_are(accounts, anna):
    secret = accounts.new_password(anna.name, "phone")

    assert accounts.authenticate(anna.name, secret, HOME) == anna
    assert accounts.authenticate(anna.name, SECRET, HOME) == anna
    assert accounts.authenticate_bearer(secret, HOME) == anna


def test_a_secret_without_a_label_gets_the_next_number(accounts, anna):
    accounts.new_password(anna.name)
    accounts.new_password(anna.name)

    assert accounts.users()[0].labels == ("password-1", "password-2", "password-3")


def test_a_label_is_taken_once(accounts, anna):
    accounts.new_password(anna.name, "phone")

    with pytest.raises(DuplicateKey):
        accounts.new_password(anna.name, "phone")


def test_a_revoked_secret_leaves_the_others_as_they_are(accounts, anna):
    phone = accounts.new_password(anna.name, "phone")
    accounts.revoke(anna.name, "password-1")

    assert accounts.authenticate(anna.name, phone, HOME) == anna
    with pytest.raises(WrongSecret):
        accounts.authenticate(anna.name, SECRET, HOME)


def test_what_is_not_there_cannot_be_revoked(accounts, anna):
    with pytest.raises(WrongSecret):
        accounts.revoke(anna.name, "phone")


def test_care_of_an_unknown_user_is_refused(accounts):
    with pytest.raises(UnknownUser):
        accounts.remove("Nobody")
    with pytest.raises(UnknownUser):
        accounts.new_password("Nobody")
    with pytest.raises(UnknownUser):
        accounts.revoke("Nobody", "password-1")


def test_only_users_that_are_there_exist(accounts, anna):
    assert accounts.exists(anna.id)
    assert not any(map(accounts.exists, (0, -1, 8, 2**70)))


def test_a_new_service_has_no_users(accounts):
    assert not accounts.any_user()
    accounts.add("Anna", "editor")
    assert accounts.any_user()

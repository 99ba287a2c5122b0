"""Users are recognized by their secrets, which nobody can read where they are stored."""

import pytest
from api.calendar.anna import HOME, SECRET

from calendar_app.accounts.callers import Caller
from calendar_app.accounts.secrets import hash_secret
from calendar_app.accounts.users import Accounts
from calendar_app.errors import UnknownUser, WrongSecret
from calendar_app.storage.mongo.transactions import count_round_trips_anew, round_trips


def test_a_new_user_is_recognized_by_the_secret_that_was_returned(accounts):
    secret = accounts.add("Anna", "editor")

    assert accounts.authenticate("Anna", secret, HOME) == Caller(1, "Anna", "editor")


def test_a_given_secret_is_the_users(accounts, anna):
    assert accounts.authenticate("Anna", SECRET.replace(" ", ""), HOME) == anna


def test_letter_case_of_a_name_does_not_count(accounts, anna):
    assert accounts.authenticate("aNNA", SECRET, HOME) == anna


def test_letter_case_of_a_secret_counts(accounts, anna):
    with pytest.raises(WrongSecret):
        accounts.authenticate(anna.name, SECRET.lower(), HOME)


def test_wrong_secret_differs_from_unknown_user(accounts, anna):
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


def test_unknown_bearer_secret_is_wrong(accounts, anna):
    del anna
    with pytest.raises(WrongSecret):
        accounts.authenticate_bearer("wrong", HOME)


def test_another_process_recognises_the_same_users(store, clock, anna):
    other_worker = Accounts(store, clock, remember_seconds=30)

    assert other_worker.authenticate("Anna", SECRET, HOME) == anna
    assert other_worker.authenticate_bearer(SECRET, HOME) == anna


def test_no_secret_is_stored(accounts, anna, database):
    accounts.authenticate(anna.name, SECRET, HOME)
    stored = repr([list(database[name].find()) for name in database.list_collection_names()])

    assert SECRET not in stored
    assert SECRET.replace(" ", "") not in stored


def test_users_with_equal_secret_hints_are_distinguished(accounts, anna, database):
    annas = database.users.find_one_and_delete({"_id": anna.id})
    other_key = annas["secrets"][0] | {"hash": hash_secret("another secret")}
    beat = {"_id": 1, "name": "Beat", "key": "beat", "role": "author", "email": ""}
    database.users.insert_one(beat | {"secrets": [other_key]})
    database.users.insert_one(annas)

    assert accounts.authenticate_bearer(SECRET, HOME) == anna
    with pytest.raises(WrongSecret):
        accounts.authenticate("Beat", SECRET, HOME)


def test_remembered_secret_costs_one_look_at_its_user(accounts, anna):
    accounts.authenticate(anna.name, SECRET, HOME)
    count_round_trips_anew()

    assert accounts.authenticate(anna.name, SECRET, HOME) == anna
    assert round_trips() == 1


def test_secret_revoked_elsewhere_stops_working_at_once(accounts, anna, store, clock):
    accounts.authenticate(anna.name, SECRET, HOME)
    Accounts(store, clock, 30).revoke(anna.name, "password-1")

    with pytest.raises(WrongSecret):
        accounts.authenticate(anna.name, SECRET, HOME)


def test_revoked_secret_stops_working_at_once(accounts, anna):
    accounts.authenticate(anna.name, SECRET, HOME)
    accounts.revoke(anna.name, "password-1")

    with pytest.raises(WrongSecret):
        accounts.authenticate(anna.name, SECRET, HOME)


def test_a_wrong_secret_is_never_remembered_as_right(accounts, anna):
    for _ in range(2):
        with pytest.raises(WrongSecret):
            accounts.authenticate(anna.name, "wrong", HOME)

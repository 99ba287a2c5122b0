"""Users and their secrets are added, listed and taken away by who runs the service."""

import pytest
from api.calendar.anna import HOME, SECRET

from calendar_app.errors import DuplicateKey, InvalidParameters, UnknownUser, WrongSecret


def test_user_ids_count_up_from_the_highest(accounts):
    accounts.add("first", "author")
    accounts.add("given", "author", id=10)
    accounts.add("next", "author")

    assert [(user.id, user.name) for user in accounts.users()] == [
        (1, "first"),
        (10, "given"),
        (11, "next"),
    ]


def test_users_are_listed_with_role_email_and_labels(accounts):
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
def test_any_other_name_is_stored_unchanged(accounts, name):
    secret = accounts.add(name, "author")

    assert accounts.authenticate(name, secret, HOME).name == name


def test_an_unknown_role_a_bad_id_and_an_empty_secret_are_refused_together(accounts):
    with pytest.raises(InvalidParameters) as refusal:
        accounts.add("Anna", "emperor", id=0, secret=" ")
    assert set(refusal.value.reasons) == {"role", "id", "application_password"}
    assert not accounts.any_user()


@pytest.mark.parametrize("secret", ["x", "fifteen letters!", "a b c d e f g h i j k l m n o"])
def test_a_secret_under_16_characters_is_refused(accounts, secret):
    with pytest.raises(InvalidParameters) as refusal:
        accounts.add("Anna", "editor", secret=secret)
    assert set(refusal.value.reasons) == {"application_password"}
    assert not accounts.any_user()


def test_a_secret_of_16_characters_is_accepted(accounts):
    accounts.add("Anna", "editor", secret="sixteen letters:)")

    assert accounts.authenticate("Anna", "sixteen letters:)", HOME).role == "editor"


def test_another_role_counts_at_once_and_changes_nothing_else(accounts, anna):
    accounts.authenticate(anna.name, SECRET, HOME)
    accounts.change_role("ANNA", "subscriber")

    caller = accounts.authenticate(anna.name, SECRET, HOME)
    assert (caller.id, caller.name, caller.role) == (anna.id, anna.name, "subscriber")


def test_a_role_is_changed_to_another_role_of_a_known_user(accounts, anna):
    with pytest.raises(InvalidParameters):
        accounts.change_role(anna.name, "emperor")
    with pytest.raises(UnknownUser):
        accounts.change_role("nobody", "editor")


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


def test_unknown_label_cannot_be_revoked(accounts, anna):
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

import re

from calendar_app.accounts.secrets import (
    bare,
    hash_secret,
    hint,
    new_pepper,
    new_secret,
    verify_hash,
)


def test_a_new_secret_is_24_letters_and_digits_in_groups_of_four():
    assert re.fullmatch(r"([A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}", new_secret())


def test_no_two_secrets_are_alike():
    assert len({new_secret() for _ in range(100)}) == 100


def test_a_secret_is_verified_with_and_without_its_spaces():
    stored = hash_secret("abcd EFGH 1234")

    assert verify_hash("abcd EFGH 1234", stored)
    assert verify_hash("abcdEFGH1234", stored)
    assert verify_hash(" abcd\tEFGH 1234\n", stored)


def test_a_wrong_secret_is_not_verified():
    stored = hash_secret("abcd EFGH 1234")

    assert not verify_hash("abcd EFGH 1235", stored)
    assert not verify_hash("ABCD EFGH 1234", stored)
    assert not verify_hash("", stored)


def test_only_a_salted_argon2id_hash_is_stored():
    stored = hash_secret("abcdEFGH1234")

    assert stored.startswith("$argon2id$")
    assert "m=19456,t=2,p=1" in stored
    assert "abcd" not in stored
    assert stored != hash_secret("abcdEFGH1234")


def test_a_hint_is_two_bytes_that_depend_on_secret_and_pepper():
    pepper, second_pepper = new_pepper(), new_pepper()

    assert re.fullmatch("[0-9a-f]{4}", hint("abcd EFGH", pepper))
    assert hint("abcd EFGH", pepper) == hint("abcdEFGH", pepper)
    assert len({hint("abcdEFGH", pepper) for pepper in (pepper, second_pepper, new_pepper())}) > 1
    assert len({hint(f"secret {number}", pepper) for number in range(50)}) > 40


def test_only_white_space_is_taken_from_a_secret():
    assert bare(" ab-c\tD é ") == "ab-cDé"

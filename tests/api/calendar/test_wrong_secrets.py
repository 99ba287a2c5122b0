"""Who tries wrong secrets is refused after some, and the right one goes on working."""

import pytest
from api.calendar.anna import HOME, SECRET

from calendar_app.accounts.users import Accounts
from calendar_app.errors import TooManyAttempts, UnknownUser, WrongSecret

ELSEWHERE = "2001:db8::2"
DESK_PASSWORD = "correct horse battery"


def fail(accounts, times, *, name="Anna", address=HOME):
    """Try wrong secrets; return the refusals."""
    refusals = []
    for number in range(times):
        with pytest.raises((WrongSecret, UnknownUser, TooManyAttempts)) as refusal:
            accounts.authenticate(name, f"wrong {number}", address)
        refusals.append(refusal.value)
    return refusals


def test_user_is_locked_after_ten_wrong_secrets(accounts, anna):
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


@pytest.mark.parametrize(
    "address_of",
    [
        pytest.param("192.0.2.1".format, id="IPv4"),
        pytest.param("::ffff:192.0.2.1".format, id="IPv4 in the notation of IPv6"),
        pytest.param("2001:db8:0:1:{0:x}::{0:x}".format, id="IPv6"),
    ],
)
@pytest.mark.parametrize("guess", ["authenticate", "authenticate_at_desk", "authenticate_bearer"])
def test_all_addresses_of_a_client_are_refused_at_every_door(accounts, anna, address_of, guess):
    accounts.change_desk_password(anna.name, DESK_PASSWORD)
    for number in range(30):
        name = [] if guess == "authenticate_bearer" else ["Nobody"]
        with pytest.raises((WrongSecret, UnknownUser)):
            getattr(accounts, guess)(*name, f"wrong {number}", address_of(number))

    neighbor = address_of(0xFFFF)
    with pytest.raises(TooManyAttempts):
        accounts.authenticate(anna.name, SECRET, neighbor)
    with pytest.raises(TooManyAttempts):
        accounts.authenticate_bearer(SECRET, neighbor)
    with pytest.raises(TooManyAttempts):
        accounts.authenticate_at_desk(anna.name, DESK_PASSWORD, neighbor)
    with pytest.raises(TooManyAttempts):
        accounts.refuse_throttled(neighbor)
    assert accounts.authenticate(anna.name, SECRET, "2001:db8:0:2::1") == anna


def test_a_verified_secret_holds_for_all_addresses_of_a_client(accounts, anna):
    assert accounts.authenticate(anna.name, SECRET, "2001:db8:0:1::1") == anna
    fail(accounts, 30, name="Nobody", address="2001:db8:0:1::2")

    assert accounts.authenticate(anna.name, SECRET, "2001:db8:0:1::3") == anna
    with pytest.raises(TooManyAttempts):
        accounts.authenticate(anna.name, f"{SECRET} wrong", "2001:db8:0:1::3")


def test_clients_without_an_address_do_not_lock_each_other_out(accounts, anna):
    fail(accounts, 31, name="Nobody", address="")

    assert accounts.authenticate(anna.name, SECRET, "") == anna
    assert accounts.authenticate_bearer(SECRET, "") == anna


def test_wrong_secrets_without_a_name_count_for_the_address(accounts, anna):
    del anna
    for number in range(30):
        with pytest.raises(WrongSecret):
            accounts.authenticate_bearer(f"wrong {number}", HOME)

    with pytest.raises(TooManyAttempts):
        accounts.authenticate_bearer(SECRET, HOME)


def test_other_addresses_are_accepted_while_one_is_refused(accounts, anna):
    fail(accounts, 30, name="Nobody")

    assert accounts.authenticate(anna.name, SECRET, ELSEWHERE) == anna


def test_a_minute_later_all_is_forgiven(accounts, anna, clock):
    fail(accounts, 31, name=anna.name)
    clock.move(seconds=61)

    assert isinstance(fail(accounts, 1, name=anna.name)[0], WrongSecret)
    assert accounts.authenticate(anna.name, SECRET, HOME) == anna


def test_all_processes_count_together(accounts, anna, store, clock):
    other_worker = Accounts(store, clock, remember_seconds=30)
    fail(accounts, 15, name="Nobody")
    fail(other_worker, 15, name="Nobody")

    with pytest.raises(TooManyAttempts):
        accounts.authenticate(anna.name, SECRET, HOME)


def test_stored_attempts_are_bounded_and_expire(accounts, anna, clock, database):
    for _ in range(4):
        fail(accounts, 20, name=anna.name)
        clock.move(seconds=70)

    stored_attempts = list(database.attempts.find())
    assert len(stored_attempts) == 2
    assert all(len(document["times"]) <= 31 for document in stored_attempts)
    assert all(document["expires"] <= clock().replace(tzinfo=None) for document in stored_attempts)

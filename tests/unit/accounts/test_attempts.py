from datetime import UTC, datetime, timedelta

from calendar_app.accounts.limits import PER_ADDRESS, PER_USER, Limit

NOW = datetime(2027, 1, 1, 12, tzinfo=UTC)


def ago(*seconds):
    return [NOW - timedelta(seconds=second) for second in seconds]


def test_ten_for_a_user_and_thirty_for_an_address_within_a_minute_are_borne():
    assert (Limit(10, seconds=60), Limit(30, seconds=60)) == (PER_USER, PER_ADDRESS)


def test_fewer_wrong_secrets_than_the_limit_are_borne():
    assert Limit(3).retry_after([], NOW) == 0
    assert Limit(3).retry_after(ago(0, 1), NOW) == 0


def test_too_many_are_refused_until_the_first_of_them_is_a_minute_old():
    assert Limit(3).retry_after(ago(5, 10, 50), NOW) == 10
    assert Limit(3).retry_after(ago(0, 0, 0), NOW) == 60


def test_attempts_older_than_a_minute_are_forgotten():
    assert Limit(3).retry_after(ago(5, 10, 60), NOW) == 0


def test_of_more_than_too_many_the_latest_count():
    assert Limit(3).retry_after(ago(1, 20, 30, 40, 50), NOW) == 30


def test_parts_of_a_second_are_rounded_up():
    assert Limit(1).retry_after(ago(10.5), NOW) == 50
    assert Limit(1).retry_after(ago(59.9), NOW) == 1

from datetime import UTC, datetime, timedelta

from calendar_app.accounts.caller import Caller
from calendar_app.accounts.verified import Verified

NOW = datetime(2027, 1, 1, 12, tzinfo=UTC)
ANNA = Caller(1, "anna", "editor")
BEAT = Caller(2, "beat", "author")
CREDENTIALS = ("anna", "secret", "192.0.2.1")


def test_verified_caller_is_cached_until_expiry():
    verified = Verified(30)
    verified.keep(CREDENTIALS, ANNA, NOW)

    assert verified.find(CREDENTIALS, NOW + timedelta(seconds=29)) == ANNA
    assert verified.find(CREDENTIALS, NOW + timedelta(seconds=30)) is None


def test_other_credentials_are_not_known():
    verified = Verified(30)
    verified.keep(CREDENTIALS, ANNA, NOW)

    assert verified.find(("anna", "Secret", "192.0.2.1"), NOW) is None
    assert verified.find(("beat", "secret", "192.0.2.1"), NOW) is None
    assert verified.find(("anna", "secret", "192.0.2.2"), NOW) is None


def test_credentials_do_not_run_into_each_other():
    verified = Verified(30)
    verified.keep(("a", "b, c"), ANNA, NOW)
    verified.keep(("a', 'b", "c"), BEAT, NOW)

    assert verified.find(("a", "b", "c"), NOW) is None
    assert verified.find(("a, b", "c"), NOW) is None
    assert verified.find(("a", "b, c"), NOW) == ANNA


def test_the_oldest_are_forgotten_when_there_are_many():
    verified = Verified(30, size=2)
    for name in ("first", "second", "third"):
        verified.keep((name,), ANNA, NOW)

    assert verified.find(("first",), NOW) is None
    assert verified.find(("second",), NOW) == ANNA
    assert verified.find(("third",), NOW) == ANNA


def test_verified_callers_can_be_cleared():
    verified = Verified(30)
    verified.keep(CREDENTIALS, ANNA, NOW)
    verified.forget()

    assert verified.find(CREDENTIALS, NOW) is None


def test_zero_retention_caches_no_verification():
    verified = Verified(0)
    verified.keep(CREDENTIALS, ANNA, NOW)

    assert verified.find(CREDENTIALS, NOW) is None

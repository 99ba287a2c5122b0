from datetime import UTC, datetime, timedelta

from calendar_app.accounts.authentication import RecentSecrets

NOW = datetime(2027, 1, 1, 12, tzinfo=UTC)
CREDENTIALS = ("secret", "hash", "192.0.2.1")


def test_verified_secret_is_cached_until_expiry():
    verified = RecentSecrets(30)
    verified.keep(CREDENTIALS, NOW)

    assert verified.has(CREDENTIALS, NOW + timedelta(seconds=29))
    assert not verified.has(CREDENTIALS, NOW + timedelta(seconds=30))


def test_other_credentials_are_not_known():
    verified = RecentSecrets(30)
    verified.keep(CREDENTIALS, NOW)

    assert not verified.has(("Secret", "hash", "192.0.2.1"), NOW)
    assert not verified.has(("secret", "other", "192.0.2.1"), NOW)
    assert not verified.has(("secret", "hash", "192.0.2.2"), NOW)


def test_credentials_do_not_run_into_each_other():
    verified = RecentSecrets(30)
    verified.keep(("a", "b, c"), NOW)
    verified.keep(("a', 'b", "c"), NOW)

    assert not verified.has(("a", "b", "c"), NOW)
    assert not verified.has(("a, b", "c"), NOW)
    assert verified.has(("a", "b, c"), NOW)


def test_the_oldest_are_forgotten_when_there_are_many():
    verified = RecentSecrets(30, size=2)
    for name in ("first", "second", "third"):
        verified.keep((name,), NOW)

    assert not verified.has(("first",), NOW)
    assert verified.has(("second",), NOW)
    assert verified.has(("third",), NOW)


def test_zero_retention_caches_no_verification():
    verified = RecentSecrets(0)
    verified.keep(CREDENTIALS, NOW)

    assert not verified.has(CREDENTIALS, NOW)

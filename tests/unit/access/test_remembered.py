from datetime import UTC, datetime, timedelta

from calendar_app.access.caller import Caller
from calendar_app.access.remembered import Remembered

NOW = datetime(2027, 1, 1, 12, tzinfo=UTC)
ANNA = Caller(1, "anna", "editor")
BEAT = Caller(2, "beat", "author")
CREDENTIALS = ("anna", "secret", "192.0.2.1")


def test_a_caller_is_known_again_until_the_time_is_over():
    remembered = Remembered(30)
    remembered.keep(CREDENTIALS, ANNA, NOW)

    assert remembered.find(CREDENTIALS, NOW + timedelta(seconds=29)) == ANNA
    assert remembered.find(CREDENTIALS, NOW + timedelta(seconds=30)) is None


def test_other_credentials_are_not_known():
    remembered = Remembered(30)
    remembered.keep(CREDENTIALS, ANNA, NOW)

    assert remembered.find(("anna", "Secret", "192.0.2.1"), NOW) is None
    assert remembered.find(("beat", "secret", "192.0.2.1"), NOW) is None
    assert remembered.find(("anna", "secret", "192.0.2.2"), NOW) is None


def test_credentials_do_not_run_into_each_other():
    remembered = Remembered(30)
    remembered.keep(("a", "b, c"), ANNA, NOW)
    remembered.keep(("a', 'b", "c"), BEAT, NOW)

    assert remembered.find(("a", "b", "c"), NOW) is None
    assert remembered.find(("a, b", "c"), NOW) is None
    assert remembered.find(("a", "b, c"), NOW) == ANNA


def test_the_oldest_are_forgotten_when_there_are_many():
    remembered = Remembered(30, size=2)
    for name in ("first", "second", "third"):
        remembered.keep((name,), ANNA, NOW)

    assert remembered.find(("first",), NOW) is None
    assert remembered.find(("second",), NOW) == ANNA
    assert remembered.find(("third",), NOW) == ANNA


def test_everybody_can_be_forgotten():
    remembered = Remembered(30)
    remembered.keep(CREDENTIALS, ANNA, NOW)
    remembered.forget()

    assert remembered.find(CREDENTIALS, NOW) is None


def test_nobody_is_remembered_for_no_time():
    remembered = Remembered(0)
    remembered.keep(CREDENTIALS, ANNA, NOW)

    assert remembered.find(CREDENTIALS, NOW) is None

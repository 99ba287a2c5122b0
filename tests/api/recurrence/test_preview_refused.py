"""Bad input of recurrence previews, with its reason."""

import pytest

from calendar_app.settings import Settings

pytestmark = pytest.mark.without_mongodb


@pytest.fixture
def settings():
    return Settings.load(environment={}, languages=["en", "de"], default_language="en")


@pytest.fixture
def refused(preview):
    """Return the reason for which a recurrence is refused; no other parameter is."""

    def reason(recurrence, **sent):
        body = preview(recurrence, status=400, **sent)
        assert body["code"] == "rest_invalid_param"
        assert list(body["data"]["params"]) == ["recurrence"]
        return body["data"]["params"]["recurrence"]

    return reason


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        ("FREQ=SECONDLY", "FREQ=SECONDLY is not supported"),
        ("FREQ=HOURLY", "FREQ=HOURLY is not supported"),
        ("RSCALE=CHINESE;FREQ=YEARLY", "RSCALE is not supported"),
        ("FREQ=DAILY;SKIP=OMIT", "SKIP is not supported"),
        ("FREQ=DAILY;COUNT=3;UNTIL=20301231", "COUNT or UNTIL, not both"),
        ("FREQ=DAILY;COUNT=0", "COUNT must be a whole number from 1"),
        ("FREQ=DAILY;COUNT=100000", "COUNT must be at most 1000"),
        ("FREQ=DAILY;UNTIL=20291231", "UNTIL is before the start"),
        ("FREQ=DAILY;UNTIL=20300230", "UNTIL must be a date"),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "never gives a date"),
        ("FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30", "never gives a date"),
        ("FREQ=WEEKLY;BYDAY=MO;BYSETPOS=2", "never gives a date"),
        ("FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", "never gives a date"),
        ("FREQ=DAILY;INTERVAL=9999;BYMONTH=2;BYMONTHDAY=30", "never gives a date"),
        ("FREQ=DAILY;INTERVAL=0", "INTERVAL must be a whole number"),
        ("FREQ=WEEKLY;BYDAY=XX", "BYDAY must name weekdays"),
        ("FREQ=WEEKLY;BYDAY=1MO", "BYDAY does not fit"),
        ("FREQ=DAILY;BYDAY=1MO", "BYDAY does not fit"),
        ("FREQ=WEEKLY;BYMONTHDAY=1", "BYMONTHDAY does not fit"),
        ("FREQ=MONTHLY;BYMONTHDAY=0", "BYMONTHDAY must not be 0"),
        ("FREQ=MONTHLY;BYMONTHDAY=32", "BYMONTHDAY must be a whole number"),
        ("FREQ=MONTHLY;BYSETPOS=1", "BYSETPOS needs another part"),
        ("FREQ=DAILY;BYEASTER=0", "unknown part: BYEASTER=0"),
        ("FREQ=DAILY;FREQ=WEEKLY", "FREQ is in the rule twice"),
        ("BYDAY=MO", "no FREQ"),
        ("FREQ=FORTNIGHTLY", "FREQ must be one of YEARLY"),
        ("FREQ=DAILY;BYHOUR=1,2;BYMINUTE=" + ",".join(map(str, range(60))), "too many times"),
    ],
)
def test_a_wrong_rule_is_refused_with_the_reason(refused, rule, reason):
    if "too many" in reason:
        rule += ";BYSECOND=" + ",".join(map(str, range(60)))
    assert reason in refused({"rrule": rule})


@pytest.mark.parametrize(
    ("recurrence", "reason"),
    [
        (5, "A recurrence is an object"),
        (["FREQ=DAILY"], "A recurrence is an object"),
        ({"rules": "FREQ=DAILY"}, "no part rules"),
        ({"rrule": {"freq": "DAILY"}}, "rrule must be a text"),
        ({"rrule": ["FREQ=DAILY"] * 11}, "rrule has more than 10"),
        ({"rdate": ["2030-02-30 10:00:00"]}, "rdate has an invalid date: 2030-02-30"),
        ({"rdate": [True]}, "rdate has an invalid date"),
        ({"rdate": [{"end": "2030-03-14"}]}, "An object in rdate"),
        ({"rdate": [{"start": "2030-03-15", "end": "2030-03-14"}]}, "ends before it starts"),
        ({"rdate": ["2030-03-14"] * 10_000}, "rdate has more than 1000"),
        ({"rrule": "FREQ=DAILY", "exdate": ["nonsense"]}, "exdate has an invalid date"),
        (
            {"rrule": "FREQ=DAILY;COUNT=2", "exdate": ["2030-03-13 10:00", "2030-03-14 10:00"]},
            "leave no date",
        ),
        ("RRULE:FREQ=DAILY\nSUMMARY:Market", "no line SUMMARY:Market"),
        ("RDATE:20300230T100000", "RDATE has an invalid date"),
        ("EXDATE;TZID=Nowhere/Land:20300320T100000", "no time zone Nowhere/Land"),
    ],
)
def test_a_wrong_recurrence_is_refused_with_the_reason(refused, recurrence, reason):
    assert reason in refused(recurrence)


def test_refusals_are_in_the_language_of_the_request(refused):
    reason = refused({"rrule": "FREQ=DAILY;COUNT=5000"}, translation_language="de")
    assert reason == "COUNT darf höchstens 1000 sein."


@pytest.mark.parametrize(
    ("sent", "name"),
    [
        ({"end": "2030-03-13 09:00:00"}, "end"),
        ({"start": "never"}, "start"),
        ({"timezone": "Nowhere/Land"}, "timezone"),
        ({"all_day": "perhaps"}, "all_day"),
    ],
)
def test_wrong_times_name_their_parameter(preview, sent, name):
    body = preview("FREQ=DAILY", status=400, **sent)
    assert list(body["data"]["params"]) == [name]

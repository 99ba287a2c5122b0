"""Whatever is sent as a recurrence is a recurrence, or is refused with a message."""

from datetime import UTC, datetime

from hypothesis import example, given
from hypothesis import strategies as st
from unit.domain.spans import settled

from calendar_app.domain.recurrence.expansion import expand
from calendar_app.domain.recurrence.notation import as_json, parse, settle
from calendar_app.domain.recurrence.rules import InvalidRecurrence
from calendar_app.errors import Message

NOW = datetime(2026, 11, 1, tzinfo=UTC)
NUMBERS = st.integers(-400, 400).map(str) | st.sampled_from(["", "0", "+5", "1e3", "9" * 30])
DAYS = st.sampled_from(["MO", "-1FR", "2TU", "54SU", "WE,TH", "XX", "ALL"])
DATES = st.sampled_from(
    [
        "00010101T000000Z",
        "00010101",
        "99991231T235959Z",
        "99991231",
        "20300229",
        "20301231T225959Z",
        "2030-12-31 10:00:00",
        "9999-12-31 23:59:59",
        "0001-01-01 00:00:00",
        "20300101T100000/P9999W",
        "20300101T100000/PT5M",
        "99990101T100000/P9999W",
        "tomorrow",
        "",
    ]
)
PARTS = st.one_of(
    st.tuples(st.just("FREQ"), st.sampled_from(["DAILY", "WEEKLY", "MONTHLY", "YEARLY", "NEVER"])),
    st.tuples(
        st.sampled_from(
            [
                "INTERVAL",
                "COUNT",
                "BYMONTH",
                "BYMONTHDAY",
                "BYYEARDAY",
                "BYWEEKNO",
                "BYSETPOS",
                "BYHOUR",
                "BYMINUTE",
            ]
        ),
        st.lists(NUMBERS, min_size=1, max_size=3).map(",".join),
    ),
    st.tuples(st.sampled_from(["BYDAY", "WKST"]), DAYS),
    st.tuples(st.just("UNTIL"), DATES),
    st.tuples(st.text(max_size=5), st.text(max_size=5)),
)
RULES = st.lists(PARTS, max_size=5).map(
    lambda parts: ";".join(f"{name}={value}" for name, value in [("FREQ", "DAILY"), *parts])
) | st.lists(PARTS, min_size=1, max_size=5).map(
    lambda parts: ";".join(f"{name}={value}" for name, value in parts)
)
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10) | DATES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=5,
)
OBJECTS = st.fixed_dictionaries(
    {},
    optional={
        "rrule": RULES | st.lists(RULES, max_size=3) | JUNK,
        "rdate": st.lists(DATES | st.fixed_dictionaries({"start": DATES, "end": DATES})) | JUNK,
        "exdate": st.lists(DATES) | JUNK,
    },
)
NAMES = st.sampled_from(["RRULE:", "RDATE:", "EXDATE:", "EXDATE;TZID=Asia/Tokyo:", ""])
LINES = st.lists(st.tuples(NAMES, RULES | DATES), max_size=4).map(
    lambda lines: "\n".join(name + value for name, value in lines)
)
STARTS = st.sampled_from(["0001-01-02 00:00", "2026-12-02 10:00", "9999-12-30 22:00"])


def accepted(sent, event):
    """Return a recurrence, or nothing where it is refused; other errors are defects."""
    try:
        return settle(parse(sent, NOW), event, limit=1000)
    except InvalidRecurrence as error:
        if not isinstance(error.args[0], Message):
            raise
        return None


@given(sent=OBJECTS | LINES | JUNK, start=STARTS, all_day=st.booleans())
@example(sent={"rrule": "FREQ=DAILY"}, start="9999-12-30 22:00", all_day=False)
@example(
    sent={"rrule": "FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=1"}, start="0001-01-02 00:00", all_day=False
)
@example(
    sent={"rrule": "FREQ=DAILY;UNTIL=00010101T000000Z"}, start="0001-01-02 00:00", all_day=False
)
@example(sent={"exdate": ["0001-01-01 00:00"]}, start="2026-12-02 10:00", all_day=False)
@example(sent={"rdate": ["9999-12-31 23:59:59"]}, start="2026-12-02 10:00", all_day=False)
def test_a_recurrence_is_used_or_refused_with_a_message(sent, start, all_day):
    event = settled(start=start, end=start, all_day=all_day)
    recurrence = accepted(sent, event)
    if recurrence is not None:
        assert expand(recurrence, event, until=None, limit=20)
        assert accepted(as_json(recurrence), event) == recurrence

"""Dates in the formats of programs parse to the same moment."""

from datetime import UTC, datetime

from hypothesis import example, given
from hypothesis import strategies as st

from calendar_app.domain.datewords import read
from calendar_app.domain.moments import parse_moment

NOW = datetime(2026, 11, 21, 8, 25, 17, tzinfo=UTC)


def parsed(parse, text):
    try:
        return parse(text)
    except (ValueError, OverflowError):
        return None


@given(
    st.builds(
        "{:04}-{:02}-{:02} {:02}:{:02}:{:02}".format,
        st.integers(0, 9999),
        st.integers(0, 13),
        st.integers(0, 32),
        st.integers(0, 25),
        st.integers(0, 61),
        st.integers(0, 61),
    )
)
@example("0000-01-01 00:00:00")
@example("2027-02-29 12:00:00")
@example("2028-02-29 24:00:00")
@example("2027-06-30 23:59:60")
@example("9999-12-31 24:00:00")
def test_a_plain_moment_is_read_by_the_same_rules_as_any_other(text):
    at_once = parsed(lambda each: parse_moment(each, NOW).wall, text)
    by_rules = parsed(lambda each: read(each).wall(NOW), text)
    assert at_once == by_rules

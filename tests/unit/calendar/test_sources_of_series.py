"""Dates inherit the sources of their series, and a series the sources of its original event."""

from datetime import datetime, timedelta

import pytest

from calendar_app.calendar.series.changing import split, template_of
from calendar_app.calendar.series.occurrences import derived, detached, overrides_of
from calendar_app.domain.provenance import INHERITED, inherit, sources_of
from calendar_app.domain.recurrence.rules import span_of

START = datetime(2030, 3, 6, 10)  # noqa: DTZ001 - a wall clock
WEEK, TWO_HOURS = timedelta(days=7), timedelta(hours=2)
TIMES = {
    **dict.fromkeys(("start", "start_local"), START),
    **dict.fromkeys(("end", "end_local"), START + TWO_HOURS),
    "timezone": "UTC",
    "all_day": False,
}
EVENT = {
    "_id": 4,
    "author": 1,
    "status": "draft",
    "hidden": False,
    "variants": {"de": {"title": "Choir"}},
    **TIMES,
}
NOTES = [{"source": 7}, {"source": 2}]
RECURRENCE = {"rules": ["FREQ=WEEKLY;COUNT=3"], "rdates": [], "exdates": []}
SERIES = {**EVENT, "recurrence": RECURRENCE}
DATE = {"_id": 5, "series": 4, "recurrence_id": START + WEEK, "overrides": [], "date_slug": ""}
# A series of two sources, and one that was made of another such series.
MADE = pytest.mark.parametrize("own", [{"from_sources": NOTES}, {INHERITED: [2, 7]}])


@MADE
def test_dates_inherit_the_sources_of_their_series(own):
    date = derived(SERIES | own, DATE, span_of(SERIES))
    assert date[INHERITED] == [2, 7]
    assert "from_sources" not in date
    assert overrides_of(SERIES | own, date, span_of(SERIES)) == []


def test_dates_of_a_series_of_no_source_inherit_none():
    former = {**DATE, INHERITED: [2]}
    assert INHERITED not in derived(SERIES, former, span_of(SERIES))


def test_date_with_a_note_of_its_own_comes_from_both():
    date = derived(SERIES | {INHERITED: [2]}, DATE | {"from_sources": NOTES}, span_of(SERIES))
    assert sources_of(date) == {2, 7}


@MADE
def test_a_date_that_becomes_single_keeps_its_sources(own):
    assert sources_of(detached(derived(SERIES | own, DATE, span_of(SERIES)))) == {2, 7}


@MADE
def test_series_inherits_the_sources_of_the_event_that_it_was(own):
    template = template_of(EVENT | own)
    assert (template[INHERITED], "from_sources" in template) == ([2, 7], False)


@MADE
def test_both_halves_of_a_series_come_from_its_sources(own):
    ended, begun = split(SERIES | own, DATE)
    assert sources_of(ended) == sources_of(begun) == {2, 7}
    assert "from_sources" not in begun


def test_nothing_is_inherited_where_there_is_no_source():
    assert inherit({"_id": 1, INHERITED: [2]}, ()) == {"_id": 1}

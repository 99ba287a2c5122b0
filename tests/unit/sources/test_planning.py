"""The plan of a reading, and the guard that holds it back."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from calendar_app.sources.planning import (
    EventKey,
    Guard,
    ReadSourceEvent,
    StoredSourceEvent,
    Traits,
    compare,
    due_in,
    is_due,
    settled_texts,
)
from calendar_app.sources.windows import ListedWindow, window_of

NOW = datetime.fromisoformat("2027-06-05 12:00")


def traits(start, name="Concert", place="Hall"):
    return Traits(str(start), name, place)


def stored_event(number, *, uid=None, digest="same", is_coming=True, name=None, **options):
    own = traits(number, name or f"Concert {number}")
    return StoredSourceEvent(
        EventKey(uid or f"uid-{number}"), number, digest, own, is_coming, **options
    )


def read(number, *, uid=None, digest="same", start=None, name=None):
    own = traits(number if start is None else start, name or f"Concert {number}")
    return ReadSourceEvent(EventKey(uid or f"uid-{number}"), digest, own, number)


def listing(number, dates):
    return replace(read(number, digest="other"), slides=True, dates=dates)


def compared(stored, calendar):
    return compare({each.key: each for each in stored}, calendar)


def pairs(plan):
    return {(each.place, earlier.record_id) for each, earlier in plan.healed}


def test_each_event_is_new_changed_unchanged_or_missing():
    stored = [stored_event(1), stored_event(2), stored_event(3)]
    plan = compared(stored, [read(1), read(2, digest="other"), read(4)])
    assert [each.record_id for each in plan.unchanged] == [1]
    assert [each.record_id for _, each in plan.changed] == [2]
    assert [each.place for each in plan.new] == [4]
    assert [each.record_id for each in plan.missing] == [3]


def test_what_has_the_same_text_is_unchanged_and_not_missing():
    stored = {each.key: each for each in (stored_event(1), stored_event(2), stored_event(3))}
    plan = compare(stored, [read(2)], unparsed_uids={"uid-1"})
    assert {each.record_id for each in plan.unchanged} == {1, 2}
    assert [each.record_id for each in plan.missing] == [3]


def test_an_unchanged_event_with_another_text_is_noted():
    stored = [stored_event(1, text_digest="a"), stored_event(2, text_digest="b")]
    calendar = [replace(read(1), text_digest="a"), replace(read(2), text_digest="c")]
    plan = compared(stored, calendar)
    assert [(each.text_digest, stored.record_id) for each, stored in plan.reworded] == [("c", 2)]
    assert len(plan.unchanged) == 2


@pytest.mark.parametrize(
    "stored",
    [
        stored_event(1, text_digest="a", is_edited=True),
        stored_event(1, text_digest="a", missing=NOW),
        stored_event(1, text_digest="a", unlisted=True),
        stored_event(1, text_digest="a", missing=NOW, vanished="cancel"),
        stored_event(1),
    ],
    ids=["edited here", "missing", "outside", "vanished", "never parsed whole"],
)
def test_what_has_to_be_looked_at_is_not_settled(stored):
    assert not settled_texts({stored.key: stored}).get("uid-1")
    assert settled_texts({EventKey("uid-1"): stored_event(1, text_digest="a")}) == {"uid-1": "a"}


def test_a_uid_with_several_events_is_not_settled():
    several = (EventKey("choir"), EventKey("choir", "20270106"))
    known_events = {key: replace(stored_event(1, text_digest="a"), key=key) for key in several}
    assert settled_texts(known_events) == {}


def test_an_event_that_was_edited_here_is_looked_at_again():
    plan = compared([stored_event(1, is_edited=True)], [read(1)])
    assert [each.record_id for _, each in plan.edited] == [1]
    assert plan.alarming == 0


@pytest.mark.parametrize(
    ("before", "now"),
    [({"digest": ""}, {}), ({"digest": "other"}, {"slides": True})],
    ids=["seen by an import alone", "a list of coming dates"],
)
def test_what_was_not_compared_before_is_looked_at_without_alarm(before, now):
    plan = compared([stored_event(1, **before)], [replace(read(1), **now)])
    assert [each.record_id for _, each in plan.edited] == [1]
    assert (plan.unchanged, plan.alarming) == ([], 0)


def test_new_uids_at_each_reading_make_no_new_events():
    stored = [stored_event(number) for number in range(20)]
    plan = compared(stored, [read(number, uid=f"other-{number}") for number in range(20)])
    assert pairs(plan) == {(number, number) for number in range(20)}
    assert (plan.new, plan.missing, plan.alarming) == ([], [], 0)


def test_a_new_uid_beside_old_ones_is_matched_by_start_and_name():
    plan = compared([stored_event(1), stored_event(2)], [read(1), read(2, uid="other")])
    assert pairs(plan) == {(2, 2)}


def test_another_event_of_the_name_is_new_where_other_uids_stay():
    plan = compared([stored_event(1), stored_event(2)], [read(1), read(2, uid="other", start=99)])
    assert [each.place for each in plan.new] == [2]
    assert [each.record_id for each in plan.missing] == [2]


def test_a_moved_event_is_matched_by_its_name_where_all_uids_are_new():
    calendar = [read(1, uid="a"), read(2, uid="b", start=99)]
    assert pairs(compared([stored_event(1), stored_event(2)], calendar)) == {(1, 1), (2, 2)}


def test_events_with_the_same_traits_are_matched_one_to_one():
    stored = [stored_event(number, name="Yoga", uid=f"old-{number}") for number in (1, 2)]
    same = [
        StoredSourceEvent(each.key, each.record_id, "same", traits(0, "Yoga"), True)
        for each in stored
    ]
    calendar = [read(number, uid=f"new-{number}", start=0, name="Yoga") for number in (1, 2, 3)]
    plan = compared(same, calendar)
    assert len(pairs(plan)) == 2
    assert len(plan.new) == 1


@pytest.mark.parametrize(
    ("coming", "lost", "held"),
    [(10, 5, False), (10, 6, True), (100, 20, False), (100, 21, True), (4, 4, False)],
)
def test_a_reading_that_would_remove_too_much_is_held(coming, lost, held):
    stored = [stored_event(number) for number in range(coming)]
    plan = compared(stored, [read(number) for number in range(lost, coming)])
    assert Guard(20).holds(plan) is held
    assert not Guard(20).holds(plan, accepted=lost)


def test_changes_count_like_removals():
    stored = [stored_event(number) for number in range(30)]
    plan = compared(stored, [read(n, digest="other" if n < 4 else "same") for n in range(27)])
    assert plan.alarming == 7
    assert Guard(20).holds(plan)


def test_each_coming_date_of_a_series_counts_where_it_is_lost():
    stored = [
        stored_event(1, starts=(NOW,) * 30),
        stored_event(2),
        stored_event(3, starts=(NOW,) * 20),
    ]
    plan = compared(stored, [read(2), read(3, digest="other")])
    assert (plan.coming, plan.vanishing, plan.alarming) == (51, 30, 31)
    plan.fewer = 15
    assert (plan.vanishing, plan.alarming) == (45, 46)


def test_past_events_do_not_alarm():
    stored = [stored_event(number, is_coming=False) for number in range(30)]
    assert compared(stored, []).alarming == 0


@pytest.mark.parametrize(("hours", "due"), [(0, False), (23, False), (24, True), (50, True)])
def test_an_event_vanishes_after_two_readings_a_day_apart(hours, due):
    missing = NOW - timedelta(hours=hours)
    assert is_due(stored_event(1, missing=missing), NOW) is due
    assert not is_due(stored_event(1, missing=missing, is_coming=False), NOW)
    assert not is_due(stored_event(1, missing=missing, vanished="trash"), NOW)
    assert not is_due(stored_event(1), NOW)


# What a list does not show.


def listed_window(first, last):
    return ListedWindow(NOW + timedelta(days=first), NOW + timedelta(days=last))


def on(day, **options):
    return stored_event(day, begins=NOW + timedelta(days=day), **options)


@pytest.mark.parametrize(
    ("day", "is_missing"),
    [(1, False), (3, True), (5, True), (9, False), (12, False)],
    ids=["before the first", "at the first", "between", "at the last", "behind the last"],
)
def test_only_what_lies_between_the_listed_events_can_be_missing(day, is_missing):
    stored = {each.key: each for each in (on(day), on(4))}
    plan = compare(stored, [read(4)], window=listed_window(3, 9))
    assert bool(plan.missing) is is_missing
    assert bool(plan.unlisted) is not is_missing


def test_a_series_is_missing_where_one_of_its_dates_would_be_listed():
    series = on(1, starts=(NOW + timedelta(days=1), NOW + timedelta(days=8)))
    assert series.lies_in(listed_window(3, 9))
    assert not series.lies_in(listed_window(3, 8))


def test_what_a_person_has_seen_missing_needs_no_window():
    plan = compare({on(20).key: on(20, missing=NOW, accepted=True)}, [], window=listed_window(1, 2))
    assert [each.record_id for each in plan.missing] == [20]


@pytest.mark.parametrize(("new", "alarming"), [(0, 9), (4, 5), (9, 0), (12, 0)])
def test_new_events_may_have_pushed_others_out_of_a_list(new, alarming):
    stored = {each.key: each for each in map(on, range(1, 11))}
    calendar = [read(1), *(read(100 + number) for number in range(new))]
    assert compare(stored, calendar, window=listed_window(0, 1)).alarming == alarming


WEEKS = tuple(NOW + timedelta(days=60 + 7 * number) for number in range(8))


def site_dates(*days):
    starts = [NOW + timedelta(days=day) for day in days]
    return {start.isoformat(): {"start": start, "digest": "same"} for start in starts}


@pytest.mark.parametrize(
    ("stored", "calendar", "alarming"),
    [
        ([on(1), on(60, starts=WEEKS)], [read(1), read(3)], 0),
        ([on(1), on(60, starts=WEEKS)], [read(1)], 8),
        ([on(1), on(60, starts=WEEKS), on(70)], [read(1), read(3)], 1),
        ([on(1), on(2, unlisted=True), on(60, starts=WEEKS)], [read(1), read(2)], 0),
        ([on(1), on(2, missing=NOW), on(60, starts=WEEKS)], [read(1), read(2)], 0),
        ([on(1), *map(on, range(61, 69))], [read(1), listing(9, site_dates(*range(8)))], 0),
        (
            [on(1, dates=site_dates(1)), *map(on, range(61, 64))],
            [listing(1, site_dates(1, 2, 3))],
            1,
        ),
        ([on(1, dates=site_dates(1, 61, 62))], [listing(1, site_dates(1)), read(9)], 1),
    ],
    ids=[
        "a series by a new event",
        "a series by nothing",
        "a series and an event by a new event",
        "a series by an event that was outside",
        "a series by an event that was missing",
        "events by each date of a new series",
        "events by further dates of a series",
        "dates of a series by a new event",
    ],
)
def test_each_line_of_a_list_pushes_out_one_event_or_series(stored, calendar, alarming):
    stored = {each.key: each for each in stored}
    assert compare(stored, calendar, window=listed_window(0, 50)).vanishing == alarming


def test_what_is_listed_again_is_looked_at_so_that_it_counts():
    plan = compare({on(2).key: on(2, unlisted=True)}, [read(2)], window=listed_window(0, 9))
    assert [earlier.record_id for _, earlier in plan.edited] == [2]
    assert plan.alarming == 0


def test_what_was_outside_before_alarms_nobody():
    stored = {each.key: each for each in (on(1), *(on(n, unlisted=True) for n in range(2, 20)))}
    plan = compare(stored, [read(1)], window=listed_window(0, 1))
    assert (plan.alarming, plan.coming) == (0, 1)


def test_the_window_of_a_calendar_goes_from_its_first_to_its_last_event():
    days = [NOW + timedelta(days=number) for number in (4, 1, 3)]
    window = window_of(days, from_now=False)
    assert window == (days[1], days[0])
    assert window_of(days, from_now=True).covers(NOW)
    assert not window_of([], from_now=True).covers(NOW)


# What the guard measures.


def test_what_is_missing_since_long_and_kept_holds_no_reading_back():
    ago = NOW - timedelta(days=30)
    stored = [stored_event(number, missing=ago) for number in range(20)]
    plan = compared([*stored, *(stored_event(number) for number in range(20, 40))], [read(39)])
    assert plan.vanishing == 19
    assert plan.coming == 20


@pytest.mark.parametrize(("vanished", "alarming"), [("keep", 0), ("cancel", 8), ("trash", 8)])
def test_what_would_be_taken_away_now_counts(vanished, alarming):
    stored = [stored_event(number, missing=NOW - timedelta(days=2)) for number in range(8)]
    plan = compared(stored, [])
    plan.due = due_in(plan, vanished, NOW)
    assert plan.alarming == alarming


def test_with_other_settings_only_losses_alarm():
    stored = [stored_event(number) for number in range(20)]
    plan = compared(stored, [read(number, digest="other") for number in range(2, 20)])
    assert plan.alarming == 20
    plan.other_settings = True
    assert plan.alarming == 2

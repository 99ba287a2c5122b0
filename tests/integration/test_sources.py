"""Sources: what is read stays recognisable, what is edited here stays, nothing comes twice."""

from collections import Counter

import pytest
from calendars import WEEKLY, override, vevent

from calendar_app.accounts.callers import Caller
from calendar_app.errors import NotAllowed, NotAuthenticated, NotFound, SourceBusy
from calendar_app.storage.query.list_query import Window

EDITOR = Caller(2, "editor", "editor")
CONTENT = ("events", "series", "venues", "organizers", "categories", "tags", "history")


def single(number, title=None, *lines, uid=None):
    start = f"203003{number:02}T190000"
    return vevent(uid or f"{number}@club", *lines, title=title or f"Concert {number}", start=start)


def titles(events):
    return [each["title"] for each in events]


def stored(database):
    return {name: list(database[name].find()) for name in CONTENT}


def test_a_reading_makes_events_and_an_unchanged_one_writes_nothing(add, read, listed, database):
    source = add()
    events = [single(1), single(2, None, "LOCATION:Hall", "CATEGORIES:Music"), WEEKLY_CHOIR]
    assert read(source, *events).numbers == {"new": 3}
    assert titles(listed())[-2:] == ["Concert 1", "Concert 2"]
    before = stored(database)
    assert read(source, *events).state == "unchanged"
    # The same events, in another file.
    again = read(source, *reversed(events))
    assert (again.state, again.numbers) == ("done", {"unchanged": 3})
    assert stored(database) == before


def test_what_changes_elsewhere_in_a_text_is_noted_once(add, read, database, hearers):
    source = add()
    read(source, single(1), single(2))
    history = stored(database)["history"]
    for is_first in (True, False):
        changed = []
        hearers.append(lambda name, to, changed=changed: name == "update" and changed.append(to))
        # Nothing is read from that line.
        assert read(source, single(1, None, "X-OWN:1"), single(2)).numbers == {"unchanged": 2}
        hearers.clear()
        assert ("events" in changed) is is_first
    assert stored(database)["history"] == history


def test_filters_that_change_hold_for_a_calendar_that_is_the_same(sources, add, read):
    source = add()
    read(source, single(1, "Concert"), single(2, "Ball"))
    sources.change(source, {"filters": {"words": ["concert"]}}, EDITOR)
    reading = read(source, single(1, "Concert"), single(2, "Ball"))
    assert reading.numbers["filtered"] == 1


def test_filters_that_are_loosened_let_the_first_event_in(sources, add, read):
    source = add(filters={"words": ["ball"]})
    assert read(source, single(1)).numbers == {"filtered": 1}
    sources.change(source, {"filters": {}}, EDITOR)
    assert read(source, single(1)).numbers == {"new": 1}


def test_what_cannot_be_taken_is_named_at_each_reading(add, read):
    source = add()
    for number in (1, 2):
        reading = read(source, single(1, None, "EXRULE:FREQ=YEARLY"), single(2, f"Ball {number}"))
        assert reading.numbers["left_out"] == 1


def test_many_events_are_written_with_as_many_questions_as_few(add, read, hearers):
    numbers = {}
    for first, last in ((1, 3), (10, 30)):
        names = []
        hearers.append(lambda name, _, names=names: names.append(name))
        own = [single(number, None, f"LOCATION:Hall {number % 3}") for number in range(first, last)]
        assert read(add(), *own).numbers == {"new": last - first}
        hearers.clear()
        numbers[last - first] = Counter(names)
    assert numbers[20].total() <= numbers[2].total() + 1
    assert numbers[20]["insert"] <= numbers[2]["insert"]


def test_a_changed_field_is_taken_and_one_edited_here_stays(add, read, listed, as_admin):
    source = add()
    read(source, single(1, "Old", "DESCRIPTION:one", "LOCATION:Hall"))
    (event,) = listed()
    as_admin.put(f"/events/{event['id']}", title="Ours")
    reading = read(source, single(1, "New", "DESCRIPTION:two", "LOCATION:Hall"))
    assert reading.numbers == {"changed": 1, "kept": 1}
    (event,) = listed()
    assert (event["title"], event["description"]) == ("Ours", "<p>two</p>")
    # It stays however often the source changes, and comes back to it where it is as it was.
    read(source, single(1, "Newer", "DESCRIPTION:two", "LOCATION:Hall"))
    assert titles(listed()) == ["Ours"]


def test_the_value_of_the_source_stands_beside_what_was_edited_here(
    add, read, listed, as_admin, database
):
    source = add()
    read(source, single(1, "Old"))
    as_admin.put(f"/events/{listed()[0]['id']}", title="Ours")
    reading = read(source, single(1, "Old"))
    assert (reading.state, reading.numbers) == ("done", {"kept": 1})
    (note,) = database["events"].find_one()["from_sources"]
    assert note["kept"] == {"variants/de/title": "Old"}
    before = stored(database)
    assert read(source, single(1, "Old")).state == "unchanged"
    assert stored(database) == before


def test_a_source_with_the_authority_overwrites_what_was_edited_here(add, read, listed, as_admin):
    source = add(authority={"title": "source"})
    read(source, single(1, "Old"))
    as_admin.put(f"/events/{listed()[0]['id']}", title="Ours", description="Ours")
    assert read(source, single(1, "Old")).numbers == {"changed": 1}
    (event,) = listed()
    assert (event["title"], event["description"]) == ("Old", "<p>Ours</p>")


def test_the_authority_of_a_source_holds_for_each_date(add, read, listed, as_admin):
    source = add(authority={"title": "source"})
    choir = vevent("choir@club", "RRULE:FREQ=DAILY;COUNT=3", title="Choir", start="20300301T190000")
    read(source, choir)
    as_admin.put(f"/events/{listed()[1]['id']}", title="Ours", cost="CHF 5")
    assert read(source, choir).numbers == {"changed": 1}
    assert titles(listed()) == ["Choir"] * 3
    assert [each["cost"] for each in listed()] == ["", "CHF5", ""]
    assert read(source, choir).state == "unchanged"


def test_translations_made_here_stay(add, read, listed, as_admin):
    source = add()
    read(source, single(1, "Old"))
    (event,) = listed()
    as_admin.put(f"/events/{event['id']}", variants={"rm": {"title": "Nos"}})
    read(source, single(1, "New"))
    event = as_admin.get(f"/events/{event['id']}", translation_language="rm").json
    assert event["title"] == "Nos"
    assert event["translations"]["rm"]["status"] == "outdated"


def test_two_sources_with_the_same_uid_have_two_events(add, read, listed):
    for _ in range(2):
        assert read(add(), single(1)).numbers["new"] == 1
    assert len(listed()) == 2


def test_new_uids_at_each_reading_keep_ids_slugs_and_edits(add, read, listed, as_admin, database):
    source = add()
    read(source, *(single(number) for number in range(1, 9)))
    before = listed()
    as_admin.put(f"/events/{before[0]['id']}", title="Ours")
    for turn in range(3):
        reading = read(source, *(single(n, uid=f"{turn}-{n}") for n in range(1, 9)))
        assert reading.state == "done"
        assert "new" not in reading.numbers
    after = listed()
    assert [(each["id"], each["slug"]) for each in after] == [
        (each["id"], each["slug"]) for each in before
    ]
    assert titles(after)[0] == "Ours"
    assert database["events"].count_documents({}) == 8


@pytest.mark.parametrize(
    "case",
    [
        ("keep", ("publish", "scheduled")),
        ("cancel", ("publish", "canceled")),
        ("trash", ("trash", "")),
    ],
)
def test_an_event_vanishes_after_two_readings_a_day_apart(add, read, clock, as_admin, case):
    vanished, expected = case
    source = add(vanished=vanished)
    read(source, single(1), single(2), single(3))
    gone = as_admin.get("/events", start_date="2030-03-02").json["events"][0]["id"]

    def state():
        event = as_admin.get(f"/events/{gone}", status="any")
        if "status" not in event.json or event.json["status"] == "trash":
            return "trash", ""
        return event.json["status"], event.json["event_status"]

    assert read(source, single(1), single(3)).numbers == {"unchanged": 2, "vanished": 1}
    assert state() == ("publish", "scheduled")
    clock.advance(hours=23)
    read(source, single(1), single(3))
    assert state() == ("publish", "scheduled")
    clock.advance(hours=2)
    read(source, single(1), single(3))
    assert state() == expected
    # It comes back with the source.
    read(source, single(1), single(2), single(3))
    assert state() == ("publish", "scheduled")


def test_a_list_of_the_next_events_loses_none_to_new_ones(add, read, clock, listed):
    source = add(vanished="cancel")
    read(source, *map(single, range(11, 21)))
    for number in range(10, 3, -1):
        reading = read(source, *map(single, range(number, number + 10)))
        assert (reading.state, "vanished" in reading.numbers) == ("done", False)
        clock.advance(days=2)
    assert {each["event_status"] for each in listed()} == {"scheduled"}


def test_an_event_behind_the_last_one_is_missing_once_a_later_one_is_listed(add, read, clock):
    source = add(vanished="cancel")
    read(source, single(1), single(2))
    assert read(source, single(1)).numbers == {"unchanged": 1}
    clock.advance(days=2)
    assert read(source, single(1)).state == "unchanged"
    assert read(source, single(1), single(3)).numbers["vanished"] == 1


def test_an_event_that_has_begun_does_not_vanish(add, read, clock, listed):
    source = add(vanished="cancel")
    exhibition = vevent("show@club", title="Exhibition", start="20300301T190000")
    exhibition = exhibition.replace("20300301T210000", "20300401T210000")
    read(source, exhibition, single(20), single(25))
    clock.advance(days=46)
    for _ in range(3):
        assert "vanished" not in read(source, single(20), single(25)).numbers
        clock.advance(hours=25)
    assert {each["event_status"] for each in listed()} == {"scheduled"}


def test_a_source_that_loses_one_event_a_day_goes_on(add, read, clock):
    source = add(vanished="keep")
    for lost in range(1, 13):
        assert read(source, single(1), *map(single, range(1 + lost, 25))).state == "done"
        clock.advance(hours=25)


def test_changed_settings_are_no_mass_change_of_the_source(add, read, sources, listed):
    source = add()
    events = [single(number) for number in range(1, 13)]
    floating = [each.replace(";TZID=Europe/Zurich", "") for each in events]
    read(source, *floating)
    sources.change(source, {"timezone": "Europe/London"}, EDITOR)
    reading = read(source, *floating)
    assert (reading.state, reading.other_settings) == ("done", True)
    assert {each["timezone"] for each in listed()} == {"Europe/London"}
    assert not read(source, *floating, single(20)).other_settings


def test_filters_that_would_take_too_much_away_are_named(add, read, sources):
    source = add(vanished="cancel")
    events = [single(number) for number in range(1, 13)]
    read(source, *events)
    sources.change(source, {"filters": {"words": ["Concert 12"]}}, EDITOR)
    reading = read(source, *events)
    assert (reading.state, "settings" in reading.reason) == ("waiting", True)


def test_a_mass_loss_is_held_back_until_a_person_accepts_it(add, read, clock, listed):
    source = add(vanished="trash")
    read(source, *(single(number) for number in range(1, 13)))
    held = read(source, single(1))
    assert (held.state, held.alarming) == ("waiting", 11)
    clock.advance(days=3)
    assert read(source, single(1)).state == "waiting"
    assert len(listed()) == 12
    assert read(source, single(1), accept=held.id).state == "done"
    clock.advance(days=2)
    assert read(source, single(1)).state == "done"
    assert titles(listed()) == ["Concert 1"]


def test_an_acceptance_counts_once(add, read):
    source = add(vanished="trash")
    read(source, *(single(number) for number in range(1, 25)))
    held = read(source, *(single(number) for number in range(1, 13)))
    assert read(source, *map(single, range(1, 13)), accept=held.id).state == "done"
    with pytest.raises(NotFound):
        read(source, single(1), accept=held.id)
    assert read(source, single(1)).state == "waiting"


def test_an_acceptance_belongs_to_its_source(add, read):
    source, other = add(), add(name="Other")
    for each in (source, other):
        read(each, *(single(number) for number in range(1, 13)))
    held = read(source, single(1))
    with pytest.raises(NotFound):
        read(other, single(1), accept=held.id)


def test_mass_changes_are_held_back(add, read, listed):
    source = add()
    read(source, *(single(number) for number in range(1, 13)))
    before = titles(listed())
    assert read(source, *(single(n, "Hacked") for n in range(1, 13))).state == "waiting"
    assert titles(listed()) == before


@pytest.mark.parametrize(
    "content", [b"", b"<html>Log in</html>", b"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1@club\r\n"]
)
def test_what_is_no_whole_calendar_changes_nothing(sources, add, read, database, content):
    source = add(vanished="trash")
    read(source, single(1), single(2))
    before = stored(database)
    reading = sources.readings.read(source, EDITOR, content=content)
    assert reading.state in ("failed", "waiting")
    assert reading.reason
    assert stored(database) == before


def test_a_preview_reports_the_same_and_stores_nothing(add, read, database):
    source = add()
    read(source, single(1))
    names = (*CONTENT, "vocabulary", "sequences", "source_readings", "source_states")
    before = {name: list(database[name].find()) for name in names}
    preview = read(source, single(1, "New"), single(2), dry_run=True)
    assert {name: list(database[name].find()) for name in names} == before
    reading = read(source, single(1, "New"), single(2))
    assert (preview.state, preview.numbers) == ("preview", reading.numbers)
    assert [each["outcome"] for each in preview.entries] == ["changed", "new"]
    assert preview.entries[1]["start"] == "2030-03-02 19:00"


def test_the_report_names_each_event_and_its_fields(sources, add, read):
    source = add()
    read(source, single(1, "Old"), single(2))
    reading = read(
        source, single(1, "New"), single(2), single(3), single(4, None, "DTSTART:20300101")
    )
    entries = sources.readings.entries(reading.id, EDITOR, Window(1, 50)).items
    assert [(each["outcome"], each["uid"]) for each in entries][:2] == [
        ("changed", "1@club"),
        ("new", "3@club"),
    ]
    assert entries[0]["fields"] == ["variants.de.title"]
    assert reading.duration >= 0
    assert reading.bytes > 100


def test_an_event_trashed_here_does_not_come_back(add, read, listed, as_admin):
    source = add()
    read(source, single(1), single(2))
    as_admin.delete(f"/events/{listed()[0]['id']}")
    read(source, single(1, "New"), single(2))
    assert titles(listed()) == ["Concert 2"]


@pytest.mark.parametrize("by_hand", ["canceled", "trashed"])
def test_an_event_taken_away_by_hand_too_stays_away(add, read, clock, as_admin, by_hand):
    source = add(vanished="cancel" if by_hand == "canceled" else "trash")
    read(source, single(1), single(2))
    path = f"/events/{as_admin.get('/events').json['events'][0]['id']}"
    if by_hand == "canceled":
        as_admin.put(path, event_status="canceled")
    read(source, single(2))
    clock.advance(days=1, hours=2)
    read(source, single(2))
    if by_hand == "trashed":
        as_admin.put(path, status="publish")
        as_admin.delete(path)
    read(source, single(1), single(2))
    assert as_admin.get(path).json.get("event_status", "canceled") == "canceled"


def test_only_who_manages_sources_may_read_or_list_them(sources, add):
    source = add()
    for caller, error in (
        (Caller(), NotAuthenticated),
        (Caller(3, "author", "author"), NotAllowed),
    ):
        for use in (
            lambda who=caller: sources.list(who),
            lambda who=caller: sources.get(source, who),
            lambda who=caller: sources.readings.read(source, who),
            lambda who=caller: sources.remove(source, who),
            lambda who=caller: sources.add({}, who),
        ):
            with pytest.raises(error):
                use()


def test_a_source_is_read_by_one_process_at_a_time(sources, add):
    source = add()
    with (
        sources.access.alone(source),  # as another process
        pytest.raises(SourceBusy),
    ):
        sources.readings.read(source, EDITOR, content=b"")


def test_the_same_event_from_two_sources_is_noted_as_perhaps_one(sources, add, read):
    read(add(), single(1, "Summer concert", "LOCATION:Hall"))
    second = add()
    reading = read(second, single(1, "Summer Concert!", "LOCATION:Great Hall", uid="other"))
    assert reading.numbers == {"new": 1, "double": 1}
    (pair,) = sources.decisions.pairs(EDITOR, Window(1, 10)).items
    sources.decisions.differ(*pair["events"], EDITOR)
    assert sources.decisions.pairs(EDITOR, Window(1, 10)).items == []


@pytest.mark.parametrize(
    "address",
    ["https://CLUB.example.org/all.ics/", "webcal://club.example.org/all.ics"],
)
def test_a_source_that_is_made_again_takes_up_its_events(add, read, sources, database, address):
    source = add(name="Club", address="https://club.example.org/all.ics")
    read(source, single(1), single(2))
    before = stored(database)["events"]
    sources.remove(source, EDITOR)
    with pytest.raises(NotFound):
        sources.get(source, EDITOR)
    again = add(name="Our club", address=address)
    assert again == source
    assert read(again, single(1), single(2)).numbers == {"unchanged": 2}
    assert [each["_id"] for each in stored(database)["events"]] == [each["_id"] for each in before]
    assert read(again, single(1, "New"), single(2)).numbers == {"changed": 1, "unchanged": 1}


@pytest.mark.parametrize(
    "other",
    [
        {"address": "https://club.example.org/other.ics"},
        {"kind": "csv", "address": "https://club.example.org/all.ics"},
    ],
)
def test_another_source_takes_nothing_up(add, sources, other):
    source = add(address="https://club.example.org/all.ics")
    assert add(address="https://club.example.org/all.ics") != source
    sources.remove(source, EDITOR)
    assert add(**other) != source


def test_a_removed_source_is_taken_up_once(add, sources):
    source = add(address="https://club.example.org/all.ics")
    sources.remove(source, EDITOR)
    ids = {add(address="https://club.example.org/all.ics") for _ in range(2)}
    assert source in ids
    assert len(ids) == 2


def test_words_become_our_terms(sources, add, read, listed, make_category):
    music = make_category(name="Musik")["id"]
    source = add(terms={"categories": {"Concert": music, "Ad": 0}})
    read(source, single(1, None, "CATEGORIES:Concert,Ad,Strange,Musik"))
    assert [each["id"] for each in listed()[0]["categories"]] == [music]
    assert sources.get(source, EDITOR).state["unknown"]["categories"] == ["Strange"]
    # It still is unknown when something else has changed.
    read(source, single(1, None, "CATEGORIES:Concert,Ad,Strange,Musik"), single(2))
    assert sources.get(source, EDITOR).state["unknown"]["categories"] == ["Strange"]
    sources.change(source, {"unknown_terms": "create"}, EDITOR)
    read(source, single(1, None, "CATEGORIES:Concert,Ad,Strange,Musik"))
    assert {each["name"] for each in listed()[0]["categories"]} == {"Musik", "Strange"}
    assert sources.get(source, EDITOR).state["unknown"]["categories"] == []


def test_a_term_that_comes_or_goes_here_is_noticed(sources, add, read, listed, as_admin):
    source = add()
    events = [single(1, None, "CATEGORIES:Music"), single(2)]
    read(source, *events)
    music = as_admin.post("/categories", name="Music").json["id"]
    assert read(source, *events).numbers == {"changed": 1, "unchanged": 1}
    assert [each["id"] for each in listed()[0]["categories"]] == [music]
    assert sources.get(source, EDITOR).state["unknown"]["categories"] == []
    as_admin.delete(f"/categories/{music}")
    read(source, *events)
    assert sources.get(source, EDITOR).state["unknown"]["categories"] == ["Music"]
    assert read(source, *events).state == "unchanged"


def test_texts_of_a_source_are_its_own_in_the_ledger(add, read, database):
    source = add()
    read(source, single(1))
    entry = database["events"].find_one()["ledger"]["de"]["title"]
    assert (entry["origin"], entry["by"]) == ("import", f"source {source}")


# Series.

WEEKLY_CHOIR = vevent("one@example.org", WEEKLY)


def starts(events):
    return [event["start_date"][:16] for event in events]


def test_dates_of_a_series_follow_and_edits_of_one_date_stay(add, read, listed, as_admin):
    source = add()
    read(source, WEEKLY_CHOIR)
    ids = [each["id"] for each in listed()]
    as_admin.put(f"/events/{ids[1]}", title="Guests")
    as_admin.delete(f"/events/{ids[2]}")
    moved = vevent("one@example.org", WEEKLY, title="Band", start="20270107T190000")
    assert read(source, moved).numbers == {"changed": 1}
    assert starts(listed()) == ["2027-01-07 19:00", "2027-01-14 19:00", "2027-01-28 19:00"]
    assert titles(listed()) == ["Band", "Guests", "Band"]
    assert [each["id"] for each in listed()] == [ids[0], ids[1], ids[3]]


def test_an_overridden_date_is_merged_and_reset(add, read, listed, as_admin, database):
    source = add()
    guest = override("20270113T190000", title="Guest", start="20270114T190000")
    read(source, WEEKLY_CHOIR, guest)
    assert titles(listed()) == ["Choir", "Guest", "Choir", "Choir"]
    before = stored(database)
    assert read(source, guest, WEEKLY_CHOIR).numbers == {"unchanged": 1}
    assert stored(database) == before
    as_admin.put(f"/events/{listed()[1]['id']}", title="Ours")
    star = override("20270113T190000", title="Star", start="20270115T190000")
    read(source, WEEKLY_CHOIR, star)
    assert titles(listed()) == ["Choir", "Ours", "Choir", "Choir"]
    assert starts(listed())[1] == "2027-01-15 19:00"
    read(source, WEEKLY_CHOIR)
    assert starts(listed())[1] == "2027-01-13 19:00"
    assert titles(listed())[1] == "Ours"


def test_an_event_becomes_a_series_and_single_again(add, read, listed):
    source = add()
    for components, number in (((vevent(),), 1), ((WEEKLY_CHOIR,), 4), ((vevent(),), 1)):
        assert read(source, *components).state == "done"
        assert len(listed()) == number


def test_a_series_with_new_uids_keeps_its_events(add, read, listed):
    source = add()
    read(source, WEEKLY_CHOIR)
    ids = [each["id"] for each in listed()]
    assert read(source, vevent("other", WEEKLY)).numbers == {"unchanged": 1}
    assert [each["id"] for each in listed()] == ids

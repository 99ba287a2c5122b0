"""Duplicates across sources: when they are looked for, what waits, and what becomes one."""

import pytest
from calendars import vevent

from calendar_app.accounts.callers import Caller
from calendar_app.storage.query.list_query import Window

EDITOR = Caller(2, "editor", "editor")
AT = "20300301T190000"


def concert(uid, title="Summer concert", *lines, start=AT):
    return vevent(uid, "LOCATION:Hall", *lines, title=title, start=start)


@pytest.fixture
def pairs(sources):
    """Return a function that lists the open pairs."""
    return lambda: sources.decisions.pairs(EDITOR, Window(1, 10)).items


@pytest.fixture
def two(add, read):
    """Return two sources, of which the first has a concert."""
    club, town = add(name="Club"), add(name="Town")
    read(club, concert("1@club"))
    return club, town


@pytest.mark.parametrize(
    ("before", "now"),
    [
        (concert("1@town", start="20300302T190000"), concert("1@town")),
        (concert("1@town", "Flea market"), concert("1@town")),
        (concert("1@town").replace("Hall", "Sports ground"), concert("1@town")),
    ],
    ids=["time", "title", "place"],
)
def test_what_becomes_the_same_by_a_correction_is_noticed(two, read, pairs, before, now):
    _, town = two
    read(town, before)
    assert pairs() == []
    assert read(town, now).numbers == {"changed": 1, "double": 1}
    assert len(pairs()) == 1


def test_events_are_compared_by_the_instant_across_zones(two, read, pairs):
    _, town = two
    in_utc = concert("1@town").replace(";TZID=Europe/Zurich", "").replace("T190000", "T180000Z")
    read(town, in_utc.replace("T210000", "T200000Z"))
    assert len(pairs()) == 1


def test_series_are_the_same_by_any_date_in_common(add, read, pairs, sources):
    weekly = "RRULE:FREQ=WEEKLY;COUNT=4"
    read(add(), concert("w@a", "Choir", weekly))
    later = add()
    reading = read(later, concert("w@b", "Choir", weekly, start="20300315T190000"))
    assert reading.numbers == {"new": 1, "double": 1}
    (pair,) = pairs()
    sources.decisions.differ(*pair["events"], EDITOR)
    read(later, concert("w@b", "Choir", weekly, "DESCRIPTION:New", start="20300315T200000"))
    read(later, concert("w@b", "Choir", weekly, start="20300322T190000"))
    assert pairs() == []


def test_dates_of_a_united_series_come_from_the_sources_of_both(
    add, read, pairs, sources, database
):
    weekly = "RRULE:FREQ=WEEKLY;COUNT=3"
    both = [add(), add()]
    for source in both:
        read(source, concert(f"w@{source}", "Choir", weekly))
    (pair,) = pairs()
    united = sources.decisions.unite(*pair["events"], EDITOR)
    series = united["series"]
    dates = list(database["events"].find({"series": series}))
    assert [each["inherited_sources"] for each in dates] == [both] * 3
    removed = list(database["events"].find({"series": {"$nin": [series, None]}}))
    assert removed
    assert not any("inherited_sources" in each for each in removed)
    read(both[0], concert(f"w@{both[0]}", "Choir", weekly, "DESCRIPTION:New"))
    dates = list(database["events"].find({"series": series}))
    assert [each["inherited_sources"] for each in dates] == [both] * 3


@pytest.mark.parametrize("of", [0, 1])
def test_two_series_stay_a_pair_without_one_of_their_dates(add, read, pairs, as_admin, of):
    weekly = "RRULE:FREQ=WEEKLY;COUNT=3"
    for source in (add(), add()):
        read(source, concert(f"w@{source}", "Choir", weekly))
    (pair,) = pairs()
    as_admin.delete(f"/events/{pair['events'][of]}")
    (left,) = pairs()
    assert left["events"] == [each + 1 for each in pair["events"]]


def test_two_series_of_one_source_are_two(add, read, pairs):
    weekly = "RRULE:FREQ=WEEKLY;COUNT=4"
    source = add()
    read(source, concert("a@club", "Choir", weekly))
    read(source, concert("a@club", "Choir", weekly), concert("b@club", "Choir", weekly))
    assert pairs() == []


# With ``doubles = "wait"``.


@pytest.fixture
def waiting(add, two):
    """Return a source with duplicates waiting for a decision."""
    del two
    return add(name="Waits", status="publish", doubles="wait")


def statuses(database):
    events = database["events"].find({}, {"status": 1}).sort("_id", 1)
    return [each["status"] for each in events]


def test_a_double_waits_and_nothing_else_does(waiting, read, pairs, database):
    reading = read(waiting, concert("1@w"), concert("2@w", "Flea market"))
    assert reading.numbers == {"new": 2, "double": 1}
    assert statuses(database) == ["publish", "pending", "publish"]
    (pair,) = pairs()
    assert pair["waits"] == [pair["events"][1]]
    before = list(database["events"].find())
    assert read(waiting, concert("2@w", "Flea market"), concert("1@w")).numbers == {"unchanged": 2}
    assert list(database["events"].find()) == before


def test_what_waits_is_shown_once_it_is_different(waiting, read, pairs, sources, database):
    read(waiting, concert("1@w"))
    pair = pairs()[0]["events"]
    sources.decisions.differ(*pair, EDITOR)
    assert statuses(database) == ["publish", "publish"]
    sources.decisions.reopen(*pair, EDITOR)
    assert statuses(database) == ["publish", "pending"]


def test_what_waits_for_two_decisions_waits_for_both(add, waiting, read, sources, database):
    other = add(name="Other")
    read(other, concert("1@other", "Summer concert of the band"))
    read(waiting, concert("1@w"))
    for pair in sources.decisions.pairs(EDITOR, Window(1, 10)).items:
        if pair["waits"]:
            assert statuses(database)[-1] == "pending"
            sources.decisions.differ(*pair["events"], EDITOR)
    assert statuses(database)[-1] == "publish"


@pytest.fixture(params=["waiting", "other"])
def both(request, add, waiting, read, pairs):
    """Return two pairs of an event that waits; the second one came by a change of either."""
    park = add(name="Park")
    read(park, concert("1@park", "In the park"))
    read(waiting, concert("1@w"))
    if request.param == "waiting":
        read(waiting, concert("1@w", "Summer concert in the park"))
    else:
        read(park, concert("1@park", "Summer concert of the band"))
    return [each["events"] for each in pairs() if each["waits"]]


def test_what_becomes_alike_to_another_while_it_waits_waits_for_both(both, sources, database):
    first, second = both
    sources.decisions.differ(*first, EDITOR)
    assert statuses(database)[-1] == "pending"
    sources.decisions.differ(*second, EDITOR)
    assert statuses(database)[-1] == "publish"


def test_a_series_waits_with_all_its_dates(waiting, read, pairs, sources, database):
    read(waiting, concert("w@w", "Summer concert", "RRULE:FREQ=WEEKLY;COUNT=3"))
    assert statuses(database) == ["publish", *["pending"] * 3]
    sources.decisions.unite(*pairs()[0]["events"], EDITOR)
    assert statuses(database) == ["trash", *["publish"] * 3]


# Statuses: of the source, of the rule, of the event until somebody decides, and after that.
ASIDE = [
    ("publish", "draft", "draft", "draft"),
    ("publish", "pending", "pending", "pending"),
    ("pending", "publish", "pending", "publish"),
    ("draft", "draft", "draft", "draft"),
]


@pytest.mark.usefixtures("two")
@pytest.mark.parametrize("case", ASIDE)
def test_only_what_would_be_public_waits(add, read, sources, database, case):
    usual, of_rule, undecided, decided = case
    rules = [{"if": {"words": ["concert"]}, "then": {"status": of_rule}}]
    read(add(status=usual, doubles="wait", rules=rules), concert("1@w"))
    (pair,) = sources.decisions.pairs(EDITOR, Window(1, 10)).items
    assert statuses(database) == ["publish", undecided]
    sources.decisions.differ(*pair["events"], EDITOR)
    assert statuses(database) == ["publish", decided]


def test_a_preview_names_doubles(two, read):
    _, town = two
    preview = read(town, concert("1@town"), dry_run=True)
    assert preview.numbers == {"new": 1, "double": 1}


# With ``certain_doubles = "unite"``.


@pytest.mark.usefixtures("two")
def test_what_is_certainly_one_becomes_one(add, read, pairs, listed, database):
    town = add(name="Unites", certain_doubles="unite", doubles="wait", status="publish")
    reading = read(
        town, concert("1@u"), concert("2@u", "Concert in summer", start="20300401T190000")
    )
    assert reading.numbers == {"new": 2, "united": 1}
    (event, _) = listed()
    notes = database["events"].find_one({"_id": event["id"]})["from_sources"]
    assert len(notes) == 2
    assert pairs() == []
    assert "new" not in read(town, concert("1@u", "Summer concert", "DESCRIPTION:More")).numbers


@pytest.mark.parametrize(
    ("count", "start", "outcome"),
    [
        (4, AT, "united"),
        (3, AT, "double"),
        (5, AT, "double"),
        (4, "20300322T190000", "double"),
    ],
    ids=["the same dates", "fewer dates", "more dates", "the last date in common"],
)
def test_series_become_one_where_no_date_is_lost(add, read, count, start, outcome):
    read(add(), concert("w@a", "Choir", "RRULE:FREQ=WEEKLY;COUNT=4"))
    unites = add(name="Unites", certain_doubles="unite")
    rule = f"RRULE:FREQ=WEEKLY;COUNT={count}"
    assert read(unites, concert("w@b", "Choir", rule, start=start)).numbers == {
        "new": 1,
        outcome: 1,
    }


@pytest.mark.usefixtures("two")
def test_what_is_only_alike_is_asked_about(add, read, pairs):
    town = add(name="Unites", certain_doubles="unite")
    read(town, concert("1@u", "Summer concert of the band"))
    assert len(pairs()) == 1


@pytest.mark.usefixtures("two")
def test_what_is_the_same_as_two_is_asked_about(add, read, pairs):
    read(add(), concert("1@third"))
    read(add(name="Unites", certain_doubles="unite"), concert("1@u"))
    assert len(pairs()) == 3


def test_an_event_of_three_sources_becomes_one_pair_by_pair(two, add, read, sources, listed):
    _, town = two
    for source in (town, add(name="Region")):
        read(source, concert(f"1@{source}"))
    assert sources.decisions.pairs(EDITOR, Window(1, 10)).total == 3
    while pairs := sources.decisions.pairs(EDITOR, Window(1, 10)).items:
        sources.decisions.unite(*pairs[0]["events"], EDITOR)
    assert len(listed()) == 1


def test_what_is_public_stays_so_as_one_with_a_date_that_waits(two, waiting, read, pairs, sources):
    club, _ = two
    read(club, concert("1@club"), concert("2@club", start="20300308T190000"))
    read(waiting, concert("w@w", "Summer concert", "RRULE:FREQ=WEEKLY;COUNT=2"))
    first, _ = pairs()
    event = sources.decisions.unite(*first["events"], EDITOR)
    assert (event["status"], "series" in event) == ("publish", True)

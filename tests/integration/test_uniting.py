"""Two events from two sources become one, and stay one however often both are read."""

import pytest
from calendars import vevent

from calendar_app.accounts.callers import Caller
from calendar_app.errors import NotFound
from calendar_app.storage.query.list_query import Window

EDITOR = Caller(2, "editor", "editor")
AT, AT_TEXT = "20300301T190000", "2030-03-01 19:00:00"


def concert(uid="1@club", title="Concert of the choir", *lines, start=AT):
    return vevent(uid, *lines, title=title, start=start)


@pytest.fixture
def pair(add, read, sources):
    """Return two sources that have the same event, and the ids of both events."""
    club, town = add(name="Club"), add(name="Town")
    read(club, concert("1@club", "Concert of the choir", "LOCATION:Hall"))
    read(town, concert("1@town", "Choir: concert", "LOCATION:Hall", "CATEGORIES:Music"))
    (proposed,) = sources.decisions.pairs(EDITOR, Window(1, 10)).items
    return (club, town), proposed["events"]


def test_one_event_stays_with_both_sources_and_the_other_never_comes_back(
    pair, read, sources, listed, database
):
    (club, town), (first, second) = pair
    assert sources.decisions.unite(second, first, EDITOR)["_id"] == first
    assert [each["id"] for each in listed()] == [first]
    notes = database["events"].find_one({"_id": first})["from_sources"]
    assert [each["source"] for each in notes] == [club, town]
    assert sources.decisions.pairs(EDITOR, Window(1, 10)).total == 0
    for source, title in ((club, "Concert of the choir"), (town, "Choir: concert")):
        uid = "1@club" if source == club else "1@town"
        reading = read(source, concert(uid, title, "LOCATION:Hall", "DESCRIPTION:New"))
        assert "new" not in reading.numbers
    assert [each["id"] for each in listed()] == [first]
    with pytest.raises(NotFound):
        sources.decisions.unite(first, second, EDITOR)


def test_the_event_that_stays_has_the_edits_and_links_of_both(
    pair, sources, listed, as_admin, make_organizer
):
    _, (first, second) = pair
    organizer = make_organizer(organizer="Choir of the town")["id"]
    as_admin.put(f"/events/{first}", description="Edited here")
    as_admin.put(f"/events/{second}", organizer=[organizer], variants={"rm": {"title": "Concert"}})
    as_admin.put(f"/events/{second}", title="Choir in the hall")
    child = as_admin.post(
        "/events", title="Apero", start_date=AT_TEXT, end_date=AT_TEXT, post_parent=second
    ).json["id"]
    sources.decisions.unite(first, second, EDITOR)
    event = as_admin.get(f"/events/{first}").json
    assert event["description"] == "<p>Edited here</p>"
    assert event["title"] == "Choir in the hall"
    assert [each["id"] for each in event["organizer"]] == [organizer]
    assert event["translations"]["rm"]["status"] != "missing"
    assert [each["id"] for each in listed(post_parent=first)] == [child]


def test_an_edit_stays_where_the_other_is_of_two_sources(pair, add, read, sources, as_admin):
    _, (first, second) = pair
    read(add(name="Region"), concert("1@region", "Concert of the choir", "LOCATION:Hall"))
    (third,) = {
        number
        for each in sources.decisions.pairs(EDITOR, Window(1, 10)).items
        for number in each["events"]
    } - {first, second}
    as_admin.put(f"/events/{third}", title="Edited here")
    sources.decisions.unite(first, second, EDITOR)
    sources.decisions.unite(first, third, EDITOR)
    assert as_admin.get(f"/events/{first}").json["title"] == "Edited here"


def test_the_address_of_the_other_leads_to_the_one_that_stays(pair, sources, anyone, database):
    _, (first, second) = pair
    slug = database["events"].find_one({"_id": second})["variants"]["de"]["slug"]
    sources.decisions.unite(first, second, EDITOR)
    answer = anyone.get(f"/events/by-slug/{slug}")
    stays = anyone.get(f"/events/{first}").json["slug"]
    assert answer.status_code == 301
    assert answer.headers["Location"].endswith(f"/by-slug/{stays}")
    by_id = anyone.get(f"/events/{second}")
    assert by_id.status_code == 301
    assert by_id.headers["Location"].endswith(f"/events/{first}")


def test_what_one_source_says_otherwise_stands_beside_the_field(pair, read, sources, database):
    (_, town), (first, second) = pair
    sources.decisions.unite(first, second, EDITOR)
    read(town, concert("1@town", "Choir: concert", "LOCATION:Hall", "CATEGORIES:Music"))
    notes = database["events"].find_one({"_id": first})["from_sources"]
    (note,) = (each for each in notes if each["source"] == town)
    assert note["kept"]["variants/de/title"] == "Choir: concert"


def test_it_vanishes_only_when_both_sources_lack_it(pair, read, sources, database, clock):
    (club, _), (first, second) = pair
    sources.change(club, {"vanished": "trash"}, EDITOR)
    sources.decisions.unite(first, second, EDITOR)
    for _ in range(2):
        read(club, concert("9@club", "Something else", start="20300501T190000"))
        clock.advance(hours=25)
    assert database["events"].find_one({"_id": first})["status"] == "publish"


def test_a_date_of_a_series_stays_and_the_single_event_goes(add, read, sources, listed):
    single, weekly = add(name="Single"), add(name="Weekly")
    read(single, concert("1@single", "Choir"))
    read(weekly, concert("w@weekly", "Choir", "RRULE:FREQ=WEEKLY;COUNT=3"))
    (proposed,) = sources.decisions.pairs(EDITOR, Window(1, 10)).items
    event = sources.decisions.unite(*proposed["events"], EDITOR)
    assert "series" in event
    assert len(listed()) == 3
    assert "new" not in read(single, concert("1@single", "Choir", "DESCRIPTION:More")).numbers
    assert len(listed()) == 3


def test_two_series_become_one(add, read, sources, listed):
    for name in ("a", "b"):
        read(add(name=name), concert(f"w@{name}", "Choir", "RRULE:FREQ=WEEKLY;COUNT=3"))
    pairs = sources.decisions.pairs(EDITOR, Window(1, 10)).items
    sources.decisions.unite(*pairs[0]["events"], EDITOR)
    assert len(listed()) == 3
    assert sources.decisions.pairs(EDITOR, Window(1, 10)).total == 0


def test_two_events_that_differ_are_never_proposed_again(pair, read, sources):
    (_, town), (first, second) = pair
    sources.decisions.differ(first, second, EDITOR)
    assert sources.decisions.pairs(EDITOR, Window(1, 10)).total == 0
    read(town, concert("1@town", "Choir: concert", "LOCATION:Hall", "DESCRIPTION:New"))
    assert sources.decisions.pairs(EDITOR, Window(1, 10)).total == 0


def test_a_pair_is_gone_with_one_of_its_events(pair, sources, as_admin):
    _, (first, _) = pair
    as_admin.delete(f"/events/{first}")
    assert sources.decisions.pairs(EDITOR, Window(1, 10)).total == 0


# Two sources with the authority over one event.


OF_SOURCE = dict.fromkeys(("title", "description", "times"), "source")


@pytest.fixture
def leaders(add, read, sources):
    """Return a function that unites the event of two sources, the second with a rank."""

    def united(rank=0, authority=OF_SOURCE):
        club = add(name="Club", authority=authority)
        town = add(name="Town", authority=OF_SOURCE, rank=rank)
        read(club, concert("1@club"))
        read(town, concert("1@town", "Concert of a choir"))
        (proposed,) = sources.decisions.pairs(EDITOR, Window(1, 10)).items
        sources.decisions.unite(*proposed["events"], EDITOR)
        read(club, concert("1@club"))
        read(town, concert("1@town", "Concert of a choir"))
        read(club, concert("1@club"))
        return club, town

    return united


def titles_of(listed):
    return [each["title"] for each in listed()]


@pytest.mark.parametrize("rank", [0, 1])
def test_the_source_of_the_higher_rank_leads_else_the_older_one(
    leaders, read, listed, database, rank
):
    club, town = leaders(rank)
    assert titles_of(listed) == ["Concert of a choir" if rank else "Concert of the choir"]
    before = {name: list(database[name].find()) for name in ("events", "history")}
    for _ in range(3):
        assert read(club, concert("1@club")).numbers in ({"unchanged": 1}, {"kept": 1})
        assert read(town, concert("1@town", "Concert of a choir")).state == "unchanged"
    assert {name: list(database[name].find()) for name in before} == before


@pytest.fixture
def date_and_single(add, read, sources):
    """Return a function that unites a single event with a date of a series, and reads both."""
    one = concert("1@single", "Choir")
    several = concert("w@weekly", "Evening of the choir", "RRULE:FREQ=WEEKLY;COUNT=3")

    def united(rank):
        events = {add(name="Single", authority=OF_SOURCE, rank=rank): one}
        events |= {add(name="Weekly", authority=OF_SOURCE): several}

        def reading():
            return [read(source, event).state for source, event in events.items()]

        reading()
        (proposed,) = sources.decisions.pairs(EDITOR, Window(1, 10)).items
        sources.decisions.unite(*proposed["events"], EDITOR)
        return reading

    return united


@pytest.mark.parametrize(("rank", "title"), [(0, "Choir"), (-1, "Evening of the choir")])
def test_the_title_of_a_date_never_flips_between_its_series_and_a_single_event(
    date_and_single, listed, database, rank, title
):
    reading = date_and_single(rank)
    reading()
    reading()
    assert titles_of(listed)[0] == title
    before = {name: list(database[name].find()) for name in ("events", "series", "history")}
    assert {*reading(), *reading()} <= {"unchanged", "done"}
    assert {name: list(database[name].find()) for name in before} == before


def test_what_the_other_changes_stands_beside_and_never_flips(leaders, read, listed, database):
    club, town = leaders()
    read(town, concert("1@town", "Another title", "DESCRIPTION:Only here"))
    assert titles_of(listed) == ["Concert of the choir"]
    # The leader says nothing of the text.
    assert listed()[0]["description"] == "<p>Only here</p>"
    read(club, concert("1@club", "New title"))
    read(town, concert("1@town", "A third title", "DESCRIPTION:Only here"))
    assert titles_of(listed) == ["New title"]
    assert listed()[0]["description"] == "<p>Only here</p>"
    notes = database["events"].find_one({"status": "publish"})["from_sources"]
    (note,) = (each for each in notes if each["source"] == town)
    assert note["kept"] == {"variants/de/title": "A third title"}


def test_authority_over_a_field_comes_before_the_rank(leaders, read, listed):
    club, _ = leaders(rank=-5, authority={})
    assert titles_of(listed) == ["Concert of a choir"]
    read(club, concert("1@club", "New title"))
    assert titles_of(listed) == ["Concert of a choir"]


def test_the_other_leads_once_the_first_one_has_another_rank(leaders, read, sources, listed):
    club, town = leaders()
    sources.change(club, {"rank": -1}, EDITOR)
    read(town, concert("1@town", "Concert of a choir"))
    assert titles_of(listed) == ["Concert of a choir"]
    read(club, concert("1@club"))
    assert titles_of(listed) == ["Concert of a choir"]


@pytest.mark.parametrize("leaves", ["removed", "missing"])
def test_the_other_leads_once_the_first_one_has_the_event_no_more(
    leaders, read, sources, listed, leaves
):
    club, town = leaders()
    if leaves == "removed":
        sources.remove(club, EDITOR)
    else:
        others = [
            concert(f"{n}@club", f"Ball {n}", start=f"2030{n}T190000") for n in ("0201", "0401")
        ]
        read(club, concert("1@club"), *others)
        read(club, *others)
    read(town, concert("1@town", "Concert of a choir"))
    assert "Concert of a choir" in titles_of(listed)


# What a source says of a field that was edited here.


def test_the_words_of_the_source_are_taken_and_follow_it_again(
    add, read, sources, listed, as_admin
):
    source = add()
    read(source, concert("1@club", "Old", "DESCRIPTION:one<br>two"))
    (event,) = listed()
    as_admin.put(f"/events/{event['id']}", title="Ours", description="Ours")
    read(source, concert("1@club", "New", "DESCRIPTION:one"))
    kinds = sources.parts.kinds
    sources.take((kinds[0], event["id"]), (source, "variants.de.title"), EDITOR)
    (event,) = listed()
    assert (event["title"], event["description"]) == ("New", "<p>Ours</p>")
    read(source, concert("1@club", "Newest", "DESCRIPTION:one"))
    (event,) = listed()
    assert (event["title"], event["description"]) == ("Newest", "<p>Ours</p>")
    with pytest.raises(NotFound):
        sources.take((kinds[0], event["id"]), (source, "variants.de.title"), EDITOR)


def test_times_and_places_of_the_source_are_taken(add, read, sources, listed, as_admin):
    source = add()
    read(source, concert("1@club", "Choir", "LOCATION:Hall"))
    (event,) = listed()
    moved = {"start_date": "2030-03-02 19:00:00", "end_date": "2030-03-02 21:00:00"}
    as_admin.put(f"/events/{event['id']}", **moved, venue=0)
    read(source, concert("1@club", "Choir", "LOCATION:Hall"))
    for path in ("times", "venues"):
        sources.take((sources.parts.kinds[0], event["id"]), (source, path), EDITOR)
    (event,) = listed()
    assert (event["start_date"], event["venue"]["venue"]) == (AT_TEXT, "Hall")
    assert read(source, concert("1@club", "Choir", "LOCATION:Hall")).numbers == {"unchanged": 1}

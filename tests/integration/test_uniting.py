"""Two events from two sources become one, and stay one however often both are read."""

import pytest
from calendars import vevent

from calendar_app.accounts.policy import Caller
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
    (proposed,) = sources.pairs(EDITOR, Window(1, 10)).items
    return (club, town), proposed["events"]


def test_one_event_stays_with_both_sources_and_the_other_never_comes_back(
    pair, read, sources, listed, database
):
    (club, town), (first, second) = pair
    assert sources.unite(second, first, EDITOR)["_id"] == first
    assert [each["id"] for each in listed()] == [first]
    notes = database["events"].find_one({"_id": first})["from_sources"]
    assert [each["source"] for each in notes] == [club, town]
    assert sources.pairs(EDITOR, Window(1, 10)).total == 0
    for source, title in ((club, "Concert of the choir"), (town, "Choir: concert")):
        uid = "1@club" if source == club else "1@town"
        reading = read(source, concert(uid, title, "LOCATION:Hall", "DESCRIPTION:New"))
        assert "new" not in reading.numbers
    assert [each["id"] for each in listed()] == [first]
    with pytest.raises(NotFound):
        sources.unite(first, second, EDITOR)


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
    sources.unite(first, second, EDITOR)
    event = as_admin.get(f"/events/{first}").json
    assert event["description"] == "<p>Edited here</p>"
    assert event["title"] == "Choir in the hall"
    assert [each["id"] for each in event["organizer"]] == [organizer]
    assert event["translations"]["rm"]["status"] != "missing"
    assert [each["id"] for each in listed(post_parent=first)] == [child]


def test_the_address_of_the_other_leads_to_the_one_that_stays(pair, sources, anyone, database):
    _, (first, second) = pair
    slug = database["events"].find_one({"_id": second})["variants"]["de"]["slug"]
    sources.unite(first, second, EDITOR)
    answer = anyone.get(f"/events/by-slug/{slug}")
    stays = anyone.get(f"/events/{first}").json["slug"]
    assert answer.status_code == 301
    assert answer.headers["Location"].endswith(f"/by-slug/{stays}")


def test_what_one_source_says_otherwise_stands_beside_the_field(pair, read, sources, database):
    (_, town), (first, second) = pair
    sources.unite(first, second, EDITOR)
    read(town, concert("1@town", "Choir: concert", "LOCATION:Hall", "CATEGORIES:Music"))
    notes = database["events"].find_one({"_id": first})["from_sources"]
    (note,) = (each for each in notes if each["source"] == town)
    assert note["kept"]["variants/de/title"] == "Choir: concert"


def test_it_vanishes_only_when_both_sources_lack_it(pair, read, sources, database, clock):
    (club, _), (first, second) = pair
    sources.change(club, {"vanished": "trash"}, EDITOR)
    sources.unite(first, second, EDITOR)
    for _ in range(2):
        read(club, concert("9@club", "Something else", start="20300501T190000"))
        clock.advance(hours=25)
    assert database["events"].find_one({"_id": first})["status"] == "publish"


def test_a_date_of_a_series_stays_and_the_single_event_goes(add, read, sources, listed):
    single, weekly = add(name="Single"), add(name="Weekly")
    read(single, concert("1@single", "Choir"))
    read(weekly, concert("w@weekly", "Choir", "RRULE:FREQ=WEEKLY;COUNT=3"))
    (proposed,) = sources.pairs(EDITOR, Window(1, 10)).items
    event = sources.unite(*proposed["events"], EDITOR)
    assert "series" in event
    assert len(listed()) == 3
    assert "new" not in read(single, concert("1@single", "Choir", "DESCRIPTION:More")).numbers
    assert len(listed()) == 3


def test_two_series_become_one(add, read, sources, listed):
    for name in ("a", "b"):
        read(add(name=name), concert(f"w@{name}", "Choir", "RRULE:FREQ=WEEKLY;COUNT=3"))
    pairs = sources.pairs(EDITOR, Window(1, 10)).items
    sources.unite(*pairs[0]["events"], EDITOR)
    assert len(listed()) == 3
    assert sources.pairs(EDITOR, Window(1, 10)).total == 0


def test_two_events_that_differ_are_never_proposed_again(pair, read, sources):
    (_, town), (first, second) = pair
    sources.differ(first, second, EDITOR)
    assert sources.pairs(EDITOR, Window(1, 10)).total == 0
    read(town, concert("1@town", "Choir: concert", "LOCATION:Hall", "DESCRIPTION:New"))
    assert sources.pairs(EDITOR, Window(1, 10)).total == 0


def test_a_pair_is_gone_with_one_of_its_events(pair, sources, as_admin):
    _, (first, _) = pair
    as_admin.delete(f"/events/{first}")
    assert sources.pairs(EDITOR, Window(1, 10)).total == 0


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

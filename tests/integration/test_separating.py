"""The undo of a union of two events: everything is as before, and later edits of people stay."""

import pytest
from calendars import vevent

from calendar_app.accounts.callers import Caller
from calendar_app.errors import InvalidParameters, NotFound
from calendar_app.storage.query.list_query import Window

EDITOR = Caller(2, "editor", "editor")
WEEKLY = "RRULE:FREQ=WEEKLY;COUNT=3"
COMPARED = ("events", "series", "venues", "organizers", "former_slugs", "source_doubles", "unions")
# A write makes a revision, and so does its undo.
COUNTED = ("revision", "modified", "touched", "ledger", "at", "read", "dated", "withdrawn", "words")


def concert(uid, *lines, title="Concert of the choir", start="20300301T190000"):
    return vevent(uid, "LOCATION:Hall", *lines, title=title, start=start)


def without_counts(value):
    if isinstance(value, dict):
        return {k: without_counts(each) for k, each in value.items() if k not in COUNTED}
    if isinstance(value, list):
        return [without_counts(each) for each in value]
    return value


@pytest.fixture
def state(database):
    """Return a function that gives all records, without the numbers of their writes."""

    def records():
        return {
            name: {each["_id"]: without_counts(each) for each in database[name].find()}
            for name in COMPARED
        }

    return records


@pytest.fixture
def announced(add, read, sources):
    """Return a function that lets two sources announce a concert, and returns both and the ids."""

    def announce(first=(), second=(), title="Choir: concert", **settings):
        club, town = add(name="Club", **settings), add(name="Town", **settings)
        read(club, concert("1@club", *first))
        read(town, concert("1@town", *second, title=title))
        (proposed,) = sources.decisions.pairs(EDITOR, Window(1, 10)).items
        return (club, town), proposed["events"]

    return announce


@pytest.fixture
def unite(sources):
    return lambda pair: sources.decisions.unite(*pair, EDITOR)["_id"]


@pytest.fixture
def separate(sources):
    return lambda pair: sources.decisions.take_back(*pair, EDITOR)


def edit_both(as_admin, pair):
    first, second = pair
    as_admin.put(f"/events/{first}", description="Edited here", featured=True)
    as_admin.put(f"/events/{second}", title="Edited there", accessibility=["wheelchair"])
    as_admin.put(f"/events/{second}", slug="another-address", variants={"rm": {"title": "Concert"}})


KINDS = {
    "two events": {},
    "an event and a date of a series": {"second": (WEEKLY,)},
    "a date of a series and an event": {"first": (WEEKLY,)},
    "two series": {"first": (WEEKLY,), "second": (WEEKLY,)},
    "one that waits": {"status": "publish", "doubles": "wait"},
}


@pytest.fixture(params=KINDS)
def pair(request, announced):
    """Return the ids of two events that are to become one."""
    return announced(**KINDS[request.param])[1]


def require_as_before(state, unite, separate, pair):
    before = state()
    unite(pair)
    assert state() != before
    separate(pair)
    assert state() == before


def test_everything_is_as_before(pair, state, unite, separate):
    require_as_before(state, unite, separate, pair)


def test_what_people_have_edited_is_as_before(pair, as_admin, state, unite, separate):
    edit_both(as_admin, pair)
    require_as_before(state, unite, separate, pair)


def test_a_series_that_was_shown_waits_again(announced, unite, separate, database):
    _, pair = announced(second=(WEEKLY,), status="publish", doubles="wait")
    unite(pair)
    separate(pair)
    dates = list(database["events"].find({"series": {"$exists": True}}))
    assert [(each["status"], each["overrides"]) for each in dates] == [("pending", [])] * 3
    assert database["series"].find_one()["status"] == "pending"
    assert database["events"].find_one(pair[0])["status"] == "publish"


@pytest.fixture
def two_series(announced, database):
    """Return the ids of the dates of two series."""
    _, pair = announced((WEEKLY,), (WEEKLY,))
    return [
        [each["_id"] for each in database["events"].find({"series": own}).sort("start", 1)]
        for own in pair
    ]


def test_single_dates_are_as_before(two_series, as_admin, state, unite, separate):
    first, second = two_series
    pair = first[0], second[0]
    as_admin.put(f"/events/{second[1]}", title="In the church", start_date="2030-03-08 18:00:00")
    as_admin.put(f"/events/{first[2]}", title="In the park")
    as_admin.delete(f"/events/{second[2]}")
    before = state()
    unite(pair)
    assert state()["events"][first[1]] != before["events"][first[1]]
    separate(pair)
    assert state() == before


@pytest.fixture
def three(announced, add, read):
    """Return a function that lets a third source announce a concert, after a pair of others."""

    def announce(**settings):
        _, pair = announced(status="publish", **settings)
        read(add(name="Region", status="publish", **settings), concert("1@region"))
        return pair

    return announce


def test_events_below_and_other_pairs_are_as_before(three, as_admin, state, unite, separate):
    pair = three(doubles="wait")
    at = {"start_date": "2030-03-01 21:00:00", "end_date": "2030-03-01 23:00:00"}
    as_admin.post("/events", title="Apero", post_parent=pair[1], **at)
    before = state()
    unite(pair)
    separate(pair)
    assert state() == before


def test_both_addresses_are_as_before(announced, anyone, unite, separate, database):
    _, pair = announced(status="publish")
    slugs = [each["variants"]["de"]["slug"] for each in database["events"].find().sort("_id", 1)]
    unite(pair)
    separate(pair)
    for number, slug in zip(pair, slugs, strict=True):
        assert anyone.get(f"/events/by-slug/{slug}").json["id"] == number
        assert anyone.get(f"/events/{number}").status_code == 200


def test_an_address_that_was_taken_meanwhile_leads_back(
    announced, as_admin, anyone, unite, separate
):
    _, pair = announced(status="publish")
    slug = anyone.get(f"/events/{pair[1]}").json["slug"]
    unite(pair)
    at = {"start_date": "2031-03-01 19:00:00", "end_date": "2031-03-01 21:00:00"}
    other = as_admin.post("/events", title="Another", slug=slug, status="publish", **at).json
    assert other["slug"] == slug
    separate(pair)
    assert anyone.get(f"/events/by-slug/{slug}").json["id"] == other["id"]
    as_admin.delete(f"/events/{other['id']}", force=True)
    present = anyone.get(f"/events/{pair[1]}").json["slug"]
    moved = anyone.get(f"/events/by-slug/{slug}")
    assert moved.headers["Location"].endswith(f"/{present}")


def test_later_edits_of_people_stay(announced, as_admin, unite, separate):
    _, pair = announced()
    as_admin.put(f"/events/{pair[1]}", title="Edited there", featured=True)
    unite(pair)
    as_admin.put(f"/events/{pair[0]}", title="Edited later", excerpt="Short")
    separate(pair)
    first, second = (as_admin.get(f"/events/{each}").json for each in pair)
    assert (first["title"], first["featured"]) == ("Edited later", False)
    assert first["excerpt"] == "<p>Short</p>"
    assert (second["title"], second["featured"]) == ("Edited there", True)


def test_each_source_goes_on_with_its_own_event(announced, as_admin, read, unite, separate):
    (club, town), pair = announced()
    unite(pair)
    read(club, concert("1@club", "DESCRIPTION:Of the club"))
    read(town, concert("1@town", "DESCRIPTION:Of the town", title="Choir: concert"))
    separate(pair)
    for _ in range(2):
        read(town, concert("1@town", "DESCRIPTION:Of the town", title="New title"))
        read(club, concert("1@club", "DESCRIPTION:Of the club"))
    first, second = (as_admin.get(f"/events/{each}").json for each in pair)
    assert (first["title"], first["description"]) == ("Concert of the choir", "<p>Of the club</p>")
    assert (second["title"], second["description"]) == ("New title", "<p>Of the town</p>")


def test_what_the_source_of_the_other_wrote_meanwhile_is_taken_back(
    announced, as_admin, read, unite, separate
):
    (_, town), pair = announced(authority={"description": "source"})
    unite(pair)
    read(town, concert("1@town", "DESCRIPTION:Of the town", title="Choir: concert"))
    assert as_admin.get(f"/events/{pair[0]}").json["description"] == "<p>Of the town</p>"
    separate(pair)
    assert as_admin.get(f"/events/{pair[0]}").json["description"] == ""
    read(town, concert("1@town", "DESCRIPTION:Of the town", title="Choir: concert"))
    assert as_admin.get(f"/events/{pair[1]}").json["description"] == "<p>Of the town</p>"


@pytest.fixture
def certain(announced, sources, unite, separate):
    """Return two sources that unite certain duplicates, and a pair that was separated."""
    both, pair = announced(title="Concert of the choir", status="publish")
    for source in both:
        sources.change(source, {"certain_doubles": "unite"}, EDITOR)
    unite(pair)
    separate(pair)
    return both, pair


def test_the_pair_is_open_and_no_reading_unites_it_again(certain, read, sources, listed, unite):
    (club, town), pair = certain
    for text in ("One", "Two"):
        read(club, concert("1@club", f"DESCRIPTION:{text}", start="20300301T193000"))
        read(town, concert("1@town", f"DESCRIPTION:{text}", start="20300301T193000"))
    (proposed,) = sources.decisions.pairs(EDITOR, Window(1, 10)).items
    assert proposed["events"] == pair
    assert len(listed()) == 2
    unite(pair)
    assert len(listed()) == 1


@pytest.mark.parametrize(("number", "query"), [(0, {}), (0, {"force": True}), (1, {"force": True})])
def test_what_stands_in_the_way_is_named(announced, as_admin, unite, separate, number, query):  # noqa: PLR0913, PLR0917
    _, pair = announced()
    unite(pair)
    as_admin.delete(f"/events/{pair[number]}", **query)
    with pytest.raises(InvalidParameters) as refused:
        separate(pair)
    assert refused.value.reasons.keys() == {"id"}
    word = "deleted" if query else "trash"
    assert word in refused.value.reasons["id"].pattern


def test_a_union_of_one_that_is_united_elsewhere_by_now_stays(  # noqa: PLR0913, PLR0917
    announced, as_admin, add, read, sources, state, unite, separate
):
    _, pair = announced(status="publish")
    unite(pair)
    as_admin.put(f"/events/{pair[1]}", status="publish")
    read(add(name="Region", status="publish"), concert("1@region", WEEKLY))
    pairs = [each["events"] for each in sources.decisions.pairs(EDITOR, Window(1, 10)).items]
    unite(next(each for each in pairs if pair[1] in each))
    before = state()
    with pytest.raises(InvalidParameters) as refused:
        separate(pair)
    assert refused.value.reasons.keys() == {"id"}
    assert state() == before


@pytest.mark.parametrize("number", [0, 1])
def test_nothing_is_kept_of_what_is_deleted_for_good(announced, as_admin, unite, database, number):
    _, pair = announced()
    edit_both(as_admin, pair)
    unite(pair)
    as_admin.delete(f"/events/{pair[number]}", force=True)
    (union,) = database["unions"].find()
    assert (union["record"], union["kept"]) == (pair[1], pair[0])
    assert not {"stood", "filled", "notes", "dates"} & union.keys()


def test_an_event_of_several_unions_is_taken_apart_one_by_one(
    three, sources, state, unite, separate
):
    pair = three()
    first = state()
    unite(pair)
    (other,) = sources.decisions.pairs(EDITOR, Window(1, 10)).items
    second = state()
    unite(other["events"])
    separate(other["events"])
    assert state() == second
    separate(pair)
    assert state() == first


@pytest.mark.parametrize(
    ("tags", "left"),
    [
        ((["own"], ["second"], ["third"]), [["own", "third"], ["own"]]),
        ((["own"], ["second"], ["third", "second"]), [["own", "third", "second"], ["own"]]),
        ((["own"], ["second"], ["second"]), [["own", "second"], ["own"]]),
    ],
)
def test_tags_of_an_event_go_with_it_in_whatever_order_unions_are_undone(  # noqa: PLR0913, PLR0917
    three, sources, as_admin, unite, separate, tags, left
):
    pair = three()
    (other,) = [
        each["events"]
        for each in sources.decisions.pairs(EDITOR, Window(1, 10)).items
        if pair[0] in each["events"] and pair[1] not in each["events"]
    ]
    events = [*pair, *(each for each in other if each not in pair)]
    for event, names in zip(events, tags, strict=True):
        as_admin.put(f"/events/{event}", tags=names)
    unite(pair)
    unite(other)
    for united, expected in zip((pair, other), left, strict=True):
        separate(united)
        names = [tag["name"] for tag in as_admin.get(f"/events/{events[0]}").json["tags"]]
        assert sorted(names) == sorted(expected)


@pytest.fixture
def third(announced, add, read, sources, unite):
    """Return a pair that was united, and an event that came since and is another one."""
    _, pair = announced(status="publish", doubles="wait")
    unite(pair)
    read(add(name="Region", status="publish", doubles="wait"), concert("1@region"))
    (fresh,) = sources.decisions.pairs(EDITOR, Window(1, 10)).items
    sources.decisions.differ(*fresh["events"], EDITOR)
    return pair, fresh["events"][1]


def test_an_event_that_is_back_is_compared_with_what_has_come_since(third, sources, separate):
    pair, other = third
    separate(pair)
    pairs = sources.decisions.pairs(EDITOR, Window(1, 10)).items
    assert {tuple(each["events"]) for each in pairs} == {tuple(pair), (pair[1], other)}
    assert all(pair[1] in each["waits"] for each in pairs)


def test_a_pair_that_was_not_united_cannot_be_separated(announced, separate):
    _, pair = announced()
    with pytest.raises(NotFound):
        separate(pair)
    with pytest.raises(NotFound):
        separate((1234, 5678))


def test_what_was_kept_as_two_is_asked_about_again(announced, sources, separate):
    _, pair = announced()
    sources.decisions.differ(*pair, EDITOR)
    separate(pair)
    assert sources.decisions.pairs(EDITOR, Window(1, 10)).total == 1

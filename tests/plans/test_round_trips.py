"""How often a request asks the database: as often for many records as for one."""

import pytest

from calendar_app.storage.mongo.store import Store
from calendar_app.storage.mongo.transactions import count_round_trips_anew, round_trips
from calendar_app.storage.query.clauses import EVERYTHING, NOTHING, all_of, equals, given

LINKED = 12


@pytest.fixture(scope="module")
def _linked():
    return []


@pytest.fixture
def linked_events(_linked, make_event, make_venue, make_organizer, make_category, make_tag):
    """Return twelve events; each links to a venue, an organizer and terms of its own."""
    while len(_linked) < LINKED:
        event = make_event(
            venue=make_venue()["id"],
            organizer=make_organizer()["id"],
            categories=[make_category()["id"]],
            tags=[make_tag()["id"]],
        )
        _linked.append(event)
    return _linked


def counted_read(client, path, **query):
    answer = client.get(path, **query)
    assert answer.status_code == 200, answer.json
    return round_trips()


@pytest.fixture
def forgetful(worker):
    """Return who asks a worker that makes every answer anew."""
    return worker(cache_answers=False)


@pytest.mark.lasting
@pytest.mark.usefixtures("linked_events")
@pytest.mark.parametrize("path", ["/events", "/venues", "/organizers", "/categories", "/tags"])
def test_long_page_takes_no_more_queries_than_a_short_one(forgetful, make_venue, path):
    counts = []
    counted_read(forgetful, path)
    for size in (10, 1):
        make_venue()
        counts.append(
            (
                counted_read(forgetful, path, per_page=size),
                counted_read(forgetful, path, per_page=size),
            )
        )
    assert counts[0] == counts[1]


def test_marks_of_machines_cost_no_query_more(forgetful, as_admin, make_event):
    event = make_event(title="Konzert", variants={"rm": {"title": "Concert"}})
    own = f"/events/{event['id']}"

    def counted_behind_a_write(**changes):
        counts = {}
        for path in ("/events", own, "/events.ics", "/events.atom", "/events.csv"):
            assert as_admin.post(own, **changes).status_code == 200
            first = counted_read(forgetful, path, translation_language="rm")
            counts[path] = first, counted_read(forgetful, path, translation_language="rm")
        return counts

    counted_behind_a_write(cost="4")  # The first feed makes more than itself.
    by_people = counted_behind_a_write(cost="5")
    by_a_machine = counted_behind_a_write(translation_origin={"rm": "machine"})
    read = forgetful.get(own, translation_language="rm").json
    assert not read["translations"]["rm"]["reviewed"]
    assert by_a_machine == by_people


@pytest.mark.lasting
@pytest.mark.usefixtures("linked_events")
def test_event_list_takes_four_queries_then_one_until_a_write(forgetful, make_venue):
    for _ in range(2):
        make_venue()
        assert counted_read(forgetful, "/events", per_page=10) <= 4
        assert counted_read(forgetful, "/events", per_page=10) == 1


@pytest.mark.lasting
@pytest.mark.usefixtures("linked_events")
@pytest.mark.parametrize(
    "query",
    [
        {"categories": "category-1"},
        {"tags": "tag-1"},
        {"search": "event"},
        {"orderby": "title"},
        {"orderby": "modified"},
        {"orderby": "id", "order": "desc"},
        {"fallback": "none"},
        {"fallback": "none", "orderby": "title"},
        {"overlaps_from": "2029-01-01"},
        {"starts_after": "2029-01-01", "categories": "category-1", "featured": "false"},
        {"page": 5},
    ],
)
def test_list_after_a_write_needs_at_most_five_queries(forgetful, make_event, query):
    make_event(categories=["Category 1"], tags=["Tag 1"])
    for _ in range(2):
        make_event()
        assert counted_read(forgetful, "/events", per_page=1, **query) <= 5


@pytest.mark.lasting
@pytest.mark.usefixtures("linked_events")
def test_suggestions_after_a_write_count_nothing(forgetful, make_venue):
    for _ in range(2):
        make_venue()
        answer = forgetful.send("GET", "/events/suggestions?search=event", base="")
        assert len(answer.json) > 1
        # One tells whether anything was written.
        assert round_trips() <= 3


@pytest.mark.lasting
@pytest.mark.usefixtures("linked_events")
@pytest.mark.parametrize("path", ["/venues", "/organizers", "/categories", "/tags"])
def test_other_lists_after_a_write_need_at_most_four_queries(forgetful, make_venue, path):
    for _ in range(2):
        make_venue()
        assert counted_read(forgetful, path, per_page=1) <= 4


def test_list_of_thousands_takes_no_more_queries(forgetful, make_event, make_venue, database):
    make_event(venue=make_venue()["id"])
    (event,) = database["events"].find()
    event.pop("slugs")
    copies = [event | {"_id": event["_id"] + number} for number in range(1, 3000)]
    database["events"].insert_many(copies)
    for _ in range(2):
        make_venue()
        assert counted_read(forgetful, "/events", per_page=10) <= 4


@pytest.mark.lasting
@pytest.mark.usefixtures("linked_events")
@pytest.mark.parametrize("path", ["/venues", "/organizers", "/categories", "/tags"])
def test_other_list_takes_one_query_until_a_write(forgetful, path):
    counted_read(forgetful, path)
    assert counted_read(forgetful, path) == 1


@pytest.mark.lasting
def test_names_of_terms_are_looked_up_once_until_the_next_write(linked_events, forgetful):
    (category,) = linked_events[0]["categories"]
    (tag,) = linked_events[0]["tags"]
    filters = {"categories": category["slug"], "tags": tag["name"]}
    counted_read(forgetful, "/events", **filters)
    assert counted_read(forgetful, "/events", **filters) == 1


@pytest.mark.lasting
def test_event_after_a_write_needs_at_most_three_queries(linked_events, forgetful, make_venue):
    for event in linked_events[:2]:
        make_venue()
        assert counted_read(forgetful, f"/events/{event['id']}") <= 3
        assert counted_read(forgetful, f"/events/{event['id']}") == 1


def test_creation_of_an_event_needs_at_most_ten_queries(as_admin, make_venue, make_organizer):
    venues, organizers = ([make()["id"] for _ in range(4)] for make in (make_venue, make_organizer))
    counts = []
    for venue in venues:
        as_admin.patch(f"/venues/{venue}", geo_lat=46.85, geo_lng=9.53)
    # The first one has a point to read, and its caller's secret has to be verified.
    for times, number in enumerate((1, 1, 4), start=1):
        event = {"title": "same " * times, "start_date": "2030-02-01", "end_date": "2030-02-01"}
        links = {"venue": venues[:number], "organizer": organizers[:number]}
        assert as_admin.post("/events", **event, **links).status_code == 201
        counts.append(round_trips())
    assert max(counts[1:]) <= 10


def test_change_of_an_event_needs_at_most_nine_queries(
    as_admin, make_event, make_venue, make_organizer
):
    counts = []
    for number in (1, 1, 4):
        links = {
            "venue": [make_venue()["id"] for _ in range(number)],
            "organizer": [make_organizer()["id"] for _ in range(number)],
        }
        event = make_event(title="words", **links)["id"]
        assert as_admin.patch(f"/events/{event}", featured=True).status_code == 200
        counts.append(round_trips())
    assert max(counts[1:]) <= 9


def test_creation_looks_all_links_and_terms_up_in_one_query(
    as_admin, make_venue, make_organizer, make_category, make_tag
):
    links = {"venue": make_venue()["id"], "organizer": make_organizer()["id"]}
    terms = {"categories": [make_category()["id"]], "tags": [make_tag()["name"]]}
    event = {"title": "same", "start_date": "2030-02-01", "end_date": "2030-02-01"}
    counts = []
    for more in ({}, {}, links, {**links, **terms}):
        assert as_admin.post("/events", **event, **more).status_code == 201
        counts.append(round_trips())
        event["title"] += " same"
    _, plain, linked, termed = counts
    # The links are looked up, and the venue is locked.
    assert linked <= plain + 2
    # Both taxonomies are counted, and the answer tells the counts.
    assert termed <= linked + 3


def test_name_of_a_new_tag_is_looked_up_twice(as_admin):
    event = {"title": "same", "start_date": "2030-02-01", "end_date": "2030-02-01"}
    counts = []
    for more in ({}, {}, {"tags": ["never seen"]}):
        assert as_admin.post("/events", **event, **more).status_code == 201
        counts.append(round_trips())
        event["title"] += " same"
    _, plain, tagged = counts
    # Before the transaction and in it; the others are for its id, slug, words, and itself.
    assert tagged <= plain + 6


def test_series_of_many_dates_changes_in_as_many_queries_as_one_of_few(make_event, as_admin):
    counts = []
    for number in (2, 2, 60):
        event = make_event(title="words", recurrence={"rrule": f"FREQ=DAILY;COUNT={number}"})
        changed = as_admin.patch(f"/events/{event['id']}?scope=all", title="words words")
        assert changed.status_code == 200
        counts.append(round_trips())
    assert counts[1] == counts[2] <= 15


def test_new_words_take_one_more_query(make_event):
    make_event(title="old words")
    counts = []
    for title in ("old words words", "new words", "words new"):
        make_event(title=title)
        counts.append(round_trips())
    assert counts == [counts[0], counts[0] + 1, counts[0]]


def test_many_scheduled_events_take_no_more_queries_than_a_few(
    forgetful, make_event, database, clock, publish_after
):
    counts = []
    for number in (3, 300):
        moment = f"{clock.now:%Y-%m-%d} {clock.now.hour + 1:02}:00:00"
        event = make_event(date_utc=moment, categories=["Theatre"], tags=["Family"])["id"]
        document = database["events"].find_one({"_id": event})
        document.pop("slugs")
        copies = [document | {"_id": 10_000 + 1000 * number + copy} for copy in range(1, number)]
        database["events"].insert_many(copies)
        count_round_trips_anew()
        assert publish_after(minutes=61) == number
        counts.append(round_trips())

    assert counts[0] == counts[1]
    assert forgetful.get("/tags").json["tags"][0]["count"] == 303


@pytest.fixture
def families(make_category):
    """Return two categories, one with a child and one with twenty; each child has one itself."""

    def family(number):
        top = make_category()["id"]
        for _ in range(number):
            make_category(parent=make_category(parent=top)["id"])
        return top

    return [family(number) for number in (1, 20)]


@pytest.mark.parametrize("method", ["move", "delete"])
def test_many_categories_move_in_as_many_queries_as_one(
    families, as_admin, make_category, database, method
):
    category_ids = [make_category()["id"] for _ in families]
    counts = []
    for top, category_id in zip(families, category_ids, strict=True):
        if method == "move":
            answer = as_admin.patch(f"/categories/{top}", parent=category_id)
        else:
            answer = as_admin.delete(f"/categories/{top}")
        assert answer.status_code == 200
        counts.append(round_trips())

    assert counts[0] == counts[1]
    deepest = max(len(category["ancestors"]) for category in database["categories"].find())
    assert deepest == {"move": 3, "delete": 1}[method]
    below = {"ancestors": {"$size": deepest}}
    assert database["categories"].count_documents(below) == 21


@pytest.mark.parametrize("clause", [NOTHING, all_of([given("title"), NOTHING, equals("a", 1)])])
def test_documents_of_no_ids_are_not_asked_for(database, clause):
    events = Store(database)["events"]
    count_round_trips_anew()
    assert events.find(clause) == []
    assert round_trips() == 0
    assert events.find(EVERYTHING) == []
    assert round_trips() == 1

"""Lists by title and by change, and those of one language, look at little else than they show."""

from copy import deepcopy
from datetime import timedelta

import pytest

from calendar_app.calendar.search.vocabulary import Vocabulary
from calendar_app.domain.fields import DISPLAY_TITLE, HAS_TITLE, TITLE_LANGUAGES, WORDED
from calendar_app.domain.kinds import EVENT
from calendar_app.storage.mongo.store import Store

pytestmark = pytest.mark.lasting

DAYS = 1500
PAGE = 12
WINDOW = {"start_date": "2033-06-01", "end_date": "2034-01-31"}
# Of every third event, each tenth has no name there.
NAMED_IN_ROMANSH = len([number for number in range(0, DAYS, 3) if number % 10])
ALL = {"start_date": "2030-01-01", "end_date": "2040-01-01"}


@pytest.fixture
def vocabulary(database, settings):
    return Vocabulary(Store(database), settings.chains())


@pytest.fixture
def many(make_event, as_admin, database, vocabulary):
    """Have an event a day for years, each changed a year before; every third one in Romansh."""
    if not database["events"].find_one():
        _fill(make_event, as_admin, database)
        assert vocabulary.reindex(EVENT) == DAYS
    return database["events"]


@pytest.fixture
def forget(many, vocabulary):
    """Return a function that drops a field of index_fields from one event."""

    def leave_out(note):
        many.update_one({}, {"$unset": {WORDED: "", note: ""}})

    yield leave_out
    vocabulary.reindex(EVENT)


@pytest.fixture
def whole(many):
    """Make all other events the parts of one; return its id."""
    first = many.find_one()["_id"]
    many.update_many({"_id": {"$ne": first}}, {"$set": {"parent": first}})
    yield first
    many.update_many({}, {"$set": {"parent": 0}})


def _fill(make_event, as_admin, database):
    event = make_event(start_date="2030-01-01 10:00:00", end_date="2030-01-01 12:00:00")
    as_admin.put(f"/events/{event['id']}", translation_language="rm", title="Concert")
    (original,) = database["events"].find()
    database["events"].delete_one({"_id": original["_id"]})
    database["events"].insert_many(_copy(original, number) for number in range(DAYS))


def _copy(event, number):
    copied = deepcopy(event) | {"_id": event["_id"] + number}
    copied.pop("slugs")
    for name in (DISPLAY_TITLE, TITLE_LANGUAGES, HAS_TITLE):
        del copied[name]
    del copied["folded"]["worded"]
    for name in ("start", "start_local", "end", "end_local"):
        copied[name] += timedelta(days=number)
    copied["modified"] = copied["start"] - timedelta(days=365)
    copied["variants"]["de"]["title"] = f"Titel {number * 7 % DAYS}"
    copied["variants"]["rm"]["title"] = f"Titel {number}"
    if number % 3:
        del copied["variants"]["rm"], copied["folded"]["rm"]
    elif number % 10 == 0:
        # What is written in Romansh has no title there.
        del copied["variants"]["rm"]["title"]
        copied["variants"]["rm"]["excerpt"] = "<p>Concert</p>"
    return copied


@pytest.fixture
def looked(profiled):
    """Return a function that returns the keys and documents examined for page and total.

    Ask a worker that has just started: another one may remember that a note was missing, and then
    looks once more.
    """

    def at(client, **query):
        _, entries = profiled(client, **query)
        counts = [entry for entry in entries if "$group" in str(entry["command"])]
        pages = [entry for entry in entries if entry not in counts]
        return tuple(
            tuple(sum(entry[name] for entry in group) for name in ("keysExamined", "docsExamined"))
            for group in (pages, counts)
        )

    return at


def walked(client, **query):
    """Return the events of all pages."""
    page = client.get("/events", per_page=50, **query).json
    events = list(page["events"])
    for number in range(2, page["total_pages"] + 1):
        events += client.get("/events", per_page=50, page=number, **query).json["events"]
    assert page["total"] == len(events)
    return events


def test_index_fields_are_written_once(many, vocabulary):
    notes = dict.fromkeys((WORDED, DISPLAY_TITLE, TITLE_LANGUAGES, HAS_TITLE), "")
    many.update_many({}, {"$unset": notes})
    assert vocabulary.reindex(EVENT) == DAYS
    assert vocabulary.reindex(EVENT) == 0


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize("order", ["asc", "desc"])
def test_page_by_title_examines_no_other_events(worker, looked, order):
    (keys, documents), _ = looked(worker(), **ALL, orderby="title", order=order)
    # MongoDB may try two ways.
    assert (documents <= 2 * PAGE, keys < 5 * PAGE) == (True, True)


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize("order", ["asc", "desc"])
@pytest.mark.parametrize("language", ["de", "rm"])
def test_page_by_title_in_a_single_language_examines_no_other_events(
    worker, looked, order, language
):
    sent = {"translation_language": language, "fallback": "none", "orderby": "title"}
    (keys, documents), _ = looked(worker(), **ALL, **sent, order=order)
    # MongoDB tries two ways to find those with a title, and two to find those without.
    assert (documents < 16 * PAGE, keys < 20 * PAGE) == (True, True)


def test_the_parts_of_an_event_are_read_by_the_page_and_counted_unread(worker, looked, whole):
    (_, read), (_, documents) = looked(worker(), **ALL, post_parent=whole)
    # One more is the event itself, which must be there.
    assert (read <= 2 * PAGE + 1, documents) == (True, 0)


@pytest.mark.usefixtures("many")
def test_total_in_a_language_examines_no_event(worker, looked):
    sent = {"translation_language": "rm", "fallback": "none"}
    (_, read), (keys, documents) = looked(worker(), **ALL, **sent)
    assert documents == 0
    # MongoDB may try two indexes.
    assert (read <= 2 * PAGE, keys <= 2 * DAYS + 10) == (True, True)


@pytest.mark.parametrize("order", ["asc", "desc"])
@pytest.mark.parametrize("indexed", [True, False])
def test_titles_are_sorted_with_and_without_index_fields(anyone, forget, order, indexed):
    if not indexed:
        forget(DISPLAY_TITLE)
    titles = [event["title"] for event in walked(anyone, **ALL, orderby="title", order=order)]
    numbers = [int(title.split()[1]) for title in titles]
    assert numbers == sorted(range(DAYS), reverse=order == "desc")


@pytest.mark.parametrize("order", ["asc", "desc"])
@pytest.mark.parametrize("indexed", [True, False])
def test_titles_in_one_language_alone_are_in_order_without_nameless_ones(
    anyone, forget, order, indexed
):
    if not indexed:
        forget(HAS_TITLE)
    sent = {"translation_language": "rm", "fallback": "none", "orderby": "title"}
    titles = [event["title"] for event in walked(anyone, **ALL, **sent, order=order)]
    numbers = [int(title.split()[1]) for title in titles]
    expected = [number for number in range(0, DAYS, 3) if number % 10]
    assert numbers == (expected if order == "asc" else expected[::-1])


@pytest.mark.parametrize("indexed", [True, False])
def test_events_in_a_language_are_found_with_and_without_index_fields(anyone, forget, indexed):
    if not indexed:
        forget(TITLE_LANGUAGES)
    sent = {"translation_language": "rm", "fallback": "none"}
    assert len(walked(anyone, **ALL, **sent)) == NAMED_IN_ROMANSH
    assert len(walked(anyone, **ALL, translation_language="de", fallback="none")) == DAYS


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize("order", ["asc", "desc"])
def test_changes_within_a_window_are_in_order(anyone, order):
    events = walked(anyone, **WINDOW, orderby="modified", order=order)
    starts = [event["start_date"] for event in events]
    assert len(starts) == 245
    assert starts == sorted(starts, reverse=order == "desc")

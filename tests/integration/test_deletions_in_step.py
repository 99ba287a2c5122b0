"""What is deleted for good is in no event, whoever writes one at the same time."""

import pytest

pytestmark = pytest.mark.needs_mongodb

EVENING = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 22:00:00"}
# By which field an event points to what, and what stores that.
FIELDS = {
    "venue": "venues",
    "organizer": "organizers",
    "categories": "categories",
    "tags": "tags",
    "post_parent": "parent",
}
# An event sees these itself; it would take one more question to see an organizer.
SEEN = ["venue", "categories", "tags", "post_parent"]
WRITTEN_BY = {"add": "insert", "bring": "update"}


@pytest.fixture
def collections(make_event, make_venue, make_organizer, make_category, make_tag):
    """Return what an event may point to: by field, its collection and what makes it."""
    return {
        "venue": ("venues", make_venue),
        "organizer": ("organizers", make_organizer),
        "categories": ("categories", make_category),
        "tags": ("tags", make_tag),
        "post_parent": ("events", make_event),
    }


@pytest.fixture
def answers():
    return []


@pytest.fixture
def writers(collections, answers, make_event, calling_as, database):
    """Return who adds or brings an event to something, who deletes that, and who looks at it."""
    admin, editor = calling_as("admin"), calling_as("editor")

    def prepare(field, status):
        collection, make = collections[field]
        gone, other = make()["id"], make_event(status=status)["id"]
        event = {"title": "Concert", "status": status, **EVENING, field: gone}

        def require():
            assert [answer.status_code // 100 for answer in answers] == [2, 2]
            assert database[collection].count_documents({"_id": gone}) == 0
            assert database["events"].count_documents({FIELDS[field]: gone}) == 0

        return {
            "add": lambda: answers.append(admin.post("/events", **event)),
            "bring": lambda: answers.append(admin.patch(f"/events/{other}", **{field: gone})),
            "delete": lambda: answers.append(editor.delete(f"/{collection}/{gone}", force=True)),
            "require": require,
        }

    return prepare


@pytest.mark.parametrize("status", ["publish", "draft"])
@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("written", WRITTEN_BY)
def test_an_event_comes_to_something_while_that_goes(writers, meanwhile, field, status, written):
    work = writers(field, status)
    begun = meanwhile("events", "update", work[written])
    work["delete"]()
    begun[0].join()

    work["require"]()


@pytest.mark.parametrize("status", ["publish", "draft"])
@pytest.mark.parametrize("field", SEEN)
@pytest.mark.parametrize("written", WRITTEN_BY)
def test_something_goes_while_an_event_comes_to_it(writers, meanwhile, field, status, written):
    work = writers(field, status)
    begun = meanwhile("events", WRITTEN_BY[written], work["delete"])
    work[written]()
    begun[0].join()

    work["require"]()


@pytest.mark.parametrize("status", ["publish", "draft"])
@pytest.mark.parametrize("field", SEEN)
def test_something_has_gone_since_the_event_was_sent(writers, meanwhile, field, status):
    work = writers(field, status)
    begun = meanwhile("sequences", "findAndModify", work["delete"])
    work["add"]()
    begun[0].join()

    work["require"]()

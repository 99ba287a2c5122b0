"""No event links to a deleted record, even after concurrent writes."""

import pytest

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
LINKED_FIELDS = ["venue", "categories", "tags", "post_parent"]
WRITTEN_BY = {"add": "insert", "bring": "update"}


@pytest.fixture
def collections(make_event, make_venue, make_organizer, make_category, make_tag):
    """Return the links of an event: by field, the collection and the factory."""
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
        deleted_id, event_id = make()["id"], make_event(status=status)["id"]
        event = {"title": "Concert", "status": status, **EVENING, field: deleted_id}

        def require():
            assert [answer.status_code // 100 for answer in answers] == [2, 2]
            assert database[collection].count_documents({"_id": deleted_id}) == 0
            assert database["events"].count_documents({FIELDS[field]: deleted_id}) == 0

        return {
            "add": lambda: answers.append(admin.post("/events", **event)),
            "bring": lambda: answers.append(
                admin.patch(f"/events/{event_id}", **{field: deleted_id})
            ),
            "delete": lambda: answers.append(
                editor.delete(f"/{collection}/{deleted_id}", force=True)
            ),
            "require": require,
        }

    return prepare


@pytest.mark.parametrize("status", ["publish", "draft"])
@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("write", WRITTEN_BY)
def test_event_linked_during_a_deletion_loses_the_link(writers, meanwhile, field, status, write):
    work = writers(field, status)
    begun = meanwhile("events", "update", work[write])
    work["delete"]()
    begun[0].join()

    work["require"]()


@pytest.mark.parametrize("status", ["publish", "draft"])
@pytest.mark.parametrize("field", LINKED_FIELDS)
@pytest.mark.parametrize("write", WRITTEN_BY)
def test_record_deleted_while_an_event_links_it_leaves_no_link(
    writers, meanwhile, field, status, write
):
    work = writers(field, status)
    begun = meanwhile("events", WRITTEN_BY[write], work["delete"])
    work[write]()
    begun[0].join()

    work["require"]()


@pytest.mark.parametrize("status", ["publish", "draft"])
@pytest.mark.parametrize("field", LINKED_FIELDS)
def test_record_deleted_before_the_event_is_stored_leaves_no_link(
    writers, meanwhile, field, status
):
    work = writers(field, status)
    begun = meanwhile("sequences", "findAndModify", work["delete"])
    work["add"]()
    begun[0].join()

    work["require"]()

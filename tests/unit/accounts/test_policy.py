import itertools

import mongomock
import pytest

from calendar_app.accounts.callers import ANYONE, Caller, sender_of
from calendar_app.accounts.policy import (
    editable_by,
    granted_status,
    hidden_from,
    may_delete,
    may_edit,
    may_read,
    may_sign_as,
    readable_by,
    require_role,
    restored_status,
    role_allows,
    visible_to,
)
from calendar_app.errors import NotAllowed, NotAuthenticated

SUBSCRIBER = Caller(5, "s", "subscriber")
CONTRIBUTOR = Caller(4, "c", "contributor")
AUTHOR = Caller(3, "a", "author")
EDITOR = Caller(2, "e", "editor")
ADMINISTRATOR = Caller(1, "admin", "administrator")
STRANGERS = [ANYONE, SUBSCRIBER]
WRITERS = [CONTRIBUTOR, AUTHOR]
EDITORS = [EDITOR, ADMINISTRATOR]
EVERYBODY = [*STRANGERS, *WRITERS, *EDITORS]
UNPUBLISHED = ["draft", "pending", "private"]
STATUSES = ["publish", "future", "draft", "pending", "private", "trash"]
SOMEBODY_ELSE = 99


def own(caller, status):
    return {"status": status, "author": caller.id}


def foreign(status):
    return {"status": status, "author": SOMEBODY_ELSE}


def listed(caller, **options):
    """Return (status, author) of the records in a list for ``caller``."""
    records = mongomock.MongoClient().calendar.records
    authors = (caller.id, SOMEBODY_ELSE)
    records.insert_many(
        {"status": status, "author": author}
        for status, author in itertools.product([*STATUSES, "auto-draft"], authors)
    )
    return {
        (record["status"], record["author"])
        for record in records.find(visible_to(caller, **options))
    }


# Lists


@pytest.mark.parametrize("caller", STRANGERS)
def test_draft_is_hidden_from_strangers(caller):
    assert {status for status, _ in listed(caller)} == {"publish"}


@pytest.mark.parametrize("caller", WRITERS)
def test_writer_lists_published_and_own_records(caller):
    visible = listed(caller)

    assert {status for status, author in visible if author == SOMEBODY_ELSE} == {"publish"}
    assert {status for status, author in visible if author == caller.id} == set(STATUSES) - {
        "trash"
    }


@pytest.mark.parametrize("caller", EDITORS)
def test_an_editor_lists_everything_but_the_trash(caller):
    visible = listed(caller)

    assert {status for status, _ in visible} == set(STATUSES) - {"trash"}
    assert len(visible) == 2 * 5


def test_trash_is_listed_only_on_request():
    assert ("trash", SOMEBODY_ELSE) in listed(EDITOR, requested=("trash",))
    assert ("trash", SOMEBODY_ELSE) not in listed(AUTHOR, requested=("trash",))
    assert ("trash", SOMEBODY_ELSE) not in listed(ANYONE, requested=("trash",))


def test_record_without_author_belongs_to_no_anonymous_caller():
    records = mongomock.MongoClient().calendar.records
    records.insert_one({"status": "draft", "author": 0})

    assert not list(records.find(visible_to(ANYONE)))
    assert not may_read(ANYONE, {"status": "draft", "author": 0})
    assert not may_edit(ANYONE, {"status": "draft", "author": 0})


def test_visitor_has_the_records_of_their_contribution_and_none_of_other_visitors():
    records = mongomock.MongoClient().calendar.records
    of_visitors = [{"_id": number, "status": "pending", "author": 0} for number in (1, 2)]
    records.insert_many(of_visitors)
    visitor, (own_record, other_record) = sender_of([1]), of_visitors
    for clause in (visible_to(visitor), readable_by(visitor), editable_by(visitor)):
        assert [each["_id"] for each in records.find(clause)] == [1]
    assert [each["_id"] for each in records.find(hidden_from(visitor))] == [2]
    assert [may_read(visitor, each) for each in (own_record, other_record)] == [True, False]
    assert [may_edit(visitor, each) for each in (own_record, other_record)] == [True, False]


# Single records


@pytest.mark.parametrize("caller", EVERYBODY)
def test_published_records_are_readable_by_all(caller):
    assert may_read(caller, foreign("publish"))


@pytest.mark.parametrize("status", ["future", "draft", "pending", "private", "trash"])
@pytest.mark.parametrize("caller", [*STRANGERS, *WRITERS])
def test_unpublished_records_of_others_are_readable_only_by_editors(caller, status):
    assert not may_read(caller, foreign(status))


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("caller", EDITORS)
def test_an_editor_reads_edits_and_deletes_everything(caller, status):
    assert may_read(caller, foreign(status))
    assert may_edit(caller, foreign(status))
    assert may_delete(caller, foreign(status))


@pytest.mark.parametrize("status", ["future", "draft", "pending", "private"])
@pytest.mark.parametrize("caller", WRITERS)
def test_a_writer_reads_their_own(caller, status):
    assert may_read(caller, own(caller, status))


@pytest.mark.parametrize("may", [may_edit, may_delete])
@pytest.mark.parametrize("status", UNPUBLISHED)
@pytest.mark.parametrize("caller", WRITERS)
def test_a_writer_changes_and_deletes_their_own_unpublished_records(caller, status, may):
    assert may(caller, own(caller, status))


@pytest.mark.parametrize("may", [may_edit, may_delete])
@pytest.mark.parametrize("status", ["publish", "future"])
def test_published_record_is_editable_by_its_author_but_not_by_a_contributor(status, may):
    assert not may(CONTRIBUTOR, own(CONTRIBUTOR, status))
    assert may(AUTHOR, own(AUTHOR, status))


@pytest.mark.parametrize("may", [may_edit, may_delete])
@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("caller", [*STRANGERS, *WRITERS])
def test_only_editors_change_records_of_others(caller, status, may):
    assert not may(caller, foreign(status))


@pytest.mark.parametrize("may", [may_edit, may_delete])
def test_the_trash_does_not_make_a_published_record_the_contributors(may):
    trashed = own(CONTRIBUTOR, "trash")

    assert may(CONTRIBUTOR, trashed | {"status_before_trash": "draft"})
    assert not may(CONTRIBUTOR, trashed | {"status_before_trash": "publish"})
    assert may(AUTHOR, own(AUTHOR, "trash") | {"status_before_trash": "publish"})


@pytest.mark.parametrize("may", [may_edit, may_delete])
def test_subscriber_cannot_change_their_former_records(may):
    assert not may(SUBSCRIBER, own(SUBSCRIBER, "draft"))


# Roles


@pytest.mark.parametrize("kind", ["event", "venue", "organizer", "category", "tag", "media"])
@pytest.mark.parametrize("action", ["create", "edit", "delete"])
def test_stranger_must_authenticate(action, kind):
    with pytest.raises(NotAuthenticated):
        require_role(ANYONE, action, kind)


@pytest.mark.parametrize("action", ["create", "edit", "delete"])
@pytest.mark.parametrize(
    ("kind", "allowed"),
    [
        ("event", [CONTRIBUTOR, AUTHOR, EDITOR, ADMINISTRATOR]),
        ("venue", [CONTRIBUTOR, AUTHOR, EDITOR, ADMINISTRATOR]),
        ("organizer", [CONTRIBUTOR, AUTHOR, EDITOR, ADMINISTRATOR]),
        ("category", [AUTHOR, EDITOR, ADMINISTRATOR]),
        ("tag", [EDITOR, ADMINISTRATOR]),
        ("media", [AUTHOR, EDITOR, ADMINISTRATOR]),
    ],
)
def test_each_kind_has_the_roles_that_may_write_it(action, kind, allowed):
    for caller in allowed:
        require_role(caller, action, kind)
        assert role_allows(caller, action, kind)
    for caller in EVERYBODY[1:]:
        if caller not in allowed:
            with pytest.raises(NotAllowed):
                require_role(caller, action, kind)


# What a writer may say in a record


@pytest.mark.parametrize(
    ("requested", "granted"),
    [
        (None, "draft"),
        ("", "draft"),
        ("draft", "draft"),
        ("pending", "pending"),
        ("publish", "pending"),
        ("future", "pending"),
        ("private", "pending"),
        ("trash", "pending"),
    ],
)
def test_without_the_publish_right_only_draft_and_pending_are_possible(requested, granted):
    assert granted_status(CONTRIBUTOR, requested) == granted


@pytest.mark.parametrize("caller", [AUTHOR, EDITOR, ADMINISTRATOR])
def test_publisher_gets_the_requested_status_and_publishes_by_default(caller):
    assert granted_status(caller, None) == "publish"
    assert [granted_status(caller, status) for status in STATUSES] == STATUSES


@pytest.mark.parametrize("caller", [CONTRIBUTOR, AUTHOR])
def test_only_editors_may_set_another_author(caller):
    assert may_sign_as(caller, caller.id)
    assert not may_sign_as(caller, SOMEBODY_ELSE)
    assert may_sign_as(EDITOR, SOMEBODY_ELSE)


def test_stranger_may_not_sign_a_record():
    assert not may_sign_as(ANYONE, 0)


@pytest.mark.parametrize(
    ("caller", "before", "status"),
    [
        (CONTRIBUTOR, "draft", "draft"),
        (CONTRIBUTOR, "pending", "pending"),
        (CONTRIBUTOR, "private", "draft"),
        (AUTHOR, "private", "private"),
        (EDITOR, "publish", "publish"),
        (EDITOR, None, "draft"),
    ],
)
def test_record_comes_back_as_it_was_if_its_writer_may_give_that_state(caller, before, status):
    trashed = {**own(caller, "trash"), "status_before_trash": before}
    assert restored_status(caller, trashed) == status

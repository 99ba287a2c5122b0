"""What keepers may do with events, by role and relation; clauses say the same as single checks."""

from itertools import product

import mongomock
import pytest

from calendar_app.accounts.callers import Caller
from calendar_app.accounts.policy import (
    editable_by,
    granted_status,
    hidden_from,
    keeps,
    kept_by,
    may_decide,
    may_delete,
    may_edit,
    may_publish,
    may_read,
    may_sign_as,
    readable_by,
    restored_status,
    unlocked_for,
    visible_to,
)

KEPT, OTHER = 7, 8
ROLES = ("", "subscriber", "contributor", "author", "editor", "administrator")
STATUSES = ("publish", "future", "draft", "pending", "private", "trash")
SOMEBODY_ELSE = 99
# How an event comes from the source that is kept, or does not.
RELATIONS = {
    "of the source": {"from_sources": [{"source": KEPT}]},
    "of two sources": {"from_sources": [{"source": OTHER}, {"source": KEPT}]},
    "date of its series": {"inherited_sources": [KEPT]},
    "date of a series of two": {"inherited_sources": [KEPT, OTHER]},
    "of another source": {"from_sources": [{"source": OTHER}]},
    "date of a series of another": {"inherited_sources": [OTHER]},
    "of no source": {},
}
IS_KEPT = dict(zip(RELATIONS, [True] * 4 + [False] * 3, strict=True))
ACTIONS = {
    "read": may_read,
    "edit": may_edit,
    "delete": may_delete,
    "publish": may_publish,
    "decide": may_decide,
}
# Of a draft that comes from the source and belongs to somebody else.
ALLOWED = {
    "": (),
    "subscriber": (),
    **dict.fromkeys(("contributor", "author", "editor", "administrator"), tuple(ACTIONS)),
}


def caller(role, *sources):
    return Caller(ROLES.index(role), role, role, sources=sources)


def event(relation, status="draft", author=SOMEBODY_ELSE, before="publish"):
    trashed = {"status_before_trash": before} if status == "trash" else {}
    return {"author": author, "status": status, **trashed, **RELATIONS[relation]}


def test_keeper_may_do_all_with_events_of_the_source(subtests):
    for action, role, relation in product(
        ACTIONS, ROLES, [name for name in RELATIONS if IS_KEPT[name]]
    ):
        with subtests.test(action=action, role=role, relation=relation):
            may, keeper = ACTIONS[action], caller(role, KEPT)
            for status in ("future", "draft", "pending", "private", "trash"):
                assert may(keeper, event(relation, status)) == (action in ALLOWED[role])


def test_keeper_gains_nothing_elsewhere(subtests):
    for action, role, relation in product(
        ACTIONS, ROLES, [name for name in RELATIONS if not IS_KEPT[name]]
    ):
        with subtests.test(action=action, role=role, relation=relation):
            may = ACTIONS[action]
            for status, author in product(STATUSES, (SOMEBODY_ELSE, ROLES.index(role))):
                record = event(relation, status, author)
                assert may(caller(role, KEPT), record) == may(caller(role), record)


@pytest.mark.parametrize("role", ["contributor", "author"])
def test_keepers_leave_the_author_as_it_is(role):
    keeper, kept = caller(role, KEPT), event("of the source")
    assert may_sign_as(keeper, SOMEBODY_ELSE, kept)
    assert not may_sign_as(keeper, keeper.id, kept)
    assert may_sign_as(keeper, keeper.id)


@pytest.mark.parametrize("status", STATUSES)
def test_keepers_give_any_status_to_events_of_the_source_alone(status):
    keeper = caller("contributor", KEPT)
    assert granted_status(keeper, status, event("of the source")) == status
    granted = status if status in ("draft", "pending") else "pending"
    assert granted_status(keeper, status, event("of another source")) == granted
    assert granted_status(keeper, status) == granted
    trashed = event("date of its series", "trash", before=status)
    assert restored_status(keeper, trashed) == status


# Clauses

SINGLE_CHECKS = {
    readable_by: may_read,
    editable_by: may_edit,
    kept_by: keeps,
    unlocked_for: may_edit,
    visible_to: lambda who, each: each["status"] != "trash" and may_read(who, each),
    hidden_from: lambda who, each: not may_read(who, each) and each["status"] != "trash",
}


def test_clauses_match_what_single_checks_allow(subtests):
    for clause, sources, role in product(SINGLE_CHECKS, [(), (KEPT,), (KEPT, 9), (9,)], ROLES):
        with subtests.test(clause=clause.__name__, sources=sources, role=role):
            who = caller(role, *sources)
            # Lists hide what somebody wrote before they became a subscriber.
            authors = (SOMEBODY_ELSE, who.id if ALLOWED[role] else SOMEBODY_ELSE)
            records = [
                event(relation, status, author, before) | {"_id": number, "hidden": "locked"}
                for number, (relation, status, author, before) in enumerate(
                    product(RELATIONS, STATUSES, authors, ("draft", "publish"))
                )
            ]
            collection = mongomock.MongoClient().calendar.events
            collection.insert_many(records)
            matching = {each["_id"] for each in collection.find(clause(who))}
            allowed = {each["_id"] for each in records if SINGLE_CHECKS[clause](who, each)}
            assert matching == allowed

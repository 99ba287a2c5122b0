"""The access policy: what a caller may read, write and decide, all of it in one place."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Literal

from calendar_app.accounts.callers import Caller, Right
from calendar_app.domain.provenance import ORIGIN_FIELDS, sources_of
from calendar_app.domain.statuses import (
    DRAFT,
    FUTURE,
    IN_LISTS,
    LISTED,
    LOCKED,
    PENDING,
    PRIVATE,
    PUBLISH,
    REGISTERED,
    TRASH,
    UNLISTED,
    UNLOCKED,
)
from calendar_app.errors import NotAllowed, NotAuthenticated
from calendar_app.storage.query.clauses import (
    EVERYTHING,
    NOTHING,
    Clause,
    all_of,
    any_of,
    differs,
    equals,
    given,
    none_of,
    not_any,
    one_of,
)

# A record is a document with ``author`` and, unless it is a term or a picture, ``status``.
# ``status_before_trash`` of a record in the trash is the status that it had; what it was decides
# who may touch it. Events and series of a source are also those of its keepers, who read, change
# and publish them as editors do.

Action = Literal["create", "edit", "delete"]
StoredDocument = Mapping[str, Any]
# All that rights on a record depend on.
OWNERSHIP = ("author", "status", "status_before_trash", *ORIGIN_FIELDS)
_NEW: StoredDocument = MappingProxyType({})

# Who may not publish may not touch what is public, or will be without anybody's doing.
_RELEASED = (PUBLISH, FUTURE)
_RIGHTS_BY_KIND: Mapping[str, Right] = MappingProxyType(
    {
        "category": Right.MANAGE_CATEGORIES,
        "tag": Right.MANAGE_TAGS,
        "media": Right.UPLOAD,
        "user": Right.MANAGE_USERS,
    }
)
# Terms and users belong to nobody: who may change one may change all.
_OF_ALL = ("category", "tag", "user")
_MOST_CALLERS = 256  # whose clauses are remembered


@lru_cache(_MOST_CALLERS)
def visible_to(caller: Caller, requested: tuple[str, ...] = ()) -> Clause:
    """Return the clause that every list on behalf of ``caller`` includes.

    The trash is included only if ``requested`` names it.
    """
    hidden = set(UNLISTED) - set(requested)
    listed = one_of("status", [status for status in REGISTERED if status not in hidden])
    if caller.may(Right.EDIT_OTHERS):
        return listed
    published = equals("status", PUBLISH)
    if not caller.may(Right.EDIT):
        return published
    return any_of([published, *(all_of([own, listed]) for own in _own_of(caller))])


def hidden_from(caller: Caller) -> Clause:
    """Match the records outside the trash that lists never show to ``caller``."""
    if caller.may(Right.EDIT_OTHERS):
        return NOTHING
    unpublished = none_of("status", (PUBLISH, TRASH))
    if not caller.may(Right.EDIT):
        return unpublished
    of_others = differs("author", caller.id) if caller.id else not_any([_owned_by(caller)])
    sources = caller.kept_sources
    not_kept = [none_of(field, sources) for field in ORIGIN_FIELDS] if sources else []
    return all_of([unpublished, of_others, *not_kept])


def readable_by(caller: Caller) -> Clause:
    """Match the records with a status that ``caller`` may read, as ``may_read`` says."""
    if caller.may(Right.EDIT_OTHERS):
        return EVERYTHING
    public = equals("status", PUBLISH)
    return any_of([public, *_own_of(caller)]) if caller.known else public


def editable_by(caller: Caller) -> Clause:
    """Match the records with a status that ``caller`` may edit, as ``may_edit`` says."""
    if caller.may(Right.EDIT_OTHERS):
        return EVERYTHING
    if not caller.may(Right.EDIT):
        return NOTHING
    own = _owned_by(caller)
    if not caller.may(Right.EDIT_PUBLISHED):
        unreleased = (none_of(name, _RELEASED) for name in ("status", "status_before_trash"))
        own = all_of([own, *unreleased])
    return any_of([own, kept_by(caller)])


def kept_by(caller: Caller) -> Clause:
    """Match the events and series of the sources that ``caller`` keeps, as ``keeps`` says."""
    return any_of(_kept_of(caller))


def keeps(caller: Caller, record: StoredDocument) -> bool:
    """Say whether a record comes from a source that ``caller`` keeps."""
    sources = caller.kept_sources
    return bool(sources) and not sources_of(record).isdisjoint(sources)


@lru_cache(_MOST_CALLERS)
def listed_for(caller: Caller, *, by_title: bool) -> Clause:
    """Match events that lists show to ``caller``; ``by_title``: also those that are locked.

    The field ``hidden`` tells all of it, so that an index of lists answers alone.
    """
    editable = editable_by(caller)
    if by_title or editable == EVERYTHING:
        return one_of("hidden", IN_LISTS)
    locked = all_of([equals("hidden", LOCKED), editable]) if editable != NOTHING else NOTHING
    return any_of([equals("hidden", LISTED), locked])


def restricted_places_of(caller: Caller) -> Clause:
    """Match the events that ``caller`` finds at a hidden venue instead of a public one."""
    if caller.may(Right.EDIT_OTHERS):
        return given("restricted_place")
    return equals("restricted_place.author", caller.id) if caller.id else NOTHING


def unlocked_for(caller: Caller) -> Clause:
    """Match the events that ``caller`` reads without a password, whether lists show them or not."""
    return any_of([one_of("hidden", UNLOCKED), editable_by(caller)])


def may_read(caller: Caller, record: StoredDocument) -> bool:
    status = record["status"]
    if status == PUBLISH or _owns(caller, record) or keeps(caller, record):
        return True
    if status == PRIVATE:
        return caller.may(Right.READ_PRIVATE)
    return may_edit(caller, record)


def may_edit(caller: Caller, record: StoredDocument) -> bool:
    return keeps(caller, record) or _may_touch(
        caller, record, (Right.EDIT, Right.EDIT_PUBLISHED, Right.EDIT_OTHERS)
    )


def may_delete(caller: Caller, record: StoredDocument) -> bool:
    rights = (Right.DELETE, Right.DELETE_PUBLISHED, Right.DELETE_OTHERS)
    return keeps(caller, record) or _may_touch(caller, record, rights)


def may_publish(caller: Caller, record: StoredDocument = _NEW) -> bool:
    """Say whether ``caller`` may publish a record that they may edit, or a new one."""
    return caller.may(Right.PUBLISH) or keeps(caller, record)


def may_decide(caller: Caller, record: StoredDocument) -> bool:
    """Say whether ``caller`` decides on a record that waits to be published."""
    return manages_sources(caller) or keeps(caller, record)


def has_owner(kind: str) -> bool:
    """Return whether records of a kind belong to their authors; ``kind`` is its singular name."""
    return kind not in _OF_ALL


def may_sign_as(caller: Caller, author: int, record: StoredDocument = _NEW) -> bool:
    """Return whether ``caller`` may make ``author`` the author of a record, or of a new one.

    Keepers are not the authors of what they edit, and do not become it.
    """
    present = record.get("author", caller.id)
    return caller.known and (author == present or caller.may(Right.EDIT_OTHERS))


def role_allows(caller: Caller, action: Action, kind: str) -> bool:
    """Return whether the role allows this at all; ``kind`` is the singular name of a kind."""
    own = Right.DELETE if action == "delete" else Right.EDIT
    return caller.may(_RIGHTS_BY_KIND.get(kind, own))


def require_role(caller: Caller, action: Action, kind: str) -> None:
    """Refuse an action that the role does not allow on any record.

    Raises ``NotAuthenticated`` when the caller is not known, else ``NotAllowed``.
    """
    if not caller.known:
        raise NotAuthenticated
    if not role_allows(caller, action, kind):
        raise NotAllowed


def require_decider(caller: Caller) -> None:
    """Refuse who may not publish the contributions of strangers.

    Raises ``NotAuthenticated`` when the caller is not known, else ``NotAllowed``.
    """
    if not caller.known:
        raise NotAuthenticated
    if not manages_sources(caller):
        raise NotAllowed


def require_source_manager(caller: Caller) -> None:
    """Refuse who may not manage the sources: they write to events of everybody.

    Raises ``NotAuthenticated`` when the caller is not known, else ``NotAllowed``.
    """
    require_decider(caller)


def manages_sources(caller: Caller) -> bool:
    """Say whether ``caller`` may manage all sources, as ``require_source_manager`` says."""
    return caller.may(Right.PUBLISH) and caller.may(Right.EDIT_OTHERS)


def decidable_by(caller: Caller) -> Clause:
    """Match the records that wait for a decision of ``caller``, as ``may_decide`` says."""
    return EVERYTHING if manages_sources(caller) else kept_by(caller)


def has_inbox(caller: Caller) -> bool:
    """Say whether anything can wait for a decision of ``caller``."""
    return manages_sources(caller) or bool(caller.kept_sources)


def require_inbox(caller: Caller) -> None:
    """Refuse callers on whose decision no record can wait.

    Raises ``NotAuthenticated`` when the caller is not known, else ``NotAllowed``.
    """
    if not caller.known:
        raise NotAuthenticated
    if not has_inbox(caller):
        raise NotAllowed


def may_keep_sources(caller: Caller) -> bool:
    """Say whether ``caller`` may be a keeper of sources."""
    return caller.may(Right.EDIT)


def without_sources(caller: Caller) -> Caller:
    """Return the caller with the rights of role and author alone."""
    return replace(caller, sources=()) if caller.sources else caller


def require_possible_keeper(caller: Caller) -> None:
    """Refuse callers who neither manage sources nor can keep any.

    Raises ``NotAuthenticated`` when the caller is not known, else ``NotAllowed``.
    """
    if not caller.known:
        raise NotAuthenticated
    if not may_keep_sources(caller):
        raise NotAllowed


def require_sender(caller: Caller, author: int) -> None:
    """Refuse callers who neither manage sources nor are the author of this one.

    Raises ``NotAuthenticated`` when the caller is not known, else ``NotAllowed``.
    """
    if not (caller.id == author and caller.may(Right.EDIT)):
        require_source_manager(caller)


def require_webhook_manager(caller: Caller) -> None:
    """Refuse who may not manage webhooks, which may read as any user.

    Raises ``NotAuthenticated`` when the caller is not known, else ``NotAllowed``.
    """
    require_administrator(caller)


def names_keepers(caller: Caller) -> bool:
    """Say whether ``caller`` may name the keepers of sources."""
    return caller.may(Right.MANAGE_USERS)


def require_administrator(caller: Caller) -> None:
    """Refuse callers without the right to manage users and roles.

    Raises ``NotAuthenticated`` when the caller is not known, else ``NotAllowed``.
    """
    if not caller.known:
        raise NotAuthenticated
    if not caller.may(Right.MANAGE_USERS):
        raise NotAllowed


def may_translate(caller: Caller, roles: Collection[str]) -> bool:
    """Return whether ``caller`` may have texts translated, where that is for these ``roles``."""
    return caller.may(Right.EDIT) and caller.role in roles


def may_translate_all(caller: Caller, roles: Collection[str]) -> bool:
    """Return whether ``caller`` may have everybody's texts translated at once."""
    return may_translate(caller, roles) and caller.may(Right.EDIT_OTHERS)


def granted_status(caller: Caller, requested: str | None, record: StoredDocument = _NEW) -> str:
    """Return the status to grant to a new record, or to a write that asks for one."""
    if may_publish(caller, record):
        return requested or PUBLISH
    if not requested:
        return DRAFT
    return requested if requested in (DRAFT, PENDING) else PENDING


def restored_status(caller: Caller, record: StoredDocument) -> str:
    """Return the status with which ``caller`` takes a record out of the trash."""
    before: str = record.get("status_before_trash") or DRAFT
    return before if may_publish(caller, record) or before == PENDING else DRAFT


def _may_touch(caller: Caller, record: StoredDocument, rights: tuple[Right, Right, Right]) -> bool:
    own, released, of_others = rights
    needed = {own}
    if not _owns(caller, record):
        needed.add(of_others)
    if _standing(record) in _RELEASED:
        needed.add(released)
    return all(caller.may(right) for right in needed)


def _standing(record: StoredDocument) -> str:
    """Return the status that counts: in the trash, the one from before."""
    status: str = record.get("status", "")
    return record.get("status_before_trash") or status if status == TRASH else status


def _owns(caller: Caller, record: StoredDocument) -> bool:
    is_own = caller.known and record.get("author") == caller.id
    return is_own and (caller.id > 0 or record.get("_id") in caller.contribution)


def _owned_by(caller: Caller) -> Clause:
    """Match the records of ``caller``, who is known, as ``_owns`` says."""
    own = equals("author", caller.id)
    return own if caller.id else all_of([own, one_of("_id", sorted(caller.contribution))])


def _kept_of(caller: Caller) -> list[Clause]:
    sources = caller.kept_sources
    return [one_of(field, sources) for field in ORIGIN_FIELDS] if sources else []


def _own_of(caller: Caller) -> list[Clause]:
    """Return clauses for the records that a ``caller`` owns or keeps, each served by an index."""
    return [_owned_by(caller), *_kept_of(caller)]

"""Changes records: every write that somebody asks for, of every kind, comes through here."""

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import TypeVar

from calendar_app.accounts.caller import Caller
from calendar_app.accounts.policy import (
    has_owner,
    may_delete,
    may_edit,
    may_sign_as,
    require_role,
)
from calendar_app.calendar.auditing import note_change
from calendar_app.calendar.feeds.withdrawing import note_withdrawal
from calendar_app.calendar.pictures.uses import ShownPictures
from calendar_app.calendar.places.points import DECISIVE
from calendar_app.calendar.slugs.former import FormerSlugs
from calendar_app.calendar.slugs.naming import index_slugs
from calendar_app.calendar.writing.composer import Composer
from calendar_app.calendar.writing.counting import count_terms
from calendar_app.calendar.writing.references import (
    NO_LINKS,
    LinkedIds,
    References,
    beside_the_name,
)
from calendar_app.calendar.writing.removal import Removal
from calendar_app.calendar.writing.retrying import retry_conflicts
from calendar_app.calendar.writing.revising import Overtaken, difference
from calendar_app.content.composing import derived
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.statuses import PUBLISH, TRASH
from calendar_app.errors import (
    AlreadyTrashed,
    LastTranslation,
    NotAllowed,
    NotFound,
    PreconditionFailed,
)
from calendar_app.mongo.store import Store
from calendar_app.mongo.transactions import PATIENCE, on_commit
from calendar_app.search.vocabulary import Vocabulary

Result = TypeVar("Result")


class Editor:
    """Creates, changes and deletes records.

    Changes are named in the words of the documents: ``variants`` (language to texts; ``None``
    clears one), ``status``, ``published``, ``venues`` and ``organizers`` (ids, or changes of the
    record to make), ``categories`` and ``tags`` (ids, or names of terms to make), and so on.
    The ``composer`` has the rules for fields, the ``vocabulary`` the words of all events.
    """

    # Somebody waits for each write.
    _patience = PATIENCE

    def __init__(
        self, store: Store, kinds: Mapping[str, Kind], composer: Composer, vocabulary: Vocabulary
    ) -> None:
        self._store = store
        self._vocabulary = vocabulary
        self._composer = composer
        self._now = composer.now
        self._naming = composer.naming
        self._former_slugs = FormerSlugs(store)
        self._references = References(store, kinds, self._create_inline, composer.site.languages)
        self._shown_pictures = ShownPictures(store)
        self._removal = Removal(store, self._naming, composer.terms, self._shown_pictures)

    def create(self, kind: Kind, changes: Record, caller: Caller, language: str) -> Record:
        """Store a new record and return it, or the one of that name that is used again."""
        require_role(caller, "create", kind.singular)
        made = self._attempt(lambda: self._create_within(kind, changes, caller, language))
        self._look_again(kind, made, changes)
        return made

    def change(  # noqa: PLR0913  # what is changed, to what, by whom, in which language
        self,
        kind: Kind,
        record_id: int,
        changes: Record,
        caller: Caller,
        language: str,
        *,
        revision: int | None = None,
        unpublished: LinkedIds = NO_LINKS,
    ) -> Record:
        """Change a record and return it; what ``changes`` does not name stays as it is.

        What an event links to and its caller found ``unpublished`` is published with it. Raises
        ``PreconditionFailed`` where the record is not at ``revision`` any more.
        """

        def work() -> Record:
            if revision is not None:
                _require_revision(self._editable(kind, record_id, caller), revision)
            made = self._change_once(kind, record_id, changes, caller, language)
            waiting = unpublished if changes else NO_LINKS
            for linked, its_id in self._references.published_with(made, waiting, caller):
                self._change_once(linked, its_id, {"status": PUBLISH}, caller, language)
            return made

        made = self._attempt(work)
        self._look_again(kind, made, changes)
        return made

    def remove(
        self,
        kind: Kind,
        record_id: int,
        caller: Caller,
        *,
        force: bool = False,
        revision: int | None = None,
    ) -> Record:
        """Move a record to the trash, or delete it for good (terms always); return it."""

        def work() -> Record:
            before = self._removable(kind, record_id, caller, force=force)
            _require_revision(before, revision)
            return self._removed(kind, before, force=force)

        removed = self._attempt(work)
        if force or kind.is_picture:
            on_commit(partial(self._removal.look_again, kind, record_id))
        return removed

    def remove_translation(  # noqa: PLR0913  # which language of what, by whom
        self,
        kind: Kind,
        record_id: int,
        caller: Caller,
        language: str,
        *,
        site: Collection[str],
        revision: int | None = None,
    ) -> Record:
        """Take one language away and return the record; the last one of the ``site`` stays.

        Raises ``PreconditionFailed`` where the record is not at ``revision`` any more.
        """
        others = [tag for tag in site if tag != language]

        def work() -> Record:
            before = self._editable(kind, record_id, caller)
            _require_revision(before, revision)
            return self._untranslated(kind, before, language, others)

        return self._attempt(work)

    def _create_within(self, kind: Kind, changes: Record, caller: Caller, language: str) -> Record:
        """Create inside the transaction that runs."""
        known = self._references.same_named(kind, changes, caller, language, [language])
        return self._create_unless(known, kind, changes, caller, language)

    def _create_inline(self, kind: Kind, changes: Record, caller: Caller, language: str) -> Record:
        """Create what comes with an event; a name in any language of the site counts."""
        languages = self._composer.site.languages
        known = self._references.same_named(kind, changes, caller, language, languages)
        return self._create_unless(known, kind, changes, caller, language)

    def _create_unless(
        self, known: Record | None, kind: Kind, changes: Record, caller: Caller, language: str
    ) -> Record:
        """Create a record, or change the one that is ``known`` by its name."""
        if known is not None:
            if not may_edit(caller, known):
                return known
            return self._change_once(
                kind, known["_id"], beside_the_name(kind, changes, language), caller, language
            )
        record = self._composed(kind, {}, changes, caller, language) | {"revision": 1}
        self._vocabulary.index_words(kind, record)
        self._count({}, record)
        with self._naming.relied_on(kind, record):
            self._store.of(kind).insert(record)
        note_change("create", kind, record["_id"])
        return record

    def _change_once(
        self, kind: Kind, record_id: int, changes: Record, caller: Caller, language: str
    ) -> Record:
        before = self._editable(kind, record_id, caller)
        if changes.get("status") == TRASH and before["status"] != TRASH:
            self._removed(kind, self._removable(kind, record_id, caller, force=False), force=False)
            before = self._existing(kind, record_id)
        after = self._composed(kind, before, changes, caller, language)
        self._write(kind, before, after)
        if not kind.has_status:
            self._composer.terms.follow(kind, before, after)
        return after

    def _untranslated(
        self, kind: Kind, before: Record, language: str, others: Collection[str]
    ) -> Record:
        variants = {tag: texts for tag, texts in before["variants"].items() if tag != language}
        # A language without a name alone would leave a record that has none; pictures need none.
        named = any(kind.label in variants.get(tag, ()) for tag in others)
        if kind.label in kind.texts and not named:
            raise LastTranslation
        after = {**before, "variants": variants}
        index_slugs(after)
        after |= derived(kind, before, after, {}, language)
        self._write(kind, before, after)
        return after

    def _removed(self, kind: Kind, before: Record, *, force: bool) -> Record:
        if force or not kind.has_status:
            self._removal.purge(kind, before, force=force)
            self._former_slugs.forget(kind, before["_id"])
            self._count(before, {})
            note_change("delete", kind, before["_id"])
            return before
        after = self._removal.trashed(kind, before)
        self._write(kind, before, after)
        return after

    def _composed(
        self, kind: Kind, before: Record, changes: Record, caller: Caller, language: str
    ) -> Record:
        """Return the record as it is after the change, not yet stored."""
        resolved = self._resolved(changes, caller, language)
        return self._composer.composed(kind, before, resolved, caller, language)

    def _resolved(self, changes: Record, caller: Caller, language: str) -> Record:
        """Return changes that the caller may sign; what they point to is there, and named by id."""
        if "author" in changes and not may_sign_as(caller, changes["author"]):
            raise NotAllowed
        return self._references.resolve(changes, caller, language)

    def _editable(self, kind: Kind, record_id: int, caller: Caller) -> Record:
        record = self._existing(kind, record_id)
        if has_owner(kind.singular) and not may_edit(caller, record):
            raise NotAllowed
        return record

    def _removable(self, kind: Kind, record_id: int, caller: Caller, *, force: bool) -> Record:
        record = self._existing(kind, record_id)
        if record.get("status") == TRASH and not force:
            raise AlreadyTrashed(kind.singular)
        if has_owner(kind.singular) and not may_delete(caller, record):
            raise NotAllowed
        return record

    def _existing(self, kind: Kind, record_id: int) -> Record:
        record = self._store.of(kind).first({"_id": record_id})
        if record is None:
            raise NotFound(kind.singular, record_id)
        return record

    def _write(self, kind: Kind, before: Record, after: Record) -> None:
        """Write what differs, onto the revision that was read."""
        if kind.fed:
            note_withdrawal(before, after, self._now())
        update = difference(before, after)
        if not update:
            return
        after |= {"modified": self._now(), "revision": before.get("revision", 0) + 1}
        self._vocabulary.index_words(kind, after, before)
        self._count(before, after)
        read = {"_id": before["_id"], "revision": before.get("revision")}
        if not self._store.of(kind).change(read, difference(before, after)):
            raise Overtaken
        if kind.is_place and any(before[name] != after[name] for name in DECISIVE):
            self._composer.places.update_events_at(after)
        self._former_slugs.note(kind, before, after)
        trashed = after.get("status") == TRASH != before.get("status")
        note_change("trash" if trashed else "update", kind, before["_id"])

    def _look_again(self, kind: Kind, record: Record, changes: Record) -> None:
        """See, after the transaction, that what the record shows has not gone."""
        if "image" in changes:
            on_commit(partial(self._shown_pictures.look_again, kind, record))

    def _count(self, before: Record, after: Record) -> None:
        if "categories" in (before or after):
            count_terms(self._store, before, after)

    def _attempt(self, work: Callable[[], Result]) -> Result:
        return retry_conflicts(self._store, work, self._patience)


def _require_revision(record: Record, revision: int | None) -> None:
    if revision is not None and record["revision"] != revision:
        raise PreconditionFailed

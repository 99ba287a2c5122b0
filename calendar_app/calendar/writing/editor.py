"""Changes records: every write that somebody asks for, of every kind, comes through here."""

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import TypeVar

from calendar_app.accounts.policy import (
    Caller,
    has_owner,
    may_delete,
    may_edit,
    may_sign_as,
    require_role,
)
from calendar_app.calendar.auditing import note_change, written_by
from calendar_app.calendar.feeds.contents import note_withdrawal
from calendar_app.calendar.history import Recorder
from calendar_app.calendar.pictures.uploads import ShownPictures
from calendar_app.calendar.places import DECISIVE
from calendar_app.calendar.reading.links import LINKED
from calendar_app.calendar.slugs import FormerSlugs, index_slugs
from calendar_app.calendar.writing.counting import count_terms
from calendar_app.calendar.writing.record_builder import RecordBuilder
from calendar_app.calendar.writing.references import (
    NO_LINKS,
    LinkedIds,
    References,
    beside_the_name,
)
from calendar_app.calendar.writing.rehearsing import rehearse
from calendar_app.calendar.writing.removal import Removal
from calendar_app.calendar.writing.retrying import retry_conflicts
from calendar_app.calendar.writing.revising import WriteConflict, difference, require_revision
from calendar_app.content.composing import computed_fields
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.statuses import PUBLISH, TRASH, was_public
from calendar_app.errors import AlreadyTrashed, LastTranslation, NotAllowed, NotFound
from calendar_app.mongo.store import Store
from calendar_app.mongo.transactions import PATIENCE, on_commit
from calendar_app.search.vocabulary import Vocabulary

Result = TypeVar("Result")


class Editor:
    """Creates, changes and deletes records.

    Changes are named in the words of the documents: ``variants`` (language to texts; ``None``
    clears one), ``status``, ``published``, ``venues`` and ``organizers`` (ids, or changes of the
    record to make), ``categories`` and ``tags`` (ids, or names of terms to make), and so on.
    The ``builder`` has the rules for fields, the ``vocabulary`` the words of all events. A
    ``dry_run`` rolls each write back.
    """

    # Somebody waits for each write.
    _patience = PATIENCE
    dry_run = False

    def __init__(
        self,
        store: Store,
        kinds: Mapping[str, Kind],
        builder: RecordBuilder,
        vocabulary: Vocabulary,
    ) -> None:
        self._store = store
        self._vocabulary = vocabulary
        self._builder = builder
        self._now = builder.now
        self._naming = builder.naming
        self._former_slugs = FormerSlugs(store)
        self._recorder = Recorder(store, builder.site.history_days)
        self._references = References(store, kinds, self._create_inline, builder.site.languages)
        self._shown_pictures = ShownPictures(store)
        self._removal = Removal(store, builder, self._shown_pictures, self._recorder)

    def create(self, kind: Kind, changes: Record, caller: Caller, language: str) -> Record:
        """Store a new record and return it, or the one of that name that is used again."""
        require_role(caller, "create", kind.singular)
        record = self._attempt(caller, lambda: self._create_within(kind, changes, caller, language))
        self._recheck_after_commit(kind, record, changes)
        return record

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
        """Change the fields in ``changes`` of a record, and return it.

        What an event links to and its caller found ``unpublished`` is published with it. Raises
        ``PreconditionFailed`` where the record is not at ``revision`` any more.
        """

        def work() -> Record:
            if revision is not None:
                require_revision(self._editable(kind, record_id, caller), revision)
            record = self._change_once(kind, record_id, changes, caller, language)
            waiting = unpublished if changes else NO_LINKS
            for linked, its_id in self._references.published_with(record, waiting, caller):
                self._change_once(linked, its_id, {"status": PUBLISH}, caller, language)
            return record

        record = self._attempt(caller, work)
        self._recheck_after_commit(kind, record, changes)
        return record

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
            require_revision(before, revision)
            return self._removed(kind, before, force=force)

        removed = self._attempt(caller, work)
        if force or kind.is_picture:
            on_commit(partial(self._removal.recheck_after_commit, kind, record_id))
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
        other_languages = [tag for tag in site if tag != language]

        def work() -> Record:
            before = self._editable(kind, record_id, caller)
            require_revision(before, revision)
            return self._untranslated(kind, before, language, other_languages)

        return self._attempt(caller, work)

    def rehearse(self, work: Callable[[], Result]) -> Result:
        """Return the result of ``work``, and store nothing that it writes."""
        return rehearse(self._store, work)

    def _create_within(self, kind: Kind, changes: Record, caller: Caller, language: str) -> Record:
        """Create inside the transaction that runs."""
        namesake = self._references.same_named(kind, changes, caller, language, [language])
        return self._create_unless(namesake, kind, changes, caller, language)

    def _create_inline(self, kind: Kind, changes: Record, caller: Caller, language: str) -> Record:
        """Create a record linked by an event, unless its name exists in any language."""
        languages = self._builder.site.languages
        namesake = self._references.same_named(kind, changes, caller, language, languages)
        return self._create_unless(namesake, kind, changes, caller, language)

    def _create_unless(
        self, namesake: Record | None, kind: Kind, changes: Record, caller: Caller, language: str
    ) -> Record:
        """Create a record, if the role allows it, or change its ``namesake``."""
        if namesake is not None:
            if not may_edit(caller, namesake):
                return namesake
            return self._change_once(
                kind, namesake["_id"], beside_the_name(kind, changes, language), caller, language
            )
        require_role(caller, "create", kind.singular)
        record = self._build(kind, {}, changes, caller, language) | {"revision": 1}
        self._vocabulary.index_words(kind, record)
        count_terms(self._store, {}, record)
        self._store.of(kind).insert(record)
        self._recorder.note(kind, {}, record)
        note_change("create", kind, record["_id"])
        return record

    def _change_once(
        self, kind: Kind, record_id: int, changes: Record, caller: Caller, language: str
    ) -> Record:
        before = self._editable(kind, record_id, caller)
        return self._change_record(kind, before, changes, caller, language)

    def _change_record(
        self, kind: Kind, before: Record, changes: Record, caller: Caller, language: str
    ) -> Record:
        if changes.get("status") == TRASH and before["status"] != TRASH:
            record_id = before["_id"]
            self._removed(kind, self._removable(kind, record_id, caller, force=False), force=False)
            before = self._existing(kind, record_id)
        after = self._build(kind, before, changes, caller, language)
        self._write(kind, before, after)
        if not kind.has_status:
            self._builder.terms.follow(kind, before, after)
        return after

    def _untranslated(
        self, kind: Kind, before: Record, language: str, other_languages: Collection[str]
    ) -> Record:
        after = self._without_language(kind, before, language, other_languages)
        self._write(kind, before, after)
        return after

    @staticmethod
    def _without_language(
        kind: Kind, before: Record, language: str, other_languages: Collection[str]
    ) -> Record:
        variants = {tag: texts for tag, texts in before["variants"].items() if tag != language}
        # A language without a name alone would leave a record that has none; pictures need none.
        has_title = any(kind.label in variants.get(tag, ()) for tag in other_languages)
        if kind.label in kind.texts and not has_title:
            raise LastTranslation
        after = {**before, "variants": variants}
        index_slugs(after)
        return after | computed_fields(kind, before, after, {}, language)

    def _removed(self, kind: Kind, before: Record, *, force: bool) -> Record:
        if force or not kind.has_status:
            self._removal.purge(kind, before, force=force)
            count_terms(self._store, before, {})
            note_change("delete", kind, before["_id"])
            return before
        after = self._removal.trashed(kind, before)
        self._write(kind, before, after)
        return after

    def _build(
        self, kind: Kind, before: Record, changes: Record, caller: Caller, language: str
    ) -> Record:
        """Return the record after the change, not yet stored."""
        resolved = self._resolved(changes, caller, language)
        return self._builder.build(kind, before, resolved, caller, language)

    def _resolved(self, changes: Record, caller: Caller, language: str) -> Record:
        """Check the author, and resolve links to ids."""
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
        """Write the difference, at the revision that was read."""
        if kind.fed:
            note_withdrawal(before, after, self._now())
        update = difference(before, after)
        if not update:
            return
        after |= {"modified": self._now(), "revision": before.get("revision", 0) + 1}
        self._vocabulary.index_words(kind, after, before)
        count_terms(self._store, before, after)
        read = {"_id": before["_id"], "revision": before.get("revision")}
        if not self._store.of(kind).change(read, difference(before, after)):
            raise WriteConflict
        if kind.is_place and any(before[name] != after[name] for name in DECISIVE):
            self._builder.places.update_events_at(after)
        if kind.name in LINKED and was_public(before, after):
            self._removal.hide(kind, after["_id"])
        self._former_slugs.note(kind, before, after)
        self._recorder.note(kind, before, after)
        trashed = after.get("status") == TRASH != before.get("status")
        note_change("trash" if trashed else "update", kind, before["_id"])

    def _recheck_after_commit(self, kind: Kind, record: Record, changes: Record) -> None:
        """Check after the commit that the record's picture still exists."""
        if "image" in changes:
            on_commit(partial(self._shown_pictures.recheck_after_commit, kind, record))

    def _attempt(self, caller: Caller, work: Callable[[], Result]) -> Result:
        attempt = rehearse if self.dry_run else retry_conflicts
        with written_by(caller):
            return attempt(self._store, work, self._patience)

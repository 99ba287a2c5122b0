"""Plans the writes of single records: creation, change, trash, deletion, a language less."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial

from calendar_app.accounts.policy import (
    Caller,
    has_owner,
    may_delete,
    may_edit,
    require_role,
)
from calendar_app.calendar.shown_pictures import ShownPictures
from calendar_app.calendar.slugs import index_slugs
from calendar_app.calendar.writing.changes import Edit, Plan
from calendar_app.calendar.writing.records import RecordBuilder, trashed
from calendar_app.calendar.writing.references import LinkedIds, References, beside_the_name
from calendar_app.content.composing import computed_fields
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.statuses import PUBLISH, TRASH
from calendar_app.errors import AlreadyTrashed, LastTranslation, NotAllowed, NotFound
from calendar_app.mongo.store import Store


class RecordPlanner:
    """Plans inside the transaction that runs; the ``builder`` has the rules for fields.

    The links of an edit are resolved by ``references`` before.
    ``make_linked`` plans a venue, organizer or term that an event names.
    """

    def __init__(
        self,
        store: Store,
        kinds: Mapping[str, Kind],
        builder: RecordBuilder,
        make_linked: "MakeLinked | None" = None,
    ) -> None:
        self._store = store
        self.builder = builder
        languages = builder.site.languages
        create_linked = partial(self.create, languages=languages)
        make = partial(make_linked, self) if make_linked else create_linked
        self.references = References(store, kinds, make, languages)
        self._pictures = ShownPictures(store)

    def create(self, plan: Plan, kind: Kind, edit: Edit, languages: Collection[str] = ()) -> Record:
        """Create a record, unless one of its name is used again, and changed if it may be.

        Names are looked up in all ``languages``, and in the one of the edit.
        """
        namesake = self.references.same_named(plan, kind, edit, languages)
        if namesake is None:
            return self.create_new(plan, kind, edit)
        if not may_edit(edit.caller, namesake):
            return namesake
        changes = beside_the_name(kind, edit.changes, edit.language)
        return self.change(plan, kind, namesake, replace(edit, changes=changes))

    def create_new(self, plan: Plan, kind: Kind, edit: Edit) -> Record:
        """Create a record, if the role allows it."""
        require_role(edit.caller, "create", kind.singular)
        record = self.builder.build(plan, kind, {}, edit)
        plan.add(kind, {}, record)
        return record

    def change(self, plan: Plan, kind: Kind, before: Record, edit: Edit) -> Record:
        """Change a record that its caller may edit."""
        after = self.changed(plan, kind, before, edit)
        plan.add(kind, before, after)
        return after

    def changed(self, plan: Plan, kind: Kind, before: Record, edit: Edit) -> Record:
        """Return a record after a change, which may bring it to the trash."""
        if edit.changes.get("status") == TRASH != before["status"]:
            require_removable(kind, before, edit.caller, force=False)
            before = trashed(plan, kind, before)
        return self.builder.build(plan, kind, before, edit)

    def remove(self, plan: Plan, kind: Kind, before: Record, *, force: bool) -> Record:
        """Move a record to the trash, or delete it for good (terms always); return it."""
        if not force and kind.has_status:
            after = trashed(plan, kind, before)
            plan.add(kind, before, after)
            return after
        if kind.is_picture and not force:
            self._pictures.require_unused(before)
        plan.add(kind, before, {})
        return before

    def remove_language(self, plan: Plan, kind: Kind, before: Record, language: str) -> Record:
        """Take one language away and return the record; the last one of the site stays."""
        after = without_language(kind, before, language, self.builder.site.languages)
        plan.add(kind, before, after)
        return after

    def publish_links(self, plan: Plan, event: Record, unpublished: LinkedIds, edit: Edit) -> None:
        """Publish with an event what it links to and its caller found ``unpublished``."""
        publication = replace(edit, changes={"status": PUBLISH})
        for kind, record in self.references.published_with(event, unpublished, edit.caller):
            self.change(plan, kind, plan.current(kind, record), publication)

    def existing(self, kind: Kind, record_id: int) -> Record:
        record = self._store.of(kind).first({"_id": record_id})
        if record is None:
            raise NotFound(kind.singular, record_id)
        return record

    def editable(self, kind: Kind, record_id: int, caller: Caller) -> Record:
        """Return a stored record that its caller may edit."""
        record = self.existing(kind, record_id)
        if has_owner(kind.singular) and not may_edit(caller, record):
            raise NotAllowed
        return record

    def removable(self, kind: Kind, record_id: int, caller: Caller, *, force: bool) -> Record:
        """Return a stored record that its caller may remove."""
        record = self.existing(kind, record_id)
        require_removable(kind, record, caller, force=force)
        return record


MakeLinked = Callable[[RecordPlanner, Plan, Kind, Edit], Record]


def require_removable(kind: Kind, record: Record, caller: Caller, *, force: bool) -> None:
    """Refuse a record that is in the trash, unless with ``force``, or protected."""
    if record.get("status") == TRASH and not force:
        raise AlreadyTrashed(kind.singular)
    if has_owner(kind.singular) and not may_delete(caller, record):
        raise NotAllowed


def without_language(kind: Kind, before: Record, language: str, site: Collection[str]) -> Record:
    """Return a record without one language; the last one of the ``site`` stays."""
    variants = {tag: texts for tag, texts in before["variants"].items() if tag != language}
    # A language without a name alone would leave a record that has none; pictures need none.
    remaining = (variants.get(tag, ()) for tag in site if tag != language)
    if kind.label in kind.texts and not any(kind.label in texts for texts in remaining):
        raise LastTranslation
    after = {**before, "variants": variants}
    index_slugs(after)
    return after | computed_fields(kind, before, after, {}, language)

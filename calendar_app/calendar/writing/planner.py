"""Plans the writes of single records: creation, change, trash, deletion, a language less."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial

from calendar_app.accounts.callers import SOURCE_ROLE, Caller, Right
from calendar_app.accounts.policy import (
    granted_status,
    has_owner,
    may_delete,
    may_edit,
    may_publish,
    may_sign_as,
    require_role,
)
from calendar_app.calendar.auditing import Door, current_audit
from calendar_app.calendar.reading.links import TAXONOMIES
from calendar_app.calendar.shown_pictures import ShownPictures
from calendar_app.calendar.slugs import index_slugs, without_slugs
from calendar_app.calendar.writing.changes import Edit, Plan
from calendar_app.calendar.writing.references import LinkedIds, References, beside_the_name
from calendar_app.calendar.writing.terms import Parents, Terms
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.ledger import IMPORT, LEDGER, Writing, settled
from calendar_app.domain.moments import Now
from calendar_app.domain.provenance import names_of
from calendar_app.domain.statuses import (
    PENDING,
    PUBLISH,
    TRASH,
    UNFINISHED,
    settled_status,
)
from calendar_app.domain.texts.composing import compose, computed_fields, with_ledger
from calendar_app.domain.texts.sanitizing import clean_html
from calendar_app.domain.zones import Site
from calendar_app.errors import AlreadyTrashed, LastTranslation, NotAllowed, NotFound
from calendar_app.storage.mongo.store import Store

# Builds the record after a change, by every rule; stores nothing.


class RecordBuilder:
    """Builds records inside the current transaction; their links are ids."""

    def __init__(self, store: Store, now: Now, site: Site) -> None:
        self._store = store
        self.now = now
        self.site = site
        self._parents = Parents(store)
        self._terms = Terms(store, self._parents)

    def build(self, plan: Plan, kind: Kind, before: Record, edit: Edit) -> Record:
        """Return the record after the change; ``before`` is empty for a new one."""
        changes, caller = edit.changes, edit.caller
        if "author" in changes and not may_sign_as(caller, changes["author"], before):
            raise NotAllowed
        trusted = caller.may(Right.UNFILTERED_HTML)
        cleaning = partial(clean_html, trusted=trusted, site=self.site.url)
        record = compose(kind, before or self.blank(plan, kind, caller), changes, cleaning)
        if kind.settle is not None:
            record |= kind.settle(before, changes, self.site.timezone)
        record |= _same_terms(before, changes)
        self._terms.place(plan, kind, record, changes)
        if kind.has_status and changes.get("parent"):
            record["parent"] = self._parents.of_event(record, changes["parent"])
        _set_status(plan, kind, before, record, edit)
        _place_and_name(plan, kind, before, record, edit)
        writing = writing_of(edit, plan.now)
        record |= computed_fields(kind, before, record, changes, edit.language)
        return with_ledger(kind, before, record, changes, writing)

    def blank(self, plan: Plan, kind: Kind, caller: Caller, record_id: int = 0) -> Record:
        """Return a new record that says nothing yet, with the next id unless one is given."""
        return {
            "_id": record_id or plan.next_id(kind),
            "author": caller.id,
            "published": plan.now,
            "modified": plan.now,
            "variants": {},
            **kind.defaults,
        }


def writing_of(edit: Edit, now: datetime) -> Writing:
    """Return who writes the texts of an edit; those of an import come from elsewhere."""
    writing = Writing(edit.caller.id, now)
    if current_audit().door is not Door.IMPORT:
        return writing
    if edit.caller.role == SOURCE_ROLE:
        return replace(writing, origin=IMPORT, source=edit.caller.name)
    names = names_of(edit.changes)
    return replace(writing, origin=IMPORT, source=names[-1] if names else "")


def _set_status(plan: Plan, kind: Kind, before: Record, record: Record, edit: Edit) -> None:
    """Limit the status to the caller's rights, and date the publication."""
    if not kind.has_status:
        return
    present, requested = record.get("status"), edit.changes.get("status")
    granted = granted_status(edit.caller, requested, before)
    status = present if present and not requested else granted
    if present == TRASH and status != TRASH:
        record.pop("status_before_trash", None)
        plan.naming.restore(kind, record)
    if not record.get("dated"):
        # A date that is sent counts while it is a draft too.
        if "published" in edit.changes:
            record["date_sent"] = True
        if status not in (*UNFINISHED, TRASH):
            sent = record.pop("date_sent", False)
            record.pop("date_utc_sent", None)
            record |= {"dated": True, "published": record["published"] if sent else plan.now}
    record["status"] = settled_status(status or PUBLISH, record["published"], plan.now)


def trashed(plan: Plan, kind: Kind, record: Record) -> Record:
    """Return the record as it lies in the trash, its slugs free for others."""
    variants = {tag: dict(texts) for tag, texts in record["variants"].items()}
    was = {"status": TRASH, "status_before_trash": record["status"]}
    after = {**record, **was, "variants": variants}
    plan.naming.retire(kind, after)
    return after


def _place_and_name(plan: Plan, kind: Kind, before: Record, record: Record, edit: Edit) -> None:
    """Place a record and give its slugs, which are looked up together.

    Who may not publish gives no slugs, lest their number tells of hidden ones.
    """
    is_named = not kind.has_status or may_publish(edit.caller, before)
    wanted = list(plan.naming.wanted(kind, record, edit.changes)) if is_named else []
    # Others decide only where the first one is hidden.
    plan.expect(kind, [slug.key for slug in wanted], edit.changes.get("venues", ())[:1])
    if "venues" in edit.changes:
        record |= plan.places.place_of(record)
    if is_named:
        plan.naming.name(kind, record, wanted)
        return
    handed_in = record["status"] == PENDING != before.get("status")
    if handed_in and not kind.slug_when_unfinished:
        record["variants"] = without_slugs(record["variants"])
    index_slugs(record)


def _same_terms(before: Record, changes: Record) -> Record:
    """Return the stored order of terms that were sent in another one."""
    sent = before.keys() & changes.keys() & set(TAXONOMIES)
    return {name: before[name] for name in sent if set(before[name]) == set(changes[name])}


# Plans the writes of single records.


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
        make = partial(make_linked, self) if make_linked else self.link
        self.references = References(store, kinds, make, languages)
        self._pictures = ShownPictures(store)

    def create(self, plan: Plan, kind: Kind, edit: Edit) -> Record:
        """Create a record, unless one of its name is used again, and changed if it may be."""
        return self._reuse(plan, kind, edit, self.references.same_named(plan, kind, edit))

    def link(self, plan: Plan, kind: Kind, edit: Edit) -> Record:
        """Return the existing record that an event links, or create it."""
        return self._reuse(plan, kind, edit, self.references.linked(plan, kind, edit))

    def _reuse(self, plan: Plan, kind: Kind, edit: Edit, namesake: Record | None) -> Record:
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
        """Publish an event together with its ``unpublished`` links."""
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
        require_editable(kind, record, caller)
        return record

    def removable(self, kind: Kind, record_id: int, caller: Caller, *, force: bool) -> Record:
        """Return a stored record that its caller may remove."""
        record = self.existing(kind, record_id)
        require_removable(kind, record, caller, force=force)
        return record


MakeLinked = Callable[[RecordPlanner, Plan, Kind, Edit], Record]


def require_editable(kind: Kind, record: Record, caller: Caller) -> None:
    """Refuse a record that belongs to somebody else, unless the caller may edit those too."""
    if has_owner(kind.singular) and not may_edit(caller, record):
        raise NotAllowed


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
    after |= computed_fields(kind, before, after, {}, language)
    return settled(after, before.get(LEDGER, {}))

"""Plans the writes of single records: creation, change, trash, deletion, a language less."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from types import MappingProxyType

from calendar_app.accounts.policy import (
    SOURCE_ROLE,
    Caller,
    Right,
    granted_status,
    has_owner,
    may_delete,
    may_edit,
    may_sign_as,
    require_role,
    visible_to,
)
from calendar_app.calendar.auditing import Door, current_audit
from calendar_app.calendar.reading.links import LINKS, TAXONOMIES
from calendar_app.calendar.shown_pictures import ShownPictures
from calendar_app.calendar.slugs import index_slugs, without_slugs
from calendar_app.calendar.writing.changes import Edit, Plan
from calendar_app.calendar.writing.terms import Parents, Terms
from calendar_app.content.composing import compose, computed_fields, name_keys, with_ledger
from calendar_app.content.sanitizing import clean_html, clean_name
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.ledger import IMPORT, LEDGER, Writing, settled
from calendar_app.domain.moments import Now
from calendar_app.domain.statuses import (
    DRAFT,
    FUTURE,
    PENDING,
    PUBLISH,
    REGISTERED,
    TRASH,
    UNFINISHED,
    settled_status,
)
from calendar_app.domain.zones import Site
from calendar_app.errors import AlreadyTrashed, LastTranslation, NotAllowed, NotFound
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import EVERYTHING, Clause, all_of, one_of
from calendar_app.query.stages import first_preferring

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
        if "author" in changes and not may_sign_as(caller, changes["author"]):
            raise NotAllowed
        trusted = caller.may(Right.UNFILTERED_HTML)
        cleaning = partial(clean_html, trusted=trusted, site=self.site.url)
        record = compose(kind, before or self.blank(plan, kind, caller), changes, cleaning)
        record |= _same_terms(before, changes)
        if kind.settle is not None:
            record |= kind.settle(before, changes, self.site.timezone)
        self._terms.place(kind, record, changes)
        if kind.has_status and changes.get("parent"):
            record["parent"] = self._parents.of_event(record, changes["parent"])
        _set_status(plan, kind, record, edit)
        _place_and_name(plan, kind, before, record, edit)
        record |= computed_fields(kind, before, record, changes, edit.language)
        return with_ledger(kind, before, record, changes, writing_of(edit, plan.now))

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
    notes = edit.changes.get("imported") or [{"source": ""}]
    return replace(writing, origin=IMPORT, source=notes[-1]["source"])


def _set_status(plan: Plan, kind: Kind, record: Record, edit: Edit) -> None:
    """Limit the status to the caller's rights, and date the publication."""
    if not kind.has_status:
        return
    before, requested = record.get("status"), edit.changes.get("status")
    status = before if before and not requested else granted_status(edit.caller, requested)
    if before == TRASH and status != TRASH:
        record.pop("status_before_trash", None)
        plan.naming.restore(kind, record)
    if not record.get("dated"):
        # A date that is sent counts while it is a draft too.
        if "published" in edit.changes:
            record["date_sent"] = True
        if status not in (*UNFINISHED, TRASH):
            sent = record.pop("date_sent", False)
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
    is_named = not kind.has_status or edit.caller.may(Right.PUBLISH)
    slugs = plan.naming.wanted(kind, record, edit.changes) if is_named else ()
    # Others decide only where the first one is hidden.
    plan.expect(kind, slugs, edit.changes.get("venues", ())[:1])
    if "venues" in edit.changes:
        record |= plan.places.place_of(record)
    if is_named:
        plan.naming.name(kind, record, edit.changes)
        return
    handed_in = record["status"] == PENDING != before.get("status")
    if handed_in and not kind.slug_when_unfinished:
        record["variants"] = without_slugs(record["variants"])
    index_slugs(record)


def _same_terms(before: Record, changes: Record) -> Record:
    """Return the stored order of terms that were sent in another one."""
    sent = before.keys() & changes.keys() & set(TAXONOMIES)
    return {name: before[name] for name in sent if set(before[name]) == set(changes[name])}


# References of a record, resolved to existing or new records.

Make = Callable[[Plan, Kind, Edit], Record]
# By the name of their kind, as in ``LINKED``.
LinkedIds = Mapping[str, Collection[int]]

NO_LINKS: LinkedIds = MappingProxyType({})
_NOT_IN_TRASH = tuple(status for status in REGISTERED if status != TRASH)


def beside_the_name(kind: Kind, changes: Record, language: str) -> Record:
    """Return the changes without name and status."""
    variants = {tag: dict(texts) for tag, texts in changes["variants"].items()}
    variants[language].pop(kind.label)
    kept_changes = {name: value for name, value in changes.items() if name != "status"}
    return kept_changes | {"variants": variants}


class References:
    """Resolves links; ``make`` plans the creation of a linked record."""

    def __init__(
        self, store: Store, kinds: Mapping[str, Kind], make: Make, languages: Collection[str]
    ) -> None:
        """Look names up in all ``languages`` of the site."""
        self._store = store
        self._languages = languages
        self._kinds = kinds
        self._make = make

    def resolve(self, plan: Plan, edit: Edit) -> Edit:
        """Return an edit with ids in place of the records and terms that were to be made."""
        resolved = dict(edit.changes)
        for name in LINKS:
            if name in resolved:
                resolved[name] = self._ids(plan, name, resolved[name], edit)
        return replace(edit, changes=resolved)

    def expect(self, plan: Plan, edits: Sequence[Edit]) -> None:
        """Look up at once all that edits of the same caller name instead of giving an id."""
        keys: defaultdict[str, set[str]] = defaultdict(set)
        for edit in edits:
            for name in LINKS:
                for entry in edit.changes.get(name, ()):
                    for language, words in self._names(name, entry, edit):
                        keys[name].update(self._keys(language, words))
        for name, own in keys.items():
            clause = all_of([one_of("names", sorted(own)), self._visible(name, edits[0].caller)])
            plan.expect_names(name, own, self._store[name].find(clause))

    def _names(self, name: str, entry: int | str | Record, edit: Edit) -> Iterator[tuple[str, str]]:
        """Yield language and name of what an edit links to; nothing for an id."""
        if isinstance(entry, str):
            yield edit.language, entry
        elif not isinstance(entry, int):
            label = self._kinds[name].label
            for language, texts in entry.get("variants", {}).items():
                if words := texts.get(label):
                    yield language, words

    def _keys(self, language: str, words: str) -> list[str]:
        return name_keys(dict.fromkeys((language, *self._languages)), clean_name(words))

    def _visible(self, name: str, caller: Caller) -> Clause:
        return visible_to(caller, _NOT_IN_TRASH) if self._kinds[name].has_status else EVERYTHING

    def same_named(
        self, plan: Plan, kind: Kind, edit: Edit, languages: Collection[str]
    ) -> Record | None:
        """Return the record to be used again: it has that name in one of ``languages``."""
        name = edit.changes.get("variants", {}).get(edit.language, {}).get(kind.label)
        if not kind.reused_by_name or not name:
            return None
        tags = (edit.language, *languages)
        namesake = self._first_named(plan, kind.name, name, tags, edit.caller)
        return namesake and plan.current(kind, namesake)

    def published_with(
        self, event: Record, unpublished: LinkedIds, caller: Caller
    ) -> Iterator[tuple[Kind, Record]]:
        """Yield those of the ``unpublished`` records that go public with an event that links them.

        They are drafts and pending ones still, and ``caller`` may publish them; what is private
        stays so. An event that is scheduled appears without a caller, so its links do not wait.
        """
        if event.get("status") not in (PUBLISH, FUTURE) or not caller.may(Right.PUBLISH):
            return
        for name, ids in unpublished.items():
            linked = sorted(set(ids).intersection(event[name]))
            waiting = all_of([one_of("_id", linked), one_of("status", (DRAFT, PENDING))])
            for record in self._store[name].find(waiting) if linked else ():
                if may_edit(caller, record):
                    yield self._kinds[name], record

    def _ids(
        self, plan: Plan, name: str, entries: Iterable[int | str | Record], edit: Edit
    ) -> list[int]:
        """Return ids in the order given, each once."""
        ids: dict[int, None] = {}
        for entry in entries:
            linked = self._term(plan, name, entry, edit) if isinstance(entry, str) else entry
            if not isinstance(linked, int):
                linked = self._make(plan, self._kinds[name], replace(edit, changes=linked))["_id"]
            ids[linked] = None
        return list(ids)

    def _term(self, plan: Plan, name: str, entry: str, edit: Edit) -> int | Record:
        """Return the id of a term, or the changes that create it."""
        tags = (edit.language, *self._languages)
        term = self._first_named(plan, name, entry, tags, edit.caller)
        return int(term["_id"]) if term else {"variants": {edit.language: {"name": entry}}}

    def _first_named(
        self, plan: Plan, collection: str, name: str, tags: Iterable[str], caller: Caller
    ) -> Record | None:
        """Return the first record of that name, preferably in the first language of ``tags``."""
        keys = name_keys(dict.fromkeys(tags), clean_name(name))
        records = plan.stored_namesakes(collection, keys)
        if records is None:
            namesakes = all_of([one_of("names", keys), self._visible(collection, caller)])
            stages = first_preferring("names", keys[0], namesakes)
            records = self._store[collection].aggregate(stages)
        if planned := plan.named(collection, keys):
            records.append(planned)
        return next(
            (each for each in records if keys[0] in each["names"]), next(iter(records), None)
        )


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

"""Builds the record after a change, by every rule; stores nothing."""

from functools import partial

from calendar_app.accounts.policy import Caller, Right, granted_status, may_sign_as
from calendar_app.calendar.reading.links import TAXONOMIES
from calendar_app.calendar.slugs import index_slugs, without_slugs
from calendar_app.calendar.writing.changes import Edit, Plan
from calendar_app.calendar.writing.terms import Parents, Terms
from calendar_app.content.composing import compose, computed_fields
from calendar_app.content.sanitizing import clean_html
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.moments import Now
from calendar_app.domain.statuses import PENDING, PUBLISH, TRASH, UNFINISHED, settled_status
from calendar_app.domain.zones import Site
from calendar_app.errors import NotAllowed
from calendar_app.mongo.store import Store


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
        record = compose(kind, before or self.blank(kind, caller), changes, cleaning)
        record |= _same_terms(before, changes)
        if "venues" in changes:
            record |= plan.places.place_of(record)
        if kind.settle is not None:
            record |= kind.settle(before, changes, self.site.timezone)
        self._terms.place(kind, record, changes)
        if kind.has_status and changes.get("parent"):
            record["parent"] = self._parents.of_event(record, changes["parent"])
        self._set_status(plan, kind, record, edit)
        _name(plan, kind, before, record, edit)
        return record | computed_fields(kind, before, record, changes, edit.language)

    def blank(self, kind: Kind, caller: Caller, record_id: int = 0) -> Record:
        """Return a new record that says nothing yet, with the next id unless one is given."""
        now = self.now()
        return {
            "_id": record_id or self._store.next_ids(kind.sequence, 1)[0],
            "author": caller.id,
            "published": now,
            "modified": now,
            "variants": {},
            **kind.defaults,
        }

    def _set_status(self, plan: Plan, kind: Kind, record: Record, edit: Edit) -> None:
        """Limit the status to the caller's rights, and date the publication."""
        if not kind.has_status:
            return
        before, requested = record.get("status"), edit.changes.get("status")
        status = before if before and not requested else granted_status(edit.caller, requested)
        if before == TRASH and status != TRASH:
            record.pop("status_before_trash", None)
            plan.naming.restore(kind, record)
        if not record.get("dated"):
            self._date(record, edit.changes, finished=status not in (*UNFINISHED, TRASH))
        record["status"] = settled_status(status or PUBLISH, record["published"], self.now())

    def _date(self, record: Record, changes: Record, *, finished: bool) -> None:
        """Date the publication: as it was sent, while it was a draft too, else now."""
        if "published" in changes:
            record["date_sent"] = True
        if finished:
            sent = record.pop("date_sent", False)
            record |= {"dated": True, "published": record["published"] if sent else self.now()}


def trashed(plan: Plan, kind: Kind, record: Record) -> Record:
    """Return the record as it lies in the trash, its slugs free for others."""
    variants = {tag: dict(texts) for tag, texts in record["variants"].items()}
    was = {"status": TRASH, "status_before_trash": record["status"]}
    after = {**record, **was, "variants": variants}
    plan.naming.retire(kind, after)
    return after


def _name(plan: Plan, kind: Kind, before: Record, record: Record, edit: Edit) -> None:
    """Give the slugs; who may not publish gives none, lest its number tells of hidden ones."""
    if not kind.has_status or edit.caller.may(Right.PUBLISH):
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

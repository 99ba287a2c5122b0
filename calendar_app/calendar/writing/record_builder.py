"""Builds the record after a change, by every rule; stores nothing."""

from functools import partial

from calendar_app.accounts.policy import Caller, Right, granted_status
from calendar_app.calendar.places import Places
from calendar_app.calendar.reading.links import TAXONOMIES
from calendar_app.calendar.slugs import Naming, index_slugs, without_slugs
from calendar_app.calendar.writing.parents import Parents
from calendar_app.calendar.writing.terms import Terms
from calendar_app.content.composing import compose, computed_fields
from calendar_app.content.sanitizing import clean_html
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.moments import Now
from calendar_app.domain.statuses import PENDING, PUBLISH, TRASH, UNFINISHED, settled_status
from calendar_app.domain.zones import Site
from calendar_app.mongo.store import Store


class RecordBuilder:
    """Builds records inside the current transaction; their links are ids.

    ``now`` gives the present, ``naming`` slugs, ``places`` points of venues; ``terms`` know their
    hierarchy.
    """

    def __init__(
        self,
        store: Store,
        now: Now,
        site: Site,
        *,
        naming: Naming | None = None,
        places: Places | None = None,
    ) -> None:
        self._store = store
        self.now = now
        self.site = site
        self._parents = Parents(store)
        self.terms = Terms(store, self._parents)
        self.naming = naming or Naming(store)
        self.places = places or Places(store)

    def build(  # what is changed, to what, by whom, in which language
        self,
        kind: Kind,
        before: Record,
        changes: Record,
        caller: Caller,
        language: str,
    ) -> Record:
        """Return the record after the change; ``before`` is empty for a new one."""
        trusted = caller.may(Right.UNFILTERED_HTML)
        cleaning = partial(clean_html, trusted=trusted, site=self.site.url)
        record = compose(kind, before or self.blank(kind, caller), changes, cleaning)
        record |= _same_terms(before, changes)
        if "venues" in changes:
            record |= self.places.place_of(record)
        if kind.settle is not None:
            record |= kind.settle(before, changes, self.site.timezone)
        self.terms.place(kind, record, changes)
        if kind.has_status and changes.get("parent"):
            record["parent"] = self._parents.of_event(record, changes["parent"])
        self._set_status(kind, record, changes, caller)
        self._name(kind, before, record, changes, caller)
        return record | computed_fields(kind, before, record, changes, language)

    def blank(self, kind: Kind, caller: Caller, record_id: int = 0) -> Record:
        """Return a new record that says nothing yet, with the next id unless one is given."""
        now = self.now()
        return {
            "_id": record_id or self._store.next_id(kind.sequence),
            "author": caller.id,
            "published": now,
            "modified": now,
            "variants": {},
            **kind.defaults,
        }

    def _name(
        self, kind: Kind, before: Record, record: Record, changes: Record, caller: Caller
    ) -> None:
        """Give the slugs; who may not publish gives none, lest its number tells of hidden ones."""
        if not kind.has_status or caller.may(Right.PUBLISH):
            self.naming.name(kind, record, changes)
            return
        handed_in = record["status"] == PENDING != before.get("status")
        if handed_in and not kind.slug_when_unfinished:
            record["variants"] = without_slugs(record["variants"])
        index_slugs(record)

    def _set_status(self, kind: Kind, record: Record, changes: Record, caller: Caller) -> None:
        """Limit the status to the caller's rights, and date the publication."""
        if not kind.has_status:
            return
        before, requested = record.get("status"), changes.get("status")
        status = before if before and not requested else granted_status(caller, requested)
        if before == TRASH and status != TRASH:
            record.pop("status_before_trash", None)
            self.naming.restore(kind, record)
        if not record.get("dated"):
            self._date(record, changes, finished=status not in (*UNFINISHED, TRASH))
        record["status"] = settled_status(status or PUBLISH, record["published"], self.now())

    def _date(self, record: Record, changes: Record, *, finished: bool) -> None:
        """Date the publication: as it was sent, while it was a draft too, else now."""
        if "published" in changes:
            record["date_sent"] = True
        if finished:
            sent = record.pop("date_sent", False)
            record |= {"dated": True, "published": record["published"] if sent else self.now()}


def _same_terms(before: Record, changes: Record) -> Record:
    """Return the stored order of terms that were sent in another one."""
    sent = before.keys() & changes.keys() & set(TAXONOMIES)
    return {name: before[name] for name in sent if set(before[name]) == set(changes[name])}

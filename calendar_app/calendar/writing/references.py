"""References of a record, resolved to existing or new records."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from types import MappingProxyType

from calendar_app.accounts.policy import Caller, Right, may_edit, visible_to
from calendar_app.calendar.reading.links import LINKED, TAXONOMIES
from calendar_app.content.composing import name_key
from calendar_app.content.sanitizing import clean_name
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.statuses import DRAFT, FUTURE, PENDING, PUBLISH, REGISTERED, TRASH
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import EVERYTHING, Clause, all_of, one_of

Make = Callable[[Kind, Record, Caller, str], Record]
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
    """Resolves links; ``make`` creates a record inside the transaction that runs."""

    def __init__(
        self, store: Store, kinds: Mapping[str, Kind], make: Make, languages: Collection[str]
    ) -> None:
        """Look names up in all ``languages`` of the site."""
        self._store = store
        self._languages = languages
        self._kinds = kinds
        self._make = make

    def resolve(self, changes: Record, caller: Caller, language: str) -> Record:
        """Return ``changes`` with ids in place of the records and terms that were to be made."""
        resolved = dict(changes)
        for name in LINKED:
            if name in changes:
                resolved[name] = self._ids(name, changes[name], caller, language)
        for name in TAXONOMIES:
            if name in changes:
                named_terms = [self._term(name, entry, language) for entry in changes[name]]
                resolved[name] = self._ids(name, named_terms, caller, language)
        return resolved

    def same_named(
        self,
        kind: Kind,
        changes: Record,
        caller: Caller,
        language: str,
        languages: Collection[str],
    ) -> Record | None:
        """Return the record to be used again: it has that name in one of ``languages``."""
        name = changes.get("variants", {}).get(language, {}).get(kind.label)
        if not kind.reused_by_name or not name:
            return None
        tags = dict.fromkeys([language, *languages])
        return self._first_named(kind.name, name, tags, visible_to(caller, _NOT_IN_TRASH))

    def published_with(
        self, event: Record, unpublished: LinkedIds, caller: Caller
    ) -> Iterator[tuple[Kind, int]]:
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
                    yield self._kinds[name], record["_id"]

    def _ids(
        self, name: str, entries: list[int | Record], caller: Caller, language: str
    ) -> list[int]:
        """Return ids in the order given, each once."""
        ids = [
            entry
            if isinstance(entry, int)
            else self._make(self._kinds[name], entry, caller, language)["_id"]
            for entry in entries
        ]
        return list(dict.fromkeys(ids))

    def _term(self, name: str, entry: int | str, language: str) -> int | Record:
        """Return the id of a term, or the changes that create it."""
        if isinstance(entry, int):
            return entry
        tags = dict.fromkeys([language, *self._languages])
        term = self._first_named(name, entry, tags, EVERYTHING)
        return int(term["_id"]) if term else {"variants": {language: {"name": entry}}}

    def _first_named(
        self, collection: str, name: str, tags: Iterable[str], clause: Clause
    ) -> Record | None:
        """Return the first record of that name, preferably in the first language of ``tags``."""
        first, *further_keys = (name_key(tag, clean_name(name)) for tag in tags)
        for keys in ([first], further_keys):
            namesakes = all_of([one_of("names", keys), clause])
            if keys and (
                records := self._store[collection].find(namesakes, order=[("_id", 1)], limit=1)
            ):
                return records[0]
        return None

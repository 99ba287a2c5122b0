"""Reads the history: its entries, earlier states, and what translations were made from."""

from collections.abc import Iterable, Mapping
from typing import Any

from calendar_app.calendar.history.content import SOURCES, TEXTS, with_values
from calendar_app.calendar.history.recording import HISTORY
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.translations import fingerprints, restated
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import Clause, after, all_of, equals, given
from calendar_app.query.list_query import Page, Window

_LATEST_FIRST = (("revision", -1),)
_WITHOUT_VALUES = {"before": 0}


class History:
    """The entries of one store."""

    def __init__(self, store: Store) -> None:
        self._entries = store[HISTORY]

    def page(self, kind: Kind, record_id: int, window: Window) -> Page:
        """Return a page of the entries of a record, without values, the latest first."""
        own = _of(kind, record_id)
        entries = self._entries.find(
            own, order=_LATEST_FIRST, skip=window.skip, limit=window.size, fields=_WITHOUT_VALUES
        )
        return Page(entries, window, lambda: self._entries.count(own))

    def entry(self, kind: Kind, record_id: int, revision: int) -> Record | None:
        return self._entries.first(all_of([_of(kind, record_id), equals("revision", revision)]))

    def state(self, kind: Kind, record: Record, revision: int) -> Record | None:
        """Return a record as it was at a revision; ``None`` where history does not tell.

        Its password stays the present one, and its computed fields but for the languages.
        """
        later = all_of([_of(kind, record["_id"]), after("revision", revision)])
        entries = self._entries.find(later, order=_LATEST_FIRST)
        reached = range(record["revision"], max(revision, 0), -1)
        if revision > record["revision"] or [each["revision"] for each in entries] != [*reached]:
            return None
        state = record
        for entry in entries:
            state = with_values(state, entry["changed"], entry["before"])
            state["modified"] = entry["before"].get("modified")
        if revision < 1 or state["modified"] is None:
            return None
        return state | restated(kind, state) | {"revision": revision}

    def source_texts(self, kind: Kind, record: Record, language: str) -> dict[str, Any]:
        """Return the source texts from which outdated texts of a translation were made.

        A field is left out where history does not reach that far.
        """
        source = record.get(SOURCES, {}).get(language)
        if source is None:
            return {}
        tag, then = source["language"], source["texts"]
        now = fingerprints(kind, record[TEXTS].get(tag, {}))
        changed_names = {name for name in then if then[name] != now.get(name)}
        path = f"before.{TEXTS}.{tag}"
        clause = all_of([_of(kind, record["_id"]), given(path)])
        entries = (
            self._entries.find(clause, order=_LATEST_FIRST, fields=[path]) if changed_names else []
        )
        return _texts_of(
            kind, (entry["before"][TEXTS][tag] for entry in entries), then, changed_names
        )


def _texts_of(
    kind: Kind, earlier_texts: Iterable[Record], digests: Mapping[str, str], changed_names: set[str]
) -> dict[str, Any]:
    """Return the latest earlier text of each sought field that has its digest."""
    texts: dict[str, Any] = {}
    for earlier in earlier_texts:
        candidates = {
            name: text for name, text in earlier.items() if name in changed_names - texts.keys()
        }
        for name, digest in fingerprints(kind, candidates).items():
            if digest == digests[name]:
                texts[name] = candidates[name]
    return texts


def _of(kind: Kind, record_id: int) -> Clause:
    return all_of([equals("kind", kind.name), equals("record", record_id)])

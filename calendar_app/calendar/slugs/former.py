"""Slugs that records had once: links to them still lead to the record.

One collection for all kinds, ``{_id: "events/de/old-slug", kind, record}``: whoever had a slug
last is found by it, as long as no record has it now.
"""

from collections.abc import Collection, Sequence

from calendar_app.domain.kind import Index, Kind, Record
from calendar_app.domain.statuses import TRASH
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import Clause, all_of, equals, identified, one_of

FORMER_SLUGS = "former_slugs"
FORMER_SLUG_INDEXES = (
    Index((("kind", 1), ("record", 1)), serves="forgetting the slugs of a record that is gone"),
)


class FormerSlugs:
    """Notes slugs that are given up, and finds records by them."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def note(self, kind: Kind, before: Record, after: Record) -> None:
        """Keep the slugs that a change has replaced; the trash replaces none for good."""
        if TRASH in (before.get("status"), after.get("status")):
            return
        for language, texts in before["variants"].items():
            former = texts.get("slug")
            present = after["variants"].get(language, {}).get("slug")
            if former and present and former != present:
                self._store[FORMER_SLUGS].upsert(
                    {"_id": _key(kind, language, former)},
                    {"$set": {"kind": kind.name, "record": before["_id"]}},
                )

    def find(
        self, kind: Kind, slug: str, languages: Sequence[str], readable: Clause
    ) -> tuple[Record, str] | None:
        """Return the ``readable`` record that had the slug, and its present slug."""
        keys = {_key(kind, language, slug): language for language in languages}
        entries = self._store[FORMER_SLUGS].find(one_of("_id", keys))
        for entry in sorted(entries, key=lambda each: list(keys).index(each["_id"])):
            record = self._store.of(kind).first(all_of([identified(entry["record"]), readable]))
            texts = record["variants"].get(keys[entry["_id"]], {}) if record else {}
            if record and texts.get("slug"):
                return record, texts["slug"]
        return None

    def records(self, kind: Kind, keys: Collection[str]) -> dict[str, int]:
        """Return the ids of the records that had slugs, by the keys that these have in records."""
        by_key = {_key(kind, *key.split(":", 1)): key for key in keys}
        entries = self._store[FORMER_SLUGS].find(one_of("_id", by_key))
        return {by_key[entry["_id"]]: entry["record"] for entry in entries}

    def forget(self, kind: Kind, record_ids: Collection[int]) -> None:
        """Let go of the slugs of records that are deleted for good."""
        clauses = [equals("kind", kind.name), one_of("record", record_ids)]
        self._store[FORMER_SLUGS].remove(all_of(clauses))


def _key(kind: Kind, language: str, slug: str) -> str:
    return f"{kind.name}/{language}/{slug}"

"""Slugs: given once, and remembered when they were another record's name."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from calendar_app.domain.kind import Index, Kind, Record
from calendar_app.domain.richtext import escape
from calendar_app.domain.slugs import RESERVED_SLUGS, dated_slug, numbered, slugify, trashed
from calendar_app.domain.statuses import TRASH, UNFINISHED
from calendar_app.errors import TermSlugTaken
from calendar_app.storage.mongo.store import LookUpQuery, Store
from calendar_app.storage.query.clauses import Clause, all_of, differs, equals, identified, one_of

FORMER_SLUGS = "former_slugs"
FORMER_SLUG_INDEXES = (
    Index((("kind", 1), ("record", 1)), serves="forgetting the slugs of a record that is gone"),
)


class FormerSlugs:
    """Notes slugs that are given up, and finds records by them."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def note(self, changes: Iterable[tuple[Kind, Record, Record]]) -> None:
        """Keep the slugs that changes have replaced; the trash replaces none for good."""
        former = [
            (
                equals("_id", _key(kind, *key)),
                {"$set": {"kind": kind.name, "record": before["_id"]}},
            )
            for kind, before, after in changes
            for key in _replaced(before, after)
        ]
        if former:
            self._store[FORMER_SLUGS].change_each(former, upsert=True)

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

    def hand_over(self, kind: Kind, record: Record, to_id: int) -> None:
        """Let all slugs of a record lead to another one, which takes its place."""
        own = all_of([equals("kind", kind.name), equals("record", record["_id"])])
        self._store[FORMER_SLUGS].change_all(own, {"$set": {"record": to_id}})
        update = {"$set": {"kind": kind.name, "record": to_id}}
        if keys := _present_keys(kind, record):
            entries = [(equals("_id", key), update) for key in keys]
            self._store[FORMER_SLUGS].change_each(entries, upsert=True)

    def lead_to(self, kind: Kind, record: Record, to_id: int) -> list[str]:
        """Do as ``hand_over``, and return the keys of the slugs that lead to the other one."""
        own = all_of([equals("kind", kind.name), equals("record", record["_id"])])
        former = [entry["_id"] for entry in self._store[FORMER_SLUGS].find(own, fields=["_id"])]
        self.hand_over(kind, record, to_id)
        return [*former, *_present_keys(kind, record)]

    def lead_back(self, kind: Kind, record: Record, former: Collection[str], from_id: int) -> None:
        """Let the slugs of a record lead to it again; see ``lead_to``.

        Where another record has taken one meanwhile, it is a former one of this record.
        """
        present = _present_keys(kind, record)
        led = equals("record", from_id)
        self._store[FORMER_SLUGS].remove(all_of([one_of("_id", present), led]))
        update = {"$set": {"record": record["_id"]}}
        self._store[FORMER_SLUGS].change_all(all_of([one_of("_id", [*former]), led]), update)

    def forget(self, kind: Kind, record_ids: Collection[int]) -> None:
        """Let go of the slugs of records that are deleted for good."""
        clauses = [equals("kind", kind.name), one_of("record", record_ids)]
        self._store[FORMER_SLUGS].remove(all_of(clauses))


def _replaced(before: Record, after: Record) -> Iterator[tuple[str, str]]:
    """Yield the slugs that a change has replaced, each behind its language."""
    if TRASH in (before.get("status"), after.get("status")):
        return
    for language, texts in before["variants"].items():
        former = texts.get("slug")
        present = after["variants"].get(language, {}).get("slug")
        if former and present and former != present:
            yield language, former


def _present_keys(kind: Kind, record: Record) -> list[str]:
    slugs = {tag: texts.get("slug") for tag, texts in record["variants"].items()}
    return [_key(kind, tag, slug) for tag, slug in slugs.items() if slug]


def _key(kind: Kind, language: str, slug: str) -> str:
    return f"{kind.name}/{language}/{slug}"


# Slugs: every record has one of its own in each of its languages.
#
# A slug is unique per kind and language. ``slugs`` holds them as ``language:slug``, so that one
# index answers by-slug questions in every language and keeps them unique.

_FIRST_PROBE = 8
# No name of a record: nothing, and the mark of nothing in the trash.
_NO_SLUGS = (None, "", trashed(""))
# Events and series have the same addresses.
_TOGETHER: Mapping[str, tuple[str, ...]] = MappingProxyType(
    dict.fromkeys(("events", "series"), ("events", "series"))
)
_Owner = tuple[tuple[str, ...], str]  # the collections that share a slug, and its key


def is_reserved_slug(kind: Kind, slug: str) -> bool:
    """Return whether no record may have the slug; terms have addresses of another form."""
    return kind.has_status and slug in RESERVED_SLUGS


def slug_key(language: str, slug: str) -> str:
    return f"{language}:{slug}"


def likely_slugs(kind: Kind, changes: Record) -> list[str]:
    """Return the slugs that a record with these changes will probably ask for, as ``slug_key``."""
    variants: Mapping[str, Mapping[str, Any]] = changes.get("variants", {})
    slugs = {
        tag: slugify(texts.get("slug") or texts.get(kind.label) or "")
        for tag, texts in variants.items()
    }
    return [slug_key(tag, slug) for tag, slug in slugs.items() if slug]


class WantedSlug(NamedTuple):
    """A slug in a language, either requested or made from the name."""

    language: str
    slug: str
    is_requested: bool

    @property
    def key(self) -> str:
        return slug_key(self.language, self.slug)


class SlugNaming:
    """Gives the records of one plan their slugs: none of them gets that of another."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._looked_up: set[_Owner] = set()
        # The records that have the slugs which were looked up, or given here.
        self._owners: dict[_Owner, int] = {}

    def questions(self, kind: Kind, keys: Collection[str]) -> list[LookUpQuery]:
        """Return the questions for the records that have slugs, each a ``slug_key``, once each."""
        collections = _sharing(kind)
        slugs = [key for key in keys if (collections, key) not in self._looked_up]
        return [(name, one_of("slugs", slugs), ("slugs",)) for name in collections if slugs]

    def expect(self, kind: Kind, keys: Collection[str], owners: Iterable[Record]) -> None:
        """Note the slugs that records ask for, and the ``owners`` that have them."""
        self._looked_up |= {(_sharing(kind), key) for key in keys}
        for record in owners:
            self._own(kind, record)

    def is_taken(self, kind: Kind, record: Record, key: str) -> bool:
        """Return whether another record has a slug that was looked up or given here."""
        record_id: int = record["_id"]
        return self._owners.get((_sharing(kind), key), record_id) != record_id

    def name(self, kind: Kind, record: Record, wanted: Iterable[WantedSlug]) -> None:
        """Give ``record`` the slugs that are ``wanted``, or others where they are taken."""
        for language, slug, is_requested in wanted:
            if is_requested:
                self._request(kind, record, language, slug)
            else:
                texts = record["variants"][language]
                texts["slug"] = self._free(kind, record, language, slug)
        self._give(kind, record)

    def wanted(self, kind: Kind, record: Record, changes: Record) -> Iterator[WantedSlug]:
        """Yield the slugs that a change asks for, and those for texts that lack one."""
        finished = kind.slug_when_unfinished or record["status"] not in UNFINISHED
        for language, texts in record["variants"].items():
            sent = changes.get("variants", {}).get(language, {}).get("slug")
            if requested := slugify(sent) if sent else "":
                yield WantedSlug(language, requested, is_requested=True)
            elif finished and not texts.get("slug") and texts.get(kind.label):
                slug = self._default(kind, record, texts)
                yield WantedSlug(language, slug, is_requested=False)

    def retire(self, kind: Kind, record: Record) -> None:
        """Free the slugs of a record that goes to the trash; it keeps a mark of them."""
        slugs = {tag: texts.get("slug", "") for tag, texts in record["variants"].items()}
        record["slugs_before_trash"] = {tag: slug for tag, slug in slugs.items() if slug}
        for language, slug in slugs.items():
            mark = trashed(slug)
            # That of no slug is every such record's, lest a number tells how many there are.
            free = self._free(kind, record, language, mark) if slug else mark
            record["variants"][language]["slug"] = free
        self._give(kind, record)

    def restore(self, kind: Kind, record: Record) -> None:
        """Give back the slugs from before the trash, with a suffix where one was taken."""
        before = record.pop("slugs_before_trash", {})
        for language, texts in record["variants"].items():
            texts.pop("slug", None)
            if language in before:
                texts["slug"] = self._free(kind, record, language, before[language])
        self._give(kind, record)

    def _give(self, kind: Kind, record: Record) -> None:
        """Note the slugs of a record, and drop its former ones."""
        index_slugs(record)
        if record.get("revision"):
            owners = self._owners.items()
            self._owners = {key: owner for key, owner in owners if owner != record["_id"]}
        self._own(kind, record)

    def _own(self, kind: Kind, record: Record) -> None:
        keys = ((_sharing(kind), key) for key in record.get("slugs", ()))
        self._owners |= dict.fromkeys(keys, record["_id"])

    def _request(self, kind: Kind, record: Record, language: str, slug: str) -> None:
        if slug == record["variants"][language].get("slug"):
            return
        free = self._free(kind, record, language, slug)
        if not kind.has_status and free != slug and record.get("revision"):
            raise TermSlugTaken
        record["variants"][language]["slug"] = free

    def _default(self, kind: Kind, record: Record, texts: Record) -> str:
        """Return the slug made from the name, or the id where a name gives none.

        That of an occurrence has its date behind.
        """
        slug = slugify(escape(texts[kind.label])) or str(record["_id"])
        return f"{slug}/{record['date_slug']}" if "date_slug" in record else slug

    def _free(self, kind: Kind, record: Record, language: str, slug: str) -> str:
        for batch in _candidates(slug, self._slug_above(kind, record, language)):
            keys = [slug_key(language, candidate) for candidate in batch]
            in_use = self._slugs_in_use(kind, record, keys)
            for candidate, key in zip(batch, keys, strict=True):
                if key not in in_use and not is_reserved_slug(kind, candidate):
                    return candidate
        raise AssertionError  # the batches never end

    def _slugs_in_use(self, kind: Kind, record: Record, keys: Collection[str]) -> set[str]:
        """Return those of ``keys`` that other records have, or show."""
        collections = _sharing(kind)
        taken_keys = {key for key in keys if self.is_taken(kind, record, key)}
        keys = [
            key
            for key in keys
            if key not in taken_keys
            and ((collections, key) not in self._looked_up or dated_slug(key))
        ]
        return taken_keys | self._stored_slugs(collections, record, keys) if keys else taken_keys

    def _stored_slugs(
        self, collections: Collection[str], record: Record, keys: Collection[str]
    ) -> set[str]:
        dated = {key: date_key for key in keys if (date_key := dated_slug(key))}
        slugs = one_of("slugs", [*keys, *dated.values()])
        clause = all_of([slugs, differs("_id", record["_id"])])
        owners = self._store.find_each([(name, clause, ("slugs",)) for name in collections])
        in_use = {key for records in owners for each in records for key in each["slugs"]}
        return in_use | {key for key, date_key in dated.items() if date_key in in_use}

    def _slug_above(self, kind: Kind, record: Record, language: str) -> str:
        """Return the slug of the parent of a new category."""
        if kind.has_status or not record.get("parent") or record.get("revision"):
            return ""
        parent = self._store.of(kind).first({"_id": record["parent"]}, ["variants"]) or {}
        slug: str = parent.get("variants", {}).get(language, {}).get("slug", "")
        return slug


def _sharing(kind: Kind) -> tuple[str, ...]:
    return _TOGETHER.get(kind.name, (kind.name,))


def without_slugs(texts: Mapping[str, Mapping[str, Any]]) -> dict[str, Record]:
    """Return the texts of every language but for the slugs."""
    return {
        language: {name: text for name, text in language_texts.items() if name != "slug"}
        for language, language_texts in texts.items()
    }


def index_slugs(record: Record) -> None:
    """Update ``slugs`` from the variants; a record without slugs lacks the field."""
    slugs = [
        slug_key(language, texts["slug"])
        for language, texts in record["variants"].items()
        if texts.get("slug") not in _NO_SLUGS
    ]
    record.pop("slugs", None)
    if slugs:
        record["slugs"] = slugs


def _candidates(slug: str, above: str) -> Iterator[list[str]]:
    """Yield the slug itself, with its parent's behind, then ever larger batches with a number."""
    yield [slug, *([f"{slug}-{above}"] if above else [])]
    first, size = 2, _FIRST_PROBE
    while True:
        yield [numbered(slug, number) for number in range(first, first + size)]
        first, size = first + size, size * 2

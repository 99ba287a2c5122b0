"""Slugs: every record has one of its own in each of its languages.

A slug is unique per kind and language. ``slugs`` holds them as ``language:slug``, so that one
index answers by-slug questions in every language and keeps them unique.
"""

from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.richtext import escape
from calendar_app.domain.slugs import RESERVED_SLUGS, dated_slug, numbered, slugify, trashed
from calendar_app.domain.statuses import UNFINISHED
from calendar_app.errors import TermSlugTaken
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import all_of, differs, one_of

_FIRST_PROBE = 8
# No name of a record: nothing, and the mark of nothing in the trash.
_NO_SLUGS = (None, "", trashed(""))
# Events and series have the same addresses.
_TOGETHER: Mapping[str, tuple[str, ...]] = MappingProxyType(
    dict.fromkeys(("events", "series"), ("events", "series"))
)


def is_reserved_slug(kind: Kind, slug: str) -> bool:
    """Return whether no record may have the slug; terms have addresses of another form."""
    return kind.has_status and slug in RESERVED_SLUGS


def slug_key(language: str, slug: str) -> str:
    return f"{language}:{slug}"


class Naming:
    """Gives records their slugs."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def name(self, kind: Kind, record: Record, changes: Record) -> None:
        """Give ``record`` the slugs that were asked for, and those it still lacks."""
        finished = kind.slug_when_unfinished or record["status"] not in UNFINISHED
        for language, texts in record["variants"].items():
            requested = slugify(changes.get("variants", {}).get(language, {}).get("slug") or "")
            if requested:
                self._request(kind, record, language, requested)
            elif finished and not texts.get("slug") and texts.get(kind.label):
                texts["slug"] = self._free(
                    kind, record, language, self._default(kind, record, texts)
                )
        index_slugs(record)

    def retire(self, kind: Kind, record: Record) -> None:
        """Free the slugs of a record that goes to the trash; it keeps a mark of them."""
        slugs = {tag: texts.get("slug", "") for tag, texts in record["variants"].items()}
        record["slugs_before_trash"] = {tag: slug for tag, slug in slugs.items() if slug}
        for language, slug in slugs.items():
            mark = trashed(slug)
            # That of no slug is every such record's, lest a number tells how many there are.
            free = self._free(kind, record, language, mark) if slug else mark
            record["variants"][language]["slug"] = free
        index_slugs(record)

    def restore(self, kind: Kind, record: Record) -> None:
        """Give back the slugs from before the trash, with a suffix where one was taken."""
        before = record.pop("slugs_before_trash", {})
        for language, texts in record["variants"].items():
            texts.pop("slug", None)
            if language in before:
                texts["slug"] = self._free(kind, record, language, before[language])
        index_slugs(record)

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
        dated = {key: date_key for key in keys if (date_key := dated_slug(key))}
        slugs = one_of("slugs", [*keys, *dated.values()])
        clause = all_of([slugs, differs("_id", record["_id"])])
        in_use = {
            key
            for name in _TOGETHER.get(kind.name, (kind.name,))
            for each in self._store[name].find(clause, fields=["slugs"])
            for key in each["slugs"]
        }
        return in_use | {key for key, date_key in dated.items() if date_key in in_use}

    def _slug_above(self, kind: Kind, record: Record, language: str) -> str:
        """Return the slug of the parent of a new category."""
        if kind.has_status or not record.get("parent") or record.get("revision"):
            return ""
        parent = self._store.of(kind).first({"_id": record["parent"]}, ["variants"]) or {}
        slug: str = parent.get("variants", {}).get(language, {}).get("slug", "")
        return slug


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

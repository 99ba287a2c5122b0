"""What counts of the records of a site, to find those to which their texts belong."""

from collections.abc import Sequence
from dataclasses import dataclass

from calendar_app.domain.kind import Kind
from calendar_app.imports.tec.likeness import UNLIKE, Likeness, likeness_told, names_in
from calendar_app.imports.tec.links import embedded, told_of
from calendar_app.imports.tec.pages import Pages
from calendar_app.imports.tec.records import source_of
from calendar_app.imports.tec.translations import (
    group_told,
    has_all_languages,
    is_in_another,
    is_shown_in_another,
    translations_told,
)
from calendar_app.imports.tec.values import Raw
from calendar_app.resources.kinds import BY_NAME, EVENT, KINDS


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRecord:
    """Links to translations, what it is recognised by, and sources of what an event points to.

    One that ``has_all_languages`` is no translation of another record. ``words`` are its name and
    its slug.
    """

    translations: frozenset[int]
    group: str
    likeness: Likeness
    has_all_languages: bool
    words: frozenset[str]
    venues: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()


class SourceScanner:
    """All that a site tells in one language; ``languages`` are those of this calendar."""

    def __init__(self, language: str, languages: Sequence[str], site_timezone: str) -> None:
        self._language = language
        self._languages = languages
        self._site_timezone = site_timezone
        self._told: dict[str, dict[str, SourceRecord]] = {kind.name: {} for kind in KINDS}

    def read(self, pages: Pages) -> dict[str, dict[str, SourceRecord]]:
        """Return by kind and source what the lists tell, and what only events tell of."""
        # Events come last: what the lists tell of others is told there in full.
        for kind in sorted(KINDS, key=lambda kind: kind is EVENT):
            for raw in pages.records(kind.name):
                self._read(kind, raw)
        return self._told

    def _read(self, kind: Kind, raw: Raw) -> None:
        try:
            source = source_of(kind.name, raw)
        except ValueError:
            return
        if is_shown_in_another(raw) or is_in_another(raw, self._language, self._languages):
            return
        self._told[kind.name].setdefault(source, self._reading(kind, raw))
        if kind is EVENT:
            for name, members in embedded([raw]).items():
                for member in members.values():
                    self._read(BY_NAME[name], member)

    def _reading(self, kind: Kind, raw: Raw) -> SourceRecord:
        return SourceRecord(
            translations=translations_told(raw, self._language, self._languages),
            group=group_told(raw),
            likeness=self._likeness(kind, raw),
            has_all_languages=has_all_languages(raw),
            words=names_in(kind, raw),
            venues=tuple(told_of(raw, "venue")) if kind is EVENT else (),
            terms=(*told_of(raw, "categories"), *told_of(raw, "tags")) if kind is EVENT else (),
        )

    def _likeness(self, kind: Kind, raw: Raw) -> Likeness:
        try:
            return likeness_told(kind, raw, self._site_timezone)
        except ValueError:
            return UNLIKE

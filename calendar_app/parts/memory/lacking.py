"""Gaps in translations: records without some texts in a language, and the length of these."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from calendar_app.calendar.translation import Text
from calendar_app.domain.kind import Kind, Markup, Record
from calendar_app.domain.moments import Now
from calendar_app.domain.statuses import FUTURE, PUBLISH
from calendar_app.domain.translations import OUTDATED, outdated_fields, source_language
from calendar_app.parts.memory.waiting import Target, WaitingProposals, digest
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import (
    Clause,
    after,
    all_of,
    any_of,
    at_least,
    at_most,
    equals,
    given,
    missing,
    not_after,
    one_of,
    overridden_in,
)

_FORMATS = (Markup.NAME, Markup.TERM, Markup.HTML, Markup.INLINE, Markup.LINE, Markup.NOTE)
_HTML = (Markup.HTML, Markup.INLINE)
# What tells of a record which texts it lacks.
_FIELDS = ("variants", "origin", "sources", "standing", "revision", "series", "overrides")
_BATCH = 200


@dataclass(frozen=True, slots=True)
class GapScope:
    """The gaps to list: into which languages, of which records.

    Into ``languages``; of events within so many ``days``, 0 for all to come; with ``others`` also
    of places, people, terms and pictures; with ``outdated`` also where the source has changed.
    """

    languages: Sequence[str]
    days: int = 0
    others: bool = False
    outdated: bool = False


@dataclass(frozen=True, slots=True)
class Amount:
    """The number of missing texts, and the length of their sources."""

    texts: int = 0
    characters: int = 0


@dataclass(frozen=True, slots=True)
class Gap:
    """A record that lacks ``texts`` in a language; they are given in their ``source``."""

    kind: Kind
    record: Record
    language: str
    source: str
    texts: Mapping[str, Text]

    @property
    def target(self) -> Target:
        return Target(self.kind, self.record["_id"], self.language)


class Gaps:
    """Finds missing texts in records of ``kinds``; ``events`` and ``series`` have dates."""

    def __init__(
        self, store: Store, kinds: Sequence[Kind], waiting: WaitingProposals, now: Now
    ) -> None:
        self._store = store
        self._events, self._series, *self._others = kinds
        self._waiting = waiting
        self._now = now

    def each(self, scope: GapScope) -> Iterator[Gap]:
        """Yield each record that lacks texts which nobody has proposed yet."""
        for language in scope.languages:
            for kind, clause in self._lists(scope, language):
                yield from self._of_kind(kind, clause, language, scope)

    def amount(self, scope: GapScope) -> Amount:
        """Return how much lacks."""
        lengths = [len(text.words) for gap in self.each(scope) for text in gap.texts.values()]
        return Amount(len(lengths), sum(lengths))

    def present(self, gap: Gap) -> Record | None:
        """Return the current record of a gap; ``None`` after its removal."""
        return self._store.of(gap.kind).first(equals("_id", gap.record["_id"]))

    def _of_kind(self, kind: Kind, clause: Clause, language: str, scope: GapScope) -> Iterator[Gap]:
        last = 0
        while True:
            part = all_of([clause, after("_id", last)])
            records = self._store.of(kind).find(
                part, order=[("_id", 1)], limit=_BATCH, fields=_FIELDS
            )
            targets = [Target(kind, record["_id"], language) for record in records]
            proposed = self._waiting.of_many(targets)
            for record in records:
                if gap := _gap(kind, record, language, scope, proposed):
                    yield gap
            if len(records) < _BATCH:
                return
            last = records[-1]["_id"]

    def _lists(self, scope: GapScope, language: str) -> Iterator[tuple[Kind, Clause]]:
        waits = _waits(language, scope)
        dated = self._dated(scope)
        with_own_texts = any_of([not_after("series", 0), overridden_in(language)])
        yield self._events, all_of([waits, dated, with_own_texts])
        repeated = all_of([dated, at_least("series", 1)])
        dates = self._store.of(self._events).find(repeated, fields=["series"])
        series = {each["series"] for each in dates}
        if series:
            yield self._series, all_of([waits, one_of("_id", sorted(series))])
        for kind in self._others if scope.others else ():
            is_public = one_of("status", (PUBLISH, FUTURE)) if kind.has_status else given("origin")
            yield kind, all_of([waits, is_public])

    def _dated(self, scope: GapScope) -> Clause:
        """Match events that are public, or will be, and not over."""
        now = self._now()
        ahead = [at_most("start_local", now + timedelta(days=scope.days))] if scope.days else []
        public = one_of("status", (PUBLISH, FUTURE))
        return all_of([public, at_least("end_local", now), *ahead])


def _waits(language: str, scope: GapScope) -> Clause:
    path = f"standing.{language}"
    changed = [equals(path, OUTDATED)] if scope.outdated else []
    return any_of([missing(path), *changed])


def _gap(
    kind: Kind,
    record: Record,
    language: str,
    scope: GapScope,
    proposed: Mapping[int, Mapping[str, str]],
) -> Gap | None:
    source = source_language(record, language)
    texts = lacking_texts(kind, record, language, outdated=scope.outdated)
    of_record = proposed.get(record["_id"], {})
    missing = {
        name: text for name, text in texts.items() if of_record.get(name) != digest(text.words)
    }
    return Gap(kind, record, language, source, missing) if source and missing else None


def lacking_texts(kind: Kind, record: Record, language: str, *, outdated: bool) -> dict[str, Text]:
    """Return the texts of the source that a machine may translate, by field."""
    source = source_language(record, language)
    variants = record["variants"]
    source_texts, target_texts = variants.get(source or "", {}), variants.get(language, {})
    changed = set(outdated_fields(kind, record, language)) if outdated else set()
    return {
        name: Text(source_texts[name], markup in _HTML)
        for name, markup in kind.texts.items()
        if markup in _FORMATS
        and not is_proper(kind, markup)
        and source_texts.get(name)
        and (name in changed or not target_texts.get(name))
    }


def is_proper(kind: Kind, markup: Markup) -> bool:
    """Return whether a text is a name or an address, which a machine would take literally."""
    return kind.reused_by_name and markup not in _HTML

"""Which records here the texts of a site's second language belong to.

Links that a plug-in tells come first, then the file of somebody who knows, then what the
languages share. Nothing is guessed: what fits no record, or several, is left for a person.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from calendar_app.domain.kind import Kind
from calendar_app.imports.tec.likeness import Likeness
from calendar_app.imports.tec.matches import Matches
from calendar_app.imports.tec.plan import How, Plan
from calendar_app.imports.tec.records import number_of, site_of
from calendar_app.imports.tec.scanner import SourceRecord
from calendar_app.imports.tec.stored import StoredRecords


class Joining:
    """Plans for one kind of record at a time, from what ``stored`` holds of it."""

    def __init__(self, kind: Kind, stored: StoredRecords, plan: Plan) -> None:
        self._kind = kind
        self._stored = stored
        self._plan = plan
        self._taken: set[int] = set()

    def join_known(self, told: Mapping[str, SourceRecord]) -> dict[str, SourceRecord]:
        """Find again what came from the same sources; return what did not."""
        known = {source: self._stored.sources.get(source, 0) for source in told}
        for source in [source for source, record_id in known.items() if record_id]:
            self._plan.ids[source] = known[source]
            self._taken.add(known[source])
        unknown = {source: one for source, one in told.items() if not known[source]}
        return unknown if self._kind.has_status else self._without_shared(unknown)

    def join_claimed(
        self, told: Mapping[str, SourceRecord], matches: Matches
    ) -> dict[str, SourceRecord]:
        """Join what links or ``matches`` tell; return that of which they tell nothing."""
        claims = {source: self._claim(source, one, matches) for source, one in told.items()}
        said = {source: claim for source, claim in claims.items() if claim is not None}
        claimed = Counter(one for _, ids in said.values() for one in ids)
        for source, (how, ids) in said.items():
            self._settle(source, how, ids, claimed, self._objection(ids))
        return {source: one for source, one in told.items() if source not in said}

    def join_alike(self, likenesses: Mapping[str, Likeness]) -> None:
        """Join what is like one record here that nothing else is like; the rest is left."""
        found = {source: self._stored.like(one, self._taken) for source, one in likenesses.items()}
        liked = Counter(one for ids in found.values() for one in ids)
        for source, ids in found.items():
            objection = "" if ids else "Nothing here is like it."
            if len(ids) > 1:
                objection = f"It is like several records here, {_listed(ids)}."
            self._settle(source, How.LIKENESS, ids, liked, objection)

    def _without_shared(self, told: Mapping[str, SourceRecord]) -> dict[str, SourceRecord]:
        """Join the terms that a site has in both languages, with the language in its path."""
        found = {source: self._stored.at_host(source, one.words) for source, one in told.items()}
        for source, record_id in found.items():
            if record_id and record_id not in self._taken:
                self._plan.join(source, record_id, How.LIKENESS)
                self._taken.add(record_id)
        return {source: one for source, one in told.items() if source not in self._plan.ids}

    def _claim(
        self, source: str, told: SourceRecord, matches: Matches
    ) -> tuple[How, Collection[int]] | None:
        """Return what a record is said to belong to, and by whom; ``None`` where nobody says."""
        site = site_of(source)
        linked = self._stored.called(told.translations, site)
        linked |= self._stored.called([told.group] if told.group else [], site)
        first = matches.first_of(self._kind, number_of(source))
        if linked or (told.translations and first is None):
            return How.LINKS, linked
        if first is None:
            return None
        own = {first} if first in self._stored else set()
        return How.FILE, self._stored.called([first], site) or own

    def _objection(self, ids: Collection[int]) -> str:
        """Say why nothing can join these; nothing where it can."""
        if not ids:
            return "The record that it belongs to is not here."
        if len(ids) > 1:
            return f"It belongs to several records here, {_listed(ids)}."
        (record_id,) = ids
        stored = self._stored[record_id]
        if stored.in_trash:
            return f"The record that it belongs to, {record_id}, lies in the trash."
        if stored.text_from:
            return f"The record that it belongs to, {record_id}, has the text of another one."
        return ""

    def _settle(
        self,
        source: str,
        how: How,
        ids: Collection[int],
        wanted: Mapping[int, int],
        objection: str,
    ) -> None:
        if not objection and any(wanted[one] > 1 for one in ids):
            objection = f"Several records of the site belong to {_listed(ids)}."
        if objection:
            self._plan.left[source] = objection
        else:
            (record_id,) = ids
            self._plan.join(source, record_id, how)
            self._taken.add(record_id)


def _listed(ids: Iterable[int]) -> str:
    return ", ".join(map(str, sorted(ids)))

"""The decisions of keepers: the doubles of its events."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from calendar_app.accounts.callers import SOURCE_ROLE, Caller
from calendar_app.accounts.policy import (
    manages_sources,
    may_edit,
    readable_by,
    require_possible_keeper,
    without_sources,
)
from calendar_app.domain.kind import Kind
from calendar_app.errors import NotAllowed, NotOnBothSides
from calendar_app.sources.doubles import Doubles, Scope
from calendar_app.sources.provenance import Provenance
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import any_of, one_of


@dataclass(frozen=True, slots=True)
class Deciders:
    """Finds the pairs that a user may decide; ``kinds`` are those of events and of series.

    A decision of a keeper is written with the rights of a source: it publishes what waits for it.
    """

    store: Store
    kinds: tuple[Kind, Kind]
    doubles: Doubles
    provenance: Provenance

    def scope(self, caller: Caller) -> Scope | None:
        """Return the pairs of a keeper; ``None`` for all of them.

        Raises ``NotAllowed`` for those who keep no source.
        """
        if manages_sources(caller):
            return None
        ids = self._kept(caller)
        own = self.provenance.events_of(*ids)
        return Scope(ids, any_of([own, readable_by(caller)]))

    def of_pair(self, first: int, second: int, caller: Caller) -> Caller:
        """Return who decides on a pair; raise ``NotAllowed``, whether there is one or not."""
        scope = self.scope(caller)
        if scope is None:
            return caller
        if not self.doubles.concerns(first, second, scope):
            raise NotAllowed
        return replace(caller, role=SOURCE_ROLE)

    def of_both(self, first: int, second: int, caller: Caller) -> Caller:
        """Return who decides on a pair and changes both; raise ``NotOnBothSides`` besides."""
        decider = self.of_pair(first, second, caller)
        if decider is not caller:
            kept = set(self._kept(caller))
            events = list(self.store.of(self.kinds[0]).find(one_of("_id", (first, second))))
            sources = self.provenance.of_events({e["_id"]: e.get("series", 0) for e in events})
            for event in events:
                own = sources[event["_id"]].keys()
                is_kept = own and own <= kept
                if not (is_kept or may_edit(without_sources(caller), event)):
                    raise NotOnBothSides
        return decider

    def of_union(self, first: int, second: int, caller: Caller) -> Caller:
        """Return who makes two events of one: who might unite them.

        Raises ``NotAllowed``, or ``NotOnBothSides`` where sources of the event are not kept.
        """
        if manages_sources(caller):
            return caller
        kept = set(self._kept(caller))
        events = list(self.store.of(self.kinds[0]).find(one_of("_id", (first, second))))
        sources = self.provenance.of_events({e["_id"]: e.get("series", 0) for e in events})
        own = {source for event in events for source in sources[event["_id"]]}
        if not own & kept:
            raise NotAllowed
        if not own <= kept:
            raise NotOnBothSides
        return replace(caller, role=SOURCE_ROLE)

    def _kept(self, caller: Caller) -> Sequence[int]:
        """Return the ids of the sources that a user keeps; raise ``NotAllowed`` without any."""
        require_possible_keeper(caller)
        if not caller.kept_sources:
            raise NotAllowed
        return caller.kept_sources

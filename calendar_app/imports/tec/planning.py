"""Plans the import of a site's second language, before anything of it is written."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from calendar_app.calendar.bulk.editor import BulkEditor
from calendar_app.domain.kind import Kind, Record
from calendar_app.imports.tec.joining import Joining
from calendar_app.imports.tec.likeness import UNLIKE, Likeness, at_venues, with_events
from calendar_app.imports.tec.matches import Matches
from calendar_app.imports.tec.plan import Plan
from calendar_app.imports.tec.scanner import SourceRecord
from calendar_app.imports.tec.stored import StoredRecords
from calendar_app.resources.kinds import CATEGORY, EVENT, ORGANIZER, TAG, VENUE

# Events are recognised by their venues, terms by their events.
_ORDER = (VENUE, ORGANIZER, EVENT, CATEGORY, TAG)

Site = Mapping[str, Mapping[str, SourceRecord]]


class Planning:
    """Joins what ``told`` says by kind and source to the records that ``bulk`` knows."""

    def __init__(
        self,
        editor: BulkEditor,
        language: str,
        matches: Matches,
        told: Site,
        pictures: Mapping[int, str],
    ) -> None:
        """Plan; ``pictures`` says where those came from that were brought here, by id."""
        self._editor = editor
        self._pictures = pictures
        self._language = language
        self._matches = matches
        self._told = told
        self._plan = Plan(second=True)
        self._having: dict[str, set[int]] = defaultdict(set)
        self._having_here: dict[str, dict[int, set[int]]] = {}

    def run(self) -> Plan:
        for kind in _ORDER:
            self._join(kind)
        return self._plan

    def _join(self, kind: Kind) -> None:
        stored = StoredRecords(kind, self._stored(kind), self._language)
        here = self._having_here.get(kind.name, {})
        stored.mark({term: with_events(events) for term, events in here.items()})
        joining = Joining(kind, stored, self._plan)
        unknown = joining.join_known(self._told[kind.name])
        unclaimed = joining.join_claimed(unknown, self._matches)
        joining.join_alike(
            {
                source: self._likeness(source, one)
                for source, one in unclaimed.items()
                if not one.has_all_languages
            }
        )
        if kind is EVENT:
            self._note_terms(stored)

    def _stored(self, kind: Kind) -> Iterator[Record]:
        """Yield every record of a kind; pictures that were brought are as their site tells them."""
        for record in self._editor.stored(kind):
            source = self._pictures.get(record.get("image", 0))
            yield {**record, "image": source} if source else record

    def _likeness(self, source: str, told: SourceRecord) -> Likeness:
        if source in self._having:
            return with_events(self._having[source])
        if not source.startswith(f"{EVENT.name}/"):
            return told.likeness
        if any(venue not in self._plan.ids for venue in told.venues):
            return UNLIKE
        return at_venues(told.likeness, (self._plan.ids[venue] for venue in told.venues))

    def _note_terms(self, stored: StoredRecords) -> None:
        """Note which terms the joined events have, there and here."""
        here = self._having_here = {kind.name: defaultdict(set) for kind in (CATEGORY, TAG)}
        for source, told in self._told[EVENT.name].items():
            event = self._plan.ids.get(source)
            if event is None:
                continue
            for there in told.terms:
                self._having[there].add(event)
            for name, terms in stored[event].terms.items():
                for term in terms:
                    here[name][term].add(event)

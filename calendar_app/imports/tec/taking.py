"""Takes what was read of a site into the calendar, batch by batch."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial

from calendar_app.access.caller import Caller
from calendar_app.catalogue.bulk.batches import Bulk
from calendar_app.catalogue.bulk.conveying import Conveyor
from calendar_app.catalogue.bulk.foreign import Foreign, Outcome, Taken
from calendar_app.domain.kind import Kind
from calendar_app.imports.tec.hierarchy import by_level
from calendar_app.imports.tec.links import Links, embedded
from calendar_app.imports.tec.pages import records_on
from calendar_app.imports.tec.plan import Plan
from calendar_app.imports.tec.reading import Batch, Read, RecordReader
from calendar_app.imports.tec.report import Report
from calendar_app.imports.tec.values import Raw
from calendar_app.imports.tec.waiting import WaitingForSlugs
from calendar_app.resources.kinds import CATEGORY, EVENT, ORGANIZER, TAG, VENUE

# Who signs for what has no author: the operator, who may do everything.
OPERATOR = Caller(id=1, name="import", role="administrator")
# In this order no record points to a later one.
ORDER = (CATEGORY, TAG, VENUE, ORGANIZER, EVENT)
# Characters of text that are stored at once: some hundred events. With all their words in an index,
# more would not fit into what a small cache of MongoDB has for one transaction.
AT_ONCE, MOST_AT_ONCE = 150_000, 750_000
# What a record weighs beside its texts.
_BARE = 500


class Taking:
    """Takes records in as the ``plan`` has it, or all of them in spite of it.

    ``again`` says that something has come before.
    """

    def __init__(  # noqa: PLR0913  # what is taken in, how, and what is told of it
        self,
        bulk: Bulk,
        reader: RecordReader,
        plan: Plan,
        report: Report,
        *,
        create_missing: bool,
        again: bool,
        at_once: int,
    ) -> None:
        self._bulk = bulk
        self._conveyor = Conveyor(bulk, OPERATOR, reader.language)
        self._reader = reader
        self._plan = plan
        self._report = report
        self._waiting = WaitingForSlugs(bulk, report, reader.language)
        self._create_missing = create_missing
        self._at_once = at_once
        # What is not to be judged again where events tell of it: what was refused, left or passed
        # over, or has joined a record.
        self._settled: set[str] = set()
        # What was not here though other records of the site were: it may have been deleted here, or
        # have no name in the language that came before.
        self._restored: set[str] = set()
        self._again = again
        self.makes = True  # records, for the most part, and does not find them there already

    def ahead(self) -> AbstractContextManager[None]:
        """Make events ahead in the block, while others are being stored."""
        return self._conveyor.ahead()

    def take(self, kind: Kind, batch: Batch, lines: Sequence[bytes]) -> None:
        """Take in what was read on some pages, of which these are the ``lines``."""
        self._report.pass_over(len(batch.passed_over))
        for name, reason in batch.nameless:
            self._tell(self._report.refuse, kind.name, name, reason)
        if kind is EVENT:
            for some in _some(batch.records, self._at_once):
                self._take_events(some, lines)
        else:
            self._store_in_order(kind, batch.records)

    def settle(self) -> None:
        """Give the slugs that only became free after they were asked for, once all is taken in."""
        for kind in ORDER:
            self._waiting.settle(kind, OPERATOR)

    def _take_events(self, events: Sequence[Read], lines: Sequence[bytes]) -> None:
        links = _links(EVENT, events)
        pointed_to = links.sources()
        new = {kind.name: self._unknown(kind, pointed_to, links) for kind in ORDER[:-1]}
        if any(new.values()):
            self._take_embedded(new, self._told_on(lines))
        self._store(EVENT, events, links)

    def _unknown(self, kind: Kind, pointed_to: Mapping[str, set[str]], links: Links) -> list[str]:
        """Return what events point to that is not here; let the links know what is."""
        sources = pointed_to[kind.name]
        known = self._bulk.ids_of(kind, sorted(sources)) if sources else {}
        links.know(known)
        return sorted(sources - known.keys() - self._settled)

    def _told_on(self, lines: Sequence[bytes]) -> dict[str, dict[str, Raw]]:
        """Return by collection and source what the events on some pages tell of."""
        told = (raw for line in lines for raw in records_on(line, EVENT.name))
        return embedded(raw for raw in told if isinstance(raw, dict) and self._reader.reads(raw))

    def _take_embedded(
        self, new: Mapping[str, Sequence[str]], told: Mapping[str, Mapping[str, Raw]]
    ) -> None:
        """Take in what only events tell of: the lists leave out what is not public."""
        for kind in ORDER[:-1]:
            raws = [told[kind.name][source] for source in new[kind.name]]
            read = self._reader.read(kind, filter(self._reader.reads, raws))
            self._store_in_order(kind, read.records)

    def _store_in_order(self, kind: Kind, records: Sequence[Read]) -> None:
        by_source = {read.source: read for read in records}
        levels = [list(by_source)]
        if kind is CATEGORY:
            above = {read.source: "".join(read.points_to[kind.name]) for read in records}
            levels = list(by_level(above))
        for level in levels:
            for some in _some([by_source[source] for source in level], self._at_once):
                self._store(kind, some, _links(kind, some))

    def _store(self, kind: Kind, records: Sequence[Read], links: Links) -> None:
        links.find(self._ids_of)
        batch = {read.source: read for read in records if self._is_taken(kind, read)}
        if not batch:
            return
        foreign = [self._foreign(read, links) for read in batch.values()]
        ahead = kind is EVENT and self.makes
        take = self._conveyor.take if ahead else self._conveyor.take_at_once
        take(kind, foreign, partial(self._note, kind, [*batch.values()]))

    def _note(self, kind: Kind, records: Sequence[Read], outcomes: Sequence[Taken]) -> None:
        made = sum(taken.outcome is Outcome.CREATED for taken in outcomes)
        self.makes = made > len(outcomes) // 2
        for read, taken in zip(records, outcomes, strict=True):
            if taken.outcome is Outcome.REFUSED:
                self._refuse(kind, read, taken.reason)
                continue
            if taken.slug:
                self._waiting.add(kind, read, taken)
            else:
                self._report.note(kind.name, taken.outcome)
            expected = self._again or (self._plan.second and read.has_all_languages)
            if expected and taken.outcome is Outcome.CREATED and kind is not EVENT:
                self._restored.add(read.source)
            self._report.drop(read.name, read.unusable)
            if read.source in self._plan.how:
                self._settled.add(read.source)
                self._report.join(kind.name, self._plan.how[read.source])

    def _is_taken(self, kind: Kind, read: Read) -> bool:
        """Say whether to take it in; report what cannot be, or is left for a person."""
        if read.reason:
            self._refuse(kind, read, read.reason)
            return False
        if not read.named and read.source not in self._plan.ids:
            self._settled.add(read.source)
            self._report.pass_over(1)
            return False
        left = self._plan.left.get(read.source)
        if left is not None and not self._create_missing:
            self._settled.add(read.source)
            self._tell(self._report.leave, kind.name, read.name, left)
            return False
        return True

    def _foreign(self, read: Read, links: Links) -> Foreign:
        return Foreign(
            source=read.source,
            id=read.id,
            changes=read.changes | links.of(read.source),
            restored=links.to(self._restored, read.source) if self._restored else {},
            joins=self._plan.ids[read.source] if read.source in self._plan.how else 0,
            second=self._plan.second,
            group=read.group,
            foreseen=read.foreseen,
        )

    def _ids_of(self, kind: Kind, sources: Sequence[str]) -> dict[str, int]:
        """Return the ids of what is here, and of what is about to join it."""
        planned = {source: self._plan.ids[source] for source in sources if source in self._plan.ids}
        return self._bulk.ids_of(kind, sources) | planned

    def _refuse(self, kind: Kind, read: Read, reason: str) -> None:
        self._settled.add(read.source)
        self._tell(self._report.refuse, kind.name, read.name, reason)

    def _tell(self, report: Callable[[str, str, str], None], *told: str) -> None:
        """Report a record behind those that were taken before it."""
        self._conveyor.in_turn(partial(report, *told))


def _links(kind: Kind, records: Sequence[Read]) -> Links:
    return Links(kind, {read.source: read.points_to for read in records})


def _some(records: Sequence[Read], weight: int) -> Iterator[list[Read]]:
    """Yield records in their order, at a time until they weigh so much."""
    some, weighed = [], 0
    for read in records:
        some.append(read)
        weighed += _BARE + read.length
        if weighed >= weight:
            yield some
            some, weighed = [], 0
    if some:
        yield some

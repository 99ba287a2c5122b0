"""Records that did not get the slugs that their site tells, as others had those.

What one batch gives up a batch before may have asked for, and two records of different batches may
change places. So the slugs are asked for once more when all is taken in.
"""

from collections import defaultdict
from dataclasses import dataclass

from calendar_app.access.caller import Caller
from calendar_app.catalogue.bulk.batches import Bulk
from calendar_app.catalogue.bulk.foreign import Outcome, Taken
from calendar_app.catalogue.bulk.renaming import Waiting
from calendar_app.domain.kind import Kind
from calendar_app.domain.slugs import slugify
from calendar_app.imports.tec.reading import Read
from calendar_app.imports.tec.report import Report

# Records of a kind that are given their slugs in one transaction; the next import sees to others.
_MOST = 1_000


@dataclass(frozen=True, slots=True)
class _Unsettled:
    """A record that waits, as a person finds it again, and what became of it so far."""

    waiting: Waiting
    name: str
    told: str
    outcome: Outcome


class WaitingForSlugs:
    """Keeps back what is to be reported of them until that is settled."""

    def __init__(self, bulk: Bulk, report: Report, language: str) -> None:
        self._bulk = bulk
        self._report = report
        self._language = language
        self._unsettled: defaultdict[str, dict[str, _Unsettled]] = defaultdict(dict)

    def add(self, kind: Kind, read: Read, taken: Taken) -> None:
        """Take a record that has a slug instead of the one that its site tells."""
        told = read.changes["variants"][self._language]["slug"]
        waiting = Waiting(read.source, slugify(told), taken.slug)
        one = _Unsettled(waiting, read.name, told, taken.outcome)
        unsettled = self._unsettled[kind.name]
        if len(unsettled) < _MOST and read.source not in unsettled:
            unsettled[read.source] = one
        else:
            self._tell(kind, one, taken.slug)

    def settle(self, kind: Kind, caller: Caller) -> None:
        """Give slugs to those who can have them by now, and report what became of all."""
        unsettled = self._unsettled.pop(kind.name, {})
        waiting = [one.waiting for one in unsettled.values()]
        slugs = self._bulk.rename(kind, waiting, caller, self._language) if waiting else {}
        for source, one in unsettled.items():
            self._tell(kind, one, slugs.get(source, one.waiting.present))

    def _tell(self, kind: Kind, one: _Unsettled, slug: str) -> None:
        changed = not slug and one.outcome is Outcome.UNCHANGED
        self._report.note(kind.name, Outcome.UPDATED if changed else one.outcome)
        if slug:
            self._report.rename(one.name, one.told, slug)

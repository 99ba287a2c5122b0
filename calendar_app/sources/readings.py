"""The use cases of readings: to read a source, preview that, and show what became of it."""

import threading
from concurrent.futures import Future
from dataclasses import dataclass, replace

import structlog

from calendar_app.accounts.callers import Caller
from calendar_app.accounts.policy import manages_sources, require_possible_keeper
from calendar_app.errors import CalendarError, NotAllowed, NotFound
from calendar_app.sources.access import SourceAccess, lease_of
from calendar_app.sources.reading import read_source
from calendar_app.sources.reports import INTERRUPTED, OPEN, SourceRun
from calendar_app.sources.runs import ReadingParts, Request, RunProgress
from calendar_app.sources.source import SOURCES, Source
from calendar_app.storage.migrations import awaits_one_kind_of_notes
from calendar_app.storage.query.clauses import equals
from calendar_app.storage.query.list_query import Page, Window


@dataclass(slots=True)
class Readings:
    """The readings of all sources of a calendar, for those who manage or keep them."""

    parts: ReadingParts
    access: SourceAccess

    def read(  # noqa: PLR0913  # which source, by whom, and how
        self,
        source_id: int,
        caller: Caller,
        *,
        dry_run: bool = False,
        content: bytes | None = None,
        accept: str = "",
        progress: RunProgress = lambda _done, _all: None,
    ) -> SourceRun:
        """Read a source now, or preview that; ``accept`` names a reading that was held back.

        What it may change and take away is as much as that one would have. Raises ``SourceBusy``
        while another process reads the source.
        """
        source = self.access.readable(source_id, caller, content)
        with self.access.alone(source.id):
            accepted = self.parts.reports.accepted(source_id, accept)
            request = Request(caller.id, dry_run, content, accepted, progress)
            return read_source(self.parts, source, request)

    def begin(
        self, source_id: int, caller: Caller, *, content: bytes | None = None, accept: str = ""
    ) -> None:
        """Begin to read a source as ``read`` does, and return while that goes on in a thread.

        A process that ends interrupts it; the next reading goes on where it was.
        """
        source = self.access.readable(source_id, caller, content)
        begun: Future[None] = Future()
        request = Request(caller.id, content=content, begun=lambda: begun.set_result(None))

        def work() -> None:
            try:
                with self.access.alone(source.id):
                    accepted = self.parts.reports.accepted(source_id, accept)
                    read_source(self.parts, source, replace(request, accepted=accepted))
            except Exception as error:  # noqa: BLE001  # nobody else would hear of it
                if not begun.done():
                    begun.set_exception(error)
                elif not isinstance(error, CalendarError):
                    structlog.get_logger().exception("source", source=source_id)

        threading.Thread(target=work, name=lease_of(source_id), daemon=True).start()
        begun.result()

    def last(self, source_id: int, caller: Caller) -> SourceRun | None:
        """Return the last reading; after a killed process it is ``interrupted``."""
        self.access.kept(source_id, caller)
        last = self.parts.reports.last(source_id)
        if last and last.state in OPEN and not self.access.leases.is_held(lease_of(source_id)):
            # It may have ended between the two look-ups.
            last = self.parts.reports.last(source_id)
            if last and last.state in OPEN:
                return replace(last, state=INTERRUPTED)
        return last

    def stop(self, source_id: int, caller: Caller) -> bool:
        """Let the reading that runs end soon; say whether there is one."""
        self.access.kept(source_id, caller)
        return self.parts.reports.stop(source_id)

    def get(self, reading_id: str, caller: Caller) -> SourceRun:
        if manages_sources(caller):
            return self.parts.reports.reading(reading_id)
        require_possible_keeper(caller)
        try:
            reading = self.parts.reports.reading(reading_id)
        except NotFound:
            # A reading of others is as one that does not exist.
            raise NotAllowed from None
        self.access.kept(reading.source, caller)
        return reading

    def page(self, source_id: int, caller: Caller, window: Window) -> Page:
        """Return a page of the readings of a source, the last one first."""
        self.access.kept(source_id, caller)
        return self.parts.reports.page(source_id, window)

    def entries(self, reading_id: str, caller: Caller, window: Window, outcome: str = "") -> Page:
        """Return a page of the outcomes of a reading."""
        self.get(reading_id, caller)
        return self.parts.reports.entries(reading_id, window, outcome)

    def read_due(self) -> int:
        """Read the sources that are due, each in one process; return how many this one read."""
        number = 0
        due = self.parts.reports.due(self.parts.now())
        if due and awaits_one_kind_of_notes(self.parts.store):
            return 0
        for source_id in due:
            document = self.parts.store[SOURCES].first(equals("_id", source_id))
            if document is None or not Source.of(document).is_scheduled:
                self.parts.reports.set_state(source_id, {"due": None})
                continue
            number += self._read_if_due(Source.of(document))
        return number

    def _read_if_due(self, source: Source) -> int:
        try:
            with self.access.leases.held_if_free(lease_of(source.id)) as is_mine:
                due = self.parts.reports.state(source.id).get("due")
                if not is_mine or due is None or due > self.parts.now():
                    return 0
                read_source(self.parts, source, Request())
        except CalendarError:
            return 0  # The reading says why, and the next one comes later.
        except Exception:  # noqa: BLE001  # the others that are due are read all the same
            structlog.get_logger().exception("source", source=source.id)
            return 0
        return 1

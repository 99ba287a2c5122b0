"""Reads a source: fetch, compare, hold back or write, and report.

A reading is planned from the whole calendar before anything is written. Each event is then written
in one transaction with its note: where the process is killed, the next reading goes on where it
was, since what was written is known by its identity.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from hashlib import sha256
from importlib.metadata import version
from itertools import groupby

from calendar_app.calendar.pace import paced
from calendar_app.domain.kind import Record
from calendar_app.errors import Message
from calendar_app.sources import planning
from calendar_app.sources.calendar_events import CalendarEvent
from calendar_app.sources.comparing import waiting_of
from calendar_app.sources.merging import SOURCE
from calendar_app.sources.notes import KnownEvents, key_of, read_event
from calendar_app.sources.noting import NoteWriter
from calendar_app.sources.parsed import (
    PackedEvents,
    ParsedCalendar,
    ReadingInterrupted,
    SourceError,
    Validators,
)
from calendar_app.sources.planning import (
    ReadSourceEvent,
    SourcePlan,
    StoredSourceEvent,
    compare,
    due_in,
    settled_texts,
)
from calendar_app.sources.reports import DONE, GOOD, STOPPED, UNCHANGED, WAITING, SourceRun
from calendar_app.sources.results import Outcome, Result, left_out, unread
from calendar_app.sources.returning import OtherWays
from calendar_app.sources.runs import (
    ReadingParts,
    Request,
    RunReport,
    carry_out,
    reads_otherwise,
)
from calendar_app.sources.source import LIST, TEC, Source
from calendar_app.sources.transactions import transactions
from calendar_app.sources.vanishing import Vanishing
from calendar_app.sources.windows import ALL_TIMES, names_dates, window_of
from calendar_app.sources.words import TAXONOMIES, SourceTerms, TermFinder, words_in
from calendar_app.sources.writer import SourceWriter, Task

# Events of which the records are read at once: about as many as one transaction has room for.
_AT_ONCE = 300
_CUT_OFF = Message("The calendar is cut off: it ends in the middle.")
_NO_ADDRESS = Message("It has no address: send a file.")
TOO_MUCH = Message("It is held back: more coming events would change or vanish at once than usual.")
_BY_SETTINGS = Message(
    "It is held back: with the changed settings of the source, "
    "more coming events would change or vanish at once than usual."
)
_MOST_WORDS = 500
# Another release may read what this one refuses.
_RELEASE = version("calendar-app")


def read_source(parts: ReadingParts, source: Source, request: Request) -> SourceRun:
    """Read a source once; the caller holds its lease. Refusals are in the reading."""
    return carry_out(parts, source, request, lambda report: _Run(parts, source, request, report))


class _Run:
    """One reading of one source."""

    def __init__(
        self, parts: ReadingParts, source: Source, request: Request, report: RunReport
    ) -> None:
        self._parts = parts
        self._source = source
        self._request = request
        self._report = report
        self._reading = report.run
        self._state = parts.reports.state(source.id)
        self.fresh: Record = {}
        store, editor = parts.editors(source.id, dry_run=request.dry_run)
        self._known = KnownEvents(store, parts.kinds)
        made_of = (store, editor, parts.kinds, source)
        self._writer = SourceWriter(*made_of, dry_run=request.dry_run)
        self._writer.waiting = waiting_of(parts, source, dry_run=request.dry_run)
        self._writer.copier = parts.copier_for(source, dry_run=request.dry_run)
        self._vanishing = Vanishing(*made_of, dry_run=request.dry_run)
        self._notes = NoteWriter(store, parts.kinds, source)
        self._terms = TermFinder(parts.store, parts.languages, source.terms)
        self._words: dict[str, set[str]] = {taxonomy: set() for taxonomy in TAXONOMIES}
        self._unknown: dict[str, set[str]] = {taxonomy: set() for taxonomy in TAXONOMIES}
        self._last_terms: Record = self._state.get("terms", {})

    def run(self) -> str:
        """Return the state in which the reading ends."""
        content = self._content()
        if content is None:
            if self._request.by or not self._source.follows:
                self._count_unchanged(len(self._stored_events))
            return UNCHANGED
        self._report.begin()
        self._reading.bytes = len(content)
        own = self._source.fingerprint
        self._reading.other_settings = self._state.get("rules", own) != own
        calendar = self._parsed(content, settled_texts(self._stored_events))
        del content
        self._report.add(unread(calendar))
        plan = self._plan(calendar)
        self._count_dates(plan, calendar.events)
        self._reading.note_alarm(plan.alarming, plan.vanishing, plan.coming)
        if not calendar.whole:
            plan.missing, plan.unlisted = [], []
        if reason := self._held_for(plan, whole=calendar.whole):
            self._reading.reason = reason
            return WAITING
        return self._apply(plan, calendar.events)

    @cached_property
    def _stored_events(self) -> Mapping[planning.EventKey, StoredSourceEvent]:
        stored_events = self._known.of(self._source, self._reading.started)
        shows_rules = self._request.dry_run and bool(self._source.rules)
        if not (shows_rules or self._terms_have_changed()):
            return stored_events
        return {key: replace(each, is_edited=True) for key, each in stored_events.items()}

    def _plan(self, calendar: ParsedCalendar) -> SourcePlan:
        """Compare the calendar with the events that came before.

        What a source does not name that tells changes alone is as it was.
        """
        stored_events, unparsed = self._stored_events, calendar.unparsed_uids
        read, starts = self._to_compare(calendar)
        starts += (
            each.begins
            for key, each in stored_events.items()
            if each.begins and key.uid in unparsed
        )
        if calendar.only_changes:
            read_uids = {each.key.uid for each in read}
            unparsed = {key.uid for key in stored_events} - calendar.gone_uids - read_uids
        from_now = self._source.kind == TEC and not names_dates(self._source.address)
        window = ALL_TIMES if self._source.follows else window_of(starts, from_now=from_now)
        plan = compare(stored_events, read, unparsed, window)
        plan.only_changes, plan.gone_uids = calendar.only_changes, calendar.gone_uids
        plan.due = due_in(plan, self._source.vanished, self._reading.started)
        plan.other_settings = reads_otherwise(self._source, self._state)
        return plan

    def _count_dates(self, plan: planning.SourcePlan, events: PackedEvents) -> None:
        """Count the dates that series would bring, gain and lose.

        Raises ``SourceError`` where a source would bring more than ``source_dates``: a rule of one
        line makes a thousand events.
        """
        now, limits = self._reading.started, self._parts.date_limits
        brought = 0
        pairs = [*((read, None) for read in plan.new), *plan.changed, *plan.healed]
        for read, stored_event in pairs:
            number = events[read.place].dates_since(now, limits.of_series)
            brought += number
            if stored_event is not None:
                plan.note_dates(stored_event, number)
            if brought > limits.of_source:
                raise SourceError(limits.reason)
        if brought > len(pairs):
            self._reading.dates = brought

    def _is_settled(self) -> bool:
        """Say whether nothing in the last content has to be looked at again."""
        if self._state.get("rules") != self._source.fingerprint:
            return False
        was_refused = str(Outcome.REFUSED) in (self._state.get("numbers") or {})
        if not self._source.follows:
            is_good = self._state.get("result") in GOOD and not was_refused
            return is_good and not any(each.is_open for each in self._stored_events.values())
        is_asked = bool(self._request.by or self._request.dry_run)
        again = self._state.get("compare")
        if (was_refused and is_asked) or (again and again <= self._reading.started):
            return False
        if self._terms_have_changed():
            return False
        copies = self._source.copies_pictures
        if copies and self._known.lack_pictures(self._source.id, self._reading.started):
            return False
        overrules = SOURCE in self._source.authority.values()
        return not overrules or not any(
            each.is_edited and not each.missing for each in self._stored_events.values()
        )

    def _content(self) -> bytes | None:
        """Return the content; ``None`` where it is the same as last time, and all is settled."""
        settled = self._is_settled()
        if self._request.content is not None:
            content, fresh = self._request.content, {"etag": "", "modified": ""}
        elif not self._source.address:
            raise SourceError(_NO_ADDRESS)
        else:
            validators = Validators(self._state.get("etag", ""), self._state.get("modified", ""))
            fetched = self._parts.fetch(self._source, validators if settled else Validators())
            if fetched is None:
                return None
            content = fetched.content
            if not content and self._source.follows:
                self.fresh = {"etag": fetched.etag}
                return None
            fresh = {"etag": fetched.etag, "modified": fetched.modified}
        digest = sha256(content).hexdigest()
        self.fresh = fresh | {
            "digest": digest,
            "rules": self._source.fingerprint,
            "values": self._source.values_fingerprint,
        }
        is_same = settled and digest == self._state.get("digest")
        if is_same and not self._request.dry_run:
            self._reading.bytes = len(content)
            return None
        return content

    def _parsed(self, content: bytes, texts: Mapping[str, str]) -> ParsedCalendar:
        """Parse the events of a content; scheduled readings do not retry a refused one."""
        now = [self.fresh["digest"], self.fresh["rules"], _RELEASE]
        *before, reason = self._state.get("refused", [""])
        if now == before and not (self._request.by or self._request.dry_run):
            raise SourceError(reason)
        try:
            return self._parts.readers[self._source.kind](content, self._source, texts)
        except ReadingInterrupted:
            raise
        except SourceError as error:
            self.fresh["refused"] = [*now, str(error)]
            raise

    def _count_unchanged(self, number: int) -> None:
        unchanged = {str(Outcome.UNCHANGED): number} if number else {}
        self._reading.numbers = {**(self._reading.numbers or {}), **unchanged}

    def _to_compare(self, calendar: ParsedCalendar) -> tuple[list[ReadSourceEvent], list[datetime]]:
        """Return the events that are neither our own nor filtered out, and the starts of all.

        Their words are noted.
        """
        starts: list[datetime] = []
        own_events = self._parts.own_events()
        ways = OtherWays(self._parts.store, self._parts.kinds, self._source.id)
        read: list[ReadSourceEvent] = []
        passed: list[Result] = []
        keys = set()
        for place, event in enumerate(paced(calendar.events)):
            key = key_of(event)
            starts += event.starts
            if own_events.has(event):
                passed.append(Result(Outcome.OWN, event.label, *key))
            elif (decision := self._source.decide(event)).leave_out:
                passed.append(left_out(event, decision.rule))
                if calendar.only_changes:
                    calendar.gone_uids.add(key.uid)
            elif self._source.follows and key not in self._stored_events and ways.has(event):
                reason = Message("another source has brought it.")
                passed.append(Result(Outcome.LEFT_OUT, event.label, *key, reason=reason))
            elif key in keys:
                reason = Message("another event with its UID.")
                passed.append(Result(Outcome.LEFT_OUT, event.label, *key, reason=reason))
            else:
                keys.add(key)
                read.append(read_event(event, place))
                for taxonomy, words in words_in([event]).items():
                    self._words[taxonomy] |= words
        self._report.add(passed)
        return read, starts

    def _held_for(self, plan: SourcePlan, *, whole: bool) -> str:
        """Return why the reading has to wait for a person; empty where it may go on."""
        if self._request.dry_run or self._request.accepted < 0:
            return ""
        if not whole and not self._request.accepted:
            return _CUT_OFF
        if not self._parts.guard.holds(plan, self._request.accepted):
            return ""
        return _BY_SETTINGS if self._reading.other_settings else TOO_MUCH

    def _apply(self, plan: SourcePlan, events: PackedEvents) -> str:
        report, now = self._report, self._reading.started
        self._writer.preparation.words = self._find_terms()
        self._count_unchanged(len(plan.unchanged))
        if not self._request.dry_run:
            self._keep_texts(plan, events)
        self._reading.all = len(plan.new) + len(plan.present)
        for batch in self._batches(plan, events):
            report.add(self._writer.write(batch, now))
            if not report.go_on(len(batch)):
                return STOPPED
        accepted = bool(self._request.accepted)
        missing = [*plan.missing, *plan.unlisted] if accepted else plan.missing
        report.add(
            self._vanishing.let_go(missing, now, accepted=accepted, gone_uids=plan.gone_uids)
        )
        if not (accepted or self._request.dry_run):
            self._vanishing.note_unlisted(plan.unlisted, now)
        if self._source.follows and not plan.only_changes:
            self.fresh["compare"] = self._next_comparison(plan)
        state = report.end()
        if state == DONE:
            self.fresh["terms"] = self._terms_by_word()
        return state

    def _next_comparison(self, plan: SourcePlan) -> datetime | None:
        """Return when all events are compared again, so that missing ones can be taken away."""
        is_open = any(each.is_coming and not each.vanished for each in plan.missing)
        if not is_open or self._source.vanished == planning.KEEP:
            return None
        return self._reading.started + planning.APART

    def _keep_texts(self, plan: SourcePlan, events: PackedEvents) -> None:
        own = (
            (stored_event, self._event(events, read).text_digest)
            for read, stored_event in plan.reworded
        )
        self._notes.keep_texts(
            (stored_event, text) for stored_event, text in own if text != stored_event.text_digest
        )

    def _batches(self, plan: SourcePlan, events: PackedEvents) -> Iterator[list[Task]]:
        """Yield the tasks of each transaction; existing events before new ones."""
        present = plan.present
        for begin in range(0, len(present), _AT_ONCE):
            part = present[begin : begin + _AT_ONCE]
            uids = list({stored_event.key.uid for _, stored_event in part})
            stored = self._known.records(self._source.id, uids)
            is_whole = self._source.follows
            tasks = [
                Task(self._event(events, read), stored.get(k.key), is_whole=is_whole)
                for read, k in part
            ]
            yield from weighed(tasks)
        # What continues another series comes after it.
        fresh = sorted(plan.new, key=lambda each: each.place)
        for begin in range(0, len(fresh), _AT_ONCE):
            batch = [self._event(events, each) for each in fresh[begin : begin + _AT_ONCE]]
            imported = self._known.imported(batch)
            yield from weighed([Task(event, imported.get(event.source)) for event in batch])

    def _event(self, events: PackedEvents, read: ReadSourceEvent) -> CalendarEvent:
        """Return an event; without the digest of its text where its words have to be listed."""
        event = events[read.place]
        words = words_in([event])
        is_listed = any(words[taxonomy] & self._unknown[taxonomy] for taxonomy in TAXONOMIES)
        return replace(event, text_digest="") if is_listed else event

    def _terms_have_changed(self) -> bool:
        """Say whether the words of the source mean other terms here than after the last reading."""
        last = self._last_terms
        return bool(last) and self._means(self._last_words) != last

    @property
    def _last_words(self) -> dict[str, set[str]]:
        last = self._last_terms
        return {name: {word for word, _ in last.get(name, ())} for name in TAXONOMIES}

    def _terms_by_word(self) -> Record:
        """Return our term for each word of the source, including words of unparsed events."""
        return self._means(
            {name: self._words[name] | own for name, own in self._last_words.items()}
        )

    def _means(self, words: Mapping[str, set[str]]) -> Record:
        terms = self._terms.find(words)
        return {
            taxonomy: [[word, terms[taxonomy].get(word)] for word in sorted(own)[:_MOST_WORDS]]
            for taxonomy, own in words.items()
        }

    def _find_terms(self) -> SourceTerms:
        """Return our terms for the words of the source, and note unknown words."""
        terms = self._terms.find(self._words)
        if self._source.unknown_terms == LIST:
            for taxonomy in TAXONOMIES:
                self._unknown[taxonomy] = self._words[taxonomy] - terms[taxonomy].keys()
        self.fresh["unknown"] = {
            taxonomy: sorted(words)[:_MOST_WORDS] for taxonomy, words in self._unknown.items()
        }
        return terms


def weighed(tasks: Sequence[Task]) -> Iterator[list[Task]]:
    """Yield as many events as one transaction has room for, in their order.

    Series are by themselves, as they may be long, and so is what depends on an event before it.
    """
    for is_apart, part in groupby(tasks, _is_apart):
        if is_apart:
            yield from ([task] for task in part)
        else:
            yield from transactions(part, lambda task: task.event.changes)


def _is_apart(task: Task) -> bool:
    return task.event.recurs or bool(task.event.related)

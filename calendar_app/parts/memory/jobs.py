"""Jobs of machine translation for missing texts: one at a time, in any process.

A process holds a lease while it works. Where it is killed, another one takes the job over within
half a minute and goes on with what still lacks: each text is stored on its own, so that none is
sent twice but the one that was on its way. ``stop`` ends it before the next text.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from threading import Event
from uuid import uuid4

from calendar_app.accounts.callers import Caller
from calendar_app.calendar.auditing import Door, through
from calendar_app.calendar.editor import Editor
from calendar_app.calendar.translation import NoProposal, Text
from calendar_app.domain.kind import Index, Record
from calendar_app.domain.ledger import Origin
from calendar_app.domain.moments import Now
from calendar_app.domain.translations import has_name
from calendar_app.errors import CalendarError, DuplicateKey, Message
from calendar_app.parts.memory.lacking import Amount, Gap, Gaps, GapScope
from calendar_app.parts.memory.waiting import Proposal, Proposals, WaitingProposals
from calendar_app.storage.mongo.leases import Leases
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import all_of, equals, one_of

MACHINE_JOBS = "machine_jobs"
_LEASE = "machine-jobs"
_QUARTER = 92 * 24 * 60 * 60
MACHINE_JOB_INDEXES = (
    Index((("finished", 1),), serves="forgetting jobs after a quarter", expire_after=_QUARTER),
)
RUNNING, STOPPING, STOPPED, DONE, FAILED = "running", "stopping", "stopped", "done", "failed"
_OPEN = (RUNNING, STOPPING)
_NEWEST_FIRST = (("_id", -1),)
# Of one text, while the service says that it may be asked again.
_TRIES = 4
# Nobody waits for a job: long texts get so many times as long as somebody at the desk would wait.
_PATIENCE = 6
_MAY_NO_LONGER = Message("The user who started it may no longer do so.")
# Proposes texts by field, from one language into another, for a caller who waits so many seconds.
Propose = Callable[[Mapping[str, Text], str, str, Caller, float], Proposals]


@dataclass(frozen=True, slots=True)
class Job:
    """A job, how far it is, and why it ended where it failed.

    ``left_out`` are texts of which the machine made nothing that could be used.
    """

    id: int
    state: str
    scope: GapScope
    author: Caller
    all: Amount
    done: Amount
    left_out: int
    publishes: bool
    started: datetime
    finished: datetime | None = None
    reason: Message | None = None

    @property
    def is_open(self) -> bool:
        return self.state in _OPEN


class JobRuns(Exception):
    """A job runs already, and there is one at a time."""


# What is stored of the user who begins a job: no names, which would outlive the user.
_AUTHOR = ("id", "role")


class _End(Exception):
    """Ends a job in a ``state``, maybe for a ``reason``."""

    def __init__(self, state: str, reason: Message | None = None) -> None:
        super().__init__(state)
        self.state = state
        self.reason = reason


@dataclass(frozen=True, slots=True)
class JobParts:
    """The collaborators of a job: the gaps, the proposer of texts, and where proposals are stored.

    ``present`` returns the caller as which somebody may go on, ``None`` where they may not.
    """

    gaps: Gaps
    waiting: WaitingProposals
    propose: Propose
    editor: Editor
    present: Callable[[Caller], Caller | None]
    patience: float
    pause: Callable[[float], object] = field(default=Event().wait)


class TranslationJobs:
    """Begins, shows, stops and runs jobs; ``publishes`` stores their proposals as texts."""

    def __init__(self, store: Store, parts: JobParts, now: Now, *, publishes: bool) -> None:
        self._jobs = store[MACHINE_JOBS]
        self._leases = Leases(store.database)
        self.parts = parts
        self._now = now
        self._publishes = publishes

    def begin(self, scope: GapScope, author: Caller) -> Job:
        """Store a job, which a process will run soon; raise ``JobRuns`` where one does.

        Jobs are numbered, so that of two that begin at once one finds its number taken.
        """
        last = self.last()
        if last and last.is_open:
            raise JobRuns
        amount = self.amount(scope)
        job = {
            "_id": last.id + 1 if last else 1,
            "state": RUNNING,
            "scope": {**asdict(scope), "languages": list(scope.languages)},
            "author": {name: getattr(author, name) for name in _AUTHOR},
            "texts": amount.texts,
            "characters": amount.characters,
            "publishes": self._publishes,
            "started": self._now(),
        }
        try:
            self._jobs.insert(job)
        except DuplicateKey:
            raise JobRuns from None
        return _job(job)

    def amount(self, scope: GapScope) -> Amount:
        """Return how much a job would have to translate."""
        return self.parts.gaps.amount(scope)

    def is_open(self) -> bool:
        """Say whether a job runs, or waits for a process that runs it."""
        return self._jobs.first(one_of("state", _OPEN), ["_id"]) is not None

    def last(self) -> Job | None:
        """Return the job that runs, else the last one."""
        jobs = self._jobs.find({}, order=_NEWEST_FIRST, limit=1)
        return _job(jobs[0]) if jobs else None

    def stop(self) -> None:
        """Let the job that runs end before its next text."""
        self._jobs.change_all(equals("state", RUNNING), {"$set": {"state": STOPPING}})

    def run(self) -> None:
        """Run the jobs that wait, unless another process does."""
        if not self.is_open():
            return
        with self._leases.held_if_free(_LEASE) as is_mine, through(Door.SERVICE):
            while is_mine and (waiting := self._jobs.find(one_of("state", _OPEN), limit=1)):
                self._run(_job(waiting[0]))

    def _run(self, job: Job) -> None:
        runner = _Run(self._jobs.change, self.parts, job, uuid4().hex)
        state, reason = runner.work()
        end = {"state": state, "finished": self._now()}
        reason_fields = (
            {"reason": {"pattern": reason.pattern, "gaps": dict(reason.gaps)}} if reason else {}
        )
        self._jobs.change(runner.own, {"$set": end | reason_fields})


class _Run:
    """One process's work on a job, until it ends or another process has taken it over."""

    def __init__(self, change: Callable[..., bool], parts: JobParts, job: Job, runner: str) -> None:
        self._change = change
        self._parts = parts
        self._job = job
        self.own = all_of([equals("_id", job.id), equals("runner", runner)])
        change(equals("_id", job.id), {"$set": {"runner": runner}})

    def work(self) -> tuple[str, Message | None]:
        """Translate all that lacks; return how it ended, and why."""
        try:
            for gap in self._parts.gaps.each(self._job.scope):
                self._require_going_on()
                self._fill(gap)
        except _End as end:
            return end.state, end.reason
        return DONE, None

    def _require_going_on(self) -> None:
        """Raise ``_End`` where somebody has stopped the job, or its author may not go on."""
        if not self._note():
            raise _End(STOPPED)
        if self._parts.present(self._job.author) is None:
            raise _End(FAILED, _MAY_NO_LONGER)

    def _note(self, texts: int = 0, characters: int = 0, left_out: int = 0) -> bool:
        """Add to the progress of a job; return whether it goes on in this process."""
        progress = {"done_texts": texts, "done_characters": characters, "left_out": left_out}
        going_on = all_of([self.own, equals("state", RUNNING)])
        if self._change(going_on, {"$inc": progress}):
            return True
        self._change(self.own, {"$inc": progress})
        return False

    def _fill(self, gap: Gap) -> None:
        """Get proposals for the texts that a record lacks, and publish them where that is set."""
        for name, text in gap.texts.items():
            proposal = self._proposed(gap, name, text)
            if proposal:
                self._parts.waiting.keep(gap.target, name, proposal, text.words)
            size = len(text.words) if proposal else 0
            if not self._note(int(bool(proposal)), size, int(not proposal)):
                raise _End(STOPPED)
        if self._job.publishes:
            self._publish(gap)

    def _proposed(self, gap: Gap, name: str, text: Text) -> Proposal | None:
        """Return the proposal for a text; ``None`` where nothing can be made of it."""
        for attempt in range(1, _TRIES + 1):
            try:
                return self._parts.propose(
                    {name: text},
                    gap.source,
                    gap.language,
                    self._job.author,
                    self._parts.patience * _PATIENCE,
                ).get(name)
            except NoProposal as error:
                if error.is_final or (error.retry_after is not None and attempt == _TRIES):
                    raise _End(FAILED, error.reason) from error
                if error.retry_after is None:
                    return None
                self._wait(error.retry_after * attempt)
        return None

    def _wait(self, seconds: float) -> None:
        """Wait, but no longer than until somebody stops the job."""
        while seconds > 0:
            self._require_going_on()
            self._parts.pause(min(seconds, 1.0))
            seconds -= 1

    def _publish(self, gap: Gap) -> None:
        """Store the proposals for a record as unreviewed texts, unless somebody edits it now."""
        caller = self._parts.present(self._job.author)
        present = self._parts.gaps.present(gap)
        if caller is None or present is None:
            return
        texts = self._unpublished(gap, present)
        present_texts = present["variants"].get(gap.language, {})
        proposed_texts = {name: each.text for name, each in texts.items()}
        if not texts or not has_name(gap.kind, present_texts | proposed_texts):
            return
        changes = published_changes(gap.language, texts)
        try:
            self._parts.editor.change(
                gap.kind,
                present["_id"],
                changes,
                caller,
                gap.language,
                revision=present["revision"],
            )
        except CalendarError:
            return  # It waits beside the record, for people.
        self._parts.waiting.forget(gap.target, texts)

    def _unpublished(self, gap: Gap, present: Record) -> Proposals:
        """Return the proposals for texts that still nobody has written."""
        present_texts = present["variants"].get(gap.language, {})
        sources = present["variants"].get(gap.source, {})
        proposals = self._parts.waiting.of(gap.target, sources)
        return {name: each for name, each in proposals.items() if not present_texts.get(name)}


def published_changes(language: str, proposals: Proposals) -> Record:
    """Return the changes that store proposals as texts that nobody has checked."""
    origins = {
        name: Origin(each.origin, each.by, each.text, reviewed=False)
        for name, each in proposals.items()
    }
    texts = {name: each.text for name, each in proposals.items()}
    return {"variants": {language: texts}, "origins": {language: origins}}


def _job(document: Record) -> Job:
    reason = document.get("reason")
    scope = document["scope"]
    return Job(
        id=document["_id"],
        state=document["state"],
        scope=GapScope(**{**scope, "languages": tuple(scope["languages"])}),
        author=Caller(**document["author"]),
        all=Amount(document["texts"], document["characters"]),
        done=Amount(document.get("done_texts", 0), document.get("done_characters", 0)),
        left_out=document.get("left_out", 0),
        publishes=document["publishes"],
        started=document["started"],
        finished=document.get("finished"),
        reason=_reason(**reason) if reason else None,
    )


def _reason(pattern: str, gaps: Mapping[str, object]) -> Message:
    return Message(pattern, **gaps)

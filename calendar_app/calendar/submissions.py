"""Contributions by people without an account, and the decisions of editors on them.

A contribution is the event itself, and beside it what only its sender has to do with.
The event is an ordinary one that waits to be published. The document of the contribution has the
same id, and goes after some days, and with it all that is known of the sender.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256

from calendar_app.accounts.callers import SENDER, Caller, sender_of
from calendar_app.accounts.policy import require_decider
from calendar_app.calendar.auditing import Door, through
from calendar_app.calendar.contributed_pictures import SUBMISSIONS, ContributedPictures
from calendar_app.calendar.decision_letters import NO_LETTER, letters_due, waiting_letter
from calendar_app.calendar.editor import Editor
from calendar_app.calendar.inbox import AUTHOR, DESK, Conversation, Conversations, Remark
from calendar_app.calendar.pictures.uploads import Upload
from calendar_app.calendar.writing.attempts import retry_conflicts
from calendar_app.domain.kind import Index, Kind, Record
from calendar_app.domain.moments import Now
from calendar_app.domain.statuses import FUTURE, PENDING, PUBLISH, TRASH
from calendar_app.errors import NotFound, SubmissionDecided
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import all_of, equals, identified, none_of, one_of

SUBMISSION_INDEXES = (
    Index((("token", 1),), serves="the contribution of a sender's link", unique=True),
    Index((("expires", 1),), serves="forgetting senders", expire_after=0),
    Index((("told_at", 1),), serves="telling senders what was decided", having="told_at"),
)
_LINKS = ("venues", "organizers")
WAITING, ASKED, PUBLISHED = "waiting", "asked", "published"
REFUSED, WITHDRAWN = "refused", "withdrawn"
STATES = (WAITING, ASKED, PUBLISHED, REFUSED, WITHDRAWN)


@dataclass(frozen=True, slots=True)
class Contact:
    """Who sent a contribution; used for letters alone, and shown to nobody."""

    name: str = ""
    email: str = ""


@dataclass(frozen=True, slots=True)
class SentEvent:
    """The changes that a sender makes, with a picture and its alternative texts by language."""

    changes: Record
    picture: Upload | None = None
    alt_texts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Submission:
    """A contribution with its event, which is ``None`` once it is deleted for good.

    Of one whose sender is forgotten, ``submitted`` is ``None``.
    """

    id: int
    event: Record | None
    language: str = ""
    submitted: datetime | None = None
    mended: datetime | None = None
    withdrawn: datetime | None = None
    question: str = ""
    reason: str = ""
    remarks: tuple[Remark, ...] = ()

    @property
    def state(self) -> str:
        status = self.event["status"] if self.event else TRASH
        if status in (PUBLISH, FUTURE):
            return PUBLISHED
        if status == TRASH:
            return WITHDRAWN if self.withdrawn else REFUSED
        return ASKED if self.question else WAITING

    @property
    def is_open(self) -> bool:
        """Say whether the sender may still mend it."""
        return self.event is not None and self.event["status"] == PENDING


@dataclass(frozen=True, slots=True)
class SenderMemory:
    """How long senders are remembered, and their conversations with the desk.

    ``now`` gives the present in UTC, without a zone.
    """

    now: Now
    days: int
    conversations: Conversations

    def until(self) -> datetime:
        return self.now() + timedelta(days=self.days)


def token_hash(token: str) -> str:
    """Return the stored form of a sender's token, which is too random to be guessed."""
    return sha256(token.encode()).hexdigest()


_NO_WORDS = Conversation()


def submission_of(
    event_id: int, event: Record | None, document: Record, said: Conversation = _NO_WORDS
) -> Submission:
    """Build a contribution from its event and its document, which may be empty."""
    return Submission(
        id=event_id,
        event=event,
        language=document.get("language", ""),
        submitted=document.get("submitted"),
        mended=document.get("mended"),
        withdrawn=document.get("withdrawn"),
        question=document.get("question", ""),
        reason=document.get("reason", ""),
        remarks=said.remarks or _earlier_remarks(document),
    )


def _earlier_remarks(document: Record) -> tuple[Remark, ...]:
    """Return the last remark of the desk, from the format of earlier versions."""
    text = document.get("reason") or document.get("question")
    return (Remark(DESK, 0, text, document["submitted"]),) if text else ()


# Takes contributions in, and lets those who may publish decide about them.

_FORGOTTEN = {"name": "", "email": ""}


class Submissions:
    """The contributions of strangers; ``kinds`` are events, venues and organizers by name."""

    def __init__(
        self,
        store: Store,
        editor: Editor,
        kinds: Mapping[str, Kind],
        pictures: ContributedPictures,
        memory: SenderMemory,
    ) -> None:
        self._store = store
        self._submissions = store[SUBMISSIONS]
        self._editor = editor
        self._kinds = kinds
        self.pictures = pictures
        self._events = kinds["events"]
        self._conversations = memory.conversations
        self._memory = memory

    def hand_in(self, sent: SentEvent, contact: Contact, language: str, token: str) -> Submission:
        """Store an event that waits to be published, once for each ``token`` of a sender."""

        def work(image: Record) -> Submission:
            earlier = self._by_token(token)
            if earlier is not None:
                return earlier
            changes = {**sent.changes, **image, "status": PENDING}
            event = self._editor.create(self._events, changes, SENDER, language)
            self.pictures.describe(event, sent.alt_texts, language)
            document = self._document(event["_id"], contact, language, token)
            self._submissions.insert(document)
            return submission_of(event["_id"], event, document)

        with through(Door.SUBMISSION), self.pictures.stored(sent.picture, language) as image:
            return retry_conflicts(self._store, lambda: work(image))

    def mend(self, token: str, sent: SentEvent, language: str) -> Submission:
        """Change a contribution while it waits; raise ``NotFound`` or ``SubmissionDecided``."""

        def work(image: Record) -> Submission:
            before = self._open(token)
            event = self._editor.change(
                self._events, before["_id"], sent.changes | image, self._sender(before), language
            )
            self.pictures.describe(event, sent.alt_texts, language)
            if isinstance(before.get("image"), int):
                self.pictures.remove_unshown(before["image"])
            self._note(event["_id"], mended=self._memory.now(), question="")
            self._conversations.settle(self._events, event["_id"])
            return self._submission(event)

        self._open(token)
        with through(Door.SUBMISSION), self.pictures.stored(sent.picture, language) as image:
            return retry_conflicts(self._store, lambda: work(image))

    def answer(self, token: str, text: str) -> Submission:
        """Add an answer of the sender to the conversation, which waits for the desk then.

        Raises ``NotFound`` or ``SubmissionDecided``.
        """

        def work() -> Submission:
            event = self._open(token)
            self._conversations.say(self._events, event, (AUTHOR, SENDER.id, text), DESK)
            self._note(event["_id"], question="")
            return self._submission(event)

        return retry_conflicts(self._store, work)

    def withdraw(self, token: str) -> Submission:
        """Move a contribution to the trash for its sender, who is forgotten.

        Raises ``NotFound`` or ``SubmissionDecided``.
        """

        def work() -> Submission:
            before = self._open(token)
            sender = self._sender(before)
            self.pictures.take_from(before)
            event = self._editor.remove(self._events, before["_id"], sender)
            self._remove_links(before, sender)
            self._note(event["_id"], withdrawn=self._memory.now(), question="", **_FORGOTTEN)
            self._conversations.forget(self._events, event["_id"])
            return self._submission(event)

        with through(Door.SUBMISSION):
            return retry_conflicts(self._store, work)

    def find(self, token: str) -> Submission:
        """Return the contribution of a token; raise ``NotFound``."""
        submission = self._by_token(token)
        if submission is None:
            raise NotFound("submission")
        return submission

    def sender(self, submission: Submission) -> Caller:
        """Return the visitor who owns an event, its picture, and what waits with it.

        What the event links to besides is shown to its sender as to everybody: another visitor may
        have named it.
        """
        return self._sender(submission.event) if submission.event else SENDER

    def of_event(self, event_id: int) -> Submission:
        """Return the contribution that an event is; raise ``NotFound``."""
        event = self._store.of(self._events).first(identified(event_id))
        if event is None or event["author"] != SENDER.id:
            raise NotFound("submission", event_id)
        return self._submission(event)

    def of_events(self, events: Sequence[Record]) -> list[Submission]:
        """Return the contributions that these events are, in two queries."""
        ids = [event["_id"] for event in events]
        documents = {each["_id"]: each for each in self._submissions.find(one_of("_id", ids))}
        conversations = self._conversations.of(self._events, ids)
        return [
            submission_of(
                event["_id"],
                event,
                documents.get(event["_id"], {}),
                conversations.get(event["_id"], _NO_WORDS),
            )
            for event in events
        ]

    def contact(self, event_id: int) -> Contact:
        """Return who sent a contribution, to write to them; empty once they are forgotten."""
        document = self._stored(event_id)
        return Contact(document.get("name", ""), document.get("email", ""))

    def publish(
        self,
        event_id: int,
        caller: Caller,
        language: str,
        revision: int | None = None,
        *,
        forget: bool = True,
    ) -> Submission:
        """Publish a contribution, with the new venue and organizer that it has.

        ``forget`` the sender at once, or let ``letters_due`` do that. Raises
        ``PreconditionFailed`` where the event is not at ``revision`` any more.
        """

        def work(submission: Submission, event: Record) -> Record:
            with_it = {name: self._waiting_links(name, event) for name in _LINKS}
            published = self._editor.change(
                self._events,
                submission.id,
                {"status": PUBLISH},
                caller,
                language,
                revision=revision,
                unpublished={name: event[name] for name in _LINKS},
            )
            self._conversations.settle(self._events, submission.id)
            forgotten = _FORGOTTEN if forget else {}
            self._note(submission.id, question="", published_with=with_it, **forgotten)
            return published

        return self._decide(event_id, caller, work)

    def unpublish(self, event_id: int, caller: Caller, language: str, revision: int) -> Submission:
        """Take a publication back, with the venue and organizer published by it.

        Raises ``PreconditionFailed`` where the event is not at ``revision`` any more.
        """
        require_decider(caller)
        back = {"status": PENDING}

        def work() -> Submission:
            stored = self._stored(event_id)
            change = partial(self._editor.change, caller=caller, language=language, changes=back)
            event = change(self._events, event_id, revision=revision)
            for name, ids in stored.get("published_with", {}).items():
                for linked in ids:
                    public = all_of([equals(name, linked), equals("status", PUBLISH)])
                    if self._store.of(self._events).first(public, ["_id"]) is None:
                        change(self._kinds[name], linked)
            self._submissions.change(identified(event_id), {"$unset": NO_LETTER})
            return self._submission(event)

        return retry_conflicts(self._store, work)

    def tell_later(self, event_id: int, letter: Record) -> None:
        """Keep a letter to the sender for a while; until then nobody is forgotten."""
        self._note(event_id, **waiting_letter(letter, self._memory.now))

    def letters_due(self) -> Iterator[Record]:
        """Yield the letters to send now, each once, and forget to whom they go."""
        return letters_due(self._submissions, self._memory.now, _FORGOTTEN)

    def ask(self, event_id: int, caller: Caller, question: str) -> Submission:
        """Ask the sender something, who finds it at their link."""

        def work(submission: Submission, event: Record) -> Record:
            self._note(submission.id, question=question)
            self._conversations.say(self._events, event, (DESK, caller.id, question), AUTHOR)
            return event

        return self._decide(event_id, caller, work)

    def reject(self, event_id: int, caller: Caller, reason: str) -> Submission:
        """Move a contribution to the trash, with its own new venue and organizer."""

        def work(submission: Submission, event: Record) -> Record:
            self.pictures.take_from(event)
            refused = self._editor.remove(self._events, submission.id, caller)
            self._remove_links(event, caller)
            self._note(submission.id, reason=reason, withdrawn=None, question="", **_FORGOTTEN)
            self._conversations.say(self._events, event, (DESK, caller.id, reason), "")
            return refused

        return self._decide(event_id, caller, work)

    def _decide(
        self, event_id: int, caller: Caller, work: Callable[[Submission, Record], Record]
    ) -> Submission:
        require_decider(caller)

        def decided() -> Submission:
            submission = self.of_event(event_id)
            if submission.event is None or not submission.is_open:
                raise SubmissionDecided
            return self._submission(work(submission, submission.event))

        return retry_conflicts(self._store, decided)

    def _remove_links(self, event: Record, caller: Caller) -> None:
        """Move venues and organizers to the trash that strangers named, and no event has."""
        for name in _LINKS:
            for linked in self._waiting_links(name, event):
                other_events = all_of([equals(name, linked), none_of("_id", [event["_id"]])])
                if self._store.of(self._events).first(other_events, ["_id"]) is None:
                    self._editor.remove(self._kinds[name], linked, caller)

    def _sender(self, event: Record) -> Caller:
        linked = [number for name in _LINKS for number in self._waiting_links(name, event)]
        picture = [event["image"]] if isinstance(event.get("image"), int) else []
        return sender_of([event["_id"], *linked, *picture])

    def _waiting_links(self, name: str, event: Record) -> list[int]:
        """Return the ids of records that strangers named for an event, and nobody has published."""
        own = [equals("author", SENDER.id), equals("status", PENDING)]
        waiting = all_of([one_of("_id", event[name]), *own])
        unpublished = self._store[name].find(waiting, fields=["_id"]) if event[name] else []
        return [each["_id"] for each in unpublished]

    def _open(self, token: str) -> Record:
        """Return the event of a token; raise ``NotFound`` or ``SubmissionDecided``."""
        submission = self.find(token)
        if submission.event is None or not submission.is_open:
            raise SubmissionDecided
        return submission.event

    def _by_token(self, token: str) -> Submission | None:
        document = self._submissions.first(equals("token", token_hash(token)))
        if document is None:
            return None
        event_id = document["_id"]
        event = self._store.of(self._events).first(identified(event_id))
        conversations = self._conversations.of(self._events, [event_id])
        return submission_of(event_id, event, document, conversations.get(event_id, _NO_WORDS))

    def _submission(self, event: Record) -> Submission:
        (submission,) = self.of_events([event])
        return submission

    def _stored(self, event_id: int) -> Record:
        return self._submissions.first(identified(event_id)) or {}

    def _note(self, event_id: int, **fields: object) -> None:
        """Set fields of a contribution, unless it has expired."""
        self._submissions.change(identified(event_id), {"$set": fields})

    def _document(self, event_id: int, contact: Contact, language: str, token: str) -> Record:
        return {
            "_id": event_id,
            "token": token_hash(token),
            "language": language,
            "name": contact.name,
            "email": contact.email,
            "submitted": self._memory.now(),
            "expires": self._memory.until(),
        }

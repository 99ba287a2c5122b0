"""Contributions by people without an account, and what editors decide about them.

A contribution is the event itself, and beside it what only its sender has to do with.
The event is an ordinary one that waits to be published. The document of the contribution has the
same id, and goes after some days, and with it all that is known of the sender.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256

from calendar_app.accounts.policy import SENDER, Caller, require_decider
from calendar_app.calendar.auditing import Door, through
from calendar_app.calendar.editor import Editor
from calendar_app.calendar.pictures.uploads import Pictures, Upload
from calendar_app.calendar.shown_pictures import CONTRIBUTED, ShownPictures
from calendar_app.calendar.writing.attempts import retry_conflicts
from calendar_app.domain.kind import Index, Kind, Record
from calendar_app.domain.moments import Now
from calendar_app.domain.statuses import FUTURE, PENDING, PUBLISH, TRASH
from calendar_app.errors import NotFound, PictureInUse, SubmissionDecided
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import all_of, before, differs, equals, identified, none_of, one_of

SUBMISSIONS = "submissions"
SUBMISSION_INDEXES = (
    Index((("token", 1),), serves="the contribution of a sender's link", unique=True),
    Index((("expires", 1),), serves="forgetting senders", expire_after=0),
)
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
class Memory:
    """How long senders are remembered; ``now`` gives the present in UTC, without a zone."""

    now: Now
    days: int

    def until(self) -> datetime:
        return self.now() + timedelta(days=self.days)


def token_hash(token: str) -> str:
    """Return the stored form of a sender's token, which is too random to be guessed."""
    return sha256(token.encode()).hexdigest()


def submission_of(event_id: int, event: Record | None, document: Record) -> Submission:
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
    )


# The pictures of contributions: stored with them, and removed with them.

# A picture is stored before its event, so that one without an event is at first no orphan.
_GRACE = timedelta(hours=1)


class ContributedPictures:
    """The pictures of strangers; ``kinds`` are events and pictures by name."""

    def __init__(
        self,
        store: Store,
        pictures: Pictures,
        editor: Editor,
        kinds: Mapping[str, Kind],
        now: Now,
    ) -> None:
        self._store = store
        self._pictures = pictures
        self._editor = editor
        self._events, self._media = kinds["events"], kinds["media"]
        self._shown = ShownPictures(store)
        self._now = now

    @contextmanager
    def stored(self, upload: Upload | None, language: str) -> Iterator[Record]:
        """Store a picture and yield the change that shows it; remove it if nothing does then.

        Raises ``InvalidParameters`` naming ``file``.
        """
        if upload is None:
            yield {}
            return
        picture = self._pictures.contribute(upload, language)
        try:
            yield {"image": picture["_id"]}
        finally:
            self.remove_unshown(picture["_id"])

    def of_event(self, event: Record) -> Record | None:
        """Return the picture of an event if a stranger has sent it."""
        image = event.get("image")
        if not isinstance(image, int):
            return None
        contributed = all_of([identified(image), equals(CONTRIBUTED, True)])
        return self._store.of(self._media).first(contributed)

    def describe(self, event: Record, texts: Mapping[str, str], language: str) -> None:
        """Store the alternative texts of the picture of an event, by language."""
        picture = self.of_event(event) if texts else None
        if picture is not None:
            variants = {tag: {"alt_text": text} for tag, text in texts.items()}
            self._editor.change(
                self._media, picture["_id"], {"variants": variants}, SENDER, language
            )

    def take_from(self, event: Record) -> None:
        """Remove the picture of a contribution that is going to the trash."""
        picture = self.of_event(event)
        if picture is not None:
            nothing = {"image": None}
            self._editor.change(self._events, event["_id"], nothing, SENDER, "")
            self.remove_unshown(picture["_id"])

    def remove_unshown(self, number: int) -> None:
        """Remove a contributed picture, unless a record shows it."""
        contributed = all_of([identified(number), equals(CONTRIBUTED, True)])
        if self._store.of(self._media).first(contributed, ["_id"]) is not None:
            with suppress(PictureInUse, NotFound):
                self._editor.remove(self._media, number, SENDER)

    def settle(self) -> None:
        """Remove pictures of forgotten contributions; let published ones be like all others."""
        stored = all_of([equals(CONTRIBUTED, True), before("published", self._now() - _GRACE)])
        pictures = self._store.of(self._media).find(stored, fields=[CONTRIBUTED])
        awaited = self._awaited([picture["_id"] for picture in pictures])
        for picture in pictures:
            number = picture["_id"]
            if not self._shown.is_withheld(picture):
                self._store.of(self._media).change(
                    identified(number), {"$unset": {CONTRIBUTED: ""}}
                )
            elif number not in awaited:
                with suppress(NotFound):
                    self._editor.remove(self._media, number, SENDER, force=True)

    def _awaited(self, numbers: list[int]) -> set[int]:
        """Return the pictures of events outside the trash whose senders are not forgotten."""
        if not numbers:
            return set()
        waiting = all_of([one_of("image", numbers), differs("status", TRASH)])
        events = self._store.of(self._events).find(waiting, fields=["image"])
        sent = self._store[SUBMISSIONS].find(one_of("_id", [each["_id"] for each in events]))
        ids = {submission["_id"] for submission in sent}
        return {event["image"] for event in events if event["_id"] in ids}


# Takes contributions in, and lets those who may publish decide about them.

_LINKS = ("venues", "organizers")
_FORGOTTEN = {"name": "", "email": ""}


class Submissions:
    """The contributions of strangers; ``kinds`` are events, venues and organizers by name."""

    def __init__(
        self,
        store: Store,
        editor: Editor,
        kinds: Mapping[str, Kind],
        pictures: ContributedPictures,
        memory: Memory,
    ) -> None:
        self._store = store
        self._submissions = store[SUBMISSIONS]
        self._editor = editor
        self._kinds = kinds
        self.pictures = pictures
        self._events = kinds["events"]
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
                self._events, before["_id"], sent.changes | image, SENDER, language
            )
            self.pictures.describe(event, sent.alt_texts, language)
            if isinstance(before.get("image"), int):
                self.pictures.remove_unshown(before["image"])
            self._note(event["_id"], mended=self._memory.now(), question="")
            return submission_of(event["_id"], event, self._stored(event["_id"]))

        self._open(token)
        with through(Door.SUBMISSION), self.pictures.stored(sent.picture, language) as image:
            return retry_conflicts(self._store, lambda: work(image))

    def withdraw(self, token: str) -> Submission:
        """Move a contribution to the trash for its sender, who is forgotten.

        Raises ``NotFound`` or ``SubmissionDecided``.
        """

        def work() -> Submission:
            before = self._open(token)
            self.pictures.take_from(before)
            event = self._editor.remove(self._events, before["_id"], SENDER)
            self._remove_links(before, SENDER)
            self._note(event["_id"], withdrawn=self._memory.now(), question="", **_FORGOTTEN)
            return submission_of(event["_id"], event, self._stored(event["_id"]))

        with through(Door.SUBMISSION):
            return retry_conflicts(self._store, work)

    def find(self, token: str) -> Submission:
        """Return the contribution of a token; raise ``NotFound``."""
        submission = self._by_token(token)
        if submission is None:
            raise NotFound("submission")
        return submission

    def of_event(self, event_id: int) -> Submission:
        """Return the contribution that an event is; raise ``NotFound``."""
        event = self._store.of(self._events).first(identified(event_id))
        if event is None or event["author"] != SENDER.id:
            raise NotFound("submission", event_id)
        return submission_of(event_id, event, self._stored(event_id))

    def of_events(self, events: Sequence[Record]) -> list[Submission]:
        """Return the contributions that these events are, in one query."""
        ids = [event["_id"] for event in events]
        documents = {each["_id"]: each for each in self._submissions.find(one_of("_id", ids))}
        return [
            submission_of(event["_id"], event, documents.get(event["_id"], {})) for event in events
        ]

    def contact(self, event_id: int) -> Contact:
        """Return who sent a contribution, to write to them; empty once they are forgotten."""
        document = self._stored(event_id)
        return Contact(document.get("name", ""), document.get("email", ""))

    def publish(
        self, event_id: int, caller: Caller, language: str, revision: int | None = None
    ) -> Submission:
        """Publish a contribution, with the new venue and organizer that it has.

        Raises ``PreconditionFailed`` where the event is not at ``revision`` any more.
        """

        def work(submission: Submission, event: Record) -> Record:
            published = self._editor.change(
                self._events,
                submission.id,
                {"status": PUBLISH},
                caller,
                language,
                revision=revision,
                unpublished={name: event[name] for name in _LINKS},
            )
            self._note(submission.id, question="", **_FORGOTTEN)
            return published

        return self._decide(event_id, caller, work)

    def ask(self, event_id: int, caller: Caller, question: str) -> Submission:
        """Ask the sender something, who finds it at their link."""

        def work(submission: Submission, event: Record) -> Record:
            self._note(submission.id, question=question)
            return event

        return self._decide(event_id, caller, work)

    def reject(self, event_id: int, caller: Caller, reason: str) -> Submission:
        """Move a contribution to the trash, with its own new venue and organizer."""

        def work(submission: Submission, event: Record) -> Record:
            self.pictures.take_from(event)
            refused = self._editor.remove(self._events, submission.id, caller)
            self._remove_links(event, caller)
            self._note(submission.id, reason=reason, withdrawn=None, question="", **_FORGOTTEN)
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
            event = work(submission, submission.event)
            return submission_of(event_id, event, self._stored(event_id))

        return retry_conflicts(self._store, decided)

    def _remove_links(self, event: Record, caller: Caller) -> None:
        """Move venues and organizers to the trash that strangers named, and no event has."""
        for name in _LINKS:
            waiting = all_of(
                [
                    one_of("_id", event[name]),
                    equals("author", SENDER.id),
                    equals("status", PENDING),
                ]
            )
            for linked in self._store[name].find(waiting, fields=["_id"]) if event[name] else ():
                others = all_of([equals(name, linked["_id"]), none_of("_id", [event["_id"]])])
                if self._store.of(self._events).first(others, ["_id"]) is None:
                    self._editor.remove(self._kinds[name], linked["_id"], caller)

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
        event = self._store.of(self._events).first(identified(document["_id"]))
        return submission_of(document["_id"], event, document)

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

"""Takes contributions in, and lets those who may publish decide about them."""

from collections.abc import Callable, Mapping, Sequence

from calendar_app.accounts.policy import SENDER, Caller, require_decider
from calendar_app.calendar.auditing import Door, through
from calendar_app.calendar.editor import Editor
from calendar_app.calendar.submissions.pictures import ContributedPictures
from calendar_app.calendar.submissions.submission import (
    SUBMISSIONS,
    Contact,
    Memory,
    SentEvent,
    Submission,
    submission_of,
    token_hash,
)
from calendar_app.calendar.writing.attempts import retry_conflicts
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.statuses import PENDING, PUBLISH
from calendar_app.errors import NotFound, SubmissionDecided
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import all_of, equals, identified, none_of, one_of

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

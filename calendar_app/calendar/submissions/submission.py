"""A contribution: the event itself, and beside it what only its sender has to do with.

The event is an ordinary one that waits to be published. The document of the contribution has the
same id, and goes after some days, and with it all that is known of the sender.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256

from calendar_app.calendar.pictures.uploads import Upload
from calendar_app.domain.kind import Index, Record
from calendar_app.domain.moments import Now
from calendar_app.domain.statuses import FUTURE, PENDING, PUBLISH, TRASH

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

"""Everything this service can refuse to do, without a word about HTTP.

``kind`` is the singular name of a kind of record: ``event``, ``venue``, ``organizer``,
``category``, ``tag`` or ``media``.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, is_dataclass
from typing import Self

_WORD = re.compile("[A-Z][a-z]*")


class Message(str):
    """A message to users: an English sentence, with values for its gaps.

    A gap called ``kind`` holds the name of a kind of record, which has other languages too.
    """

    __slots__ = ("gaps", "pattern")
    pattern: str
    gaps: Mapping[str, object]

    def __new__(cls, pattern: str, **gaps: object) -> Self:
        message = super().__new__(cls, pattern.format(**gaps) if gaps else pattern)
        message.pattern, message.gaps = pattern, gaps
        return message


class CalendarError(Exception):
    """Base class of every refusal."""

    def __str__(self) -> str:
        """Return the message; of an error without one, its name in words, as reports show it."""
        # The arguments of a dataclass are values, and no message.
        message = "" if is_dataclass(self) else super().__str__()
        return message or f"{' '.join(_WORD.findall(type(self).__name__)).capitalize()}."


class ConfigurationError(CalendarError):
    """The configuration is unusable; the message is one line with the remedy."""


class InvalidBackup(CalendarError):
    """A file is no backup, is incomplete, or fails its digests."""


class RestoreRefused(CalendarError):
    """The database cannot take a backup now; the message names the remedy."""


@dataclass
class NotInHistory(CalendarError):
    """History does not know this revision of the record, or does not reach back to it."""

    kind: str
    revision: int


@dataclass
class InvalidParameters(CalendarError):
    """Parameters with values that cannot be taken: name to reason."""

    reasons: Mapping[str, str]


@dataclass
class NotFound(CalendarError):
    """The record does not exist; ``slug`` is set if it was requested by slug."""

    kind: str
    id: int = 0
    slug: str = ""


@dataclass
class RecordError(CalendarError):
    """A refusal that names the kind of the record."""

    kind: str


class NoSuchPage(RecordError):
    """The list has fewer pages."""


class WrongKind(RecordError):
    """The id is that of a record of another kind."""


class NotReadable(RecordError):
    """The record exists, and the caller may not read it."""


class NoLongerAvailable(RecordError):
    """The record is in the trash."""


class AlreadyTrashed(RecordError):
    """The record to delete is in the trash already."""


class PasswordRequired(RecordError):
    """The record needs its password."""


class NotAuthenticated(CalendarError):
    """The caller is unknown and would have to be known."""


class NotAllowed(CalendarError):
    """The caller is known and lacks the right to do this."""


class NotOnBothSides(NotAllowed):
    """The caller may decide on a pair of events, and change only one of them."""


class CrossSiteRequest(CalendarError):
    """A browser sends a write on behalf of another site."""


class UnknownUser(CalendarError):
    """The credentials name a user that does not exist."""


class BlockedUser(CalendarError):
    """The credentials are right, and those of a user who is blocked."""


class InvitationOver(CalendarError):
    """The link of an invitation holds no longer, or never did."""


class UnknownPassword(CalendarError):
    """The user has no application password of this label."""


class WrongSecret(CalendarError):
    """The credentials name a user that exists, with a secret that is not theirs."""


@dataclass
class TooManyAttempts(CalendarError):
    """Too many wrong secrets; ``retry_after`` is in seconds."""

    retry_after: int


@dataclass
class TooManyReads(CalendarError):
    """The address reads more than it may; ``retry_after`` is in seconds."""

    retry_after: int


@dataclass
class TooManySubmissions(CalendarError):
    """More contributions come than are taken; ``retry_after`` is in seconds."""

    retry_after: int


@dataclass
class TooManyReports(CalendarError):
    """More mistakes are reported than are taken; ``retry_after`` is in seconds."""

    retry_after: int


class ChangesGone(CalendarError):
    """What has changed since then is not known any more: whoever follows begins again."""


class Conflict(CalendarError):
    """The change contradicts another record or another change."""


class DuplicateKey(Conflict):
    """A unique value is taken."""


class SourceBusy(Conflict):
    """Another process reads this source at the moment."""


@dataclass
class SourceHeld(Conflict):
    """The guard holds a reading of a source back."""

    reading: str


class TooManyWebhooks(Conflict):
    """There are as many webhooks as there can be."""


class LastAdministrator(Conflict):
    """Without this user nobody could manage users."""


class Locked(Conflict):
    """A transaction that runs writes the same document."""


@dataclass
class IdempotencyKeyInUse(Conflict):
    """A request with the same key still runs; ``retry_after`` is in seconds."""

    retry_after: int = 1


class IdempotencyKeyReused(CalendarError):
    """Another request had the same key."""


class TermSlugTaken(Conflict):
    """Another term has this slug."""


class MistakeAnswered(Conflict):
    """A report of a mistake is answered already, by somebody else perhaps."""


class SubmissionDecided(Conflict):
    """A contribution is published or refused, so that its sender changes it no more."""


class LastTranslation(Conflict):
    """A record keeps at least one language."""


@dataclass
class PictureInUse(Conflict):
    """The picture is shown by ``uses`` records; those of other people and in the trash count."""

    uses: int


@dataclass
class NotWritten(CalendarError):
    """A parameter says something of a language in which the record has no text."""

    parameter: str
    language: str


class EditConflict(Conflict):
    """Others changed the record again and again while this change was made."""


class RecordTooLarge(CalendarError):
    """With the change the record would be larger than the database can store."""


class NotHierarchical(CalendarError):
    """These terms have no parents."""


class PreconditionFailed(CalendarError):
    """The record has changed since the client read it."""


@dataclass
class TermExists(CalendarError):
    """A term of this name exists at the same place."""

    kind: str
    term_id: int

    def __str__(self) -> str:
        if self.kind == "category":
            return Message("A term with the name provided already exists with this parent.")
        return Message("A term with the name provided already exists in this taxonomy.")


@dataclass
class Unavailable(CalendarError):
    """The database is away or too slow; ``retry_after`` is in seconds."""

    reason: str = field(default=Message("The database cannot be reached."))
    retry_after: int = 5

    def __str__(self) -> str:
        return self.reason


class TookTooLong(Unavailable):
    """The database was reached, and did not answer in time; less work at once may succeed."""


class UnknownCommit(Unavailable):
    """The database was lost during a commit; nobody knows whether it was stored."""


class DatabaseDenies(Unavailable):
    """The database does not know the user of the address it was given, or denies them a right."""

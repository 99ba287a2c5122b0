"""Entries of the inbox for pages: sender, conversation and similar events."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from markupsafe import Markup

from calendar_app.accounts.callers import SENDER
from calendar_app.accounts.policy import readable_by
from calendar_app.api.http.request import current
from calendar_app.api.http.views import records
from calendar_app.calendar.inbox import AUTHOR, Conversation, Remark
from calendar_app.calendar.similar_events import SimilarEvent
from calendar_app.calendar.submissions import Submission
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import EVENT, ORGANIZER, SERIES, VENUE
from calendar_app.domain.languages import localize
from calendar_app.domain.statuses import PENDING
from calendar_app.errors import Message
from calendar_app.readmodel.events import ReadEvent
from calendar_app.readmodel.linked import ReadOrganizer, ReadVenue
from calendar_app.readmodel.records import LocalText
from calendar_app.site.desk import rendering
from calendar_app.site.html import wording
from calendar_app.site.html.pieces import prose
from calendar_app.site.pages.events import SizedPicture, picture, read_events

PATH = "/queue/"
KINDS = {kind.name: kind for kind in (EVENT, SERIES, VENUE, ORGANIZER)}
KIND_NAMES = {
    EVENT.name: Message("Event"),
    SERIES.name: Message("Recurring event"),
    VENUE.name: Message("Place"),
    ORGANIZER.name: Message("Organizer"),
}


@dataclass(frozen=True, slots=True)
class Neighbor:
    """An event that may be the same as a contribution."""

    id: int
    title: str
    when: str
    status: str
    same_place: bool


Read = ReadEvent | ReadVenue | ReadOrganizer


@dataclass(frozen=True, slots=True)
class InboxEntry:
    """An entry of the inbox, with its sender, its conversation, and similar events.

    ``submission`` is that of people without an account; all others have a ``sender``.
    """

    kind: Kind
    read: Read
    sender: str
    conversation: Conversation
    submission: Submission | None
    similar: Sequence[Neighbor]

    @property
    def id(self) -> int:
        return self.read.id

    @property
    def path(self) -> str:
        """Return the page of the desk at which it is decided."""
        return path_of(self.kind, self.id)

    @property
    def kind_name(self) -> Message:
        return KIND_NAMES[self.kind.name]

    @property
    def title(self) -> LocalText:
        return self.read.name

    @property
    def event(self) -> ReadEvent | None:
        return self.read if isinstance(self.read, ReadEvent) else None

    @property
    def when(self) -> str:
        return _when(self.read.record) if self.event else ""

    @property
    def price(self) -> str:
        """Return the price in the language of the desk."""
        if self.event is None:
            return ""
        return rendering.gettext("Free entry") if self.event.is_free else self.event.price

    @property
    def picture(self) -> SizedPicture | None:
        return picture(self.read.picture)

    @property
    def since(self) -> datetime:
        """Return when it was sent, or last saved."""
        submitted = self.submission.submitted if self.submission else None
        moment: datetime = submitted or self.read.record["modified"]
        return moment

    @property
    def is_open(self) -> bool:
        return bool(self.read.record["status"] == PENDING)

    @property
    def is_mended(self) -> bool:
        return bool(self.submission and self.submission.mended)

    @property
    def remarks(self) -> Sequence[Remark]:
        return self.submission.remarks if self.submission else self.conversation.remarks

    @property
    def awaits(self) -> str:
        """Return who has to answer next: the desk, the author, or nobody."""
        if self.submission and self.submission.question:
            return AUTHOR
        return self.conversation.awaits


@dataclass(frozen=True, slots=True)
class SentText:
    """Title and description as they were sent in one language."""

    language: str
    name: str
    title: str
    description: Markup


def path_of(kind: Kind, record_id: int) -> str:
    """Return the page of the desk at which a record is decided."""
    return f"{PATH}{record_id}" if kind is EVENT else f"{PATH}{kind.name}/{record_id}"


def sent_texts(kind: Kind, record: Record) -> list[SentText]:
    """Return the texts in all languages in which it was written."""
    context = current.context()
    variants, own = record["variants"], rendering.language()
    return [
        SentText(
            tag,
            wording.language_name(tag, own),
            variants[tag].get(kind.label, ""),
            prose(variants[tag].get("description", ""), context.addresses),
        )
        for tag in context.settings.languages
        if tag in variants
    ]


def entries_of(items: Sequence[Record]) -> list[InboxEntry]:
    """Return entries of kinds with records, by a few queries for all of them."""
    services, caller = current.context().services, current.context().caller
    by_kind: dict[str, list[Record]] = {}
    for item in items:
        by_kind.setdefault(item["kind"].name, []).append(item["record"])
    names = services.profiles.shown_names(item["record"]["author"] for item in items)
    events = by_kind.get(EVENT.name, [])
    similar = services.similar_events.similar_to(events, readable_by(caller))
    sent = [event for event in events if event["author"] == SENDER.id]
    submissions = {each.id: each for each in services.submissions.of_events(sent)}
    entries = {}
    for name, own in by_kind.items():
        kind = KINDS[name]
        conversations = services.conversations.of(kind, [record["_id"] for record in own])
        for read in _read(kind, own):
            is_event = kind is EVENT
            neighbors = similar.get(read.id, ()) if is_event else ()
            entries[name, read.id] = InboxEntry(
                kind,
                read,
                names.get(read.record["author"], ""),
                conversations.get(read.id, Conversation()),
                submissions.get(read.id) if is_event else None,
                [neighbor(each) for each in neighbors],
            )
    return [entries[item["kind"].name, item["record"]["_id"]] for item in items]


def _read(kind: Kind, documents: Sequence[Record]) -> Sequence[Read]:
    if kind in (EVENT, SERIES):
        return read_events(documents)
    context = records.context_of(kind, documents)
    read = ReadVenue if kind is VENUE else ReadOrganizer
    return [read(record, context) for record in documents]


def neighbor(similar: SimilarEvent) -> Neighbor:
    """Return a similar event as the desk shows it."""
    event = similar.event
    title = localize(event["variants"], ["title"], current.context().chain)["title"]
    return Neighbor(event["_id"], title, _when(event), event["status"], similar.same_place)


def _when(event: Record) -> str:
    """Return days and times of an event in the language of the desk."""
    return wording.when(
        event["start_local"], event["end_local"], rendering.language(), all_day=event["all_day"]
    )

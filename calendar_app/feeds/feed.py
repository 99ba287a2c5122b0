"""One feed: its format, name, address and selection."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from importlib.metadata import version
from uuid import UUID

from xxhash import xxh3_128_digest

from calendar_app.calendar.reading.feed_series import FeedSeries, Selection
from calendar_app.domain.ledger import AUTONOMOUS
from calendar_app.domain.richtext import legible
from calendar_app.domain.statuses import Stamp
from calendar_app.domain.texts.messages import translated
from calendar_app.domain.uids import event_uid, feed_uid
from calendar_app.errors import Message
from calendar_app.readmodel.events import ReadEvent
from calendar_app.readmodel.records import ReadContext

_BYTES = 16
# Another version may render events differently.
_VERSION = version("calendar-app")
# The settings that feeds show; no others, lest a tag tell by a guess what somebody keeps secret.
_SHOWN_SETTINGS = (
    "site_name",
    "namespace",
    "api_prefix",
    "default_language",
    "timezone",
    "feed_color",
    "machine_text",
    "page_template",
    "custom_fields",
)


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed in one language, for one reader; ``calendar`` identifies this calendar.

    ``name`` is its path without the suffix: ``events``, or ``events/5`` for one event.
    ``parameters`` are those of its URL, ``next_url`` that of the next page, else empty. ``subject``
    is what its filters name. ``one_by_one``: each date of a series is an event of its own.
    """

    name: str
    suffix: str
    calendar: UUID
    parameters: Mapping[str, str]
    selection: Selection
    context: ReadContext
    next_url: str = ""
    subject: str = ""
    one_by_one: bool = False

    def uid_of(self, number: int) -> UUID:
        """Return the globally unique id of an event, the same in every language."""
        return event_uid(self.calendar, number)

    @property
    def uid(self) -> UUID:
        """Return the globally unique id of this selection."""
        return feed_uid(self.calendar, f"{self.name}.{self.suffix}", self.parameters)

    @property
    def site(self) -> str:
        return legible(self.context.settings.site_name)

    @property
    def title(self) -> str:
        """Return a name that tells the feeds of several filters of a site apart."""
        return f"{self.site} \u2013 {self.subject}" if self.subject else self.site

    @property
    def language(self) -> str:
        return self.context.chain[0]

    @property
    def address(self) -> str:
        return self.context.addresses.feed(self.name, self.suffix, self.parameters)

    @property
    def key(self) -> tuple[object, ...]:
        """The cache key of the feed: its selection, and its view."""
        parameters = tuple(sorted(self.parameters.items()))
        return self.name, self.next_url, parameters, self.view_key()

    def view_key(self) -> bytes:
        """Return a key of the view, for cached fragments."""
        context = self.context
        addresses = (context.addresses.site, context.addresses.root)
        form = (self.suffix, self.one_by_one)
        parts = (form, self.calendar, context.caller, context.chain, addresses)
        return xxh3_128_digest(repr(parts).encode())

    def entity_tag(self, head: bytes) -> str:
        """Return the entity tag of a feed that begins with ``head``."""
        context = self.context
        settings = [getattr(context.settings, name) for name in _SHOWN_SETTINGS]
        parts = (context.caller, context.chain, context.addresses.site, settings)
        digest = blake2b(head, digest_size=_BYTES)
        form = (_VERSION, self.suffix, self.one_by_one)
        digest.update(repr((form, parts, self.next_url)).encode())
        digest.update(self.selection.digest())
        return digest.hexdigest()


def unchecked_note(event: ReadEvent) -> str:
    """Return, in the language of the reader, that nobody has checked texts of a machine.

    Empty where there are none.
    """
    if event.shown_disclosure != AUTONOMOUS:
        return ""
    original = event.original
    note = (
        Message("Translated by a machine, not checked yet. Original: {address}", address=original)
        if original
        else Message("Written by a machine, not checked yet.")
    )
    text: str = translated(note, event.context.chain)
    return text


def credits_of(event: ReadEvent) -> list[str]:
    """Return who publishes an event, with credit line and license, in the reader's language."""
    lines = []
    for publisher in event.publishers:
        origin = translated(Message("From: {name}", name=publisher.name), event.context.chain)
        lines.append(" · ".join(filter(None, (origin, publisher.attribution, publisher.license))))
    return list(dict.fromkeys(lines))


@dataclass(frozen=True, slots=True)
class Format:
    """One format, at ``/events.SUFFIX``: ``head``, events with ``separator`` between, ``end``.

    ``with_off`` includes withdrawn events. With ``series`` a series stands in place of its events;
    ``one_by_one``: they have ids of their own, though other forms of the format have the series.
    """

    suffix: str
    media_type: str
    head: Callable[[Feed], bytes]
    item: Callable[[ReadEvent, Stamp, Feed], bytes]
    series: Callable[[Sequence[tuple[ReadEvent, Stamp]], FeedSeries, Feed], bytes] | None = None
    separator: bytes = b""
    end: bytes = b""
    with_off: bool = False
    disposition: str = "inline"
    one_by_one: bool = False

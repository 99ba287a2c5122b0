"""One feed: what it is called, where it stands, and what it holds."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from importlib.metadata import version
from urllib.parse import urlencode
from uuid import UUID, uuid5

from xxhash import xxh3_128_digest

from calendar_app.calendar.feeds.survey import Selection
from calendar_app.domain.richtext import legible
from calendar_app.http.presentation.presenting import View

_BYTES = 16
# Another version may write the same events otherwise.
_VERSION = version("calendar-app")


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed in one language, for one reader; ``calendar`` tells this calendar from all others.

    ``name`` is its path without the suffix: ``events``, or ``events/5`` of one event. ``asked``
    are the parameters that its address repeats, ``following`` is the address of its next page,
    empty where there is none.
    """

    name: str
    suffix: str
    calendar: UUID
    asked: Mapping[str, str]
    selection: Selection
    view: View
    following: str = ""

    @property
    def uid(self) -> UUID:
        """Return what tells this selection of events from others, wherever it is read."""
        return feed_uid(self.calendar, f"{self.name}.{self.suffix}", self.asked)

    @property
    def title(self) -> str:
        return legible(self.view.settings.site_name)

    @property
    def language(self) -> str:
        return self.view.chain[0]

    @property
    def address(self) -> str:
        return self.view.addresses.feed(self.name, self.suffix, self.asked)

    def view_key(self) -> bytes:
        """Return what stands for all that decides how the feed shows an event."""
        view = self.view
        addresses = (view.addresses.site, view.addresses.root)
        told = (self.suffix, self.calendar, view.caller, view.chain, addresses)
        return xxh3_128_digest(repr(told).encode())

    def entity_tag(self, head: bytes) -> str:
        """Return what stands for all that the feed says, of which ``head`` is the beginning."""
        view = self.view
        told = (view.caller, view.password, view.chain, view.addresses.site, view.settings)
        digest = blake2b(head, digest_size=_BYTES)
        digest.update(repr((_VERSION, self.suffix, told, self.following)).encode())
        digest.update(self.selection.digest())
        return digest.hexdigest()


def feed_uid(calendar: UUID, path: str, asked: Mapping[str, str]) -> UUID:
    """Return what tells a selection of events of one calendar from others."""
    return uuid5(calendar, f"{path}?{urlencode(sorted(asked.items()))}")

"""The content of a source, before anything of it is stored."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from calendar_app.calendar.pace import Pace
from calendar_app.errors import CalendarError
from calendar_app.sources.calendar_events import CalendarEvent
from calendar_app.sources.packing import packed, unpacked


class SourceError(CalendarError):
    """The source of an import cannot be read; the message is one line."""


class ReadingInterrupted(SourceError):
    """A content was not read to its end, which may be no fault of it; the message is one line."""


@dataclass(frozen=True, slots=True)
class Validators:
    """``ETag`` and ``Last-Modified`` of the last reading, empty where there were none."""

    etag: str = ""
    modified: str = ""

    @property
    def headers(self) -> dict[str, str]:
        """Return the headers of a conditional request."""
        headers = {"If-None-Match": self.etag, "If-Modified-Since": self.modified}
        return {name: value for name, value in headers.items() if value}


@dataclass(frozen=True, slots=True)
class Fetched:
    """The content of ``address``, which is behind all redirects, with its validators."""

    content: bytes
    etag: str
    modified: str
    address: str

    @property
    def validators(self) -> Validators:
        return Validators(self.etag, self.modified)


class PackedEvents:
    """Events in the order of their calendar, in a quarter of the memory of objects."""

    def __init__(self) -> None:
        self._packed: list[bytes] = []

    def append(self, event: CalendarEvent) -> None:
        self.append_packed(packed(event))

    def append_packed(self, octets: bytes) -> None:
        """Add an event as another process has packed it."""
        self._packed.append(octets)

    def packed(self) -> Iterator[bytes]:
        """Yield the events in packed form."""
        return iter(self._packed)

    def __getitem__(self, place: int) -> CalendarEvent:
        return unpacked(self._packed[place])

    def __iter__(self) -> Iterator[CalendarEvent]:
        return map(self.__getitem__, range(len(self)))

    def __len__(self) -> int:
        return len(self._packed)


@dataclass(slots=True)
class ParsedCalendar:
    """The events of a source; label and reason of each that cannot be read, or a part of it.

    ``unparsed_uids`` are those of events that the source has too: their text is that of the last
    reading, or cannot be read. Without ``whole`` the source has more events than all these.
    With ``only_changes`` what it does not name is as it was. Of ``gone_uids`` the source itself
    says that it has them no more.
    """

    events: PackedEvents = field(default_factory=PackedEvents)
    unparsed_uids: set[str] = field(default_factory=set)
    refused: list[tuple[str, str]] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)
    whole: bool = True
    only_changes: bool = False
    gone_uids: set[str] = field(default_factory=set)
    _pace: Pace = field(default_factory=Pace, repr=False, compare=False)

    @contextmanager
    def refusing(self, label: str, uid: str = "") -> Iterator[None]:
        """Note an event that cannot be read; the source may have anything in it.

        Events are read at a pace at which the same process answers requests.
        """
        self._pace.keep()
        try:
            yield
        except (MemoryError, SourceError):  # so ends the whole reading
            raise
        except ValueError as error:
            self._refuse(label, uid, str(error))
        except Exception as error:  # noqa: BLE001  # one event never ends the reading of others
            self._refuse(label, uid, f"It cannot be read: {type(error).__name__} {error}")

    def _refuse(self, label: str, uid: str, reason: str) -> None:
        self.refused.append((label, reason))
        if uid:
            self.unparsed_uids.add(uid)

    def leave_out(self, label: str, words: str) -> None:
        """Note a part of an event that is left out."""
        self.left_out.append((label, words))

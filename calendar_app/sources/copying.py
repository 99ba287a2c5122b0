"""Copies the pictures of the events of a source, within limits for each reading.

An address of which the picture is here leads to it, as ``linking.brought_ids`` says. It is asked
for again where an event that shows it has changed, on the conditions of the last answer. An event
whose picture is not here keeps the link; its note says in ``picture`` when to try again.
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from http import HTTPStatus
from pathlib import PurePosixPath
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from calendar_app.accounts.callers import Caller
from calendar_app.calendar.pictures.uploads import Upload
from calendar_app.domain.addresses import Network, in_ascii
from calendar_app.domain.kind import Record
from calendar_app.domain.provenance import ANY_SOURCE
from calendar_app.domain.statuses import TRASH
from calendar_app.errors import InvalidParameters, Message
from calendar_app.sources.calendar_events import CalendarEvent
from calendar_app.sources.digests import digest
from calendar_app.sources.imports.downloading import Downloader, DownloadError, Response
from calendar_app.sources.kept_pictures import KeptPictures, PictureTask
from calendar_app.sources.merging import IMAGE, SOURCE
from calendar_app.sources.notes import PICTURE, fingerprint, memory_of, note_in
from calendar_app.sources.parsed import Validators
from calendar_app.sources.results import reason_of
from calendar_app.sources.source import Source

_LATER = Message("Its picture is still linked. The next reading copies it.")
# A picture that could not be copied is tried again after a day, then after two, four and so on.
_FIRST_WAIT = timedelta(days=1)
_MOST_DOUBLINGS = 4


class CopyLimits(NamedTuple):
    """The bounds of all pictures of one reading, and of one of them: seconds and bytes."""

    pictures: int = 250
    seconds: float = 120.0
    size: int = 500_000_000
    seconds_of_one: float = 15.0
    size_of_one: int = 10_000_000


@dataclass(slots=True)
class _LinkedPicture:
    """An event that shows an address, and whether the source says something else of it now."""

    event: CalendarEvent
    has_changed: bool


@dataclass(slots=True)
class WebPictureCopier:
    """Copies the pictures of one source for one reading."""

    source: Source
    caller: Caller
    library: KeptPictures
    networks: Sequence[Network] = ()
    limits: CopyLimits = field(default_factory=CopyLimits)
    # Why each address that was asked for has no copy; empty where it has one.
    _reasons: dict[str, str] = field(default_factory=dict)
    _pictures: int = 0
    _seconds: float = 0.0
    _size: int = 0

    def copy(self, tasks: Iterable[PictureTask]) -> None:
        """Copy the pictures of events that are about to be written, as far as the limits allow."""
        pictures = self._linked(tasks)
        notes = self.library.notes_of(pictures) if pictures else {}
        due = {
            address: each
            for address, each in pictures.items()
            if address not in self._reasons and _is_to_ask(notes.get(address), each)
        }
        if not due:
            return
        size, seconds = self.limits.size_of_one, self.limits.seconds_of_one
        with closing(Downloader(size, self.networks, seconds=seconds)) as downloader:
            for address, each in due.items():
                note = notes.get(address, {})
                reason = self._copy_one(downloader, address, each.event, note)
                # A picture that is gone there, or replaced by none, stays here.
                self._reasons[address] = "" if note else reason

    def settle(self, event: CalendarEvent, note: Record, former: Record, now: datetime) -> str:
        """Note when to try again to copy the pictures of an event; return why they are links."""
        addresses = _addresses(event)
        reasons = [reason for each in addresses if (reason := self._reasons.get(each))]
        if addresses:
            note.pop(PICTURE, None)
        if not reasons:
            return ""
        tries = former.get(PICTURE, {}).get("tries", 0)
        if _LATER in reasons:
            note[PICTURE] = {"due": now, "tries": tries}
            return _LATER
        note[PICTURE] = {"due": now + _wait(tries), "tries": tries + 1}
        return Message("Its picture is linked, not copied: {reason}", reason=reasons[0])

    def _linked(self, tasks: Iterable[PictureTask]) -> dict[str, _LinkedPicture]:
        """Return the events by the address of each picture that they may show."""
        pictures: dict[str, _LinkedPicture] = {}
        for task in tasks:
            record = task.stored[1] if task.stored else {}
            note = note_in(record, self.source.id)
            if not takes_picture(record, note, self.source.authority):
                continue
            has_changed = bool(note) and note.get("digest") != fingerprint(task.event)
            for address in _addresses(task.event):
                each = pictures.setdefault(address, _LinkedPicture(task.event, has_changed=False))
                each.has_changed = each.has_changed or has_changed
        return pictures

    def _copy_one(
        self, downloader: Downloader, address: str, event: CalendarEvent, note: Record
    ) -> str:
        """Copy the picture at an address, unless it is as its note says; return why it fails."""
        if not self._has_room():
            return _LATER
        self._pictures += 1
        started = time.monotonic()
        try:
            response = _requested(downloader, address, note)
            if response is not None:
                self._size += len(response.content)
                self._keep(address, response, event)
        except (DownloadError, InvalidParameters) as error:
            return reason_of(error)
        finally:
            self._seconds += time.monotonic() - started
        return ""

    def _has_room(self) -> bool:
        most = self.limits
        is_bounded = self._seconds < most.seconds and self._size < most.size
        return is_bounded and self._pictures < most.pictures

    def _keep(self, address: str, response: Response, event: CalendarEvent) -> None:
        name = unquote(PurePosixPath(urlsplit(address).path).name)
        file = Upload(response.content, name, described(event, self.source))
        note = {
            "source": ANY_SOURCE,
            "uid": address,
            "alt_text": {},
            "etag": response.headers.get("etag", ""),
            "modified": response.headers.get("last-modified", ""),
        }
        self.library.keep(file, note, self.caller, event.language)


def described(event: CalendarEvent, source: Source) -> Record:
    """Return the texts of the picture of an event, with its credit and license.

    Where the source says nothing of a picture, those of all its events hold, if they are shown.
    """
    own = event.picture_texts
    shared = {}
    if source.show_provenance:
        credit = source.attribution or source.publisher.get("name", "")
        shared = {"credit": credit, "license": source.license}
    changes: Record = {
        name: own.get(name) or shared.get(name, "") for name in ("credit", "license")
    }
    alt_text = own.get("alt_text")
    return changes | {"variants": {event.language: {"alt_text": alt_text}} if alt_text else {}}


def _requested(downloader: Downloader, address: str, note: Record) -> Response | None:
    """Return the answer with a picture; ``None`` where it is the same as its note says."""
    conditions = Validators(note.get("etag", ""), note.get("modified", "")).headers
    try:
        target = in_ascii(address)
    except ValueError as error:
        raise DownloadError(
            Message("{address} is not the web address of a file.", address=address)
        ) from error
    response = downloader.request(target, conditions)
    if conditions and response.status == HTTPStatus.NOT_MODIFIED:
        return None
    if response.status != HTTPStatus.OK:
        raise DownloadError(Message("It is answered with {status}.", status=response.status))
    return response


def _addresses(event: CalendarEvent) -> list[str]:
    """Return the addresses of the pictures of an event, or of a series and its dates."""
    changes = (event.changes, *(each.changes for each in event.overrides))
    images = (own.get(IMAGE) for own in changes)
    return list(dict.fromkeys(each for each in images if isinstance(each, str) and each))


def takes_picture(record: Record, note: Record, authority: Mapping[str, str]) -> bool:
    """Say whether a record may get the picture of its source: nobody has chosen another one."""
    if record.get("status") == TRASH:
        return False
    is_edited = bool(note) and memory_of(note).wrote.get(IMAGE, "") != digest(record.get(IMAGE))
    return not is_edited or authority.get(IMAGE) == SOURCE


def _is_to_ask(note: Record | None, picture: _LinkedPicture) -> bool:
    """Say whether to ask for a picture; imported ones without a digest stay."""
    return note is None or (picture.has_changed and "content" in note)


def _wait(tries: int) -> timedelta:
    return _FIRST_WAIT * (1 << min(tries, _MOST_DOUBLINGS))

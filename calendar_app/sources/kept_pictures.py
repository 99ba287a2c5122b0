"""Pictures of other sites that sources keep here, each content once.

Such a picture has a note for each address that has this content: ``{source, uid, alt_text, content,
etag, modified}``. ``uid`` is the address, by which every source knows the picture, ``content`` a
digest of the file as it came, ``alt_text`` the last text of a site by language.
"""

from collections.abc import Iterable
from datetime import datetime
from functools import partial
from hashlib import sha256
from typing import Protocol

from calendar_app.accounts.callers import Caller
from calendar_app.calendar.pictures.uploads import Pictures, Upload
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import MEDIA
from calendar_app.domain.provenance import NOTES, UID_OF_NOTES
from calendar_app.sources.calendar_events import CalendarEvent
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import equals, identified, one_of


class PictureTask(Protocol):
    """An event to write, and the record that it updates, if any."""

    @property
    def event(self) -> CalendarEvent: ...
    @property
    def stored(self) -> tuple[Kind, Record] | None: ...


class PictureCopier(Protocol):
    """Copies the pictures of one source for one reading."""

    def copy(self, tasks: Iterable[PictureTask]) -> None:
        """Copy the pictures of events that are about to be written, as far as limits allow."""

    def settle(self, event: CalendarEvent, note: Record, former: Record, now: datetime) -> str:
        """Note when to try again to copy the pictures of an event; return why they are links."""


def content_digest(data: bytes) -> str:
    """Return the digest by which the same file is known at another address."""
    return sha256(data).hexdigest()


class KeptPictures:
    """Stores pictures of other sites, and finds them again by their addresses."""

    def __init__(self, store: Store, uploads: Pictures) -> None:
        self._store = store
        self._uploads = uploads

    def notes_of(self, addresses: Iterable[str]) -> dict[str, Record]:
        """Return the notes of those addresses of which the pictures are here."""
        unique = set(addresses)
        records = self._store.of(MEDIA).find(one_of(UID_OF_NOTES, sorted(unique)), fields=[NOTES])
        notes = (note for record in records for note in record[NOTES])
        return {note["uid"]: note for note in notes if note["uid"] in unique}

    def keep(self, file: Upload, note: Record, caller: Caller, language: str) -> int:
        """Return the id of the picture with the content of a file, which is stored if it is new.

        The address of the ``note`` belongs to this picture from now on. Raises
        ``InvalidParameters`` where the file is no picture that is taken.
        """
        content = content_digest(file.data)
        note = {**note, "content": content}
        same = self._store.of(MEDIA).first(equals(f"{NOTES}.content", content), [NOTES])
        record = same or self._uploads.upload(file, caller, language)
        number: int = record["_id"]
        if note not in record.get(NOTES, ()):
            self._store.transact(partial(self._give, number, note))
        return number

    def _give(self, number: int, note: Record) -> None:
        pictures = self._store.of(MEDIA)
        address = note["uid"]
        pictures.change_all(equals(UID_OF_NOTES, address), {"$pull": {NOTES: {"uid": address}}})
        pictures.change(identified(number), {"$push": {NOTES: note}})

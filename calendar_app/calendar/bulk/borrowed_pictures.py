"""Pictures of another site, brought here once however often they are told of.

``imported`` of a picture is a list of one note: ``{source, told, digest, alt_text}``. The source is
its address there, ``told`` stands for what the site says of the file, ``digest`` for what the file
was, ``alt_text`` (language to text) for what the site said last, so that what people have written
here since stays while the site says the same.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice

from calendar_app.accounts.caller import Caller
from calendar_app.calendar.bulk.editor import BulkEditor
from calendar_app.calendar.bulk.records import Outcome, came_from
from calendar_app.calendar.pictures.uploads import Pictures, Upload
from calendar_app.calendar.pictures.uses import ShownPictures
from calendar_app.domain.kind import Kind, Record
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import given

_BATCH = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignPicture:
    """What another site says of a picture; ``told`` stands for all of it but the text.

    ``wanted`` says whether it is to be brought where it is not here.
    """

    source: str
    id: int
    told: str
    alt_text: str
    wanted: bool = True


# Returns the file of a picture, and what it is called.
Fetch = Callable[[], tuple[bytes, str]]


class BorrowedPictures:
    """Takes in pictures, records of ``kind``, with their texts in one language."""

    def __init__(self, store: Store, editor: BulkEditor, pictures: Pictures, kind: Kind) -> None:
        self._store = store
        self._editor = editor
        self._pictures = pictures
        self._kind = kind
        self._shown = ShownPictures(store)

    def known(self, sources: Iterable[str]) -> dict[str, Record]:
        """Return the pictures that came from ``sources``, by source."""
        found: dict[str, Record] = {}
        waiting = iter(sources)
        while batch := list(islice(waiting, _BATCH)):
            for record in self._store.of(self._kind).find(came_from(batch)):
                found[_note(record)["source"]] = record
        return found

    def sources(self) -> dict[int, str]:
        """Return where each picture came from that was brought here, by id."""
        brought = self._store.of(self._kind).find(given("imported"), fields=["imported"])
        return {record["_id"]: _note(record)["source"] for record in brought}

    def bring(self, picture: ForeignPicture, fetch: Fetch, caller: Caller, language: str) -> int:
        """Store a new picture and return its id, its own where nobody has that."""
        data, name = fetch()
        told = {language: picture.alt_text} if picture.alt_text else {}
        changes = {
            "variants": {language: {"alt_text": text} for language, text in told.items()},
            "imported": [_noted(picture, data, told)],
        }
        number = self._editor.id_for(self._kind, picture.source, picture.id)
        upload = Upload(data, name, changes, number)
        return int(self._pictures.upload(upload, caller, language)["_id"])

    def renew(
        self, known: Record, picture: ForeignPicture, fetch: Fetch, caller: Caller, language: str
    ) -> tuple[int, Outcome]:
        """Fetch a file again of which its site says something else; return id and outcome.

        A file that has changed is another picture: what showed the old one shows the new one.
        """
        note = _note(known)
        data, name = fetch()
        renewed = {"imported": [_noted(picture, data, note["alt_text"])]}
        number, outcome = known["_id"], Outcome.UNCHANGED
        if renewed["imported"][0]["digest"] != note["digest"]:
            upload = Upload(data, name, {"variants": known["variants"]})
            number = self._pictures.upload(upload, caller, language)["_id"]
            self._shown.exchange(known["_id"], number)
            self._editor.remove(self._kind, known["_id"], caller, force=True)
            outcome = Outcome.UPDATED
        self._editor.change(self._kind, number, renewed, caller, language)
        return number, outcome

    def word(self, known: Record, text: str, caller: Caller, language: str) -> None:
        """Take over the text that the site has for a picture, and note that it said so."""
        note = _note(known)
        changes = {
            "variants": {language: {"alt_text": text or None}},
            "imported": [{**note, "alt_text": {**note["alt_text"], language: text}}],
        }
        self._editor.change(self._kind, known["_id"], changes, caller, language)


def tells_the_same_file(known: Record, picture: ForeignPicture) -> bool:
    return bool(_note(known)["told"] == picture.told)


def tells_the_same_text(known: Record, picture: ForeignPicture, language: str) -> bool:
    return bool(_note(known)["alt_text"].get(language, "") == picture.alt_text)


def _note(record: Record) -> Record:
    note: Record = record["imported"][0]
    return note


def _noted(picture: ForeignPicture, data: bytes, alt_text: Record) -> Record:
    return {
        "source": picture.source,
        "told": picture.told,
        "digest": sha256(data).hexdigest(),
        "alt_text": alt_text,
    }

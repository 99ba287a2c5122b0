"""Pictures that records can show: taken in, looked up, handed out, and where they are used."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from secrets import token_urlsafe
from threading import Lock

from calendar_app.accounts.policy import (
    SENDER,
    Caller,
    Right,
    editable_by,
    require_role,
    visible_to,
)
from calendar_app.calendar.auditing import note_change, written_by
from calendar_app.calendar.history import Recorder
from calendar_app.calendar.pictures.rendering import RenderedPicture, Rendition, render
from calendar_app.content.composing import compose, computed_fields
from calendar_app.content.sanitizing import clean_html
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.moments import Now
from calendar_app.domain.pictures import EXTENSIONS, TOKEN_BYTES, StoredFile, file_name, size_name
from calendar_app.domain.statuses import PUBLISH, REGISTERED, touch
from calendar_app.domain.zones import Site
from calendar_app.errors import NotFound, PictureInUse, Unavailable, UnknownCommit
from calendar_app.mongo.files import FileBucket
from calendar_app.mongo.store import Store
from calendar_app.mongo.transactions import on_abort
from calendar_app.query.clauses import (
    EVERYTHING,
    Clause,
    after,
    all_of,
    any_of,
    equals,
    identified,
    missing,
    none_of,
    one_of,
)
from calendar_app.query.stages import ids_in

SHOWING = ("events", "venues", "organizers")
# Series hand their picture on to their occurrences, which show it.
_HOLDING = (*SHOWING, "series")
_IMAGE = "image"
# The field of pictures that strangers have sent, until the service sees them published.
CONTRIBUTED = "contributed"


@dataclass(frozen=True, slots=True)
class Uses:
    """The records that show a picture, as far as somebody may know of them.

    ``places`` are the first of them, each as the name of its collection and its id; ``total`` is
    how many there are.
    """

    places: Sequence[tuple[str, int]]
    total: int


class ShownPictures:
    """Finds and clears references to pictures."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._files = FileBucket(store.database)

    def seen_by(self, caller: Caller) -> Clause:
        """Return the clause that every list of pictures on behalf of ``caller`` includes.

        Who may upload pictures sees them all, except those of contributions, which are for
        editors; everybody else sees those that they see in a record.
        """
        if caller.may(Right.EDIT_OTHERS):
            return EVERYTHING
        if caller.may(Right.UPLOAD):
            return missing(CONTRIBUTED)
        return one_of("_id", self._picture_ids(_readable(caller)))

    def find(self, number: int, caller: Caller) -> Record | None:
        """Return the picture of this id, if ``caller`` may see it and so link it."""
        picture = self._store["media"].first(identified(number))
        return picture if picture and self.may_see(picture, caller) else None

    def may_see(self, picture: Record, caller: Caller) -> bool:
        needed = Right.EDIT_OTHERS if CONTRIBUTED in picture else Right.UPLOAD
        return caller.may(needed) or bool(self.uses(picture["_id"], caller, most=1).places)

    def is_withheld(self, picture: Record) -> bool:
        """Return whether a picture is of a contribution, and no public record shows it."""
        if CONTRIBUTED not in picture:
            return False
        public = all_of([equals(_IMAGE, picture["_id"]), equals("status", PUBLISH)])
        return all(self._store[name].first(public, ["_id"]) is None for name in SHOWING)

    def used(self, caller: Caller, *, is_used: bool) -> Clause:
        """Match pictures by whether a record shows them to ``caller``."""
        picture_ids = self._picture_ids(_readable(caller))
        return one_of("_id", picture_ids) if is_used else none_of("_id", picture_ids)

    def uses(self, picture: int, caller: Caller, *, most: int) -> Uses:
        """Return the records that show a picture and that ``caller`` may read, ``most`` of them."""
        showing = all_of([equals(_IMAGE, picture), _readable(caller)])
        places: list[tuple[str, int]] = []
        total = 0
        for name in SHOWING:
            records = self._store[name]
            matches = records.find(showing, fields=["_id"], order=[("_id", 1)], limit=most + 1)
            total += len(matches) if len(matches) <= most else records.count(showing)
            places += [(name, record["_id"]) for record in matches]
        return Uses(places[:most], total)

    def release(self, picture: Record, now: datetime, *, force: bool) -> None:
        """Let no record show a picture that is being deleted, and remove its files.

        Raises ``PictureInUse`` where a record shows it, unless with ``force``.
        """
        showing = equals(_IMAGE, picture["_id"])
        uses = sum(self._store[name].count(showing) for name in SHOWING)
        if uses and not force:
            raise PictureInUse(uses)
        self.withdraw(picture["_id"], now)
        self._files.delete_all(place_of(picture, filename) for filename in filenames(picture))

    def recheck_after_commit(self, kind: Kind, record: Record) -> None:
        """Clear the picture of a written record if it was deleted meanwhile.

        The record and the deletion of the picture did not see each other while both were being
        written. So each looks again when it is done: the later one sees the other.
        """
        picture = record.get(_IMAGE)
        if not isinstance(picture, int):
            return
        if self._store["media"].first(equals("_id", picture), ["_id"]) is None:
            showing = all_of([equals("_id", record["_id"]), equals(_IMAGE, picture)])
            self._store.of(kind).change(showing, {"$set": {_IMAGE: None}})
            record[_IMAGE] = None

    def withdraw(self, picture: int, now: datetime) -> None:
        """Let no record show this picture any more."""
        update = touch(now)
        update["$set"] |= {_IMAGE: None}
        for name in _HOLDING:
            self._store[name].change_all(equals(_IMAGE, picture), update)

    def withdraw_missing(self, picture: int, now: datetime) -> None:
        """Let no record show this picture if it is not there any more."""
        if self._store["media"].first(equals("_id", picture), ["_id"]) is None:
            self.withdraw(picture, now)

    def _picture_ids(self, clause: Clause) -> list[int]:
        """Return the ids of the pictures that records show which match."""
        # Addresses of pictures elsewhere are no numbers.
        stages = ids_in(_IMAGE, all_of([after(_IMAGE, 0), clause]))
        return [group["_id"] for name in SHOWING for group in self._store[name].aggregate(stages)]


def number_in(place: str) -> int | None:
    """Return the id of the picture whose file is stored under this name; none for other files."""
    number, separator, _ = place.partition("/")
    return int(number) if separator and number.isdecimal() else None


def place_of(picture: Record, filename: str) -> str:
    """Return the name under which a file of a picture is stored."""
    return f"{picture['_id']}/{filename}"


def filenames(picture: Record) -> list[str]:
    """Return the files of a picture, each once."""
    sizes = (size["filename"] for size in picture["sizes"].values())
    return list(dict.fromkeys((picture["filename"], *sizes)))


def _readable(caller: Caller) -> Clause:
    """Match the records of which ``caller`` may read the picture; the trash is not left out."""
    visible = visible_to(caller, REGISTERED)
    if caller.may(Right.EDIT_OTHERS):
        return visible
    # What a password protects shows no picture.
    return all_of([visible, any_of([missing("password"), editable_by(caller)])])


# Pictures that records can show: taken in, looked up, handed out.


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that somebody sends, and its texts, as changes in the words of the editor.

    ``id`` is the one that it is to have, 0 the next one.
    """

    data: bytes
    name: str
    changes: Record = field(default_factory=dict)
    id: int = 0


class Pictures:
    """The pictures of one calendar, records of ``kind``; ``now`` gives a naive UTC time."""

    def __init__(self, store: Store, kind: Kind, now: Now, site: Site) -> None:
        self._store = store
        self._kind = kind
        self._now = now
        self._site = site
        self._files = FileBucket(store.database)
        self._shown = ShownPictures(store)
        self._recorder = Recorder(store, site.history_days)
        # A decoded picture can take hundreds of megabytes: one at a time.
        self._decoding = Lock()

    def upload(self, file: Upload, caller: Caller, language: str) -> Record:
        """Store a picture with its sizes and return its record.

        Raises ``NotAuthenticated`` or ``NotAllowed`` before anything is decoded, and
        ``InvalidParameters`` naming ``file`` where the data is no picture that is taken. Where it
        raises, nothing is stored.
        """
        require_role(caller, "create", self._kind.singular)
        return self._take_in(file, caller, language, {})

    def contribute(self, file: Upload, language: str) -> Record:
        """Store the picture of a contribution, withheld until a public record shows it."""
        return self._take_in(file, SENDER, language, {CONTRIBUTED: True})

    def _take_in(self, file: Upload, caller: Caller, language: str, marks: Record) -> Record:
        with self._decoding:
            picture = render(file.data)
        number = file.id or self._store.next_id(self._kind.sequence)
        name = file_name(file.name, picture.mime)
        described = self._described(picture, number, name, caller) | marks
        record = self._worded(described, file.changes, caller, language)
        with self._stored_files(record, _contents(picture, record)), written_by(caller):
            self._store.transact(partial(self._insert, record))
        note_change("create", self._kind, number)
        return record

    def _insert(self, record: Record) -> None:
        self._store.of(self._kind).insert(record)
        self._recorder.note(self._kind, {}, record)

    def open(self, number: int, token: str, filename: str, *, withheld: bool = False) -> StoredFile:
        """Return one file of a picture, open for reading; ``NotFound`` where there is none.

        Those that are withheld count as none, unless ``withheld`` is true.
        """
        named = all_of([equals("_id", number), equals("token", token)])
        picture = self._store.of(self._kind).first(named, [CONTRIBUTED])
        if picture and not withheld and self._shown.is_withheld(picture):
            picture = None
        file = self._files.open(place_of(picture, filename)) if picture else None
        if file is None:
            raise NotFound(self._kind.singular, number)
        return file

    def _described(
        self, picture: RenderedPicture, number: int, filename: str, caller: Caller
    ) -> Record:
        now = self._now()
        return {
            "_id": number,
            "author": caller.id,
            "published": now,
            "modified": now,
            "filename": filename,
            "token": token_urlsafe(TOKEN_BYTES),
            "mime": picture.mime,
            "extension": EXTENSIONS[picture.mime],
            **_measured(picture.original),
            "sizes": {
                name: _measured(size)
                | {
                    "mime": picture.mime,
                    "filename": size_name(filename, (size.width, size.height)),
                }
                for name, size in picture.sizes.items()
            },
            "variants": {},
            "revision": 1,
        }

    def _worded(self, record: Record, changes: Record, caller: Caller, language: str) -> Record:
        """Return the record with the texts that came with the file."""
        trusted = caller.may(Right.UNFILTERED_HTML)
        cleaning = partial(clean_html, trusted=trusted, site=self._site.url)
        worded = compose(self._kind, record, changes, cleaning)
        return worded | computed_fields(self._kind, {}, worded, changes, language)

    @contextmanager
    def _stored_files(self, record: Record, contents: Mapping[str, bytes]) -> Iterator[None]:
        """Store the files; delete them again if the block fails, or the transaction around it.

        Where nobody knows whether the record was stored, they stay: the sweep will know.
        """
        places: list[str] = []

        def delete() -> None:
            for place in places:
                with suppress(Unavailable):
                    self._files.delete(place)

        on_abort(delete)
        try:
            for filename, content in contents.items():
                place = place_of(record, filename)
                self._files.put(place, content, record["mime"])
                places.append(place)
            yield
        except UnknownCommit:
            raise
        except Exception:
            delete()
            raise


def _contents(picture: RenderedPicture, record: Record) -> dict[str, bytes]:
    """Return the files by name; two sizes of the same measures share one."""
    sizes = {record["sizes"][name]["filename"]: size.data for name, size in picture.sizes.items()}
    return {record["filename"]: picture.original.data} | sizes


def _measured(rendition: Rendition) -> Record:
    return {
        "width": rendition.width,
        "height": rendition.height,
        "filesize": len(rendition.data),
    }

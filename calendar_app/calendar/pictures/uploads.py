"""Pictures that records can show: taken in, handed out, and their files swept."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from secrets import token_hex, token_urlsafe
from threading import Lock

import structlog

from calendar_app.accounts.callers import SENDER, Caller, Right
from calendar_app.accounts.policy import require_role
from calendar_app.calendar.auditing import written_by
from calendar_app.calendar.pictures.rendering import RenderedPicture, Rendition, cut, render
from calendar_app.calendar.shown_pictures import (
    CONTRIBUTED,
    ShownPictures,
    filenames,
    number_in,
    place_of,
)
from calendar_app.calendar.writing.changes import Change, Edit
from calendar_app.calendar.writing.planner import writing_of
from calendar_app.calendar.writing.writer import Writer
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.moments import Now
from calendar_app.domain.pictures import EXTENSIONS, TOKEN_BYTES, StoredFile, file_name, size_name
from calendar_app.domain.texts.composing import compose, computed_fields, with_ledger
from calendar_app.domain.texts.sanitizing import clean_html
from calendar_app.domain.zones import Site
from calendar_app.errors import DuplicateKey, NotFound, Unavailable, UnknownCommit
from calendar_app.storage.mongo.files import FileBucket, Sizes
from calendar_app.storage.mongo.restoring import require_restored
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.mongo.transactions import on_abort
from calendar_app.storage.query.clauses import all_of, at_most, equals, one_of


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
    """The pictures of one calendar, records of ``kind``."""

    def __init__(self, store: Store, kind: Kind, writer: Writer, site: Site) -> None:
        self._store = store
        self._kind = kind
        self._writer = writer
        self._site = site
        self._files = FileBucket(store.database)
        self._shown = ShownPictures(store)
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
            picture = render(file.data, file.changes.get("focus") or "")
        number = file.id or self._store.next_id(self._kind.sequence)
        name = file_name(file.name, picture.mime)
        described = self._described(picture, number, name, caller) | marks
        record = self._worded(described, file.changes, caller, language)
        with self._stored_files(record, _contents(picture, record)), written_by(caller):
            return self._store.transact(partial(self._insert, record))

    def _insert(self, record: Record) -> Record:
        stored = dict(record)
        self._writer.apply([Change(self._kind, {}, stored)])
        return stored

    def open(self, number: int, token: str, filename: str, *, withheld: bool = False) -> StoredFile:
        """Return one file of a picture, open for reading; ``NotFound`` where there is none.

        Those that are withheld count as none, unless ``withheld`` is true.
        """
        own_upload = all_of([equals("_id", number), equals("token", token)])
        picture = self._store.of(self._kind).first(own_upload, [CONTRIBUTED])
        if picture and not withheld and self._shown.is_withheld(picture):
            picture = None
        file = self._files.open(place_of(picture, filename)) if picture else None
        if file is None:
            raise NotFound(self._kind.singular, number)
        return file

    def cut_anew(self, changes: Collection[Change]) -> None:
        """Cut the cropped sizes of pictures again before another focus point is stored.

        They get other file names; those that nothing names any more are swept.
        """
        for change in changes:
            kind, before, after = change.records
            if (
                kind is self._kind
                and before
                and after
                and before.get("focus") != after.get("focus")
            ):
                after["sizes"] = {**after["sizes"], **self._cut(after)}

    def _cut(self, picture: Record) -> dict[str, Record]:
        file = self._files.open(place_of(picture, picture["filename"]))
        if file is None:
            return {}
        with self._decoding:
            renditions = cut(file.stream.read(), picture.get("focus", ""))
        sizes, mark = {}, token_hex(4)
        for name, size in renditions.items():
            filename = size_name(picture["filename"], (size.width, size.height), mark)
            place = place_of(picture, filename)
            on_abort(partial(self._discard, place))
            self._files.put(place, size.data, picture["mime"])
            sizes[name] = _measured(size) | {"mime": picture["mime"], "filename": filename}
        return sizes

    def _discard(self, place: str) -> None:
        with suppress(Unavailable):
            self._files.delete(place)

    def _described(
        self, picture: RenderedPicture, number: int, filename: str, caller: Caller
    ) -> Record:
        now = self._writer.now()
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
        }

    def _worded(self, record: Record, changes: Record, caller: Caller, language: str) -> Record:
        """Return the record with the texts that came with the file."""
        trusted = caller.may(Right.UNFILTERED_HTML)
        cleaning = partial(clean_html, trusted=trusted, site=self._site.url)
        worded = compose(self._kind, record, changes, cleaning)
        worded |= computed_fields(self._kind, {}, worded, changes, language)
        writing = writing_of(Edit(changes, caller, language), record["modified"])
        return with_ledger(self._kind, {}, worded, changes, writing)

    @contextmanager
    def _stored_files(self, record: Record, contents: Mapping[str, bytes]) -> Iterator[None]:
        """Store the files; delete them again if the block fails, or the transaction around it.

        Where nobody knows whether the record was stored, they stay: the sweep will know.
        """
        places: list[str] = []

        def delete() -> None:
            for place in places:
                self._discard(place)

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


# Removes files of pictures that no record names: what ended uploads and lost commits left, and
# sizes that were cut anew.

JOB = "sweep-pictures"
# When each job that is not for every few seconds ran last.
JOBS = "jobs"
# A younger file may belong to an upload whose record is not stored yet.
_GRACE = timedelta(days=1)
_EVERY = timedelta(days=1)


@dataclass(slots=True)
class Orphans:
    """Files that no record names, unfinished ones, and the bytes of both."""

    files: int = 0
    unfinished: int = 0
    size: int = 0


class PictureSweep:
    """Counts and removes the files that no record of ``kind`` names, of one store."""

    def __init__(self, store: Store, kind: Kind, now: Now) -> None:
        self._store = store
        self._kind = kind
        self._now = now
        self._files = FileBucket(store.database)

    def run_job(self) -> None:
        """Sweep once a day, and log the removals."""
        orphans = self.sweep_daily()
        if orphans.files or orphans.unfinished:
            counts = {"files": orphans.files, "unfinished": orphans.unfinished}
            structlog.get_logger().info("files swept", job=JOB, **counts, bytes=orphans.size)

    def sweep_daily(self) -> Orphans:
        """Sweep if no process did so for a day; return how many were removed."""
        return self.sweep() if self._is_due() else Orphans()

    def count(self) -> Orphans:
        """Return how many there are."""
        return self._visit(sweeps=False)

    def sweep(self) -> Orphans:
        """Remove them; return how many there were. Two processes may do so at once."""
        return self._visit(sweeps=True)

    def _visit(self, *, sweeps: bool) -> Orphans:
        moment, orphans = self._now() - _GRACE, Orphans()
        for sizes in self._unnamed(self._files.stored_before(moment)):
            orphans.files += len(sizes)
            self._note(orphans, sizes, moment, sweeps=sweeps)
        for sizes in self._unnamed(self._files.unfinished_before(moment)):
            orphans.unfinished += len(sizes)
            self._note(orphans, sizes, moment, sweeps=sweeps)
        return orphans

    def _note(self, orphans: Orphans, sizes: Sizes, moment: datetime, *, sweeps: bool) -> None:
        orphans.size += sum(sizes.values())
        if sweeps and sizes:
            # While a backup takes its place, all records can be absent.
            require_restored(self._store.database)
            self._files.discard(sizes, moment)

    def _unnamed(self, batches: Iterator[Sizes]) -> Iterator[Sizes]:
        """Leave out the files that records name, whatever their state, and those of no picture."""
        for sizes in batches:
            numbers = {name: number_in(name) for name in sizes}
            ids = {number for number in numbers.values() if number is not None}
            fields = ["filename", "sizes"]
            records = self._store.of(self._kind).find(one_of("_id", ids), fields=fields)
            by_file_name = {place_of(each, name) for each in records for name in filenames(each)}
            yield {
                name: size
                for name, size in sizes.items()
                if numbers[name] is not None and name not in by_file_name
            }

    def _is_due(self) -> bool:
        """Return whether the last sweep is a day ago, and note that this one begins."""
        jobs, now = self._store[JOBS], self._now()
        own = equals("_id", JOB)
        last = jobs.first(own)
        if last is None:
            try:
                jobs.insert({"_id": JOB, "ran": now})
            except DuplicateKey:
                return False
            return True
        due = at_most("ran", now - _EVERY)
        return last["ran"] <= now - _EVERY and jobs.change(
            all_of([own, due]), {"$set": {"ran": now}}
        )

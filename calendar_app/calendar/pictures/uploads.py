"""Pictures that records can show: taken in, and handed out."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from secrets import token_urlsafe
from threading import Lock

from calendar_app.accounts.policy import SENDER, Caller, Right, require_role
from calendar_app.calendar.auditing import written_by
from calendar_app.calendar.pictures.rendering import RenderedPicture, Rendition, render
from calendar_app.calendar.shown_pictures import CONTRIBUTED, ShownPictures, place_of
from calendar_app.calendar.writing.changes import Change
from calendar_app.calendar.writing.writer import Writer
from calendar_app.content.composing import compose, computed_fields
from calendar_app.content.sanitizing import clean_html
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.pictures import EXTENSIONS, TOKEN_BYTES, StoredFile, file_name, size_name
from calendar_app.domain.zones import Site
from calendar_app.errors import NotFound, Unavailable, UnknownCommit
from calendar_app.mongo.files import FileBucket
from calendar_app.mongo.store import Store
from calendar_app.mongo.transactions import on_abort
from calendar_app.query.clauses import all_of, equals


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
            picture = render(file.data)
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

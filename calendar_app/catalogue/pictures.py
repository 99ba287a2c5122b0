"""Pictures that records can show: taken in, looked up, handed out."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from threading import Lock

from calendar_app.access.caller import Caller
from calendar_app.access.policy import require_role
from calendar_app.catalogue.rendering import RenderedPicture, Rendition, render
from calendar_app.domain.files import StoredFile
from calendar_app.domain.kind import Record
from calendar_app.domain.pictures import EXTENSIONS, file_name, size_name
from calendar_app.errors import NotFound, Unavailable
from calendar_app.query.clauses import equals, one_of
from calendar_app.storage.files import FileBucket
from calendar_app.storage.store import Store

_COLLECTION, _SINGULAR, _SEQUENCE = "media", "media", "records"

Clock = Callable[[], datetime]


class Pictures:
    """The pictures of one calendar; ``clock`` gives the present as an aware datetime."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._files = FileBucket(store.database)
        # A decoded picture can take hundreds of megabytes: one at a time.
        self._decoding = Lock()

    def upload(self, data: bytes, filename: str, caller: Caller) -> Record:
        """Store the picture ``data`` with its sizes and return its record.

        ``filename`` is what the client calls it. Raises ``NotAuthenticated`` or ``NotAllowed``
        before anything is decoded, and ``InvalidParameters`` naming ``file`` where the data is no
        picture that is taken. Where it raises, nothing is stored.
        """
        require_role(caller, "create", _SINGULAR)
        with self._decoding:
            picture = render(data)
        number = self._store.next_id(_SEQUENCE)
        record = self._described(picture, number, file_name(filename, picture.mime), caller)
        with self._kept(number, _contents(picture, record), picture.mime):
            self._store[_COLLECTION].insert(record)
        return record

    def exists(self, number: int) -> bool:
        found = self._store[_COLLECTION].first(equals("_id", number), ("_id",))
        return found is not None

    def by_ids(self, numbers: Iterable[int]) -> dict[int, Record]:
        """Return the records of those that exist, by id, in one query."""
        wanted = set(numbers)
        if not wanted:
            return {}
        found = self._store[_COLLECTION].find(one_of("_id", wanted))
        return {record["_id"]: record for record in found}

    def open(self, number: int, filename: str) -> StoredFile:
        """Return one file of a picture, open for reading; ``NotFound`` where there is none."""
        found = self._files.open(_place(number, filename))
        if found is None:
            raise NotFound(_SINGULAR, number)
        return found

    def _described(
        self, picture: RenderedPicture, number: int, filename: str, caller: Caller
    ) -> Record:
        now = self._clock().astimezone(UTC).replace(tzinfo=None, microsecond=0)
        return {
            "_id": number,
            "author": caller.id,
            "filename": filename,
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
            "uploaded": now,
            "revision": 1,
        }

    @contextmanager
    def _kept(self, number: int, contents: Mapping[str, bytes], mime: str) -> Iterator[None]:
        """Store the files; take them back where this or what follows fails."""
        places: list[str] = []
        try:
            for filename, content in contents.items():
                place = _place(number, filename)
                self._files.put(place, content, mime)
                places.append(place)
            yield
        except BaseException:
            for place in places:
                with suppress(Unavailable):
                    self._files.delete(place)
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


def _place(number: int, filename: str) -> str:
    return f"{number}/{filename}"

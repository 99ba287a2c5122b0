"""Which records show which pictures, and who may see them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from calendar_app.accounts.callers import Caller, Right
from calendar_app.accounts.policy import editable_by, visible_to
from calendar_app.domain.kind import Record
from calendar_app.domain.statuses import PUBLISH, REGISTERED, touch
from calendar_app.errors import PictureInUse
from calendar_app.storage.mongo.files import FileBucket
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import (
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
from calendar_app.storage.query.stages import ids_in

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

    def require_unused(self, picture: Record) -> None:
        """Raise ``PictureInUse`` where a record shows a picture that is to be deleted."""
        showing = equals(_IMAGE, picture["_id"])
        uses = sum(self._store[name].count(showing) for name in SHOWING)
        if uses:
            raise PictureInUse(uses)

    def release(self, picture: Record, now: datetime) -> None:
        """Let no record show a picture that is being deleted, and remove its files."""
        self.withdraw(picture["_id"], now)
        self._files.delete_all(place_of(picture, filename) for filename in filenames(picture))

    def withdraw_missing(self, records: Collection[Record], now: datetime) -> None:
        """Withdraw the pictures of written records that were deleted meanwhile.

        The record and the deletion of the picture did not see each other while both were being
        written. So each looks again when it is done: the later one sees the other.
        """
        ids = {record[_IMAGE] for record in records}
        stored = self._store["media"].find(one_of("_id", ids), fields=["_id"])
        for picture in ids - {each["_id"] for each in stored}:
            self.withdraw(picture, now)
            for record in records:
                record[_IMAGE] = None if record[_IMAGE] == picture else record[_IMAGE]

    def withdraw(self, picture: int, now: datetime) -> None:
        """Let no record show this picture any more."""
        update = touch(now)
        update["$set"] |= {_IMAGE: None}
        for name in _HOLDING:
            self._store[name].change_all(equals(_IMAGE, picture), update)

    def _picture_ids(self, clause: Clause) -> list[int]:
        """Return the ids of the pictures that records show which match."""
        # Addresses of pictures elsewhere are no numbers.
        stages = ids_in(_IMAGE, all_of([after(_IMAGE, 0), clause]))
        return [group["_id"] for name in SHOWING for group in self._store[name].aggregate(stages)]


def number_in(place: str) -> int | None:
    """Return the id of the picture with a stored file of this name; ``None`` for other files."""
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

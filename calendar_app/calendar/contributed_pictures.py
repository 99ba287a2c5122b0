"""The pictures of contributions: stored with them, and removed with them."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import timedelta
from functools import partial

from calendar_app.accounts.callers import sender_of
from calendar_app.calendar.editor import Editor
from calendar_app.calendar.pictures.uploads import Pictures, Upload
from calendar_app.calendar.shown_pictures import CONTRIBUTED, ShownPictures
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.moments import Now
from calendar_app.domain.statuses import TRASH
from calendar_app.errors import NotFound, PictureInUse
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import all_of, before, differs, equals, identified, one_of

SUBMISSIONS = "submissions"
# A picture is stored before its event, so that one without an event is at first no orphan.
_GRACE = timedelta(hours=1)


class ContributedPictures:
    """The pictures of strangers; ``kinds`` are events and pictures by name."""

    def __init__(
        self,
        store: Store,
        pictures: Pictures,
        editor: Editor,
        kinds: Mapping[str, Kind],
        now: Now,
    ) -> None:
        self._store = store
        self._pictures = pictures
        self._editor = editor
        self._events, self._media = kinds["events"], kinds["media"]
        self._shown = ShownPictures(store)
        self._now = now

    @contextmanager
    def stored(self, upload: Upload | None, language: str) -> Iterator[Record]:
        """Store a picture and yield the change that shows it; remove it if nothing does then.

        Raises ``InvalidParameters`` naming ``file``.
        """
        if upload is None:
            yield {}
            return
        picture = self._pictures.contribute(upload, language)
        try:
            yield {"image": picture["_id"]}
        finally:
            self.remove_unshown(picture["_id"])

    def of_event(self, event: Record) -> Record | None:
        """Return the picture of an event if a stranger has sent it."""
        image = event.get("image")
        if not isinstance(image, int):
            return None
        contributed = all_of([identified(image), equals(CONTRIBUTED, True)])
        return self._store.of(self._media).first(contributed)

    def describe(self, event: Record, texts: Mapping[str, str], language: str) -> None:
        """Store the alternative texts of the picture of an event, by language."""
        picture = self.of_event(event) if texts else None
        if picture is not None:
            variants = {tag: {"alt_text": text} for tag, text in texts.items()}
            self._editor.change(
                self._media,
                picture["_id"],
                {"variants": variants},
                sender_of([picture["_id"]]),
                language,
            )

    def take_from(self, event: Record) -> None:
        """Remove the picture of a contribution that is going to the trash."""
        picture = self.of_event(event)
        if picture is not None:
            nothing = {"image": None}
            self._editor.change(self._events, event["_id"], nothing, sender_of([event["_id"]]), "")
            self.remove_unshown(picture["_id"])

    def remove_unshown(self, number: int) -> None:
        """Remove a contributed picture, unless a record shows it."""
        contributed = all_of([identified(number), equals(CONTRIBUTED, True)])
        if self._store.of(self._media).first(contributed, ["_id"]) is not None:
            with suppress(PictureInUse, NotFound):
                self._editor.remove(self._media, number, sender_of([number]))

    def settle(self) -> None:
        """Remove pictures of forgotten contributions; let published ones be like all others."""
        stored = all_of([equals(CONTRIBUTED, True), before("published", self._now() - _GRACE)])
        pictures = self._store.of(self._media).find(stored)
        awaited = self._awaited([picture["_id"] for picture in pictures])
        for picture in pictures:
            number = picture["_id"]
            if not self._shown.is_withheld(picture):
                self._store.transact(partial(self._free, picture))
            elif number not in awaited:
                with suppress(NotFound):
                    self._editor.remove(self._media, number, sender_of([number]), force=True)

    def _free(self, picture: Record) -> None:
        """Let a picture be like all others; its texts may be proposed to everybody."""
        free = {name: value for name, value in picture.items() if name != CONTRIBUTED}
        unset = {"$unset": {CONTRIBUTED: ""}}
        if self._store.of(self._media).change(identified(picture["_id"]), unset):
            self._editor.writer.inform([(self._media, picture, free)])

    def _awaited(self, numbers: list[int]) -> set[int]:
        """Return the pictures of events outside the trash that still have a sender."""
        if not numbers:
            return set()
        waiting = all_of([one_of("image", numbers), differs("status", TRASH)])
        events = self._store.of(self._events).find(waiting, fields=["image"])
        sent = self._store[SUBMISSIONS].find(one_of("_id", [each["_id"] for each in events]))
        ids = {submission["_id"] for submission in sent}
        return {event["image"] for event in events if event["_id"] in ids}

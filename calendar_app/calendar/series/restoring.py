"""Takes records back to earlier states, through the editor with all its rules."""

from collections.abc import Collection
from dataclasses import dataclass

from calendar_app.accounts.policy import Caller
from calendar_app.calendar.history import History
from calendar_app.calendar.series.earlier import changes_to
from calendar_app.calendar.series.editor import SeriesEditor
from calendar_app.calendar.writing.retrying import retry_conflicts
from calendar_app.domain.kind import Kind, Record
from calendar_app.errors import NotFound, NotInHistory
from calendar_app.mongo.store import Store
from calendar_app.query.clauses import one_of

_LISTS = ("venues", "organizers", "categories", "tags")


@dataclass(frozen=True, slots=True)
class Restorer:
    """Restores records of one store."""

    store: Store
    editor: SeriesEditor
    history: History

    def restore(  # noqa: PLR0913  # which record, to which state, by whom, in which language
        self,
        kind: Kind,
        record_id: int,
        revision: int,
        caller: Caller,
        language: str,
        *,
        expected: int | None = None,
    ) -> Record:
        """Write the state of a ``revision`` as a new one, and return the record.

        Links to records that are gone are left out. Raises ``NotInHistory`` where history does not
        reach, and ``PreconditionFailed`` where the record is not at the ``expected`` revision.
        """

        def work() -> Record:
            record = self.store.of(kind).first({"_id": record_id})
            if record is None:
                raise NotFound(kind.singular, record_id)
            state = self.history.state(kind, record, revision)
            if state is None:
                raise NotInHistory(kind.singular, revision)
            changes = self._without_gone(kind, changes_to(kind, record, state))
            return self.editor.change(kind, record_id, changes, caller, language, revision=expected)

        return retry_conflicts(self.store, work)

    def _without_gone(self, kind: Kind, changes: Record) -> Record:
        """Leave out links to records that were deleted since."""
        alive = dict(changes)
        for name in _LISTS:
            if name in alive:
                there = self._existing(name, alive[name])
                alive[name] = [number for number in alive[name] if number in there]
        for name, collection in (("image", "media"), ("parent", kind.name)):
            number = alive.get(name)
            if isinstance(number, int) and number and not self._existing(collection, [number]):
                del alive[name]
        return alive

    def _existing(self, collection: str, ids: Collection[int]) -> set[int]:
        records = self.store[collection].find(one_of("_id", ids), fields=["_id"])
        return {record["_id"] for record in records}

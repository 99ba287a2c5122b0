"""Venues, organizers and terms that a site has as records of their own, to be written.

Those that only events name are found or made with these; see ``linking``.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from calendar_app.accounts.callers import Caller
from calendar_app.calendar.editor import EditOf, Editor
from calendar_app.calendar.writing.changes import Plan
from calendar_app.domain.kind import Kind, Record
from calendar_app.errors import NotFound, TermExists
from calendar_app.sources.results import Outcome, Result, reason_of
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import one_of


@dataclass(frozen=True, slots=True)
class RecordTask:
    """A record to write, and the one ``stored`` that it updates, if any.

    ``changes_to`` returns its changes to the stored one, empty where it stays as it is, or to
    nothing. A new one gets the id ``own_id``; 0 is the next one.
    """

    kind: Kind
    uid: str
    label: str
    language: str
    changes_to: Callable[[Record], Record]
    stored: Record = field(default_factory=dict)
    own_id: int = 0

    def result(self, outcome: Outcome, record_id: int = 0, reason: str = "") -> Result:
        """Return the result of the record."""
        return Result(
            outcome, self.label, self.uid, kind=self.kind.name, event=record_id, reason=reason
        )

    def refusal(self, error: Exception) -> Result:
        """Return the result of a record that the rules of the editor refuse."""
        reason = reason_of(error)
        if isinstance(error, TermExists):
            reason = f"There is a {error.kind} of this name at this place, {error.term_id}."
        return self.result(Outcome.REFUSED, reason=reason)


def plan_records(
    store: Store, editor: Editor, plan: Plan, tasks: Sequence[RecordTask], caller: Caller
) -> list[Result]:
    """Plan the changes of records; return their results in the same order."""
    stored = _read_again(store, tasks)
    results: list[Result] = []
    edits: list[EditOf] = []
    changing: list[Result] = []
    for task in tasks:
        record_id = task.stored.get("_id", 0)
        if record_id and (task.kind.name, record_id) not in stored:
            raise NotFound(task.kind.singular, record_id)
        before = stored.get((task.kind.name, record_id), {})
        changes = task.changes_to(before)
        outcome = Outcome.CHANGED if changes else Outcome.UNCHANGED
        results.append(task.result(outcome if before else Outcome.NEW, record_id))
        if changes:
            changing.append(results[-1])
            edits.append(EditOf(task.kind, before, changes, task.language, task.own_id, apart=True))
    for result, record in zip(changing, editor.plan_each(plan, edits, caller), strict=True):
        result.event = record["_id"]
    return results


def _read_again(store: Store, tasks: Sequence[RecordTask]) -> dict[tuple[str, int], Record]:
    """Reload the stored records of tasks, by kind and id."""
    records: dict[tuple[str, int], Record] = {}
    for kind in {task.kind.name: task.kind for task in tasks}.values():
        ids = [task.stored["_id"] for task in tasks if task.kind is kind and task.stored]
        for record in store.of(kind).find(one_of("_id", ids)) if ids else ():
            records[kind.name, record["_id"]] = record
    return records

"""Takes records back to earlier states, as changes that the editor makes with all its rules."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from typing import Any

from calendar_app.accounts.callers import Caller
from calendar_app.calendar.editor import Editor
from calendar_app.calendar.history import (
    BOOKKEEPING,
    PASSWORD,
    SOURCES,
    TEXTS,
    TIMES,
    History,
    changed_paths,
)
from calendar_app.calendar.reading.links import LINKED
from calendar_app.calendar.unions import Unions
from calendar_app.calendar.writing.attempts import retry_conflicts
from calendar_app.domain.custom_fields import replace_fields
from calendar_app.domain.kind import Kind, Markup, Record
from calendar_app.domain.kinds import BY_NAME
from calendar_app.domain.ledger import LEDGER
from calendar_app.domain.moments import Moment
from calendar_app.domain.recurrence.notation import as_sent
from calendar_app.domain.recurrence.rules import recurrence_of
from calendar_app.domain.richtext import escape
from calendar_app.domain.statuses import TRASH
from calendar_app.domain.texts.composing import ABSENT
from calendar_app.errors import NotFound, NotInHistory
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.clauses import one_of

_LISTS = ("venues", "organizers", "categories", "tags")
# Who owns a record and who may see it are no question of its text.
_EXCLUDED = frozenset({"author", PASSWORD, *BOOKKEEPING})
# Texts of which the editor resolves entities.
_DECODED = (Markup.NAME, Markup.TERM, Markup.NOTE)


@dataclass(frozen=True, slots=True)
class Restorer:
    """Restores records of one store."""

    store: Store
    editor: Editor
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

    def write_state(
        self, kind: Kind, record: Record, state: Record, caller: Caller, language: str
    ) -> Record:
        """Write an earlier state of a record, into the trash where it was there."""
        if state.get("status") == TRASH != record["status"]:
            return self.editor.remove(kind, record["_id"], caller)
        changes = self._without_gone(kind, changes_to(kind, record, state))
        return self.editor.change(kind, record["_id"], changes, caller, language)

    def _without_gone(self, kind: Kind, changes: Record) -> Record:
        """Leave out links to records that were deleted since, and follow united ones."""
        alive = dict(changes)
        for name in _LISTS:
            if name in alive:
                alive[name] = self._linkable(name, alive[name])
        for name, collection in (("image", "media"), ("parent", kind.name)):
            number = alive.get(name)
            if isinstance(number, int) and number and not self._existing(collection, [number]):
                del alive[name]
        return alive

    def _linkable(self, name: str, ids: Sequence[int]) -> list[int]:
        """Return the links to existing records; a merged record leads to its successor."""
        found = self.store[name].find(one_of("_id", ids), fields=["status"])
        statuses = {record["_id"]: record.get("status") for record in found}
        removed = [each for each in ids if statuses.get(each, TRASH) == TRASH]
        follows = name in LINKED and removed
        targets = Unions(self.store).targets(BY_NAME[name], removed) if follows else {}
        present = dict.fromkeys(targets.get(each, each) for each in ids)
        return [each for each in present if each in statuses or each in targets.values()]

    def _existing(self, collection: str, ids: Collection[int]) -> set[int]:
        records = self.store[collection].find(one_of("_id", ids), fields=["_id"])
        return {record["_id"] for record in records}


def changes_to(kind: Kind, present: Record, state: Record) -> Record:
    """Return the changes that take a record from its present state to an earlier one.

    Author and password stay, and a record does not go to the trash.
    """
    paths = changed_paths(kind, present, state)
    names = [path for path in paths if "." not in path and path not in _EXCLUDED]
    changes = {name: state.get(name, kind.usual.get(name)) for name in names if name not in TIMES}
    if not set(TIMES).isdisjoint(names):
        changes |= _times(state)
    if "recurrence" in changes:
        changes["recurrence"] = as_sent(recurrence_of(state))
    if "location" in changes:
        location = changes.pop("location")
        changes["geo"] = location and (location["latitude"], location["longitude"])
    if changes.get("status") == TRASH:
        del changes["status"]
    if any("." in path or path == "origin" for path in paths):
        changes[TEXTS] = _texts(kind, present, state, paths)
        changes["made_from"] = {
            **{name: state.get(name) for name in ("origin", SOURCES)},
            **{name: state.get(name, {}) for name in (TEXTS, LEDGER)},
        }
    return changes


def _times(state: Record) -> Record:
    """Return the times, as instants where the clocks tell them apart."""
    if state["all_day"]:
        edges = {"start": Moment(state["start_local"]), "end": Moment(state["end_local"])}
    else:
        edges = {"start": Moment(state["start"], UTC), "end": Moment(state["end"], UTC)}
    return edges | {"timezone": state["timezone"], "all_day": state["all_day"]}


def _texts(kind: Kind, present: Record, state: Record, paths: Iterable[str]) -> Record:
    """Return the texts to write by language; slugs in the trash are none of the record."""
    in_trash = state.get("status") == TRASH
    variants: dict[str, Record] = {}
    for path in paths:
        first, _, rest = path.partition(".")
        tag, _, name = rest.partition(".")
        if first != TEXTS:
            continue
        now, then = present[TEXTS].get(tag, {}), state[TEXTS].get(tag, {})
        # Where texts depend on each other, those that stay are written as well.
        names = {*now, *then} if kind.settle_texts else {name}
        texts = {each: _text(kind, each, now, then) for each in names if each != "slug"}
        if name == "slug" and "slug" in then and not in_trash:
            texts["slug"] = then["slug"]
        variants.setdefault(tag, {}).update(texts)
    return variants


def _text(kind: Kind, name: str, now: Mapping[str, Any], then: Mapping[str, Any]) -> Any:
    if name not in then:
        return ABSENT
    if kind.texts[name] is Markup.FIELDS:
        return replace_fields(then[name], now.get(name))
    return escape(then[name]) if kind.texts[name] in _DECODED else then[name]

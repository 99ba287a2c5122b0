"""Edits records: every write that somebody asks for, of every kind, comes through here.

The editor asks which planner an edit is for: the one of records, or, where the event belongs to a
series or begins one, the one of series. The writer stores what they planned.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from calendar_app.accounts.callers import Caller
from calendar_app.accounts.policy import require_role
from calendar_app.calendar.auditing import written_by
from calendar_app.calendar.pace import paced
from calendar_app.calendar.search.vocabulary import Vocabulary
from calendar_app.calendar.series.changing import ALL, THIS, SeriesRequest, split_edit
from calendar_app.calendar.series.planner import SeriesPlanner
from calendar_app.calendar.series.schedule import Schedule
from calendar_app.calendar.slugs import likely_slugs, slug_key
from calendar_app.calendar.writing.attempts import rehearse, retry_conflicts
from calendar_app.calendar.writing.changes import Edit, NewIds, Plan, require_revision
from calendar_app.calendar.writing.planner import (
    MakeLinked,
    RecordBuilder,
    RecordPlanner,
    require_editable,
)
from calendar_app.calendar.writing.references import NO_LINKS, LinkedIds
from calendar_app.calendar.writing.writer import WriteFollower, Writer
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.slugs import slugify
from calendar_app.storage.mongo.store import Store

# Returns the changes that make a new record, with what else they can say.
Fill = Callable[[Kind, Record, str], Record]

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class EditOf:
    """Changes of one record, named as in ``Edit``; a new one has nothing ``before``.

    A single new one gets the id ``own_id``, which is free; 0 stands for the next one. One that
    stands ``apart`` is a record of its own whatever others are called, and leaves them their slugs.
    """

    kind: Kind
    before: Record
    changes: Record
    language: str
    own_id: int = 0
    apart: bool = False


class Editor:
    """Creates, changes and deletes records.

    Changes are named as in ``Edit``; those of an event may also hold ``recurrence``, and for an
    occurrence ``scope`` and ``force``. The ``builder`` has the rules for fields, the ``vocabulary``
    the words of all events. With ``fill`` new records say what is said the same everywhere.
    The ``followers`` of a write share its transaction.
    """

    def __init__(  # noqa: PLR0913  # the parts of an editor
        self,
        store: Store,
        kinds: Mapping[str, Kind],
        builder: RecordBuilder,
        vocabulary: Vocabulary,
        *,
        series: Kind,
        schedule: Schedule,
        make_linked: MakeLinked | None = None,
        fill: Fill | None = None,
        followers: Sequence[WriteFollower] = (),
    ) -> None:
        self._store = store
        self._fill = fill
        self._kinds = (kinds["events"], series)
        history_days = builder.site.history_days
        self.writer = Writer(
            store, vocabulary, builder.now, history_days=history_days, followers=followers
        )
        self._records = RecordPlanner(store, kinds, builder, make_linked)
        self._series = SeriesPlanner(store, self._kinds, self._records, schedule)
        self.occurrences = self._series.occurrences

    def create(self, kind: Kind, changes: Record, caller: Caller, language: str) -> Record:
        """Store a new record and return it, or the one of that name that is used again."""
        require_role(caller, "create", kind.singular)
        if self._fill:
            changes = self._fill(kind, changes, language)

        def work(plan: Plan) -> Record:
            edit = self._records.references.resolve(plan, Edit(changes, caller, language))
            return self._create(plan, kind, edit)

        return self._attempt(caller, work)

    def _create(self, plan: Plan, kind: Kind, edit: Edit) -> Record:
        change = split_edit(edit)
        if kind is self._kinds[0] and change.request.begins:
            return self._series.begin(plan, {}, change)
        return self._records.create(plan, kind, change.edit)

    def change(  # noqa: PLR0913  # what is changed, to what, by whom, in which language
        self,
        kind: Kind,
        record_id: int,
        changes: Record,
        caller: Caller,
        language: str,
        *,
        revision: int | None = None,
        unpublished: LinkedIds = NO_LINKS,
    ) -> Record:
        """Change the fields in ``changes`` of a record, and return it.

        What an event links to and its caller found ``unpublished`` is published with it. Raises
        ``PreconditionFailed`` where the record is not at ``revision`` any more.
        """

        def work(plan: Plan) -> Record:
            before = self._records.editable(kind, record_id, caller)
            require_revision(before, revision)
            edit = self._records.references.resolve(plan, Edit(changes, caller, language))
            record = self._change(plan, kind, before, edit)
            if changes:
                self._records.publish_links(plan, record, unpublished, edit)
            return record

        return self._attempt(caller, work)

    def _change(self, plan: Plan, kind: Kind, before: Record, edit: Edit) -> Record:
        change = split_edit(edit)
        if kind is self._kinds[1]:
            return self._series.change_series(plan, before, change)
        series = self._series.series_of(before) if kind is self._kinds[0] else None
        if series is not None:
            return self._series.change(plan, series, before, change)
        if kind is self._kinds[0] and change.request.begins:
            return self._series.begin(plan, before, change)
        return self._records.change(plan, kind, before, change.edit)

    def remove(  # noqa: PLR0913  # which record, by whom, how far
        self,
        kind: Kind,
        record_id: int,
        caller: Caller,
        *,
        force: bool = False,
        revision: int | None = None,
        scope: str = THIS,
    ) -> Record:
        """Move a record to the trash, or delete it for good (terms always); return it.

        ``scope`` says how many occurrences of a series with it.
        """

        def work(plan: Plan) -> Record:
            before = self._records.removable(kind, record_id, caller, force=force)
            require_revision(before, revision)
            if kind not in self._kinds:
                return self._records.remove(plan, kind, before, force=force)
            request = SeriesRequest(ALL if kind is self._kinds[1] else scope, force=force)
            return self._series.remove(plan, kind, before, request, caller)

        return self._attempt(caller, work)

    def remove_translation(  # noqa: PLR0913  # which language of what, by whom, how far
        self,
        kind: Kind,
        record_id: int,
        caller: Caller,
        language: str,
        *,
        revision: int | None = None,
        scope: str = THIS,
    ) -> Record:
        """Take one language away and return the record; the last one of the site stays.

        With another scope it goes from the whole series. Raises ``PreconditionFailed`` where the
        record is not at ``revision`` any more.
        """

        def work(plan: Plan) -> Record:
            before = self._records.editable(kind, record_id, caller)
            require_revision(before, revision)
            if kind in self._kinds:
                edit = Edit({}, caller, language)
                return self._series.remove_language(plan, kind, before, edit, scope)
            return self._records.remove_language(plan, kind, before, language)

        return self._attempt(caller, work)

    def together(self, work: Callable[[], Result]) -> Result:
        """Return the result of ``work``, with all of its writes stored or none."""
        return retry_conflicts(self._store, work)

    def rehearse(self, work: Callable[[], Result]) -> Result:
        """Return the result of ``work``, and store nothing that it writes."""
        return rehearse(self._store, work)

    # Many writes in one plan, inside a transaction of the caller's.

    def plan(self, numbers: NewIds | None = None) -> Plan:
        """Return an empty plan, for the transaction that runs."""
        return Plan(self._store, self.writer.now(), numbers)

    def plan_each(self, plan: Plan, edits: Sequence[EditOf], caller: Caller) -> list[Record]:
        """Plan many edits with one lookup of their linked records; return the edited records."""
        sent = [Edit(each.changes, caller, each.language) for each in edits]
        references = self._records.references
        references.expect(plan, sent)
        resolved = [references.resolve(plan, edit) for edit in sent]
        for kind in {each.kind.name: each.kind for each in edits}.values():
            pairs = zip(edits, resolved, strict=True)
            own = [(each, edit) for each, edit in pairs if each.kind is kind]
            # A series takes the ids of all its events.
            single = [each for each, edit in own if "recurrence" not in edit.changes]
            plan.reserve(kind, [each.own_id for each in single if not each.before])
            slugs = [key for _, edit in own for key in likely_slugs(kind, edit.changes)]
            venues = {venue for _, edit in own for venue in edit.changes.get("venues", ())[:1]}
            plan.expect(kind, slugs, venues)
        pairs = zip(paced(edits), resolved, strict=True)
        return [self._plan(plan, each, edit) for each, edit in pairs]

    def _plan(self, plan: Plan, wished: EditOf, edit: Edit) -> Record:
        kind, before = wished.kind, wished.before
        if not before:
            require_role(edit.caller, "create", kind.singular)
            create = self._records.create_new if wished.apart else self._create
            return create(plan, kind, edit)
        require_editable(kind, before, edit.caller)
        if wished.apart:
            before = plan.current(kind, before)
            edit = _leaving_slugs(plan, kind, before, edit)
        return self._change(plan, kind, before, edit)

    def plan_linked(self, plan: Plan, edit: EditOf, caller: Caller) -> Record:
        """Plan a change of a linked record, without regard to its owner; return the record."""
        sent = Edit(edit.changes, caller, edit.language)
        return self._change(plan, edit.kind, edit.before, sent)

    def store(self, plan: Plan, caller: Caller) -> None:
        """Store a plan in the transaction that runs."""
        with written_by(caller):
            self._apply(plan)

    def _apply(self, plan: Plan) -> None:
        self.writer.apply(plan.changes)
        plan.store_beside()

    # One write.

    def _attempt(self, caller: Caller, work: Callable[[Plan], Result]) -> Result:
        def planned_and_stored() -> Result:
            plan = self.plan()
            result = work(plan)
            self._apply(plan)
            return result

        with written_by(caller):
            return retry_conflicts(self._store, planned_and_stored)


def _leaving_slugs(plan: Plan, kind: Kind, before: Record, edit: Edit) -> Edit:
    """Return an edit without a slug that another record has, unless it would be the first one.

    A term gets none then.
    """
    variants: dict[str, Record] = {}
    for language, texts in edit.changes.get("variants", {}).items():
        slug = slugify(texts.get("slug") or "")
        has_slug = "slug" in before["variants"].get(language, {})
        is_taken = slug and plan.naming.is_taken(kind, before, slug_key(language, slug))
        leaves = is_taken and (has_slug or not kind.has_status)
        variants[language] = {n: each for n, each in texts.items() if n != "slug" or not leaves}
    changes = edit.changes | ({"variants": variants} if variants else {})
    return replace(edit, changes=changes)

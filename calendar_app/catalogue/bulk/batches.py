"""Many records at once, from another site: the editor's rules, one transaction a batch."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from calendar_app.access.caller import Caller
from calendar_app.catalogue.bulk.foreign import (
    Foreign,
    Outcome,
    Taken,
    came_first_in,
    came_from,
    came_in,
    came_in_others,
    changes_of,
    is_noted,
    links_restored,
    noting_slug,
    slug_instead,
    slug_of,
    waits_for_slug,
)
from calendar_app.catalogue.bulk.hosts import with_present_source
from calendar_app.catalogue.bulk.judging import judging
from calendar_app.catalogue.bulk.numbering import Numbering
from calendar_app.catalogue.bulk.origins import Origins
from calendar_app.catalogue.bulk.renaming import Renaming, Waiting
from calendar_app.catalogue.bulk.untranslated import is_silent, without_untranslated
from calendar_app.catalogue.places.points_of_many import PlacesOfMany
from calendar_app.catalogue.search.vocabulary import Vocabulary
from calendar_app.catalogue.slugs.naming import slug_key
from calendar_app.catalogue.slugs.naming_many import NamingOfMany
from calendar_app.catalogue.writing.composer import Composer
from calendar_app.catalogue.writing.counting import count_new
from calendar_app.catalogue.writing.editor import Editor
from calendar_app.catalogue.writing.parents import Parents
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.moments import Now
from calendar_app.domain.site import Site
from calendar_app.domain.slugs import slugify
from calendar_app.domain.statuses import TRASH
from calendar_app.query.clauses import EVERYTHING
from calendar_app.storage.store import Store


class Bulk(Editor):
    """Takes in batches of records of one kind, each source once."""

    # Nobody waits for a batch; MongoDB itself ends transactions that are older than a minute.
    _patience = 60.0
    _numbering_of: type[Numbering] = Numbering
    _slugs_of: type[NamingOfMany] = NamingOfMany
    _points_of: type[PlacesOfMany] = PlacesOfMany
    _parents_of: type[Parents] = Parents
    _renaming_of: type[Renaming] = Renaming

    def __init__(
        self,
        store: Store,
        kinds: Mapping[str, Kind],
        now: Now,
        site: Site,
        vocabulary: Vocabulary,
    ) -> None:
        self._slugs = self._slugs_of(store)
        self._points = self._points_of(store)
        composer = Composer(
            store,
            now,
            site,
            naming=self._slugs,
            places=self._points,
            parents=self._parents_of(store),
        )
        super().__init__(store, kinds, composer, vocabulary)
        # By the address that another site tells: pictures that are here.
        self.pictures: Mapping[str, int] = {}
        self._kinds = kinds
        self._site_url = site.url
        self._origins = Origins(store)
        self._numbering = self._numbering_of(store, kinds)

    def reserve(self, kind: Kind, highest: int) -> None:
        """Leave the ids up to ``highest`` to records that are to keep theirs."""
        self._numbering.reserve(kind, highest)

    def ids_of(self, kind: Kind, sources: Sequence[str]) -> dict[str, int]:
        """Return the ids of the records that came from ``sources``, where there are any."""
        return self._origins.ids(kind, sources)

    def id_for(self, kind: Kind, source: str, own: int) -> int:
        """Return an id for a new record: its ``own`` where nobody has that, else a new one."""
        return self._numbering.ids(kind, [Foreign(source=source, id=own, changes={})])[source]

    def is_second(self, language: str) -> bool:
        """Say whether other languages have been taken in before, and this one never alone."""
        collections = [self._store.of(kind) for kind in self._kinds.values()]
        if any(one.first(came_first_in(language), fields=["_id"]) for one in collections):
            return False
        return any(one.first(came_in_others(language), fields=["_id"]) for one in collections)

    def stored(self, kind: Kind) -> Iterator[Record]:
        """Yield every record of a kind."""
        return self._store.of(kind).stream(EVERYTHING, order=[("_id", 1)])

    def has_come_in(self, language: str) -> bool:
        """Say whether anything has been taken in before in a language."""
        return any(
            self._store.of(kind).first(came_in(language), fields=["_id"])
            for kind in self._kinds.values()
        )

    def came_in(self, kind: Kind, language: str) -> Iterator[Record]:
        """Yield what has been taken in in a language and is not in the trash: name and notes."""
        fields = ["imported", "status", "password", f"variants.{language}.{kind.label}"]
        stored = self._store.of(kind)
        for record in stored.stream(came_in(language), order=[("_id", 1)], fields=fields):
            if record.get("status") != TRASH:
                yield record

    def take(
        self, kind: Kind, batch: Sequence[Foreign], caller: Caller, language: str
    ) -> list[Taken]:
        """Store the batch, all of it or nothing but what is refused; say what became of each."""
        return self._attempt(lambda: self._take_once(kind, batch, caller, language))

    def make(
        self, kind: Kind, batch: Sequence[Foreign], caller: Caller, language: str
    ) -> tuple[list[Record], list[Taken]] | None:
        """Return the records of the batch for ``store``, and what becomes of each of the batch.

        ``None`` where there are records already that came from there.
        """
        if self._origins.known(kind, batch, language):
            return None
        return self._made_of(kind, batch, {}, caller, language)

    def store(self, kind: Kind, made: Sequence[Record]) -> None:
        """Store what was made, or nothing; ``DuplicateKey`` where somebody else came first."""
        self._store.transact(lambda: self._insert(kind, made), self._patience)

    def rename(
        self, kind: Kind, waiting: Sequence[Waiting], caller: Caller, language: str
    ) -> dict[str, str]:
        """Give the slugs that records of several batches wait for, as ``Renaming.run`` does."""

        def work() -> dict[str, str]:
            self._slugs.expect(kind, [key for one in waiting for key in one.keys(language)])
            renaming = self._renaming(kind, caller, language)
            for foreign, record in self._still_waiting(kind, waiting, language):
                renaming.wish(foreign, record)
            return renaming.run()

        return self._attempt(work)

    def _still_waiting(
        self, kind: Kind, waiting: Sequence[Waiting], language: str
    ) -> Iterator[tuple[Foreign, Record]]:
        """Yield what waits for a slug, unless people have changed that meanwhile."""
        fields = ["imported", f"variants.{language}.slug"]
        wishes = {one.source: one.foreign(language) for one in waiting}
        for record in self._store.of(kind).find(came_from([*wishes]), fields=fields):
            for note in record["imported"]:
                foreign = wishes.get(note["source"])
                if foreign and waits_for_slug(foreign, record, language):
                    yield foreign, record

    def _take_once(
        self, kind: Kind, batch: Sequence[Foreign], caller: Caller, language: str
    ) -> list[Taken]:
        known = self._origins.known(kind, batch, language)
        self._points.expect(foreign.changes for foreign in batch if foreign.source in known)
        made, taken = self._made_of(kind, batch, known, caller, language)
        self._insert(kind, made)
        return taken

    def _made_of(
        self,
        kind: Kind,
        batch: Sequence[Foreign],
        known: Mapping[str, Record],
        caller: Caller,
        language: str,
    ) -> tuple[list[Record], list[Taken]]:
        """Change what is known; return the others as new records, and what becomes of each."""
        ids = self._numbering.ids(kind, [one for one in batch if one.source not in known])
        self._slugs.expect(kind, [slug_key(language, slug_of(one, language)) for one in batch])
        taken = self._changed(kind, batch, known, caller, language)
        made = list[Record]()
        for foreign in batch:
            if foreign.source not in known:
                with judging(foreign.source, taken):
                    record = self._made(kind, ids[foreign.source], foreign, caller, language)
                    made.append(record)
                    slug = slug_instead(foreign, record, language)
                    taken[foreign.source] = Taken(Outcome.CREATED, slug=slug)
        return made, [taken[foreign.source] for foreign in batch]

    def _changed(
        self,
        kind: Kind,
        batch: Sequence[Foreign],
        known: Mapping[str, Record],
        caller: Caller,
        language: str,
    ) -> dict[str, Taken]:
        """Change what is known, slugs last; return what becomes of each, by source."""
        renaming = self._renaming(kind, caller, language)
        taken: dict[str, Taken] = {}
        for foreign in batch:
            if foreign.source in known:
                with judging(foreign.source, taken):
                    before = known[foreign.source]
                    outcome = self._updated(kind, before, foreign, language, renaming)
                    taken[foreign.source] = Taken(outcome)
        for source, kept in renaming.run().items():
            outcome = taken[source].outcome if kept else Outcome.UPDATED
            taken[source] = Taken(outcome, slug=kept)
        return taken

    def _renaming(self, kind: Kind, caller: Caller, language: str) -> Renaming:
        change = partial(self._change_once, kind, caller=caller, language=language)
        return self._renaming_of(self._store, self._slugs, kind, language, change)

    def _made(
        self, kind: Kind, record_id: int, foreign: Foreign, caller: Caller, language: str
    ) -> Record:
        if foreign.joins:
            raise ValueError(f"The record that it belongs to, {foreign.joins}, has gone.")
        blank = self._composer.blank(kind, caller, record_id)
        changes = self._with_picture(changes_of(foreign, {}, language))
        if kind.label not in changes["variants"][language]:
            raise ValueError(f"It has no {kind.label} in {language}.")
        resolved = self._resolved(changes, caller, language)
        made = self._composer.composed(
            kind, blank, resolved, caller, language, foreseen=foreign.foreseen
        )
        notes = noting_slug(foreign, made, language, slug_instead(foreign, made, language))
        return made | {"imported": notes, "revision": 1}

    def _updated(
        self, kind: Kind, before: Record, foreign: Foreign, language: str, renaming: Renaming
    ) -> Outcome:
        """Change a record that is known, unless its site says what it said last time.

        What lies in the trash here stays there, and what the site has not translated is no text.
        The picture is shown from here once it is here, and what was deleted and is made anew is
        linked again.
        """
        if before.get("status") == TRASH:
            return Outcome.UNCHANGED
        present = with_present_source(foreign, before, language)
        foreign = without_untranslated(kind, foreign, present, language, self._site_url)
        noted = is_noted(foreign, present, language) or is_silent(foreign, present, language)
        changes = self._changes(before, present, foreign, language, noted=noted)
        if not noted:
            self._leave_slug(kind, before, changes, language)
        after = renaming.change(before["_id"], changes) if changes else before
        if not noted or waits_for_slug(foreign, present, language):
            renaming.wish(foreign, after)
        return Outcome.UPDATED if changes else Outcome.UNCHANGED

    def _leave_slug(self, kind: Kind, before: Record, changes: Record, language: str) -> None:
        """Take the slug out of changes where the record has one, or is a term and cannot have it.

        It is given when all others are changed.
        """
        texts = changes.get("variants", {}).get(language, {})
        slug = slugify(texts.get("slug") or "")
        taken = self._slugs.is_taken(before, slug_key(language, slug))
        has_one = before["variants"].get(language, {}).get("slug")
        if slug and (has_one or (taken and not kind.has_status)):
            del texts["slug"]

    def _changes(
        self, before: Record, present: Record, foreign: Foreign, language: str, *, noted: bool
    ) -> Record:
        """Return what is to be written into a record that is known, as it would be noted now."""
        changes = links_restored(foreign, before)
        if not noted:
            return self._with_picture(changes | changes_of(foreign, present, language))
        if before.get("image") in self.pictures:
            changes |= self._with_picture({"image": before["image"]})
        return changes if present is before else {"imported": present["imported"], **changes}

    def _with_picture(self, changes: Record) -> Record:
        """Return the changes with the id of a picture in place of its address, where it is here."""
        if changes.get("image") not in self.pictures:
            return changes
        return {**changes, "image": self.pictures[changes["image"]]}

    def _insert(self, kind: Kind, made: Sequence[Record]) -> None:
        self._points.place(made)
        if made:
            self._vocabulary.enter_many(kind, made)
            self._store.of(kind).insert_many(made)
        if kind.has_links:
            count_new(self._store, made)

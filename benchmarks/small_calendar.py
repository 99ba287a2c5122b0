"""Fills the calendar of the benchmark."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from documents import document
from sample_records import LANGUAGES, SampleRecords
from service import environment

from calendar_app.accounts.callers import Caller
from calendar_app.assembly.services import build_services
from calendar_app.calendar.editor import Editor
from calendar_app.calendar.search.vocabulary import Vocabulary
from calendar_app.calendar.writing.terms import miscounted, recount
from calendar_app.cli.database import opened_store
from calendar_app.cli.indexing import filling
from calendar_app.domain.kind import Kind, Record
from calendar_app.domain.kinds import CATEGORY, EVENT, ORGANIZER, TAG, VENUE
from calendar_app.settings import Settings
from calendar_app.storage.mongo.store import Store

_LINKED = ((VENUE, 50), (ORGANIZER, 30), (CATEGORY, 12), (TAG, 20))
_CALLER = Caller(id=1, name="editor", role="editor")
_BATCH = 1000  # events stored at once


@dataclass(frozen=True, slots=True)
class SampleCalendar:
    """Ids, slugs and words of the calendar, and the editor's credentials."""

    events: Sequence[int]
    slugs: Sequence[str]
    venues: Sequence[int]
    organizer: int
    category: int
    words: Sequence[str]
    user: str
    secret: str

    @property
    def slug(self) -> str:
        return self.slugs[0]

    @property
    def venue(self) -> int:
        return self.venues[0]


def fill(directory: Path, events: int, **settings_of_service: str) -> SampleCalendar:
    """Create events and linked records in the database of the service.

    ``settings_of_service`` are those with which it is served: words that were indexed for other
    languages help no search.
    """
    settings = Settings.load(environment=environment(directory) | settings_of_service)
    samples = SampleRecords()
    with opened_store(settings) as store:
        services = build_services(settings, store, lambda: datetime.now(UTC))
        secret = services.accounts.add(_CALLER.name, _CALLER.role, id=_CALLER.id)
        ids = {
            kind.name: _created(
                services.editor, kind, [samples.linked(kind, n) for n in range(number)]
            )
            for kind, number in _LINKED
        }
        with filling(store, settings):
            event_ids = _stored(store, settings, [samples.event(ids, n) for n in range(events)])
        stored = store.of(EVENT).find({}, fields=["variants"])
    return SampleCalendar(
        events=event_ids,
        slugs=[each["variants"][LANGUAGES[0]]["slug"] for each in sorted(stored, key=_number)],
        venues=ids[VENUE.name],
        organizer=ids[ORGANIZER.name][0],
        category=ids[CATEGORY.name][0],
        words=samples.words,
        user=_CALLER.name,
        secret=secret,
    )


def _number(record: Record) -> int:
    number: int = record["_id"]
    return number


def _stored(store: Store, settings: Settings, events: list[Record]) -> list[int]:
    """Store events as the service would, but thousands at once."""
    now, vocabulary = datetime.now(UTC).replace(tzinfo=None), Vocabulary(store, settings.chains())
    ids = list(store.next_ids(EVENT.sequence, len(events)))
    records = [
        document(EVENT, number, changes, now, settings.timezone)
        for number, changes in zip(ids, events, strict=True)
    ]
    for first in range(0, len(records), _BATCH):
        batch = records[first : first + _BATCH]
        vocabulary.index_words([(EVENT, {}, record) for record in batch])
        store.database[EVENT.name].insert_many(batch)
    for taxonomy, term in miscounted(store):
        recount(store, taxonomy, term)
    return ids


def _created(editor: Editor, kind: Kind, records: list[Record]) -> list[int]:
    return [editor.create(kind, record, _CALLER, LANGUAGES[0])["_id"] for record in records]

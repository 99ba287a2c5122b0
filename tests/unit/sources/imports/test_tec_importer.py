"""An import of a site that has records which this calendar refuses."""

from datetime import datetime

import mongomock
import pytest
from unit.sources.imports.test_tec_records import FRANC, event

from calendar_app.assembly.services import editor_of_source
from calendar_app.calendar.search.vocabulary import Vocabulary
from calendar_app.domain.kinds import BY_NAME, EVENT, SERIES
from calendar_app.domain.zones import Site
from calendar_app.sources.imports.tec.batches import OPERATOR, BatchImporter, EventWriters
from calendar_app.sources.imports.tec.editor import BulkEditor
from calendar_app.sources.imports.tec.events import SiteEvents
from calendar_app.sources.imports.tec.joining import JoinPlan
from calendar_app.sources.imports.tec.reading import RecordReader
from calendar_app.sources.imports.tec.series import SeriesImporter
from calendar_app.sources.notes import KnownEvents
from calendar_app.sources.source import Source
from calendar_app.sources.summary import Summary
from calendar_app.sources.writer import SourceWriter
from calendar_app.storage.mongo.store import Store

NOW = datetime.fromisoformat("2027-01-01 12:00")
SOURCE = Source(
    id=1,
    name="Site",
    kind="tec",
    address="",
    status="publish",
    author=1,
    language="de",
    timezone="Europe/Zurich",
)


@pytest.fixture
def import_events(settings):
    """Return how to import events, and get the summary."""
    store = Store(mongomock.MongoClient()["calendar"])
    site = Site("Europe/Zurich", "", ("de",), 0)
    editor = BulkEditor(store, BY_NAME, lambda: NOW, site, Vocabulary(store, {"de": ("de",)}))
    reader = RecordReader(language="de", languages=("de",), currency=FRANC)
    own_store, own_editor = editor_of_source(settings, store, lambda: NOW, 1, dry_run=False)
    kinds = EVENT, SERIES
    single = SiteEvents(
        writer=SourceWriter(own_store, own_editor, kinds, SOURCE, operator=OPERATOR),
        known=KnownEvents(store, kinds),
        editor=editor,
        source=SOURCE,
        site=site,
        now=NOW,
    )

    def run(*events):
        summary, plan = Summary(), JoinPlan()

        def report(results):
            for each in results:
                summary.add(each)

        writers = EventWriters(single, SeriesImporter(None, editor, None, plan, None, zone=""))
        BatchImporter(editor, reader, plan, report, writers).run(EVENT, events)
        return summary

    return run


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"title": ""}, "It has no title."),
        ({"end_date": "2027-04-01 10:00:00"}, "end"),
    ],
)
def test_what_is_refused_is_counted_and_named_and_the_rest_is_taken(import_events, fields, reason):
    summary = import_events(event(), event(id=13, global_id="site.example?id=13", **fields))
    (line,) = summary.refusals
    assert line.startswith("event 13")
    assert reason in line
    assert list(summary.lines())[-1] == "all: 1 created, 0 updated, 0 unchanged, 1 refused"

"""An import of a site that has records which this calendar refuses."""

from datetime import datetime

import mongomock
import pytest
from unit.sources.imports.test_tec_records import FRANC, event

from calendar_app.assembly.services import editor_of_source
from calendar_app.domain.kinds import BY_NAME, CATEGORY, EVENT, SERIES, TAG, VENUE
from calendar_app.domain.zones import Site
from calendar_app.sources.imports.tec.batches import OPERATOR, BatchImporter, SiteWriters
from calendar_app.sources.imports.tec.counterparts import Counterparts
from calendar_app.sources.imports.tec.events import SiteEvents
from calendar_app.sources.imports.tec.joining import JoinPlan
from calendar_app.sources.imports.tec.linked import SiteRecords
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
def store():
    return Store(mongomock.MongoClient()["calendar"])


@pytest.fixture
def import_records(settings, store):
    """Return how to import records of a kind, and get the summary."""
    site = Site("Europe/Zurich", "", ("de",), 0)
    here = Counterparts.of(store, BY_NAME, dry_run=False)
    reader = RecordReader(language="de", languages=("de",), currency=FRANC)
    own_store, own_editor = editor_of_source(settings, store, lambda: NOW, 1, dry_run=False)
    kinds = EVENT, SERIES
    writer = SourceWriter(own_store, own_editor, kinds, SOURCE, operator=OPERATOR)
    single = SiteEvents(
        writer=writer,
        known=KnownEvents(store, kinds),
        here=here,
        source=SOURCE,
        site=site,
        now=NOW,
    )
    records = SiteRecords(writer=writer, here=here, language="de", address="")

    def run(kind, *raws):
        summary, plan = Summary(), JoinPlan()

        def report(results):
            for each in results:
                summary.add(each)

        series = SeriesImporter(None, here, None, plan, None, zone="")
        writers = SiteWriters(single, series, records)
        BatchImporter(here, reader, plan, report, writers).run(kind, raws)
        return summary

    return run


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"title": ""}, "It has no title."),
        ({"end_date": "2027-04-01 10:00:00"}, "end"),
    ],
)
def test_what_is_refused_is_counted_and_named_and_the_rest_is_taken(import_records, fields, reason):
    summary = import_records(EVENT, event(), event(id=13, global_id="site.example?id=13", **fields))
    (line,) = summary.refusals
    assert line.startswith("event 13")
    assert reason in line
    assert list(summary.lines())[-1] == "all: 1 created, 0 updated, 0 unchanged, 1 refused"


def term(collection, number, name, **fields):
    url = f"https://site.example/wp-json/tribe/events/v1/{collection}/{number}"
    return {"id": number, "name": name, "slug": name.lower(), "urls": {"self": url}, **fields}


def venue(number, name, **fields):
    own = {"id": number, "global_id": f"site.example?id={number}", "status": "publish"}
    return {**own, "venue": name, **fields}


def test_term_of_a_taken_name_without_a_slug_is_refused_and_the_others_are_taken(import_records):
    import_records(CATEGORY, term("categories", 20, "Choir"))
    same, new = term("categories", 21, "Choir", slug=""), term("categories", 22, "Band")
    summary = import_records(CATEGORY, same, new)
    (line,) = summary.refusals
    assert line == 'category 21 "Choir": There is a category of this name at this place, 20.'
    assert list(summary.lines())[-1] == "all: 1 created, 0 updated, 0 unchanged, 1 refused"


def test_new_term_gets_the_slug_that_another_one_gives_up(import_records):
    before = term("tags", 30, "Feast")
    import_records(TAG, before)
    new = term("tags", 31, "Party", slug="feast")
    import_records(TAG, new, {**before, "slug": "feast-2027"})
    again = import_records(TAG, {**before, "slug": "feast"}, {**new, "slug": "party"})
    assert list(again.lines())[-1] == "all: 0 created, 2 updated, 0 unchanged, 0 refused"


def test_term_keeps_its_slug_where_another_one_has_the_new_one(import_records, store):
    feast, party = term("tags", 30, "Feast"), term("tags", 31, "Party")
    import_records(TAG, feast, party)
    summary = import_records(TAG, {**feast, "name": "Fete", "slug": "party"}, party)
    assert list(summary.lines())[-1] == "all: 0 created, 1 updated, 1 unchanged, 0 refused"
    texts = {each["_id"]: each["variants"]["de"] for each in store.of(TAG).find({})}
    assert (texts[30]["name"], texts[30]["slug"], texts[31]["slug"]) == ("Fete", "feast", "party")


def test_records_keep_their_ids_and_are_no_other_ones_of_their_name(import_records, store):
    same = [venue(number, "Hall", slug=f"hall-{number}") for number in (40, 41)]
    import_records(VENUE, *same)
    assert [each["_id"] for each in store.of(VENUE).find({})] == [40, 41]
    assert {each["variants"]["de"]["venue"] for each in store.of(VENUE).find({})} == {"Hall"}

"""Changed settings create indexes and drop the replaced ones."""

from contextlib import closing
from dataclasses import replace

import pytest
from click.testing import CliRunner

from calendar_app.app import create_app
from calendar_app.assembly.indexes import declared_indexes
from calendar_app.cli import main
from calendar_app.cli.indexing import make_indexes
from calendar_app.domain.fields import WORDED
from calendar_app.storage.mongo.connection import open_database
from calendar_app.storage.mongo.indexes import drop_replaced, missing_indexes
from calendar_app.storage.mongo.store import Store

BESIDE = {"status", "hidden", "_id", "start_local", "end_local"}


@pytest.fixture
def bare_store(bare_uri):
    database = open_database(bare_uri)
    with closing(database.client):
        yield Store(database)


@pytest.fixture
def index_names(bare_store):
    """Return a function that returns the names of the event indexes."""
    return lambda: set(bare_store.database["events"].index_information())


@pytest.fixture
def locales(bare_store):
    """Return a function that returns the locale of each text index, by sort field."""

    def locales_by_field():
        indexes = bare_store.database["events"].index_information().values()
        collated = [index for index in indexes if "collation" in index]
        return {sorted_by(index): index["collation"]["locale"] for index in collated}

    return locales_by_field


def sorted_by(index):
    *_, last = fields = dict(index["key"])
    (field,) = fields.keys() - {*BESIDE, last}
    return field


def bring_up_to_date(store, settings):
    make_indexes(store, settings, keep=False)
    drop_replaced(store, declared_indexes(settings))


def test_each_language_has_a_title_index_with_its_collation(bare_store, locales, settings):
    make_indexes(bare_store, settings)
    assert locales() == {"display_title.de": "de", "display_title.rm": "de"}
    assert missing_indexes(bare_store, declared_indexes(settings)) == []


def test_changed_languages_and_locales_replace_title_indexes(bare_store, locales, settings):
    make_indexes(bare_store, settings)
    changed_settings = replace(settings, languages=["de", "fr"], collations=["de=de_AT"])
    missing = missing_indexes(bare_store, declared_indexes(changed_settings))
    assert len([name for name in missing if "display_title" in name]) == 2
    bring_up_to_date(bare_store, changed_settings)
    assert locales() == {"display_title.de": "de_AT", "display_title.fr": "fr"}
    assert missing_indexes(bare_store, declared_indexes(changed_settings)) == []


def test_an_index_of_another_collation_is_replaced(bare_store, locales, index_names, settings):
    site = replace(settings, languages=["de", "zh-TW"])
    earlier = replace(site, collations=["zh-TW=zh"])
    make_indexes(bare_store, earlier)
    assert locales()["display_title.zh-TW"] == "zh"
    before = index_names()
    bring_up_to_date(bare_store, site)
    assert locales() == {"display_title.de": "de", "display_title.zh-TW": "zh_Hant"}
    assert len(index_names()) == len(before)


def test_a_narrower_index_by_title_is_dropped(bare_store, index_names, settings):
    fields = ["status", "hidden", "display_title.de", "_id", "start_local", "end_local"]
    earlier = bare_store.database["events"].create_index(
        [(name, 1) for name in fields], collation={"locale": "de", "numericOrdering": True}
    )
    bring_up_to_date(bare_store, settings)
    assert earlier not in index_names()


def test_index_covered_by_a_wider_one_is_dropped(bare_store, index_names, settings):
    events = bare_store.database["events"]
    by_start = [("status", 1), ("hidden", 1), ("start_local", 1), ("_id", 1), ("end_local", 1)]
    narrower = events.create_index([*by_start, ("event_status", 1), ("attendance_mode", 1)])
    bring_up_to_date(bare_store, settings)
    assert narrower not in index_names()


@pytest.mark.parametrize(("options", "stays"), [((), False), (("--keep",), True)])
def test_indexes_of_the_first_version_go_unless_kept(
    bare_store, bare_uri, index_names, options, stays
):
    by_start = [(name, 1) for name in ("status", "hidden", "start_local", "_id", "end_local")]
    events = bare_store.database["events"]
    former = {
        events.create_index([("featured", 1), *by_start]),
        events.create_index([("parent", 1), *by_start]),
        events.create_index([("status", 1), ("published", 1)]),
        events.create_index([("author", 1), ("start_local", 1)]),
    }
    environment = {"CALENDAR_MONGODB_URI": bare_uri}
    result = CliRunner().invoke(main, ["indexes", *options], env=environment)
    assert result.exit_code == 0, result.output
    assert (former & index_names()) == (former if stays else set())


def test_foreign_index_stays(bare_store, index_names, settings):
    events = bare_store.database["events"]
    own = {
        events.create_index([("venues", 1), ("revision", 1)]),
        events.create_index([("status", 1)], name="mine", sparse=True),
        events.create_index([("title", 1)], name="sorted", collation={"locale": "fr"}),
        events.create_index([("status", 1)], name="begins", collation={"locale": "fr"}),
        # Of these fields there is a wider one, but not of all events.
        events.create_index([("parent", 1), ("status", 1)]),
    }
    bring_up_to_date(bare_store, settings)
    bring_up_to_date(bare_store, settings)
    assert index_names() > own


def test_instance_stays_ready_when_another_starts_with_other_languages(
    bare_store, bare_uri, settings
):
    more = replace(settings, languages=("de", "rm", "fr"))
    make_indexes(bare_store, more)
    command = ["indexes", "--keep"]
    environment = {
        "CALENDAR_MONGODB_URI": bare_uri,
        "CALENDAR_LANGUAGES": "de,rm",
        "CALENDAR_DEFAULT_LANGUAGE": "de",
    }
    assert CliRunner().invoke(main, command, env=environment).exit_code == 0
    assert readiness(more, bare_store) == 200
    assert CliRunner().invoke(main, command[:1], env=environment).exit_code == 0
    assert readiness(more, bare_store) == 503


def readiness(settings, store):
    """Return the status of a new instance: one that runs looks at its indexes once a minute."""
    return create_app(settings, store.database).test_client().get("/readyz").status_code


# MongoDB takes long to enter so many into all indexes, on a busy machine.
@pytest.mark.timeout(600)
def test_kept_indexes_are_not_rebuilt_for_many_events(bare_store, bare_uri, settings):
    make_indexes(bare_store, settings)
    events = bare_store.database["events"]
    events.insert_many([{"_id": number} for number in range(10_000)])
    before = times_of_making(events)
    environment = {
        "CALENDAR_MONGODB_URI": bare_uri,
        "CALENDAR_LANGUAGES": "de,rm,fr",
        "CALENDAR_DEFAULT_LANGUAGE": "de",
    }
    result = CliRunner().invoke(main, ["indexes", "--keep"], env=environment)
    assert result.exit_code == 0
    assert events.count_documents({WORDED: None}) == 0
    assert before.items() <= times_of_making(events).items()


def times_of_making(collection):
    """Return the creation time of each index; a rebuilt one has a later time."""
    statistics = collection.aggregate([{"$indexStats": {}}])
    return {index["name"]: index["accesses"]["since"] for index in statistics}


@pytest.mark.parametrize("options", [{}, {"unique": True}, {"expireAfterSeconds": 60}])
def test_index_with_a_required_name_and_other_keys_is_refused(
    bare_store, bare_uri, settings, options
):
    make_indexes(bare_store, settings)
    events = bare_store.database["events"]
    events.drop_index("slugs_1")
    events.create_index([("slugs", 1)], **options)
    for command in (["indexes"], ["indexes", "--keep"]):
        line = refused(command, bare_uri)
        assert line.startswith("Error: An index of events is in the way of one that is needed")
        assert "slugs_1" in line
    assert "1 indexes are missing (events.slugs_1 " in refused(["check"], bare_uri)


def test_index_gets_the_expiry_that_is_declared(bare_store, settings):
    make_indexes(bare_store, settings)
    expiring = {
        name: index
        for name, indexes in declared_indexes(settings).items()
        for index in indexes
        if index.expire_after is not None
    }
    name, index = next(iter(expiring.items()))
    collection = bare_store.database[name]
    collection.drop_index(list(index.fields))
    name = collection.create_index(index.fields, expireAfterSeconds=index.expire_after + 1)
    make_indexes(bare_store, settings)
    assert collection.index_information()[name]["expireAfterSeconds"] == index.expire_after


@pytest.mark.parametrize("numeric", [None, False])
def test_an_index_that_sorts_otherwise_than_readers_is_refused(
    bare_store, bare_uri, settings, numeric
):
    make_indexes(bare_store, settings)
    events = bare_store.database["events"]
    indexes = events.index_information()
    by_title = next(name for name in indexes if "display_title.de" in name)
    collation = None if numeric is None else {"locale": "de", "numericOrdering": numeric}
    events.drop_index(by_title)
    events.create_index(indexes[by_title]["key"], name=by_title, collation=collation)
    assert missing_indexes(bare_store, declared_indexes(settings)) == [f"events.{by_title}"]
    assert refused(["indexes"], bare_uri).startswith("Error: An index of events is in the way")


def test_collated_index_does_not_replace_a_binary_one(bare_store, settings):
    make_indexes(bare_store, settings)
    events = bare_store.database["events"]
    indexes = events.index_information()
    exact = next(
        name for name in indexes if name.startswith("status_1") and "display_title" not in name
    )
    events.drop_index(exact)
    events.create_index(indexes[exact]["key"], name=exact, collation={"locale": "de"})
    assert missing_indexes(bare_store, declared_indexes(settings)) == [f"events.{exact}"]


def refused(command, uri):
    """Return the line that a command says which is refused."""
    environment = {
        "CALENDAR_MONGODB_URI": uri,
        "CALENDAR_LANGUAGES": "de,rm",
        "CALENDAR_DEFAULT_LANGUAGE": "de",
    }
    result = CliRunner().invoke(main, command, env=environment)
    assert result.exit_code == 1
    (line,) = result.stderr.splitlines()
    return line

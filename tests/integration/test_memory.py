"""The memory follows every write, and equals a rebuilt one."""

from functools import partial
from random import Random

import pytest

from calendar_app.domain.kinds import KINDS, MEDIA, SERIES
from calendar_app.parts.memory.glossary import GLOSSARY
from calendar_app.parts.memory.remembering.following import MEMORY, Following
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.mongo.transactions import count_round_trips_anew, round_trips

KINDS_OF_CALENDAR = (*KINDS, SERIES, MEDIA)
WRITES = 120
TEXTS = ("Eintritt frei.", "Konzert. Mit Apéro.", "Markt", "Singen im Chor. Kommt alle! Bis bald.")


@pytest.fixture
def rebuild(database):
    """Return a function that makes the memory anew."""
    return partial(Following(Store(database)).rebuild, KINDS_OF_CALENDAR)


def documents_by_id(database):
    return {each["_id"]: each for each in database[MEMORY].find()}


def pairs(database, field="title"):
    units = [unit for each in database[MEMORY].find() for unit in each["units"]]
    return [unit["texts"] for unit in units if unit["field"] == field]


def write(random, callers, ids):
    """Write something somewhere; refusals are writes that change nothing."""
    caller = random.choice(callers)
    kind = random.choice(("events", "events", "venues", "tags"))
    label = {"events": "title", "venues": "venue", "tags": "name"}[kind]
    language = random.choice(("de", "rm"))
    text = f"{random.choice(TEXTS)} {random.choice(('', 'A', 'B'))}".strip()
    body = {label: text, "description": text, "translation_language": language}
    ids_of_kind = ids.setdefault(kind, [])
    action = random.choice(("create", "change", "change", "review", "state", "trash", "delete"))
    if action == "create" or not ids_of_kind:
        day = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 22:00:00"}
        answer = caller.post(f"/{kind}", **body, **(day if kind == "events" else {}))
        ids_of_kind += [answer.json["id"]] if answer.status_code == 201 else []
        return
    path = f"/{kind}/{random.choice(ids_of_kind)}"
    if action == "review":
        checked = random.choice((True, False))
        body["translation_origin"] = {language: {label: {"origin": "machine", "by": "libre"}}}
        caller.post(path, **body)
        caller.post(path, translation_reviewed={language: {label: checked}})
    elif action == "state" and kind != "tags":
        caller.post(path, status=random.choice(("draft", "publish", "private", "pending")))
    elif action == "trash":
        caller.delete(path)
    elif action == "delete":
        caller.delete(path, force=True)
    else:
        caller.post(path, **body)


def test_memory_after_random_writes_is_what_it_would_be_made_anew(
    database, as_admin, as_author, rebuild
):
    random, ids = Random(5), {}  # noqa: S311  # no secret
    for _ in range(WRITES):
        write(random, (as_admin, as_author), ids)
    followed = documents_by_id(database)
    assert followed
    assert rebuild().mended == 0
    database[MEMORY].delete_many({})
    assert rebuild().mended == len(followed)
    assert documents_by_id(database) == followed


def test_rebuild_forgets_what_no_record_has(database, as_admin, make_event, rebuild):
    event = make_event(title="Konzert")
    as_admin.post(f"/events/{event['id']}", translation_language="rm", title="Concert")
    stray = database[MEMORY].find_one() | {"_id": "events:0000000000000999", "record": 999}
    database[MEMORY].insert_one(stray)
    assert rebuild().mended == 1
    assert [each["record"] for each in database[MEMORY].find()] == [event["id"]]


def test_pair_that_no_record_has_any_more_is_gone(database, as_admin, make_event):
    event = make_event(title="Konzert")
    path = f"/events/{event['id']}"
    as_admin.post(path, translation_language="rm", title="Concert")
    assert pairs(database) == [{"de": "Konzert", "rm": "Concert"}]
    as_admin.post(path, translation_language="rm", title="Concert da clavazin")
    assert pairs(database) == [{"de": "Konzert", "rm": "Concert da clavazin"}]
    as_admin.post(path, title="Klavierkonzert")
    assert pairs(database) == []
    as_admin.post(path, translation_status={"rm": {"title": "current"}})
    assert pairs(database) == [{"de": "Klavierkonzert", "rm": "Concert da clavazin"}]
    as_admin.delete(path)
    assert documents_by_id(database) == {}


def test_series_is_remembered_once(database, as_admin, make_event):
    series = make_event(title="Markt", recurrence={"rrule": "FREQ=DAILY;COUNT=5"})
    as_admin.post(f"/events/{series['id']}", translation_language="rm", title="Fiera", scope="all")
    assert pairs(database) == [{"de": "Markt", "rm": "Fiera"}]


TITLES = {"de": {"title": "Konzert"}, "rm": {"title": "Concert"}}


def test_new_pair_takes_two_commands_more_and_none_where_no_pair_has_changed(
    database, as_admin, hearers
):
    heard = []
    hearers.append(lambda _, collection: heard.append(collection))

    def sent(path, **body):
        heard.clear()
        count_round_trips_anew()
        assert as_admin.post(path, **body).status_code in (200, 201)
        return round_trips(), [each for each in heard if each in (MEMORY, GLOSSARY)]

    def counts(number, *languages):
        # A slug in use would be looked up once more in each language.
        variants = {each: {**TITLES[each], "slug": f"{each}-{number}"} for each in languages}
        day = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 22:00:00"}
        created = sent("/events", **day, variants=variants)
        path = f"/events/{database['events'].find_one({}, sort=[('_id', -1)])['_id']}"
        return created, sent(path, cost="5")

    counts(1, "de", "rm")
    alone, paired = counts(2, "de"), counts(3, "de", "rm")
    assert paired == ((alone[0][0] + 2, [MEMORY, GLOSSARY]), (alone[1][0], []))
    assert (alone[0][1], alone[1][1]) == ([], [])

"""A memory that was off for a while is rebuilt before it proposes anything."""

from random import Random
from threading import Event, Thread

import pytest

from calendar_app.api.http.request.state import get_services
from calendar_app.assembly.background import run_jobs
from calendar_app.domain.kinds import KINDS, MEDIA, SERIES
from calendar_app.parts.memory.remembering.following import MEMORY, Following
from calendar_app.storage.mongo.store import Store

EVENING = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 22:00:00"}
WRITERS, WRITES, REBUILDS = 3, 12, 8


@pytest.fixture
def memory(app):
    return get_services(app).translation.memory


@pytest.fixture
def off(worker):
    """Return a client of a worker that does without the memory."""
    return worker("admin", translation_memory=False)


def say(client, de, rm):
    variants = {"de": {"title": de}, "rm": {"title": rm}}
    return client.post("/events", **EVENING, variants=variants).json["id"]


def proposed(client, *texts):
    body = {"source": "de", "target": "rm", "texts": list(texts)}
    answer = client.post("/translations/propose", **body)
    assert answer.status_code == 200, answer.json
    return [[each["text"] for each in text["proposals"]] for text in answer.json["texts"]]


def wrong_documents(database):
    """Return how many documents of the memory differ from the records."""
    return Following(Store(database)).rebuild((*KINDS, SERIES, MEDIA)).mended


def test_memory_that_missed_writes_proposes_nothing_until_it_is_rebuilt(
    as_admin, off, memory, database
):
    changed, deleted = say(as_admin, "Konzert", "Concert"), say(as_admin, "Markt", "Fiera")
    off.post(f"/events/{changed}", variants={"rm": {"title": "Concert da saira"}})
    off.delete(f"/events/{deleted}", force=True)
    say(off, "Vortrag", "Referat")
    assert proposed(as_admin, "Konzert", "Markt", "Vortrag", "Konzerte") == [[], [], [], []]
    assert memory.make_up()
    assert proposed(as_admin, "Konzert", "Markt", "Vortrag") == [
        ["Concert da saira"],
        [],
        ["Referat"],
    ]
    assert wrong_documents(database) == 0


def test_scheduled_work_rebuilds_it(as_admin, off, app):
    say(off, "Vortrag", "Referat")
    for jobs in get_services(app).translation.loops:
        run_jobs(jobs)
    assert proposed(as_admin, "Vortrag") == [["Referat"]]


def test_texts_that_were_hidden_meanwhile_are_not_proposed_to_others(as_admin, as_author, off):
    event = say(as_admin, "Überraschung", "Surpraisa")
    as_admin.post(f"/events/{event}", status="publish")
    assert proposed(as_author, "Überraschung") == [["Surpraisa"]]
    off.post(f"/events/{event}", status="private")
    assert proposed(as_author, "Überraschung") == [[]]


def test_new_records_are_not_filled_from_a_memory_that_is_behind(as_admin, off, worker):
    filling = worker("admin", memory_fills=True)
    event = say(as_admin, "Konzert", "Concert")
    as_admin.post(f"/events/{event}", status="publish")
    off.post(f"/events/{event}", variants={"rm": {"title": "Concert da saira"}})
    new = filling.post("/events", **EVENING, title="Konzert", translation_language="de").json
    read = as_admin.get(f"/events/{new['id']}", translation_language="all").json
    assert set(read["variants"]) == {"de"}


def test_glossary_goes_on_while_the_memory_is_behind(as_admin, off):
    terms = [{"term": "Gemeindehaus", "translation": "chasa communala"}]
    as_admin.post("/translations/glossary", source="de", target="rm", terms=terms)
    say(off, "Gemeindehaus", "Chasa")
    assert proposed(as_admin, "Gemeindehaus") == [["chasa communala"]]


def test_memory_that_is_on_everywhere_is_never_rebuilt(as_admin, memory, database):
    say(as_admin, "Konzert", "Concert")
    assert not memory.is_behind()
    database[MEMORY].delete_many({})
    assert memory.make_up()
    assert proposed(as_admin, "Konzert") == [[]]  # as somebody has left it


def test_worker_without_the_memory_stores_nothing_in_it(as_admin, off, database):
    del as_admin
    say(off, "Konzert", "Concert")
    assert database[MEMORY].count_documents({}) == 0


def test_write_that_began_before_a_rebuild_and_ended_after_it_is_not_forgotten(
    as_admin, off, memory, database
):
    event = say(off, "Konzert", "Concert")
    is_written, is_rebuilt = Event(), Event()

    def write():
        off.post(f"/events/{event}", variants={"rm": {"title": "Concert da saira"}})
        is_written.set()
        is_rebuilt.wait(20)

    thread = Thread(target=lambda: Store(database).transact(write, patience=60))
    thread.start()
    is_written.wait(20)
    memory.make_up()
    is_rebuilt.set()
    thread.join()
    assert memory.is_behind()
    assert proposed(as_admin, "Konzert") == [[]]
    assert memory.make_up()
    assert proposed(as_admin, "Konzert") == [["Concert da saira"]]


def test_memory_is_right_whenever_it_is_not_behind_however_workers_write(
    as_admin, worker, memory, database
):
    ids = [say(as_admin, f"Konzert {number}", f"Concert {number}") for number in range(WRITERS)]
    clients = [worker("admin", translation_memory=number % 2 == 0) for number in range(WRITERS)]

    def write(client, number):
        random = Random(number)  # noqa: S311  # no secret
        for step in range(WRITES):
            changes = {"rm": {"title": f"Concert {number}.{step}"}}
            client.post(f"/events/{random.choice(ids)}", variants=changes)

    threads = [Thread(target=write, args=[each, n]) for n, each in enumerate(clients)]
    for thread in threads:
        thread.start()
    for _ in range(REBUILDS):
        memory.make_up()
    for thread in threads:
        thread.join()
    if not memory.is_behind():
        assert wrong_documents(database) == 0
    assert memory.make_up()
    assert wrong_documents(database) == 0

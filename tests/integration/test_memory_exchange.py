"""The memory goes out as TMX and comes back without loss."""

from io import BytesIO

import pytest
from translate.storage.tmx import tmxfile

from calendar_app.domain.kinds import KINDS
from calendar_app.domain.tmx import NoTmx
from calendar_app.parts.memory.remembering.exchange import TmxExchange
from calendar_app.parts.memory.remembering.following import MEMORY, Following
from calendar_app.storage.mongo.store import Store

EVENING = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 22:00:00"}
TEXTS = {
    "de": {"title": "Fest & Tanz < 5", "description": "<p>Eintritt frei. Mit “Apéro”.</p>"},
    "rm": {"title": "Festa & saut < 5", "description": "<p>Entrada libra. Cun “aperitiv”.</p>"},
}
OF_ANOTHER_PROGRAM = """<?xml version="1.0"?><tmx version="1.4"><header/><body>
<tu><tuv xml:lang="de-CH"><seg>Eintritt <hi>frei</hi></seg></tuv>
<tuv xml:lang="RM"><seg>Entrada libra</seg></tuv><tuv xml:lang="xx"><seg>?</seg></tuv></tu>
<tu><tuv xml:lang="de"><seg>Allein</seg></tuv></tu></body></tmx>"""


@pytest.fixture
def exchange(database):
    return TmxExchange(Store(database), ("de", "rm"))


@pytest.fixture
def exported(exchange, as_admin):
    """Store an event and a draft, and return the memory as a file."""
    assert as_admin.post("/events", **EVENING, variants=TEXTS).status_code == 201
    secret = {"de": {"title": "Geheim"}, "rm": {"title": "Secret"}}
    as_admin.post("/events", **EVENING, variants=secret, status="draft")
    return b"".join(exchange.export())


def remembered_parts(database):
    units = [unit for document in database[MEMORY].find() for unit in document["units"]]
    parts = [(u["field"], u["place"], sorted(u["texts"].items()), sorted(u["keys"])) for u in units]
    return sorted(parts, key=repr)


def test_memory_comes_back_without_loss(database, exchange, exported):
    database[MEMORY].delete_many({"author": {"$ne": None}})
    before = remembered_parts(database)
    database[MEMORY].delete_many({})
    imported = exchange.take(BytesIO(exported))
    assert (imported.new, imported.known, imported.unused) == (len(before), 0, 0)
    assert [part[:3] for part in remembered_parts(database)] == [part[:3] for part in before]
    again = exchange.take(BytesIO(b"".join(exchange.export())))
    assert (again.new, again.known) == (0, len(before))


def test_translate_toolkit_reads_the_file(exported):
    read = tmxfile(BytesIO(exported), "de", "rm")
    pairs = [(unit.source, unit.target) for unit in read.units]
    assert (TEXTS["de"]["title"], TEXTS["rm"]["title"]) in pairs
    assert (TEXTS["de"]["description"], TEXTS["rm"]["description"]) in pairs
    assert ("Eintritt frei.", "Entrada libra.") in pairs
    assert len(pairs) == 4


def test_drafts_stay_here(exported):
    assert "Apéro" in exported.decode()
    assert "Geheim" not in exported.decode()


def test_translations_of_another_program_are_proposed(exchange, database, as_author):
    imported = exchange.take(BytesIO(OF_ANOTHER_PROGRAM.encode()))
    assert (imported.new, imported.unused) == (1, 1)
    body = {"source": "de", "target": "rm", "texts": ["Eintritt frei"]}
    ((proposal,),) = [
        text["proposals"] for text in as_author.post("/translations/propose", **body).json["texts"]
    ]
    assert (proposal["text"], proposal["from"]["rest_url"]) == ("Entrada libra", None)
    assert Following(Store(database)).rebuild(KINDS).mended == 0
    assert exchange.forget() == 1


@pytest.mark.parametrize("content", [b"", b"no xml", b"<html/>", OF_ANOTHER_PROGRAM.encode()[:-40]])
def test_what_is_no_tmx_is_refused_and_nothing_stored(database, exchange, content):
    with pytest.raises(NoTmx):
        exchange.take(BytesIO(content))
    assert remembered_parts(database) == []

"""Files of TMX: what other programs write is read, and nothing of it is expanded."""

from io import BytesIO

import pytest

from calendar_app.domain.tmx import NoTmx, TmxUnit, read, tmx_parts

UNIT = """<tu><tuv xml:lang="de"><seg>Eintritt <!-- x -->frei</seg></tuv>\
<tuv xml:lang="rm"><seg>Entrada libra</seg></tuv></tu>"""
TEXTS = {"de": "Eintritt frei", "rm": "Entrada libra"}


def file(head="", unit=UNIT, encoding="utf-8"):
    return BytesIO(f'{head}<tmx version="1.4"><body>{unit}</body></tmx>'.encode(encoding))


def texts(content):
    return [unit.texts for unit in read(content)]


def test_exported_units_are_read_back():
    unit = TmxUnit(TEXTS, "event", "excerpt", 2, "event:1")
    assert [*read(BytesIO(b"".join(tmx_parts([unit]))))] == [unit]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-1"])
def test_encodings_of_other_programs_are_read(encoding):
    head = f'<?xml version="1.0" encoding="{encoding}"?><!DOCTYPE tmx SYSTEM "tmx14.dtd">'
    assert texts(file(head, encoding=encoding)) == [TEXTS]


@pytest.mark.parametrize("encoding", ["klingon", "utf-8-sig"])
def test_unknown_encoding_is_refused(encoding):
    with pytest.raises(NoTmx):
        texts(file(f'<?xml version="1.0" encoding="{encoding}"?>'))


@pytest.mark.parametrize(
    "entities",
    [
        '<!ENTITY a "aaaa">',
        '<!ENTITY a SYSTEM "file:///etc/passwd">',
        '<!ENTITY % a SYSTEM "https://example.org/a.dtd"> %a;',
    ],
)
def test_file_that_declares_entities_is_refused(entities):
    unit = UNIT if "%" in entities else UNIT.replace("frei", "&a;")
    with pytest.raises(NoTmx):
        texts(file(f"<!DOCTYPE tmx [{entities}]>", unit))


@pytest.mark.parametrize("content", [b"", b"<tmx>", b"<html></html>", b"\0\1", b"a"])
def test_anything_else_is_refused(content):
    with pytest.raises(NoTmx):
        texts(BytesIO(content))

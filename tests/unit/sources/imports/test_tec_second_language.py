"""Records of another site in a second language: what is a translation, and what repeats."""

import pytest

from calendar_app.domain.kinds import EVENT
from calendar_app.domain.provenance import named_note
from calendar_app.sources.imports.tec.imported_records import (
    ImportedRecord,
    has_no_texts,
    slug_of,
    without_untranslated,
)

SOURCE = "events/site.example?id=5"
FIRST = {"source": SOURCE, "language": "de", "digest": "of another time"}
GERMAN = {"title": "Fest", "slug": "fest", "description": "<p>Im Hof.</p>"}
IDENTITY = ("source", "language")
NOTHING = dict.fromkeys(GERMAN)


def second(texts, **fields):
    return ImportedRecord(
        source=SOURCE, id=5, changes={"variants": {"rm": texts}}, **{"second": True, **fields}
    )


def named(*notes):
    """Return the notes of a record by name and language."""
    own = ({n: value for n, value in each.items() if n not in IDENTITY} for each in notes)
    named = (named_note(n["source"], {n["language"]: o}) for n, o in zip(notes, own, strict=True))
    return {"from_sources": list(named)}


@pytest.mark.parametrize(
    ("texts", "note", "remaining"),
    [
        (GERMAN, FIRST, NOTHING),
        (GERMAN | {"title": "Festa"}, FIRST, NOTHING | {"title": "Festa", "slug": "fest"}),
        (GERMAN | {"slug": "festa"}, FIRST, NOTHING),
        (GERMAN, FIRST | {"joined": False}, NOTHING),
        (GERMAN, FIRST | {"joined": True}, GERMAN),
        (GERMAN, FIRST | {"language": "rm"}, GERMAN),
        (GERMAN, FIRST | {"source": "events/elsewhere.example?id=5"}, GERMAN),
        (GERMAN, FIRST | {"source": "events/site.example/de?id=5"}, NOTHING),
    ],
)
def test_text_that_repeats_what_the_site_has_in_its_first_language_is_no_translation(
    texts, note, remaining
):
    before = {"variants": {"de": GERMAN}, **named(note)}
    record = without_untranslated(EVENT, second(texts), before, "rm", "https://here.example")
    assert record.changes["variants"]["rm"] == remaining


def test_record_of_a_first_language_keeps_all_its_texts():
    before = {"variants": {"de": GERMAN}, **named(FIRST)}
    record = second(GERMAN, second=False)
    assert without_untranslated(EVENT, record, before, "rm", "https://here.example") is record


@pytest.mark.parametrize(
    ("texts", "fields", "notes", "is_empty"),
    [
        (NOTHING, {}, [FIRST], True),
        (NOTHING, {}, [], True),
        (NOTHING | {"title": ""}, {}, [FIRST], False),
        (NOTHING, {"second": False}, [FIRST], False),
        (NOTHING, {"joins": 7}, [FIRST], False),
        (NOTHING, {}, [FIRST | {"language": "rm"}], False),
    ],
)
def test_second_language_without_texts_is_none_unless_it_once_was(texts, fields, notes, is_empty):
    assert has_no_texts(second(texts, **fields), named(*notes), "rm") == is_empty


@pytest.mark.parametrize(
    ("slug", "normalized"), [("Fest im Hof", "fest-im-hof"), ("", ""), (None, "")]
)
def test_slug_of_the_site_is_written_as_slugs_are_here(slug, normalized):
    assert slug_of(second({"slug": slug}), "rm") == normalized

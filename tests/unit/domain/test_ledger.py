"""Who wrote a text, and who checked it: the rules of the ledger."""

from datetime import UTC, datetime

import pytest

from calendar_app.domain.kinds import EVENT
from calendar_app.domain.ledger import ALL, MARKS, UNREVIEWED, Origin, Writing, entered, restored

FIRST, LATER = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 2, 2, tzinfo=UTC)
CHECK = {"by": 7, "at": LATER}
PROPOSAL = "Concert en il parc grond"


def write(before, texts, text_origins=None, checks=None, **writing):
    """Return a record after a write of user 7 in Romansh."""
    origins = {"rm": text_origins} if text_origins else {}
    reviews = {"rm": checks} if checks else {}
    writing_now = Writing(7, LATER, origins, reviews, **writing)
    return entered(EVENT, before, {**before, "variants": {"rm": texts}}, writing_now)


def title_of(record):
    return record["ledger"]["rm"]["title"]


def proposed(**parts):
    return {"title": Origin("machine", "deepl", PROPOSAL, **parts)}


def test_a_text_without_a_word_about_it_was_written_by_a_person():
    record = write({}, {"title": "Concert"})
    assert title_of(record) == {"origin": "human", "by": 7, "at": LATER}
    assert MARKS not in record
    assert UNREVIEWED not in record


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        (PROPOSAL, {"origin": "machine", "by": "deepl", "reviewed": CHECK}),
        (
            "Concert en in parc grond",
            {"origin": "machine", "by": "deepl", "reviewed": CHECK, "edited": 1},
        ),
        (
            "Gronda festa en il parc",
            {"origin": "human", "by": 7, "based_on": {"origin": "machine", "by": "deepl"}},
        ),
    ],
)
def test_who_takes_over_a_proposal_has_read_it(text, rest):
    assert title_of(write({}, {"title": text}, proposed())) == rest | {"at": LATER}


def test_a_job_stores_proposals_that_nobody_has_read():
    record = write({}, {"title": PROPOSAL}, proposed(reviewed=False))
    assert title_of(record) == {"origin": "machine", "by": "deepl", "at": LATER}
    assert record[MARKS] == {"rm": {"machine": ["title"]}}
    assert record[UNREVIEWED] == ["rm"]


def test_a_text_that_is_said_to_be_of_a_machine_waits():
    record = write({}, {"title": "Concert"}, {ALL: Origin("machine")})
    assert record[UNREVIEWED] == ["rm"]
    checked = write(record, {"title": "Concert"}, checks={ALL: True})
    assert title_of(checked)["reviewed"] == CHECK
    assert checked[MARKS] == {"rm": {"checked": ["title"]}}
    assert UNREVIEWED not in checked


def test_a_check_can_be_taken_back():
    record = write({}, {"title": "Concert"}, {ALL: Origin("machine", reviewed=True)})
    assert UNREVIEWED not in record
    assert write(record, {"title": "Concert"}, checks={"title": False})[UNREVIEWED] == ["rm"]


def test_who_checked_first_stays():
    record = write({}, {"title": PROPOSAL}, proposed())
    again = Writing(9, FIRST, reviews={"rm": {ALL: True}})
    assert entered(EVENT, record, record, again) == record


def test_small_edits_of_a_proposal_add_up():
    text = PROPOSAL
    record = write({}, {"title": text}, proposed(reviewed=False))
    for changed, edited in (("C0ncert en il", 1), ("C00cert en il", 2), ("C00c3rt 3n 1l", 5)):
        record = write(record, {"title": f"{changed} parc grond"})
        assert title_of(record)["edited"] == edited
        assert title_of(record)["reviewed"] == CHECK
    record = write(record, {"title": "C00c3rt 3n 1l p"})
    assert title_of(record)["origin"] == "human"


def test_a_short_text_has_few_characters():
    text_origins = {"title": Origin("memory", None, "Festa")}
    assert title_of(write({}, {"title": "Fasta"}, text_origins))["origin"] == "memory"
    assert title_of(write({}, {"title": "Fasto"}, text_origins))["origin"] == "human"


def test_markup_is_no_edit():
    text_origins = {"description": Origin("machine", "deepl", "Entrada gratuita")}
    record = write({}, {"description": "<p>Entrada <b>gratuita</b></p>"}, text_origins)
    assert "edited" not in record["ledger"]["rm"]["description"]


def test_an_import_writes_texts_of_elsewhere():
    record = write({}, {"title": "Concert"}, origin="import", source="events/example.org?id=1")
    assert title_of(record) == {
        "origin": "import",
        "by": "events/example.org?id=1",
        "at": LATER,
    }
    assert UNREVIEWED not in record
    assert title_of(write(record, {"title": "Concerts"}))["origin"] == "human"


def test_what_is_said_of_all_is_said_of_what_is_written():
    before = write({}, {"title": "Concert"})
    texts = {"title": "Concert", "excerpt": "Musica"}
    record = write(before, texts, {ALL: Origin("machine", "deepl")})
    assert record[MARKS] == {"rm": {"machine": ["excerpt"]}}
    again = write(record, texts, {ALL: Origin("machine", "deepl")})
    assert again[MARKS] == {"rm": {"machine": ["excerpt", "title"]}}


def test_unchanged_text_keeps_its_origin_though_the_same_is_proposed():
    by_hand = write({}, {"title": PROPOSAL})
    assert write(by_hand, {"title": PROPOSAL}, proposed()) == by_hand
    waiting = write({}, {"title": PROPOSAL}, proposed(reviewed=False))
    assert title_of(write(waiting, {"title": PROPOSAL}, proposed()))["reviewed"] == CHECK


def test_parts_of_custom_fields_are_compared_with_the_whole():
    before = write({}, {"custom_fields": {"doors": {"label": "Portas", "value": "19 uras"}}})
    proposal = {"food": {"label": "Mangiar", "value": "Tuorta da nuschs"}}
    text_origins = {"custom_fields": Origin("machine", "deepl", proposal)}
    fields = {**before["variants"]["rm"]["custom_fields"], **proposal}
    record = write(before, {"custom_fields": fields}, text_origins)
    assert record["ledger"]["rm"]["custom_fields"]["origin"] == "machine"


def test_a_text_that_is_gone_has_no_entry():
    record = write({}, {"title": "Concert", "excerpt": "Musica"}, {ALL: Origin("machine")})
    cleared = write(record, {"title": "Concert"})
    assert set(cleared["ledger"]["rm"]) == {"title"}
    assert cleared[MARKS] == {"rm": {"machine": ["title"]}}


def test_what_is_restored_is_as_it_was():
    was = write({}, {"title": PROPOSAL}, proposed(reviewed=False))
    is_now = write(was, {"title": "Tut auter"})
    back = write(is_now, {"title": PROPOSAL})
    assert restored(back, was["ledger"], was["variants"]) == was

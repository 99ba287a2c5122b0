"""Notes of earlier releases become notes by which every source knows a record."""

import pytest

from calendar_app.storage.migrations import MIGRATIONS, origins_in

UID, FILE = "events/site.example?id=5", "ics:one@example.org"
SAID = {"digest": "a", "group": "7"}
GERMAN = {"source": UID, "language": "de", **SAID}
ROMANSH = {"source": UID, "language": "rm", "digest": "b", "joined": True}
OF_FILE = {"source": FILE, "language": "de", "digest": "c", "overridden": [1], "exdates": [2]}
NAMED = {
    "source": -1,
    "uid": UID,
    "by_language": {"de": SAID, "rm": {"digest": "b", "joined": True}},
}
NAMED_FILE = {
    "source": -1,
    "uid": FILE,
    "by_language": {"de": {"digest": "c", "overridden": [1], "exdates": [2]}},
}
READ = {"source": 3, "uid": UID, "said": {}, "by_language": {"de": SAID}}
READ_BEFORE = {"source": 3, "uid": UID, "said": {}, "imported": {"de": SAID}}
PICTURE = {"content": "d", "alt_text": {}}


def updated(collection, document):
    """Return a document as its migration leaves it."""
    (update_of,) = (each.update_of for each in MIGRATIONS if each.collection == collection)
    update = update_of(document) or {}
    gone = update.get("$unset", {}).keys()
    rest = {name: value for name, value in document.items() if name not in gone}
    return rest | update.get("$set", {})


@pytest.mark.parametrize(
    ("collection", "before", "after"),
    [
        ("events", {}, {}),
        ("events", {"imported": [GERMAN, ROMANSH]}, {"from_sources": [NAMED]}),
        ("events", {"icalendar": [OF_FILE]}, {"from_sources": [NAMED_FILE]}),
        ("events", {"imported": []}, {}),
        ("series", {"icalendar": [OF_FILE]}, {"from_sources": [NAMED_FILE]}),
        (
            "events",
            {"from_sources": [READ_BEFORE], "icalendar": [OF_FILE]},
            {"from_sources": [READ, NAMED_FILE]},
        ),
        *(
            (kind, {"imported": [GERMAN, ROMANSH]}, {"from_sources": [NAMED]})
            for kind in ("venues", "organizers", "categories", "tags")
        ),
        (
            "media",
            {"imported": [{"source": "https://example.org/a.png", **PICTURE}]},
            {"from_sources": [{"source": -1, "uid": "https://example.org/a.png", **PICTURE}]},
        ),
        ("unions", {"imported": [GERMAN, ROMANSH]}, {"origins": {"from_sources": [NAMED]}}),
        ("unions", {"imported": []}, {"origins": {}}),
        ("unions", {"notes": [READ_BEFORE]}, {"notes": [READ]}),
    ],
)
def test_document_has_one_kind_of_notes(collection, before, after):
    assert updated(collection, before) == after
    assert updated(collection, after) == after


@pytest.mark.parametrize(
    ("union", "remaining", "origins"),
    [
        ({"imported": []}, {}, {}),
        ({"imported": [GERMAN]}, {"imported": [GERMAN]}, {"imported": [GERMAN]}),
        (
            {"imported": [GERMAN, ROMANSH]},
            {"from_sources": [NAMED]},
            {"from_sources": [NAMED]},
        ),
        ({"origins": {"from_sources": [NAMED]}}, {}, {"from_sources": [NAMED]}),
    ],
)
def test_undo_gives_back_the_names_where_the_remaining_record_has_them(union, remaining, origins):
    assert origins_in(union, remaining) == origins

"""A worker remembers which words are in the vocabulary, as far as it can rely on that."""

import pytest

from calendar_app.storage.query.words import VOCABULARY

EVENING = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 22:00:00"}


@pytest.fixture
def search_ids(anyone):
    def ids(text):
        return [event["id"] for event in anyone.get("/events", search=text).json["events"]]

    return ids


def test_a_word_of_an_event_that_failed_is_written_again(
    as_admin, make_event, search_ids, database, refused
):
    with refused("events"):
        assert as_admin.post("/events", title="Orgelkonzert", **EVENING).status_code == 500
    # What nothing was stored after may have come to no disk.
    database[VOCABULARY].delete_many({})
    assert search_ids("konzert") == []
    event = make_event(title="Orgelkonzert")["id"]
    assert search_ids("konzert") == [event]


def test_words_of_another_database_are_written_again(make_event, search_ids, database):
    make_event(title="Orgelkonzert")
    for name in ("events", "sequences", VOCABULARY):
        database[name].delete_many({})
    event = make_event(title="Orgelkonzert")["id"]
    assert search_ids("konzert") == [event]


def test_a_long_text_is_found_by_each_of_its_words(make_event, search_ids):
    old = make_event(description=" ".join(f"old{n}word" for n in range(30)))["id"]
    both = [f"{age}{n}word" for n in range(25, 35) for age in ("old", "new")]
    new = make_event(description=" ".join(both))["id"]
    for number in range(25, 35):
        assert search_ids(f"ld{number}wor") == ([old, new] if number < 30 else [new])
        assert search_ids(f"ew{number}wor") == [new]


def test_word_reused_after_its_removal_is_found(make_event, as_admin, search_ids):
    first, second = (make_event(title=title)["id"] for title in ("Orgelkonzert", "Kino"))
    for event in (first, second):
        as_admin.patch(f"/events/{event}", title="Lesung")
        assert search_ids("esun") == list(dict.fromkeys([first, event]))
    as_admin.patch(f"/events/{second}", title="Orgelkonzert")
    assert search_ids("rgelkon") == [second]

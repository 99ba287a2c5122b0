"""``import tec --language rm``: what is in doubt is left for a person and named."""

from import_report import joined, outcome, unresolved
from two_languages import IDS, SITE, Site, label, polylang, stored


def test_record_without_a_match_is_reported_and_not_created(import_language, database):
    import_language(Site("de"))
    result = import_language(Site("rm", talk={"start_date": "2027-05-01 06:00:00"}))
    # Its category has that event alone, so nothing recognises it either.
    assert joined(result) == (0, 0, 7, 2)
    assert [line.split(":")[0] for line in unresolved(result)] == [
        'Left category 120 "Musica"',
        'Left event 162 "Referat"',
    ]
    assert label(stored(database, "talk"), "rm") is None
    assert database["events"].count_documents({}) == 3
    again = import_language(Site("rm", talk={"start_date": "2027-05-01 06:00:00"}))
    assert joined(again) == (0, 0, 0, 2)


def test_record_with_several_matches_is_left(import_language, database):
    same = {"zip": "7000", "phone": "", "geo_lat": 46.85, "geo_lng": 9.53}
    import_language(Site("de", square=same))
    result = import_language(Site("rm", square=same))
    # Two venues at one place, and so all three events.
    lines = unresolved(result)
    assert ["40, 41" in line for line in lines if "venue" in line] == [True, True]
    assert [line.split()[1] for line in lines].count("event") == 3
    assert all(label(record, "rm") is None for record in database["venues"].find())


def test_two_records_that_match_the_same_record_are_both_skipped(import_language, database):
    import_language(Site("de"))
    collections = Site("rm").collections()
    (band,) = collections["organizers"]
    collections["organizers"].append({**band, "id": 151, "global_id": f"{SITE}?id=151"})
    result = import_language(Site.telling("rm", collections))
    assert ["50" in line for line in unresolved(result) if "organizer" in line] == [True, True]
    assert label(stored(database, "band"), "rm") is None


def test_records_that_contradict_each_other_are_not_alike(import_language, database):
    import_language(Site("de", square={"phone": "081 920 00 00"}))
    result = import_language(Site("rm", square={"zip": "9999"}))
    assert any("venue 141" in line for line in unresolved(result))
    assert label(stored(database, "square"), "rm") is None


def test_picture_that_differs_keeps_events_apart(import_language, database):
    import_language(Site("de"))
    import_language(Site("rm", concert={"image": {"url": f"https://{SITE}/other.jpg"}}))
    assert label(stored(database, "concert"), "rm") is None


def test_link_to_an_unknown_record_is_left(import_language, database):
    import_language(Site("de"))
    result = import_language(Site("rm", talk={"translations": {"de": 999, "rm": 162}}))
    (line,) = (line for line in unresolved(result) if "event" in line)
    assert "162" in line
    assert label(stored(database, "talk"), "rm") is None


def test_two_records_linking_to_the_same_record_are_skipped(import_language, database):
    import_language(Site("de"))
    result = import_language(Site("rm", polylang, talk={"translations": {"de": 61}}))
    assert len([line for line in unresolved(result) if "event" in line]) == 2
    assert label(stored(database, "market"), "rm") is None


def test_record_with_a_text_of_another_record_is_not_joined_again(import_language, database):
    import_language(Site("de"))
    import_language(Site("rm", polylang))
    collections = Site("rm", polylang).collections()
    second = {
        **collections["events"][2],
        "id": 170,
        "global_id": f"{SITE}?id=170",
        "title": "Second",
    }
    collections["events"].append(second)
    (line,) = unresolved(import_language(Site.telling("rm", collections)))
    assert "170" in line
    assert label(stored(database, "talk"), "rm") == "Referat"


def test_record_in_the_trash_is_not_joined(import_language, database):
    import_language(Site("de"))
    database["events"].update_one({"_id": 62}, {"$set": {"status": "trash"}})
    (line,) = (
        line for line in unresolved(import_language(Site("rm", polylang))) if "event" in line
    )
    assert "trash" in line
    (line,) = (line for line in unresolved(import_language(Site("rm"))) if "event" in line)
    assert "162" in line


def test_own_translation_is_replaced_by_links_but_not_by_likeness(import_language, database):
    import_language(Site("de"))
    database["events"].update_one({"_id": 62}, {"$set": {"variants.rm": {"title": "Noss"}}})
    (line,) = (line for line in unresolved(import_language(Site("rm"))) if "event" in line)
    assert "162" in line
    assert label(stored(database, "talk"), "rm") == "Noss"
    import_language(Site("rm", polylang))
    assert label(stored(database, "talk"), "rm") == "Referat"


def test_create_missing_creates_unresolved_records(import_language, database):
    import_language(Site("de"))
    late = {"start_date": "2027-05-01 06:00:00", "end_date": "2027-05-01 07:00:00"}
    result = import_language(Site("rm", talk=late), "--create-missing")
    assert (joined(result), outcome(result), unresolved(result)) == ((0, 0, 7, 0), (2, 7, 0, 0), [])
    created = database["events"].find_one({"_id": 162})
    assert created["variants"].keys() == {"rm"}
    assert created["venues"] == [IDS["hall"][0]]
    assert created["categories"] == [120]
    moved = {"start_date": "2027-05-01 05:00:00"}
    assert outcome(import_language(Site("rm", talk=late | moved))) == (0, 1, 8, 0)
    assert database["events"].find_one({"_id": 162})["start_local"].hour == 5


def test_language_stays_second_after_create_missing(import_language, database):
    import_language(Site("de"))
    late = {"talk": {"start_date": "2027-05-01 06:00:00"}}
    import_language(Site("rm", **late), "--create-missing")
    collections = Site("rm", **late).collections()
    collections["events"].append(
        Site("rm").event("talk", 8) | {"id": 180, "global_id": f"{SITE}?id=180"}
    )
    (line,) = unresolved(import_language(Site.telling("rm", collections)))
    assert "180" in line
    assert database["events"].find_one({"_id": 180}) is None


def test_unreadable_record_is_refused_and_not_left(import_language):
    import_language(Site("de"))
    result = import_language(Site("rm", talk={"start_date": "soon"}))
    assert outcome(result)[3] == 1
    assert not any("event" in line for line in unresolved(result))

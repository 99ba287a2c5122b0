"""``import tec``: each record becomes one of its own, whatever ids and slugs it came with."""

from import_report import outcome
from small_calendar import calendar, event, stored, term


def test_id_in_use_is_replaced_once(import_calendar, database):
    database["venues"].insert_one({"_id": 60, "variants": {}, "status": "publish"})
    import_calendar(calendar())
    (concert,) = database["events"].find({"variants.de.title": "Concert"})
    assert concert["_id"] not in (60, 61, 62)
    assert concert["venues"] == [40]
    assert outcome(import_calendar(calendar())) == (0, 0, 9, 0)


def test_new_records_get_ids_above_the_imported_ones(import_calendar, database):
    far = 10_000_000
    import_calendar(calendar(events=[event(far, "Far")]))
    assert database["sequences"].find_one({"_id": "records"})["value"] >= far


def test_equal_slugs_of_two_sites_become_distinct(import_calendar, database):
    import_calendar(calendar())
    foreign = event(62, "Talk", global_id="other.example?id=62")
    assert outcome(import_calendar({"events": [foreign]})) == (1, 0, 0, 0)
    slugs = {talk["variants"]["de"]["slug"] for talk in database["events"].find()}
    assert {"talk", "talk-2"} <= slugs


def test_equal_slugs_on_one_page_become_distinct(import_calendar, database):
    twice = [event(number, "Talk", slug="talk") for number in (80, 81)]
    assert outcome(import_calendar({"events": twice})) == (2, 0, 0, 0)
    slugs = [stored(database, "events", number)["variants"]["de"]["slug"] for number in (80, 81)]
    assert slugs == ["talk", "talk-2"]


def test_record_on_two_pages_is_created_once(import_calendar, database):
    listed = [event(60, "Concert"), event(61, "Market"), event(60, "Concert")]
    assert outcome(import_calendar({"events": listed})) == (2, 0, 0, 0)
    assert database["events"].count_documents({}) == 2


def test_huge_id_is_replaced(import_calendar, database):
    import_calendar({"events": [event(2**50, "Far")]})
    (far,) = database["events"].find()
    assert far["_id"] < 2**48


def test_existing_term_of_the_same_name_is_reused(import_calendar, database):
    import_calendar(calendar())
    same = term(77, "Music", urls={"self": "https://foreign.example/categories/77"}, parent=0)
    talk = event(70, "Other talk", global_id="other.example?id=70", categories=[same])
    import_calendar({"categories": [same], "events": [talk]})
    assert database["categories"].count_documents({"variants.de.name": "Music"}) == 1
    assert stored(database, "events", 70)["categories"] == [20]
    assert outcome(import_calendar({"categories": [same], "events": [talk]})) == (0, 0, 2, 0)

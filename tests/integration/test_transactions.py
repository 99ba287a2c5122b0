"""Writes that happen all or not at all, and writers at the same time."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

EVENING = {"start_date": "2030-03-10 19:00:00", "end_date": "2030-03-10 22:00:00"}
WRITERS = 8


def at_once(work, number=WRITERS):
    """Run ``work(0)``, ``work(1)`` and so on at the same time; return the results."""
    start = Barrier(number)

    def run(which):
        start.wait(timeout=30)
        return work(which)

    with ThreadPoolExecutor(number) as pool:
        return list(pool.map(run, range(number)))


def test_a_failing_part_leaves_nothing_behind(as_admin, database, refused):
    with refused("events"):
        answer = as_admin.post(
            "/events",
            title="Concert",
            **EVENING,
            venue={"venue": "Hall"},
            organizer=[{"organizer": "Club"}, {"organizer": "Friends"}],
            categories=["New"],
            tags=["New"],
        )

    assert answer.status_code == 500
    for name in ("events", "venues", "organizers", "categories", "tags"):
        assert database[name].count_documents({}) == 0, name


def test_two_writers_in_two_languages_both_succeed(as_admin, calling_as, make_event):
    path = f"/events/{make_event(title='Konzert')['id']}"
    clients = [calling_as(name) for name in ("admin", "editor")]

    for turn in range(5):
        sent = [
            {"translation_language": "de", "title": f"Konzert {turn}"},
            {"translation_language": "rm", "title": f"Concert {turn}"},
        ]
        answers = at_once(lambda which, sent=sent: clients[which].put(path, **sent[which]), 2)

        assert [answer.status_code for answer in answers] == [200, 200]
        for body in sent:
            record = as_admin.get(path, translation_language=body["translation_language"])
            assert record.json["title"] == body["title"]


def test_writers_of_different_fields_all_succeed(as_admin, make_event):
    path = f"/events/{make_event()['id']}"
    fields = ["featured", "sticky", "show_map", "show_map_link", "hide_from_listings"]

    answers = at_once(lambda which: as_admin.patch(path, **{fields[which]: True}), len(fields))

    assert {answer.status_code for answer in answers} <= {200, 409}
    assert 200 in {answer.status_code for answer in answers}
    record = as_admin.get(path).json
    for field, answer in zip(fields, answers, strict=True):
        assert record[field] is (answer.status_code == 200)


def test_ids_and_slugs_are_given_once(as_admin):
    answers = at_once(lambda _: as_admin.post("/events", title="Concert", **EVENING))

    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json["id"] for answer in answers}) == WRITERS
    slugs = {answer.json["slug"] for answer in answers}
    assert slugs == {"concert", *(f"concert-{n}" for n in range(2, WRITERS + 1))}


def test_concurrent_writers_create_a_name_once(as_admin, database):
    answers = at_once(
        lambda _: as_admin.post("/events", title="Concert", tags=["Brand new"], **EVENING)
    )

    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json["tags"][0]["id"] for answer in answers}) == 1
    (tag,) = database["tags"].find()
    assert tag["count"] == WRITERS


def test_concurrent_writers_create_a_venue_once(as_admin, database):
    answers = at_once(lambda _: as_admin.post("/venues", venue="Town hall"))

    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json["id"] for answer in answers}) == 1
    assert database["venues"].count_documents({}) == 1


def test_a_record_is_deleted_once(as_admin, make_event):
    path = f"/events/{make_event()['id']}"

    statuses = [answer.status_code for answer in at_once(lambda _: as_admin.delete(path))]
    assert sorted(statuses) == [200] + [410] * (WRITERS - 1)


def test_counts_are_right_after_concurrent_writes(as_admin, make_event, make_tag):
    tag = make_tag()["id"]
    events = [make_event(tags=[tag])["id"] for _ in range(WRITERS)]

    answers = at_once(lambda which: as_admin.delete(f"/events/{events[which]}"))

    assert {answer.status_code for answer in answers} == {200}
    assert as_admin.get(f"/tags/{tag}").json["count"] == 0


def test_a_venue_that_moves_meanwhile_takes_a_new_event_with_it(
    as_admin, as_editor, make_venue, database, meanwhile
):
    venue = make_venue(geo_lat=46.85, geo_lng=9.53)["id"]
    moved = meanwhile(
        "place_locks",
        "update",
        lambda: as_editor.patch(f"/venues/{venue}", geo_lat=46.1, geo_lng=9.53),
    )
    answer = as_admin.post("/events", title="Concert", venue=venue, **EVENING)
    moved[0].join()

    assert answer.status_code == 201
    assert as_admin.get(f"/venues/{venue}").json["geo_lat"] == 46.1
    (event,) = database["events"].find()
    assert event["location"]["coordinates"] == [9.53, 46.1]


def test_categories_that_move_below_each_other_make_no_circle(as_admin, make_category):
    first, second = (make_category()["id"] for _ in range(2))
    moves = [(first, second), (second, first)]

    for _ in range(5):
        answers = at_once(
            lambda which: as_admin.put(f"/categories/{moves[which][0]}", parent=moves[which][1]), 2
        )

        assert sorted(answer.status_code for answer in answers) == [200, 400]
        for category in (first, second):
            as_admin.put(f"/categories/{category}", parent=0)

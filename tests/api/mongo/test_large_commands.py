"""Several questions are answered, however large they are together."""

from calendar_app.storage.mongo.store import Store

WORD, WORDS = "x" * 1000, 6_000


def test_questions_that_one_command_has_no_room_for_are_answered_in_their_order(database):
    # Three times six megabytes, of sixteen.
    database["events"].insert_many([{"_id": number, "words": ["a"]} for number in range(3)])
    many_words = [f"{WORD}{number}" for number in range(WORDS)]
    pipelines = [
        ("events", [{"$match": {"_id": {"$lt": most}, "words": {"$in": ["a", *many_words]}}}])
        for most in (3, 2, 1)
    ]
    assert list(map(len, Store(database).aggregate_each(pipelines))) == [3, 2, 1]

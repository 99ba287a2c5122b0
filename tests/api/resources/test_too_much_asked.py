"""Expensive queries are refused, and the message names the limit."""

import pytest

pytestmark = pytest.mark.without_mongodb

MOST_NAMED, MOST_WORDS, LONGEST = 1000, 50, 1000
LISTS = ["events", "venues", "organizers", "categories", "tags"]


def numbers(many):
    return ",".join(str(number) for number in range(10**9, 10**9 + many))


def message_for(answer, name):
    assert answer.status_code == 400, answer.json
    return answer.json["data"]["params"][name]


@pytest.mark.parametrize(
    ("collection", "name"),
    [
        ("events", "include"),
        ("events", "venue"),
        ("events", "organizer"),
        ("events", "categories"),
        ("events", "tags"),
        ("categories", "include"),
        ("tags", "exclude"),
    ],
)
def test_more_than_a_thousand_ids_are_refused(anyone, collection, name):
    assert "1000" in message_for(
        anyone.get(f"/{collection}", **{name: numbers(MOST_NAMED + 1)}), name
    )


def test_a_thousand_ids_are_accepted(anyone, make_event):
    event = make_event()["id"]
    response = anyone.get("/events", include=f"{event},{numbers(MOST_NAMED - 1)}")
    assert [listed_event["id"] for listed_event in response.json["events"]] == [event]


@pytest.mark.parametrize("collection", LISTS)
@pytest.mark.parametrize("minus", ["", "-"])
def test_more_than_fifty_words_are_refused(anyone, collection, minus):
    words = " ".join(f"{minus}word{number}" for number in range(MOST_WORDS + 1))
    assert "50" in message_for(anyone.get(f"/{collection}", search=words), "search")


@pytest.mark.parametrize("collection", LISTS)
def test_a_search_of_more_than_a_thousand_characters_is_refused(anyone, collection):
    text = f'"{"x" * LONGEST}"'
    assert "1000" in message_for(anyone.get(f"/{collection}", search=text), "search")


def test_fifty_words_are_searched(anyone, make_event):
    words = " ".join(f"w{number}" for number in range(MOST_WORDS))
    make_event(description=words)
    assert anyone.get("/events", search=words).json["total"] == 1


@pytest.mark.parametrize("collection", LISTS)
def test_page_far_beyond_the_end_is_like_the_next(anyone, make_event, collection):
    make_event()
    near, far = (anyone.get(f"/{collection}", page=page) for page in (2, 10**15))
    assert near.status_code == far.status_code
    assert near.json.get("total") == far.json.get("total")
    assert near.json.get(collection) == far.json.get(collection)

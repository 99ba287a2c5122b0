"""Events that cost nothing, in the language of each reader."""

import pytest

from calendar_app.domain.cost import is_free
from calendar_app.domain.texts.messages import catalogs, translated
from calendar_app.errors import Message

LANGUAGES = ("de", "rm")


@pytest.mark.parametrize(("cost", "values"), [("Free", ["free"]), ("0", ["0"]), (0, ["0"])])
def test_free_is_translated_for_the_reader(anyone, make_event, cost, values):
    event = make_event(cost=cost)
    read = {
        tag: anyone.get(f"/events/{event['id']}", translation_language=tag).json
        for tag in LANGUAGES
    }
    assert [event_json["cost"] for event_json in read.values()] == ["Kostenlos", "Gratuit"]
    assert all(event_json["cost_details"]["values"] == values for event_json in read.values())


def test_lower_end_of_a_range_is_free_in_the_language_of_the_reader(make_event):
    assert make_event(cost=["0", "30"])["cost"] == "Kostenlos \N{EN DASH} $30"


def test_free_in_a_sentence_stays_as_it_was_written(make_event):
    assert make_event(cost="Free for members")["cost"] == "Free for members"


def test_free_that_was_read_changes_nothing_when_sent_back(as_admin, make_event):
    event = make_event(cost="Free")
    back = as_admin.patch(f"/events/{event['id']}", cost=event["cost"])
    assert back.json["cost_details"] == event["cost_details"]
    assert make_event(cost=event["cost"])["cost_details"]["values"] == ["free"]


@pytest.mark.parametrize(
    ("cost", "is_free"),
    [
        ("Free", True),
        ("0", True),
        (["Free", "0"], True),
        (["Free", "20"], False),
        ("20", False),
        ("Donation", False),
        (None, False),
    ],
)
def test_list_of_what_is_free_has_what_costs_nothing_alone(anyone, make_event, cost, is_free):
    make_event(**({} if cost is None else {"cost": cost}))
    totals = [anyone.get("/events", free=free).json["total"] for free in (True, False)]
    assert totals == ([1, 0] if is_free else [0, 1])


def test_price_behind_a_password_is_not_found_by_it(anyone, make_event):
    make_event(cost="Free", password="sesame")
    totals = [anyone.get("/events", free=free).json["total"] for free in (True, False)]
    assert totals == [0, 0]


@pytest.mark.parametrize("language", sorted(catalogs()))
def test_translated_free_is_recognized(language):
    assert is_free(translated(Message("Free"), [language]))

"""In which order a list shows its events."""

import pytest


def test_events_are_ordered_by_start(make_on, listed):
    third = make_on("2030-05-03")
    first = make_on("2030-05-01", "2030-05-30", sticky=True)
    second = make_on("2030-05-02", featured=True)
    fourth = make_on("2030-05-03")

    assert listed()[:2] == [first, second]
    assert set(listed()[2:]) == {third, fourth}
    assert listed(order="desc")[-2:] == [second, first]
    assert listed(include=f"{third},{first}") == [first, third]


@pytest.mark.parametrize(
    ("orderby", "expected"), [("end_date", "BAC"), ("id", "ABC"), ("title", "CAB")]
)
def test_events_follow_the_requested_order(make_event, listed, orderby, expected):
    ids = {
        make_event(title=title, start_date="2030-05-01", end_date=end)["id"]: name
        for name, title, end in (
            ("A", "Mitte", "2030-05-09"),
            ("B", "Zug", "2030-05-08"),
            ("C", "Anfang", "2030-05-10"),
        )
    }

    assert "".join(ids[event] for event in listed(orderby=orderby)) == expected
    down = listed(orderby=orderby, order="desc")
    assert "".join(ids[event] for event in down) == expected[::-1]


def test_the_last_changed_event_is_found_by_order(make_event, as_admin, listed, clock):
    first, second = make_event()["id"], make_event()["id"]
    clock.advance(minutes=5)
    as_admin.put(f"/events/{first}", title="Changed")

    assert listed(orderby="modified", order="desc") == [first, second]


@pytest.mark.parametrize(
    "query", [{"orderby": "bogus"}, {"orderby": "distance"}, {"order": "up"}, {"orderby": ""}]
)
def test_an_unknown_order_is_refused(anyone, query):
    answer = anyone.get("/events", **query)

    assert answer.status_code == 400
    assert answer.invalid_params == list(query)


def test_titles_sort_as_readers_of_the_language_expect(make_event, listed):
    titles = ["Ähre", "Zebra", "apfel", "Berg", "Ärmel", "Zug 10", "Zug 9"]
    ids = {make_event(title=title)["id"]: title for title in titles}

    assert [ids[event] for event in listed(orderby="title")] == [
        "Ähre",
        "apfel",
        "Ärmel",
        "Berg",
        "Zebra",
        "Zug 9",
        "Zug 10",
    ]

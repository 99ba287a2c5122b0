"""How often a request asks the database: as often for many records as for one."""

import pytest

from calendar_app.storage.connection import round_trips

pytestmark = pytest.mark.needs_mongodb


# mongod itself writes now and then, after which a total is counted anew.
TRIES = 3


@pytest.fixture
def linked_events(make_event, make_venue, make_organizer, make_category, make_tag):
    """Make twelve events; each links to a venue, an organizer and terms of its own."""
    return [
        make_event(
            venue=make_venue()["id"],
            organizer=make_organizer()["id"],
            categories=[make_category()["id"]],
            tags=[make_tag()["id"]],
        )
        for _ in range(12)
    ]


def asked(client, path, **query):
    answer = client.get(path, **query)
    assert answer.status_code == 200, answer.json
    return round_trips()


def asked_at_least(client, path, **query):
    return min(asked(client, path, **query) for _ in range(TRIES))


@pytest.mark.usefixtures("linked_events")
@pytest.mark.parametrize("path", ["/events", "/venues", "/organizers", "/categories", "/tags"])
def test_a_long_page_takes_no_more_questions_than_a_short_one(anyone, path):
    assert asked_at_least(anyone, path, per_page=10) == asked_at_least(anyone, path, per_page=1)


@pytest.mark.usefixtures("linked_events")
def test_a_list_of_events_takes_three_questions_and_two_until_the_next_write(anyone, make_venue):
    for _ in range(2):
        make_venue()
        assert asked(anyone, "/events", per_page=10) == 3
        assert asked_at_least(anyone, "/events", per_page=10) == 2


def test_an_event_takes_two_questions_whatever_it_links_to(linked_events, anyone):
    assert asked(anyone, f"/events/{linked_events[0]['id']}") == 2

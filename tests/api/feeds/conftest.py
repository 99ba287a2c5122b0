"""Fixtures that read calendar feeds."""

import pytest
from icalendar import Calendar


@pytest.fixture
def read(anyone):
    """Return a function that reads the feed as a calendar."""

    def calendar(client=anyone, path="/events.ics", **query):
        answer = client.get(path, **query)
        assert (answer.status_code, answer.mimetype) == (200, "text/calendar"), answer.text
        return Calendar.from_ical(answer.data)

    return calendar


@pytest.fixture
def only(read):
    """Return a function that reads the one event of a feed."""

    def event(*client, **query):
        (only_event,) = read(*client, **query).events
        return only_event

    return event

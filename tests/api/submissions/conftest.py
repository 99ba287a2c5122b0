"""A site that takes contributions, and the event of a sender."""

import pytest
from sites import swiss_site

CONTRIBUTION = {
    "title": "Hausmusik",
    "start_date": "2030-03-10 19:00",
    "end_date": "2030-03-10 21:00",
    "description": "Mit Flöte\n\nund Laute",
    "venue": "Alte Mühle",
    "organizer": "Musikfreunde",
    "contact_name": "Ursina Caflisch",
    "contact_email": "ursina@example.org",
    "consent": True,
}


@pytest.fixture(scope="session")
def settings(settings):
    return swiss_site(settings, submissions=True)


@pytest.fixture
def send(anyone):
    """Return a function that sends a contribution; keywords change it."""

    def post(expected=201, /, **changes):
        answer = anyone.post("/submissions", **(CONTRIBUTION | changes))
        assert answer.status_code == expected, answer.json
        return answer.json

    return post


@pytest.fixture
def follow(anyone):
    """Return a function that reads a contribution by the secret of its sender."""

    def read(token):
        answer = anyone.get("/submissions/sent", token=token)
        assert answer.status_code == 200, answer.json
        return answer.json

    return read

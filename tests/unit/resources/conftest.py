"""What tests of the resources share."""

import pytest


@pytest.fixture
def described(anyone):
    """Return what reads the linked data of a record that was made."""

    def read(record, collection="events", **query):
        answer = anyone.send(
            "GET",
            f"/{collection}/{record['id']}",
            headers={"Accept": "application/ld+json"},
            query_string=query,
        )
        assert answer.status_code == 200
        return answer.json

    return read

"""Fixtures that call WordPress' own routes."""

import pytest

BASE = "/wp/v2"


@pytest.fixture
def wordpress(anyone):
    """Return a function that sends a request below ``wp/v2``, as nobody unless ``by`` a client."""

    def send(method, path, by=anyone, **options):
        return by.send(method, path, base=BASE, **options)

    return send


@pytest.fixture
def listed(wordpress):
    """Return a function that lists the ids of one type for given parameters."""

    def ids(name, by=None, **query):
        caller = {} if by is None else {"by": by}
        answer = wordpress("GET", f"/{name}", query_string=query, **caller)
        assert answer.status_code == 200, answer.json
        return [record["id"] for record in answer.json]

    return ids

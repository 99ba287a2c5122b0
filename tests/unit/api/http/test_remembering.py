"""How many answers are kept to be given again."""

import tracemalloc
from datetime import UTC, datetime

import orjson
import pytest
from werkzeug.test import Client

from calendar_app.api.http.request.state import begin_exchange, exchange_of
from calendar_app.api.http.wsgi.response_cache import ResponseCache
from calendar_app.storage.cache_memory import CacheMemory

NOON = datetime(2030, 1, 15, 12, tzinfo=UTC)
ROOM = 1_000_000
LONG = "x" * 100_000


@pytest.fixture
def rendered_paths():
    """Return the addresses of the rendered answers, in their order."""
    return []


@pytest.fixture
def ask(rendered_paths):
    """Return a GET function for an application behind a small response cache."""

    def application(environ, start_response):
        rendered_paths.append(environ["PATH_INFO"])
        exchange = exchange_of(environ)
        exchange.is_cached, exchange.edition = True, "now"
        status = "304 NOT MODIFIED" if "unmodified" in environ["PATH_INFO"] else "200 OK"
        start_response(status, [("X-Said", LONG if "headers" in environ["PATH_INFO"] else "")])
        if "json" in environ["PATH_INFO"]:
            return [orjson.dumps({"text": 2000 * "x"})]
        return [(LONG if "body" in environ["PATH_INFO"] else "").encode()]

    remembered = ResponseCache(application, lambda: "now", lambda: NOON, CacheMemory(ROOM))

    def server(environ, start_response):
        begin_exchange(environ, "id")
        return remembered(environ, start_response)

    return Client(server).get


@pytest.mark.parametrize("part", ["body", "headers", "query", "accept"])
def test_response_counts_with_all_its_cached_data(ask, rendered_paths, part):
    ask("/first")
    for number in range(12):
        query = LONG if part == "query" else ""
        accept = LONG if part == "accept" else ""
        ask(f"/{part}/{number}", query_string=query, headers={"Accept": accept})
    ask("/first")
    assert rendered_paths.count("/first") == 2


def test_small_responses_are_cached(ask, rendered_paths):
    for _ in range(2):
        for number in range(12):
            ask(f"/{number}")
    assert len(rendered_paths) == 12


def test_json_responses_take_no_more_memory_than_their_room(ask):
    tracemalloc.start()
    try:
        for number in range(100):
            ask(f"/json/{number}")
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert taken < ROOM


def test_response_that_is_replaced_counts_once(ask, rendered_paths):
    ask("/first")
    for _ in range(12):
        ask("/unmodified/headers")  # which is kept for those alone who have it
    ask("/first")
    assert rendered_paths.count("/first") == 1


def test_the_oldest_responses_make_room_and_the_others_stay(ask, rendered_paths):
    for number in range(12):
        ask(f"/body/{number}")
    rendered_paths.clear()
    for number in (11, 10, 9, 8, 7, 6, 5, 4):
        ask(f"/body/{number}")
    assert rendered_paths == []
    ask("/body/0")
    assert rendered_paths == ["/body/0"]

"""The room that all caches of a process share, and what entries take of it."""

import sys
import tracemalloc
from dataclasses import dataclass

import orjson
import pytest
from prometheus_client import REGISTRY

from calendar_app.api.http.answers.cache_figures import measured_memory
from calendar_app.storage.cache_memory import CacheMemory, size_of

ROOM = 10_000
# With its place, nine of them have room and ten have not.
PART = b"x" * 600


@pytest.fixture
def memory():
    return CacheMemory(ROOM)


def kept_of(cache, keys):
    return [key for key in keys if cache.get(key) is not None]


def test_what_was_used_least_recently_goes_first_whichever_cache_it_is_in(memory):
    answers, totals = memory.cache("answers"), memory.cache("totals")
    answers.keep("oldest", PART)
    totals.keep("older", PART)
    for number in range(7):
        answers.keep(number, PART)
    answers.get("oldest")
    totals.keep("new", PART)
    assert kept_of(totals, ("older", "new")) == ["new"]
    assert kept_of(answers, ("oldest", *range(7))) == ["oldest", *range(7)]


def test_caches_together_never_take_more_than_their_room(memory):
    caches = [memory.cache(name) for name in ("answers", "totals", "answers")]
    for number in range(100):
        caches[number % 3].keep(number, PART)
    assert ROOM - 2 * len(PART) < sum(memory.sizes().values()) <= ROOM
    assert memory.sizes().keys() == {"answers", "totals"}


def test_encoded_json_takes_no_more_memory_than_it_counts():
    cache = CacheMemory(10_000_000).cache("fragments")
    tracemalloc.start()
    try:
        for number in range(500):
            cache.keep(number, orjson.dumps({"text": 2000 * "x"}))
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert taken <= cache.size


def test_an_entry_that_takes_a_quarter_of_the_room_is_not_kept(memory):
    cache = memory.cache("answers")
    cache.keep("former", PART)
    cache.keep("large", PART)
    cache.keep("large", b"x" * (ROOM // 4))
    assert kept_of(cache, ("former", "large")) == ["former"]


def test_an_entry_that_is_replaced_outgrown_or_cleared_gives_its_room_back(memory):
    cache = memory.cache("answers")
    for _ in range(20):
        cache.keep("same", PART)
    cache.keep("other", PART)
    assert kept_of(cache, ("same", "other")) == ["same", "other"]
    cache.keep("same", b"x" * memory.room)
    assert len(PART) < memory.sizes()["answers"] < 2 * len(PART)
    cache.clear()
    assert memory.sizes() == {"answers": 0}


def test_sizes_of_caches_that_made_room_for_others_are_reported():
    sizes = {}
    memory = CacheMemory(2_000_000, sizes.__setitem__)
    answers, feeds = memory.cache("answers"), memory.cache("feeds")
    for number in range(4):
        answers.keep(number, bytes(400_000))
    for number in range(4):
        feeds.keep(number, bytes(450_000))
    assert sizes == memory.sizes()
    assert sizes["answers"] == 0


def test_nothing_is_kept_without_room():
    cache = CacheMemory(0).cache("answers")
    cache.keep("key", 1)
    assert cache.get("key") is None


@dataclass(frozen=True)
class Value:
    text: str


class Service:
    """Something that values refer to, which is not their own."""

    def __init__(self):
        self.much = "x" * 10_000


LONG = "x" * 10_000


@pytest.mark.parametrize(
    "value",
    [
        LONG,
        LONG.encode(),
        [LONG],
        (1, (LONG,)),
        {LONG: 1},
        {1: {2: LONG}},
        {LONG},
        frozenset([LONG]),
        Value(LONG),
        [LONG, LONG],
        {"own": LONG, "shared": Service()},
    ],
    ids=lambda value: type(value).__name__,
)
def test_size_counts_all_that_a_value_holds_once(value):
    assert sys.getsizeof(LONG) - 50 < size_of(value) < sys.getsizeof(LONG) + 900


class Measured:
    """Something large that counts how often its size is asked for."""

    times = 0

    def __sizeof__(self):
        Measured.times += 1
        return 1000


@pytest.mark.parametrize("container", [list, tuple, set, dict.fromkeys])
def test_few_of_many_members_are_measured_and_stand_for_all(container, monkeypatch):
    monkeypatch.setattr(Measured, "times", 0)
    value = container([Measured() for _ in range(1050)])
    assert 1_000_000 < size_of(value) < 1_200_000
    assert 10 < Measured.times < 50


def test_metrics_show_what_is_kept_and_the_room():
    cache = measured_memory(4_000_000).cache("answers")
    cache.keep("key", b"x" * 500_000)

    def figure(name, **labels):
        return REGISTRY.get_sample_value(name, labels)

    assert 500_000 < figure("calendar_cache_bytes", cache="answers") < 501_000
    assert figure("calendar_cache_limit_bytes") == 4_000_000
    cache.clear()
    assert figure("calendar_cache_bytes", cache="answers") == 0

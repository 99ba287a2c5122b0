"""The characters that a machine may be sent in a month."""

from threading import Thread

import mongomock
import pytest
from clock import NOON, Clock

from calendar_app.calendar.translation import Hook, NoProposal, Text
from calendar_app.domain.moments import naive_clock
from calendar_app.parts.memory.engines.translator import Translator
from calendar_app.parts.memory.machine import Machine
from calendar_app.storage.mongo.store import Store


def _upper(texts, _source, _target):
    return {name: text.upper() for name, text in texts.items()}


def _failing(_texts, _source, _target):
    raise NoProposal


@pytest.fixture
def clock():
    clock = Clock()
    clock.now = NOON
    return clock


@pytest.fixture
def machine(clock):
    """Return a function that makes one process's machine on the same database."""
    database = mongomock.MongoClient()["calendar"]

    def make(budget=20, function=_upper):
        translator = Translator(Hook("hook", function), timeout=5)
        return Machine(Store(database), translator, budget, naive_clock(clock))

    return make


def propose(machine, words):
    return machine.propose({"title": Text(words)}, "de", "en")


def test_texts_count_until_the_budget_is_used_up(machine):
    first, second = machine(), machine()
    assert propose(first, "a" * 12) == {"title": "A" * 12}
    with pytest.raises(NoProposal) as refusal:
        propose(second, "a" * 9)
    assert refusal.value.is_final
    assert propose(second, "a" * 8) == {"title": "A" * 8}
    assert (first.use.characters, first.use.remaining) == (20, 0)


def test_budget_is_as_large_again_in_the_next_month(machine, clock):
    propose(machine(), "a" * 20)
    clock.advance(days=31)
    assert machine().use.remaining == 20
    assert propose(machine(), "a")


def test_text_longer_than_the_budget_is_not_sent(machine):
    with pytest.raises(NoProposal):
        propose(machine(), "a" * 21)
    assert machine().use.characters == 0


def test_refused_text_does_not_count(machine):
    with pytest.raises(NoProposal):
        propose(machine(function=_failing), "a" * 12)
    assert machine().use.characters == 0


def test_without_a_budget_everything_is_counted_and_nothing_refused(machine):
    propose(machine(budget=0), "a" * 1000)
    assert machine(budget=0).use.characters == 1000


def test_processes_at_once_never_spend_more_than_the_budget(machine):
    proposals = []

    def spend(own):
        try:
            proposals.append(propose(own, "a" * 3))
        except NoProposal:
            return

    threads = [Thread(target=spend, args=(machine(),)) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(proposals) == 6
    assert machine().use.characters == 18

"""Slots for feeds go round the waiting clients; a client that waits too long is refused."""

import threading

import pytest
from prometheus_client import REGISTRY

from calendar_app.calendar.reading.slots import FeedSlots
from calendar_app.errors import Unavailable

LOUD, QUIET, THIRD = "192.0.2.1", "192.0.2.2", "192.0.2.3"


class Requests:
    """Requests that wait one after another for one slot, which is held until ``served``."""

    def __init__(self, slots):
        self._slots, self._threads, self.order = slots, [], []

    def wait(self, client):
        """Return once the request of a client waits."""
        before = self._number_waiting()
        thread = threading.Thread(target=self._take_turn, args=[client])
        thread.start()
        self._threads.append(thread)
        while self._number_waiting() == before:
            pass

    def join(self):
        for thread in self._threads:
            thread.join()

    def _take_turn(self, client):
        with self._slots.slot(client):
            self.order.append(client)

    def _number_waiting(self):
        return REGISTRY.get_sample_value("calendar_feeds_waiting")


def test_a_client_with_many_requests_lets_others_take_turns():
    slots = FeedSlots(1, patience=60)
    requests = Requests(slots)
    with slots.slot(LOUD):
        for client in (LOUD, LOUD, LOUD, QUIET, THIRD, QUIET):
            requests.wait(client)
    requests.join()
    assert requests.order == [LOUD, QUIET, THIRD, LOUD, QUIET, LOUD]


def test_a_client_with_enough_waiting_requests_is_refused_at_once():
    slots = FeedSlots(1, patience=60, most_of_client=2)
    requests = Requests(slots)
    with slots.slot(LOUD):
        requests.wait(LOUD)
        requests.wait(LOUD)
        with pytest.raises(Unavailable), slots.slot(LOUD):
            pass
        requests.wait(QUIET)
    requests.join()
    assert requests.order == [LOUD, QUIET, LOUD]


def test_many_refused_clients_leave_the_slot_free():
    slots = FeedSlots(1, patience=0)
    with slots.slot(LOUD):
        for number in range(100):
            with pytest.raises(Unavailable), slots.slot(f"192.0.2.{number}"):
                pass
    with slots.slot(QUIET):
        pass


def test_a_failed_request_gives_its_slot_back():
    slots = FeedSlots(1, patience=0)
    with pytest.raises(ZeroDivisionError), slots.slot(LOUD):
        raise ZeroDivisionError
    with slots.slot(LOUD):
        pass


def test_as_many_as_there_are_slots_go_on():
    slots = FeedSlots(2, patience=0)
    with slots.slot(LOUD), slots.slot(LOUD), pytest.raises(Unavailable), slots.slot(LOUD):
        pass

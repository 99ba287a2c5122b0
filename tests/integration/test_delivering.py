"""Deliveries keep the order of each record, whatever receivers do; no receiver holds up another.

The feed is a script: changes one after another, of which a webhook reads some at once.
"""

import os
import random
import threading
from collections import defaultdict
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from receivers import DEAD_ADDRESS, elsewhere, lying_context, receiving, talking
from serving import wait_for

from calendar_app.accounts.callers import Caller
from calendar_app.changes.webhooks.deliveries import ReportedChange, ReportedChanges
from calendar_app.changes.webhooks.delivering import LEASE, Courier, Unfollowable
from calendar_app.changes.webhooks.managing import Webhooks
from calendar_app.changes.webhooks.sending import Sender
from calendar_app.changes.webhooks.webhook import WebhookReferences
from calendar_app.domain.addresses import networks_of
from calendar_app.domain.moments import naive_clock, system_clock
from calendar_app.storage.mongo.leases import Leases
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.query.list_query import Window

ADMIN = Caller(1, "admin", "administrator")
LOOPBACK = networks_of("webhook_networks", ["127.0.0.0/8"])
# `make test-changes` raises it.
CHANGES = int(os.environ.get("WEBHOOK_CHANGES", "30"))
RECORDS, AT_ONCE = 7, 20
MEGABYTES = 40


class Script:
    """Changes one after another; ``version`` counts those of one record."""

    def __init__(self):
        self.items = []
        self.readers_gone = False
        self._versions = defaultdict(int)

    def add(self, number, size=0, records=RECORDS):
        for _ in range(number):
            record = len(self.items) % records + 1
            self._versions[record] += 1
            data = {"id": record, "version": self._versions[record], "record": "x" * size}
            self.items.append(ReportedChange("events", record, "upsert", data))

    def follow(self, webhook):
        if self.readers_gone:
            raise Unfollowable("no_reader")
        begin = int(webhook.token)
        items = self.items[begin : begin + AT_ONCE]
        end = begin + len(items)
        return ReportedChanges(items, str(end), end < len(self.items))

    def head(self):
        return len(self.items)

    @property
    def last(self):
        """The last version of each record."""
        return dict(self._versions)


@pytest.fixture
def script():
    return Script()


@pytest.fixture
def now(clock):
    return naive_clock(clock)


@pytest.fixture
def webhooks(database, now):
    existing = WebhookReferences(["de"], lambda _: True, "https://calendar.example.org")
    return Webhooks(Store(database), existing, lambda: sender(now), now)


@pytest.fixture
def courier(database, script, now):
    """Return a courier on a clock that stands."""
    return Courier(Store(database), script.follow, script.head, lambda: sender(now), now)


@pytest.fixture
def delivering(courier, clock):
    """Return a function that delivers now, and after each of some hours."""

    def deliver(hours=0):
        courier.deliver_due()
        for _ in range(hours):
            clock.advance(hours=1)
            courier.deliver_due()

    return deliver


def sender(now):
    return Sender(LOOPBACK, 30.0, now)


@pytest.fixture
def tell(webhooks):
    """Return a function that adds a webhook to a receiver, or to an address."""

    def telling(receiver, **values):
        address = getattr(receiver, "address", receiver)
        usual = {
            "name": "Mirror",
            "address": address,
            "language": "de",
            "content": "full",
            "kinds": (),
        }
        webhook = webhooks.add(usual | values, "0", ADMIN)
        if address != receiver:
            receiver.secret = webhook.secrets[0].value
        return webhook.id

    return telling


@contextmanager
def running(*couriers):
    """Run couriers as the service does, each as a process would."""
    end = threading.Event()
    threads = [threading.Thread(target=each.run, args=[end], daemon=True) for each in couriers]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        end.set()
        for thread in threads:
            thread.join()


def memory():
    """Return the bytes of memory that this process has."""
    pages = int(Path("/proc/self/statm").read_text("utf-8").split()[1])
    return pages * os.sysconf("SC_PAGESIZE")


def in_order(receiver):
    """Say whether each record's versions came in their order."""
    versions = defaultdict(list)
    for each in receiver.data:
        versions[each["id"]].append(each["version"])
    return all(own == sorted(set(own)) for own in versions.values())


def newest(receiver):
    return {each["id"]: each["version"] for each in receiver.data}


def states(webhooks, webhook_id):
    page = webhooks.deliveries(webhook_id, ADMIN, Window(1, 1000))
    return [each["state"] for each in reversed(page.items)]


def test_receiver_is_told_in_order_and_of_nothing_twice(courier, script, tell):
    with receiving() as receiver:
        tell(receiver)
        script.add(CHANGES)
        courier.deliver_due()
        assert [each["version"] for each in receiver.data]
        assert in_order(receiver)
        assert newest(receiver) == script.last
        assert courier.deliver_due() == 0
        assert len(set(receiver.ids)) == len(receiver.ids) == receiver.requests


@pytest.mark.parametrize("seed", range(3))
def test_order_holds_whatever_a_receiver_refuses_by_chance(courier, script, tell, clock, seed):
    chance = random.Random(seed)  # noqa: S311  # nothing secret
    with receiving(status=lambda _: chance.choice([200, 200, 200, 500, 404, 503])) as receiver:
        tell(receiver)
        for _ in range(10):
            script.add(chance.randrange(2 * RECORDS))
            courier.deliver_due()
            clock.advance(minutes=chance.randrange(30))
        receiver.status = 200
        for _ in range(10):
            clock.advance(hours=8)
            courier.deliver_due()
        assert in_order(receiver)
        assert newest(receiver) == script.last


def test_one_record_that_is_never_taken_holds_up_no_other(courier, script, tell, clock, webhooks):
    with receiving(status=lambda message: 422 if message["data"]["id"] == 1 else 200) as receiver:
        own = tell(receiver)
        for _ in range(12):
            script.add(RECORDS)
            courier.deliver_due()
            clock.advance(hours=8)
        assert webhooks.get(own, ADMIN).webhook.state == "on"
        assert newest(receiver) == {each: n for each, n in script.last.items() if each != 1}


def test_what_waits_gives_way_to_a_later_change_of_the_record(courier, script, tell, webhooks):
    with receiving(status=500) as receiver:
        own = tell(receiver)
        script.add(1)
        courier.deliver_due()
        script.add(RECORDS)
        courier.deliver_due()
        assert states(webhooks, own)[0] == "replaced"
        assert states(webhooks, own).count("waiting") == RECORDS


@pytest.mark.parametrize("end", [(410, "gone", 0), (404, "refused", 1), (500, "unreachable", 4)])
def test_receiver_that_takes_nothing_is_given_up_and_its_owner_told_once(
    delivering, script, tell, webhooks, end
):
    status, ended, days = end
    with receiving(status=status) as receiver:
        own = tell(receiver)
        script.add(5)
        delivering(days * 24)
        webhook = webhooks.get(own, ADMIN).webhook
        assert (webhook.state, webhook.ended) == ("ended", ended)
        assert [each.id for each in webhooks.ended()] == [own]
        assert [*webhooks.ended()] == []
        before = receiver.requests
        script.add(5)
        delivering()
        assert receiver.requests == before
        # Switched on again it goes on where it has ended.
        receiver.status = 200
        webhooks.change(own, {"off": False}, ADMIN)
        delivering()
        assert newest(receiver) == script.last


def test_webhook_whose_reader_is_gone_ends(courier, script, tell, webhooks):
    with receiving() as receiver:
        own = tell(receiver, reads_as=2)
        script.add(1)
        script.readers_gone = True
        courier.deliver_due()
        assert webhooks.get(own, ADMIN).webhook.ended == "no_reader"
        assert not receiver.requests


def test_queue_of_a_dead_receiver_is_bounded_and_the_rest_waits_in_the_outbox(
    courier, script, tell, webhooks
):
    own = tell(DEAD_ADDRESS)
    script.add(1100, records=1100)
    courier.deliver_due()
    status = webhooks.get(own, ADMIN)
    assert status.waiting == int(status.webhook.token) == 1000


def test_thin_messages_have_no_record_and_are_signed_alike(courier, script, tell):
    with receiving() as receiver:
        tell(receiver, content="thin")
        script.add(1)
        courier.deliver_due()
        (message,) = receiver.messages
        assert message["type"] == "events.upsert"
        assert message["data"] == {"id": 1, "version": 1}


def test_off_webhook_is_sent_nothing_until_it_is_on(courier, script, tell, webhooks):
    with receiving() as receiver:
        own = tell(receiver, off=True)
        script.add(3)
        courier.deliver_due()
        assert not receiver.requests
        webhooks.change(own, {"off": False}, ADMIN)
        courier.deliver_due()
        assert newest(receiver) == script.last


# As the service runs it.


@pytest.fixture
def running_courier(database, script):
    def make():
        now = naive_clock(system_clock)
        return Courier(Store(database), script.follow, script.head, lambda: sender(now), now)

    return make


def test_no_receiver_holds_up_another_and_memory_stays_flat(
    running_courier, script, tell, tmp_path
):
    with ExitStack() as stack:
        fast = [stack.enter_context(receiving()) for _ in range(2)]
        slow = stack.enter_context(receiving(pause=0.4))
        loud = stack.enter_context(receiving(behave=talking))
        bad = [
            stack.enter_context(receiving(behave=elsewhere)),
            stack.enter_context(receiving(lying_context(tmp_path))),
        ]
        for each in (*fast, slow, loud, *bad, DEAD_ADDRESS):
            tell(each)
        for each in (*fast, slow, loud):
            each.keeps_records = False  # Their memory is that of this process too.
        script.add(RECORDS, size=10_000)
        with running(running_courier()):
            wait_for(lambda: all(newest(each) == script.last for each in (*fast, loud)))
            before = memory()
            for _ in range(CHANGES // RECORDS):
                script.add(RECORDS, size=10_000)
                wait_for(lambda: all(newest(each) == script.last for each in fast))
            assert newest(slow) != script.last
            wait_for(lambda: all(newest(each) == script.last for each in (slow, loud)), 120)
            assert memory() - before < MEGABYTES << 20
        for each in (*fast, slow, loud):
            assert in_order(each)
        assert not any(each.messages and each.status == 410 for each in bad)


def test_two_processes_deliver_each_change_once(running_courier, script, tell):
    with receiving(pause=0.01) as receiver:
        tell(receiver)
        with running(running_courier(), running_courier()):
            for _ in range(5):
                script.add(RECORDS)
                wait_for(lambda: newest(receiver) == script.last)
        assert in_order(receiver)
        assert len(set(receiver.ids)) == len(receiver.ids)


def test_webhooks_move_to_another_process_when_one_is_killed(
    running_courier, script, tell, database
):
    with receiving() as receiver:
        tell(receiver)
        script.add(RECORDS)
        # A killed process leaves its lease behind.
        Leases(database, 6.0)._take(LEASE, "killed")  # noqa: SLF001
        with running(running_courier()):
            wait_for(lambda: newest(receiver) == script.last)

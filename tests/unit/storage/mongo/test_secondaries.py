"""Reads of one work keep to one secondary, and fall to the primary where it is gone."""

import pytest
from pymongo.hello import Hello
from pymongo.server_description import ServerDescription

from calendar_app.storage.mongo.secondaries import keep_to_member
from calendar_app.storage.mongo.transactions import current_member, reading_from

PRIMARY, FIRST, SECOND = (("db.example", port) for port in (1, 2, 3))


def described(address, **role):
    hello = {"ok": 1, "setName": "three", "hosts": ["db.example:1"], "maxWireVersion": 17, **role}
    return ServerDescription(address, Hello(hello))


SERVERS = [
    described(PRIMARY, isWritablePrimary=True),
    described(FIRST, secondary=True),
    described(SECOND, secondary=True),
]


def chosen(servers=SERVERS):
    return [server.address for server in keep_to_member(servers)]


def test_without_a_secondary_all_stay():
    assert chosen() == [PRIMARY, FIRST, SECOND]
    assert current_member() is None


@pytest.mark.parametrize("member", [FIRST, SECOND])
def test_reads_keep_to_one_secondary(member):
    with reading_from(member):
        assert current_member() == member
        assert chosen() == [member]
    assert current_member() is None


def test_primary_stands_in_for_a_secondary_that_is_gone():
    with reading_from(SECOND):
        assert chosen(SERVERS[:2]) == [PRIMARY]


def test_what_the_primary_alone_may_do_stays_with_it():
    with reading_from(FIRST):
        assert chosen(SERVERS[:1]) == [PRIMARY]

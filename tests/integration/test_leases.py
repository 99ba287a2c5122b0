"""One process at a time holds a lease, whatever the clocks of their machines say."""

import subprocess
import sys

from calendar_app.storage.mongo.leases import IS_HELD, LEASES, Leases

# Another process, on a machine whose clock is an hour fast.
FAST = """
import datetime, sys

class Fast(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return super().now(tz) + datetime.timedelta(hours=1)

datetime.datetime = Fast
from calendar_app.storage.mongo.connection import open_database
from calendar_app.storage.mongo.leases import Leases

with Leases(open_database(sys.argv[1])).held_if_free("import") as hold:
    print("held" if hold else "refused", end="")
"""


def taken_by_another(uri):
    command = [sys.executable, "-c", FAST, uri]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def test_machine_with_a_fast_clock_takes_no_lease_that_is_held(database, mongod_uri):
    with Leases(database).held_if_free("import") as hold:
        assert hold
        assert taken_by_another(mongod_uri) == "refused"
    assert taken_by_another(mongod_uri) == "held"


def test_lease_ends_by_the_clock_of_the_database(database):
    (moment,) = database.aggregate([{"$documents": [{}]}, {"$set": {"now": "$$NOW"}}])
    ended = {"_id": "import", "holder": "killed", "until": moment["now"]}
    database[LEASES].insert_one(ended)
    leases = Leases(database)
    assert not leases.is_held("import")
    with leases.held_if_free("import") as hold:
        assert hold
        assert leases.is_held("import")
        assert database[LEASES].count_documents(IS_HELD) == 1
    assert database[LEASES].find_one({"_id": "import"}) is None

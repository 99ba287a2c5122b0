"""A replica set of three real mongods on ports of this machine."""

import os
import signal
import socket
import subprocess
import time
from contextlib import ExitStack, closing, contextmanager

from pymongo import MongoClient

from calendar_app.storage.embedded.mongod import find_mongod

PATIENCE = 60  # seconds
LEAST_CACHE = "0.25"  # GB


class ReplicaSet:
    """Its ``members`` by port, each with its process."""

    def __init__(self, members):
        self._members = members

    @property
    def uri(self):
        hosts = ",".join(f"127.0.0.1:{port}" for port in self._members)
        return f"mongodb://{hosts}/calendar?replicaSet=three"

    def member(self, port):
        """Connect to one member alone, whatever it is at the moment."""
        return closing(
            MongoClient("127.0.0.1", port, directConnection=True, serverSelectionTimeoutMS=20_000)
        )

    def state(self, port):
        with self.member(port) as client:
            return client.admin.command("hello")

    def aggregates(self, port):
        """Return how many pipelines a member has run since it began."""
        with self.member(port) as client:
            status = client.admin.command("serverStatus")
        return status["metrics"]["commands"]["aggregate"]["total"]

    def primary(self):
        """Return the port of the member that all others follow, once there is one."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            ports = [port for port, process in self._members.items() if process.poll() is None]
            states = {port: self.state(port) for port in ports}
            primaries = [port for port, state in states.items() if state["isWritablePrimary"]]
            if primaries and all(
                state.get("primary") == f"127.0.0.1:{primaries[0]}" for state in states.values()
            ):
                return primaries[0]
            time.sleep(0.1)
        raise TimeoutError("The set has no primary.")

    def secondaries(self):
        primary = self.primary()
        return [
            port
            for port, process in self._members.items()
            if port != primary and process.poll() is None
        ]

    @contextmanager
    def locked(self, port):
        """Keep a member from replicating the writes of the primary."""
        with self.member(port) as client:
            client.admin.command("fsync", lock=True)
        try:
            yield
        finally:
            with self.member(port) as client:
                client.admin.command("fsyncUnlock")

    def step_down(self):
        with self.member(self.primary()) as client:
            client.admin.command("replSetStepDown", 20, secondaryCatchUpPeriodSecs=10)

    def kill_primary(self):
        os.kill(self._members[self.primary()].pid, signal.SIGKILL)


def repeated(send):
    """Send until the answer is there: during an election it may be 503."""
    until = time.monotonic() + PATIENCE
    while (answer := send()).status_code != 200 and time.monotonic() < until:
        assert answer.status_code == 503, answer.text
        time.sleep(0.2)
    return answer


@contextmanager
def three_members(directory):
    """Run three mongods as one replica set; yield it once it has a primary."""
    with ExitStack() as stack:
        members = {}
        for number in range(3):
            port, data = _free_port(), directory / f"member-{number}"
            data.mkdir()
            members[port] = stack.enter_context(_running(port, data))
        replica_set = ReplicaSet(members)
        _initiate(replica_set, list(members))
        yield replica_set


@contextmanager
def _running(port, data):
    command = [
        *(find_mongod(), "--dbpath", data, "--port", str(port), "--replSet", "three"),
        *("--wiredTigerCacheSizeGB", LEAST_CACHE, "--oplogSize", "100"),
    ]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.kill()


def _free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def _initiate(replica_set, ports):
    for port in ports:
        with closing(MongoClient("127.0.0.1", port, directConnection=True)) as client:
            client.admin.command("ping")
    members = [{"_id": n, "host": f"127.0.0.1:{port}"} for n, port in enumerate(ports)]
    settings = {"electionTimeoutMillis": 2000}
    with closing(
        MongoClient("127.0.0.1", ports[0], directConnection=True, serverSelectionTimeoutMS=30_000)
    ) as client:
        config = {"_id": "three", "members": members, "settings": settings}
        client.admin.command("replSetInitiate", config)
    replica_set.primary()

"""A MongoDB that asks who somebody is, and lets nobody do more than they may."""

import subprocess
import time
from contextlib import contextmanager
from urllib.parse import quote

from pymongo import MongoClient

from calendar_app.storage.embedded.mongod import find_mongod

PASSWORD = "p@ss:w/rd"
OWNER, READER = "owner", "reader"


class Guarded:
    """The addresses of its database, by who uses it."""

    def __init__(self, host):
        self._host = host

    def uri(self, name, password=PASSWORD):
        return self._address(f"{quote(name, safe='')}:{quote(password, safe='')}@")

    @property
    def uri_of_nobody(self):
        return self._address("")

    def _address(self, user):
        return f"mongodb://{user}{self._host}/calendar?replicaSet=guarded&authSource=calendar"


@contextmanager
def guarded_mongod(directory):
    """Run a mongod with authentication, with an owner and a reader of the database."""
    path, key = directory / "mongod.sock", directory / "key"
    key.write_text("a key of this one test")
    key.chmod(0o600)
    command = [
        *(find_mongod(), "--dbpath", directory, "--bind_ip", path, "--nounixsocket"),
        *("--replSet", "guarded", "--keyFile", key, "--wiredTigerCacheSizeGB", "0.25"),
    ]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        try:
            while not path.exists():
                time.sleep(0.05)
            host = quote(str(path), safe="")
            _initiate(f"mongodb://{host}/?directConnection=true", str(path))
            yield Guarded(host)
        finally:
            process.terminate()


def _initiate(uri, path):
    """Make it a replica set, and make its users as long as there are none and anybody may."""
    with MongoClient(uri) as client:
        members = [{"_id": 0, "host": path}]
        client.admin.command("replSetInitiate", {"_id": "guarded", "members": members})
        while not client.admin.command("hello")["isWritablePrimary"]:
            time.sleep(0.05)
        root = {"pwd": PASSWORD, "roles": ["root"]}
        client.admin.command("createUser", "root", **root)
    with MongoClient(uri, username="root", password=PASSWORD) as client:
        for name, role in ((OWNER, "readWrite"), (READER, "read")):
            client["calendar"].command("createUser", name, pwd=PASSWORD, roles=[role])

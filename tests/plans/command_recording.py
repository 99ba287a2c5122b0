"""A database that records its commands, so that MongoDB can explain them."""

from contextlib import contextmanager

from pymongo import MongoClient
from pymongo.monitoring import CommandListener

from calendar_app.assembly.indexes import declared_indexes
from calendar_app.settings import Settings
from calendar_app.storage.mongo.indexes import ensure_indexes
from calendar_app.storage.mongo.store import Store
from calendar_app.storage.mongo.transactions import note_cluster_time


class CommandRecorder(CommandListener):
    """Records the commands of these names."""

    def __init__(self, *names):
        self._names = names
        self.commands = []

    def started(self, event):
        if event.command_name in self._names:
            self.commands.append(dict(event.command))

    def succeeded(self, event):
        """Note the cluster time, as the listener of the service does."""
        note_cluster_time(event.reply)

    def failed(self, event):
        """Nothing is kept of failures."""


@contextmanager
def recorded_database(uri, name, recorder):
    """Create a database with all indexes; ``recorder`` records its commands."""
    client = MongoClient(uri, event_listeners=[recorder])
    settings = Settings.load(environment={}, languages=["de", "rm"], default_language="de")
    ensure_indexes(Store(client[name]), declared_indexes(settings))
    yield client[name]
    client.drop_database(name)
    client.close()

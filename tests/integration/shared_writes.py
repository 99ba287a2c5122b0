"""The last write, as the processes of one machine share it."""

from calendar_app.storage.mongo.last_write import LastWrite

HOUR = 3600
CASES = ASKED, _ = ("MongoDB is asked", "the last write is shared")


def share(monkeypatch, database, file):
    """Let this process share the last write in a file, as it does with a MongoDB of its own."""
    monkeypatch.setattr(
        "calendar_app.storage.mongo.last_write._shared", {database: LastWrite(file)}
    )


def share_alone(monkeypatch, database, file):
    """Share it, and let nothing else tell of a write: no look at MongoDB every second."""
    monkeypatch.setattr("calendar_app.storage.mongo.store._ASKED_EVERY", HOUR)
    share(monkeypatch, database, file)

"""What the events and their indexes take of the disk."""

from dataclasses import dataclass
from pathlib import Path

from service import environment

from calendar_app.cli.database import opened_store
from calendar_app.settings import Settings


@dataclass(frozen=True, slots=True)
class Stored:
    """How many events there are, and the bytes that they and their indexes take."""

    events: int
    size: int
    indexes: int
    index_size: int


def stored(directory: Path) -> Stored:
    """Look at the database of the service; it must run."""
    settings = Settings.load(environment=environment(directory))
    with opened_store(settings) as store:
        (found,) = store["events"].aggregate([{"$collStats": {"storageStats": {}}}])
    told = found["storageStats"]
    return Stored(told["count"], told["storageSize"], told["nindexes"], told["totalIndexSize"])

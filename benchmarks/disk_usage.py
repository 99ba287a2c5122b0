"""The disk usage of the events and their indexes."""

from dataclasses import dataclass
from pathlib import Path

from service import environment

from calendar_app.cli.database import opened_store
from calendar_app.settings import Settings


@dataclass(frozen=True, slots=True)
class DiskUsage:
    """The number of events and of indexes, and their bytes."""

    events: int
    size: int
    indexes: int
    index_size: int


def disk_usage(directory: Path) -> DiskUsage:
    """Query the database of the running service."""
    settings = Settings.load(environment=environment(directory))
    with opened_store(settings) as store:
        (statistics,) = store["events"].aggregate([{"$collStats": {"storageStats": {}}}])
    storage = statistics["storageStats"]
    return DiskUsage(
        storage["count"], storage["storageSize"], storage["nindexes"], storage["totalIndexSize"]
    )

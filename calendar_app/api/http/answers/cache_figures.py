"""The memory of all caches, in the metrics of a worker."""

from prometheus_client import Gauge

from calendar_app.storage.cache_memory import CacheMemory

_SIZES = Gauge(
    "calendar_cache_bytes",
    "What all workers keep, by cache.",
    ["cache"],
    multiprocess_mode="livesum",
)
_ROOM = Gauge(
    "calendar_cache_limit_bytes",
    "What all workers may keep together.",
    multiprocess_mode="livesum",
)


def measured_memory(room: int) -> CacheMemory:
    """Return ``room`` bytes of memory for caches, with their sizes in the metrics."""
    _ROOM.set(room)
    return CacheMemory(room, lambda name, size: _SIZES.labels(name).set(size))

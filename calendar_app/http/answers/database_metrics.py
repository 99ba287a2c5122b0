"""Database metrics for Prometheus, measured at each scrape."""

from collections.abc import Callable, Iterator
from typing import Protocol

from prometheus_client import Metric
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector


class Health(Protocol):
    """Measurements of the database; ``None`` if unavailable."""

    @property
    def seconds(self) -> float | None: ...
    @property
    def disk_free(self) -> float | None: ...


class DatabaseMetrics(Collector):
    """Collects database metrics, and the restarts of an embedded mongod."""

    def __init__(self, measure: Callable[[], Health], restarts: Callable[[], int | None]) -> None:
        self._measure = measure
        self._restarts = restarts

    def collect(self) -> Iterator[Metric]:
        health, restarts = self._measure(), self._restarts()
        up = float(health.seconds is not None)
        yield GaugeMetricFamily("calendar_database_up", "Whether the database answers.", up)
        if health.seconds is not None:
            yield GaugeMetricFamily(
                "calendar_database_seconds", "Time of an empty question.", health.seconds
            )
        if health.disk_free is not None:
            yield GaugeMetricFamily(
                "calendar_database_disk_free_bytes", "Disk left.", health.disk_free
            )
        if restarts is not None:
            yield CounterMetricFamily(
                "calendar_mongod_restarts", "How often our own mongod died.", restarts
            )

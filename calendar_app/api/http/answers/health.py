"""Health checks and metrics."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Protocol

from flask import Blueprint, Response, request
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Metric,
    ProcessCollector,
    generate_latest,
)
from prometheus_client import REGISTRY as OWN_PROCESS
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as BaseResponse

from calendar_app.api.http.answers.answering import plain_answer
from calendar_app.errors import Unavailable

LIVE, READY, METRICS = PROBES = ("/livez", "/readyz", "/metrics")

# Database metrics for Prometheus, measured at each scrape.


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


class SourceFigures(Protocol):
    """One source: how long ago it was read well, how its readings ended, and what it brings."""

    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def age(self) -> float | None: ...
    @property
    def readings(self) -> Mapping[str, int]: ...
    @property
    def failures(self) -> int: ...
    @property
    def events(self) -> int | None: ...
    @property
    def held_back(self) -> int: ...


_GAUGES = (
    ("age", "calendar_source_age_seconds", "Time since a source was read well."),
    ("failures", "calendar_source_failures", "Failures since a source was read well."),
    ("events", "calendar_source_events", "Events of a source after it was read well."),
    ("held_back", "calendar_source_held_back_events", "Events that a waiting reading would touch."),
)


class SourceMetrics(Collector):
    """Collects figures on the readings of sources, by all processes."""

    def __init__(self, figures: Callable[[], Iterable[SourceFigures]]) -> None:
        self._figures = figures

    def collect(self) -> Iterator[Metric]:
        labels = ("source", "name")
        readings = CounterMetricFamily(
            "calendar_source_readings", "Readings of sources.", labels=(*labels, "result")
        )
        gauges = {
            field: GaugeMetricFamily(name, words, labels=labels) for field, name, words in _GAUGES
        }
        for source in self._figures():
            own = (str(source.id), source.name)
            for result, number in source.readings.items():
                readings.add_metric((*own, result), number)
            for field, gauge in gauges.items():
                value = getattr(source, field)
                if value is not None:
                    gauge.add_metric(own, value)
        yield from (readings, *gauges.values())


class JobsMetrics(Collector):
    """Collects whether a process does the scheduled work, by where: ``process`` or ``worker``."""

    def __init__(self, where: Callable[[], str]) -> None:
        self._where = where

    def collect(self) -> Iterator[Metric]:
        try:
            where = self._where()
        except Unavailable:
            return
        running = GaugeMetricFamily(
            "calendar_jobs_running", "Whether scheduled work is done there.", labels=["where"]
        )
        for place in ("process", "worker"):
            running.add_metric([place], place == where)
        yield running


class DeliveryFigures(Protocol):
    """Attempts of webhooks by result, how many deliveries wait, and for how many seconds."""

    @property
    def attempts(self) -> Mapping[str, int]: ...
    @property
    def waiting(self) -> int: ...
    @property
    def oldest(self) -> float: ...


class WebhookMetrics(Collector):
    """Collects how the deliveries of all webhooks go, from the database."""

    def __init__(self, measure: Callable[[], DeliveryFigures]) -> None:
        self._measure = measure

    def collect(self) -> Iterator[Metric]:
        try:
            figures = self._measure()
        except Unavailable:
            return
        attempts = CounterMetricFamily(
            "calendar_webhook_attempts", "Attempts of deliveries by result.", labels=["result"]
        )
        for result, number in figures.attempts.items():
            attempts.add_metric([result], number)
        yield attempts
        yield GaugeMetricFamily(
            "calendar_webhook_deliveries_waiting", "Deliveries that wait.", figures.waiting
        )
        yield GaugeMetricFamily(
            "calendar_webhook_oldest_seconds", "Age of the oldest that waits.", figures.oldest
        )


# Returns the reason why the service is not ready, or an empty text; may raise ``Unavailable``.
HealthCheck = Callable[[], str]
# Returns the metrics of all processes.
Scrape = Callable[[], BaseResponse]


def health(check: HealthCheck, scrape: Scrape | None) -> Blueprint:
    """Return the routes ``/livez``, ``/readyz`` and, with ``scrape``, ``/metrics``."""
    blueprint = Blueprint("health", __name__)
    blueprint.before_request(_require_exact_address)

    @blueprint.get(LIVE)
    def live() -> Response:
        return plain_answer({"status": "live"})

    @blueprint.get(READY)
    def ready() -> Response:
        """Answer 200 if database and indexes are available, else 503."""
        lacking = check()
        if lacking:
            raise Unavailable(lacking)
        return plain_answer({"status": "ready"})

    if scrape:
        blueprint.add_url_rule(METRICS, "metrics", scrape)
    return blueprint


def _require_exact_address() -> None:
    """Hide a probe at another spelling, which a proxy's rule for its address would miss."""
    environ, rule = request.environ, request.url_rule
    decoded = f"{environ.get('SCRIPT_NAME', '')}{environ['PATH_INFO']}"
    sent = environ.get("RAW_URI", decoded).partition("?")[0]
    if rule is None or not sent == decoded == rule.rule:
        raise NotFound


def scrape_metrics(collectors: Iterable[Collector]) -> Response:
    """Return the metrics of all workers, or of a single process."""
    measured = CollectorRegistry()
    for collector in collectors:
        measured.register(collector)
    registry = OWN_PROCESS
    if shared := os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # has no types
        registry.register(_Processes(Path(shared)))
    figures = generate_latest(registry) + generate_latest(measured)
    return Response(figures, content_type=CONTENT_TYPE_LATEST)


class _Processes(Collector):
    """Collects memory, time and files of the master and its workers, each with its ``pid``.

    A sum would fall whenever a worker is replaced.
    """

    def __init__(self, figures: Path) -> None:
        self._figures = figures

    def collect(self) -> Iterator[Metric]:
        metrics: dict[str, Metric] = {}
        for process in self._processes():
            collector = ProcessCollector(pid=partial(str, process), registry=None)
            for measured in collector.collect():
                metric = metrics.setdefault(
                    measured.name, Metric(measured.name, measured.documentation, measured.type)
                )
                for sample in measured.samples:
                    metric.add_sample(sample.name, {"pid": str(process)}, sample.value)
        yield from metrics.values()

    def _processes(self) -> list[int]:
        """Return the master and those of its children that have left figures."""
        master = os.getppid()
        numbers = {int(file.stem.rpartition("_")[2]) for file in self._figures.glob("*_*.db")}
        return [master, *sorted(each for each in numbers - {master} if _parent_of(each) == master)]


def _parent_of(process: int) -> int:
    with suppress(OSError):
        return int(Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()[1])
    return 0

"""What the service does beside answering: publishing, readings, deliveries, letters, on timers.

One process at a time does it: that of ``calendar-app jobs``, else one of the workers. Each job is
safe in several processes at once, as where one takes over from another.
"""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import structlog
from flask import Flask

from calendar_app.api.http.request.state import Services, get_services
from calendar_app.api.resources.following import Follower
from calendar_app.api.resources.submissions.handling import send_letters_due
from calendar_app.assembly.plugins import Plugins
from calendar_app.calendar.auditing import begin_audit
from calendar_app.calendar.commit_reports import CommitReports
from calendar_app.calendar.pictures.uploads import JOB as SWEEP
from calendar_app.changes.webhooks.delivering import Courier, Follow
from calendar_app.changes.webhooks.explaining import tell_owners
from calendar_app.changes.webhooks.hub import Hub
from calendar_app.changes.webhooks.sending import sender_of
from calendar_app.domain.moments import Now, naive_clock
from calendar_app.errors import CalendarError
from calendar_app.readmodel.addresses import Addresses
from calendar_app.settings import Settings
from calendar_app.site.desk.sources.letters import tell_of_failures
from calendar_app.storage.migrations import MIGRATIONS
from calendar_app.storage.mongo.leases import Hold, Leases
from calendar_app.storage.mongo.migrating import Migrator
from calendar_app.storage.mongo.outbox import Outbox
from calendar_app.storage.mongo.store import Store

# Functions by the names under which the log knows them.
Jobs = Mapping[str, Callable[[], object]]
# Goes on until the event is set.
Loop = Callable[[threading.Event], None]

# The lease of ``calendar-app jobs``, and that of a worker which stands in for it.
PROCESS, STAND_IN = "jobs", "jobs-of-a-worker"
_LEASE_SECONDS = 6.0
_WATCH = 1.0  # seconds between two looks at a lease
_CLOSING = 10.0  # seconds in which jobs that are under way can end
_PAUSE = 10.0  # seconds after which a loop that has failed begins again


def background_loops(
    app: Flask, store: Store, plugins: Plugins, *, seconds: float
) -> tuple[Loop, ...]:
    """Return the loops in which all jobs are done each ``seconds``, each loop for one thread.

    What may take long has a loop of its own: a site may answer slowly.
    """
    services = get_services(app)
    timers = [
        _short_jobs(services),
        {"read-sources": services.sources.readings.read_due},
        {"migrate": Migrator(store, MIGRATIONS).convert_if_free},
    ]
    timers.extend(services.translation.loops)
    if plugins.reads_commits:
        outbox = Outbox(store, services.settings.changes_days)
        timers.append({"tell-plugins": CommitReports(store, outbox, plugins.report).run})
    now, follower = naive_clock(services.clock), Follower(app)
    if services.settings.websub_hub:
        hub = hub_of(services.settings, store, now)
        timers.append({"tell-hub": partial(hub.publish, follower.public_changes, now)})
    courier = courier_of(services.settings, store, follower.changes, now)
    return (*(partial(_repeat, jobs, seconds) for jobs in timers), courier.run)


def _short_jobs(services: Services) -> Jobs:
    settings = services.settings
    return {
        "publish-due": services.scheduler.publish_due,
        "extend-series": services.horizon.extend,
        "forget-changes": services.changes.forget,
        "tell-senders": lambda: send_letters_due(services.submissions, services.mailer),
        "tell-reporters": lambda: send_letters_due(services.mistakes, services.mailer),
        "tell-owners": lambda: tell_owners(
            services.webhooks, services.profiles, services.mailer, settings
        ),
        "settle-pictures": services.submissions.pictures.settle,
        SWEEP: services.picture_sweep.run_job,
        "tell-of-failures": partial(tell_of_failures, services),
    }


def courier_of(settings: Settings, store: Store, follow: Follow, now: Now) -> Courier:
    """Return the deliverer of the changes that ``follow`` gives."""
    return Courier(store, follow, store.latest_edition, sender_of(settings, now), now)


def hub_of(settings: Settings, store: Store, now: Now) -> Hub:
    """Return the hub that is told of changes."""
    site = settings.site_url.rstrip("/")
    topics = Addresses(site, site, settings).hub_topics
    return Hub(store, settings.websub_hub, topics, sender_of(settings, now))


def run_jobs(jobs: Jobs) -> None:
    """Run each job once, and log its changes; a failing job leaves the others alone."""
    for name, job in jobs.items():
        logger = structlog.get_logger().bind(job=name)
        audit = begin_audit()
        try:
            job()
        except CalendarError as error:
            logger.warning("job failed", error=str(error) or repr(error))
        except Exception:
            logger.exception("job failed")
        for change in audit.changes:
            record = f"{change.kind} {change.id}"
            logger.info("audit", action=change.action, record=record, user=None)


def _repeat(jobs: Jobs, seconds: float, end: threading.Event) -> None:
    while not end.is_set():
        run_jobs(jobs)
        end.wait(seconds)


class BackgroundWork:
    """Runs the loops in the process that holds the lease."""

    def __init__(self, store: Store, loops: Sequence[Loop]) -> None:
        self._leases = Leases(store.database, _LEASE_SECONDS)
        self._loops = loops

    def run(self, end: threading.Event, on_wait: Callable[[], None]) -> None:
        """Run the loops until the ``end``; call ``on_wait`` where another process has the lease.

        Behind an outage of the database it takes the lease anew.
        """
        is_waiting = False
        while not end.is_set():
            try:
                with self._leases.held_if_free(PROCESS) as hold:
                    if hold:
                        self._run_while(partial(_goes_on, hold, end))
                    elif not is_waiting:
                        on_wait()
                    is_waiting = hold is None
            except CalendarError as error:  # The database is away.
                structlog.get_logger().warning("jobs", error=str(error) or repr(error))
            end.wait(_WATCH)

    def stand_in(self, pause: float) -> None:
        """Run the loops for ever in one of the workers while no process of theirs runs.

        That is asked for the first time after ``pause`` seconds, when such a process has started.
        """
        logger = structlog.get_logger()
        while True:
            time.sleep(pause)
            try:
                self._stand_in_once()
            except CalendarError:  # The database is away, which requests report.
                pass
            except Exception:  # There is perhaps no room for threads at the moment.
                logger.exception("jobs")

    def _stand_in_once(self) -> None:
        if not self._leases.is_held(PROCESS):
            with self._leases.held_if_free(STAND_IN) as hold:
                if hold:
                    self._run_while(partial(self._stands_in, hold))

    def _stands_in(self, hold: Hold) -> bool:
        return hold.lasts and not self._leases.is_held(PROCESS)

    def _run_while(self, is_ours: Callable[[], bool]) -> None:
        """Run the loops in threads, and give jobs under way some time to end."""
        end = threading.Event()
        threads = [
            threading.Thread(target=_keep_going, args=[loop, end], name="jobs", daemon=True)
            for loop in self._loops
        ]
        try:
            for thread in threads:
                thread.start()
            while is_ours():
                end.wait(_WATCH)
        finally:
            end.set()
            until = time.monotonic() + _CLOSING
            for thread in filter(threading.Thread.is_alive, threads):
                thread.join(max(0, until - time.monotonic()))


def _keep_going(loop: Loop, end: threading.Event) -> None:
    """Run a loop until the end, anew where it has failed."""
    logger = structlog.get_logger()
    while not end.is_set():
        try:
            loop(end)
        except Exception:
            logger.exception("jobs")
            end.wait(_PAUSE)


def _goes_on(hold: Hold, end: threading.Event) -> bool:
    return hold.lasts and not end.is_set()


def where_jobs_run(store: Store) -> str:
    """Return ``process`` or ``worker``; an empty text where nobody runs jobs at the moment."""
    leases = Leases(store.database)
    places = {PROCESS: "process", STAND_IN: "worker"}
    return next((place for lease, place in places.items() if leases.is_held(lease)), "")

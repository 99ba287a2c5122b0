"""Scheduled work is done by one process at a time: calendar-app jobs, else a worker."""

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest
from click.testing import CliRunner
from serving import CONFIG, children_of, launched, read, runs, serving, wait_for

from calendar_app.assembly.background import where_jobs_run
from calendar_app.cli import main
from calendar_app.storage.mongo.store import Store

pytestmark = pytest.mark.timeout(180)
_RESTART = 6  # seconds; more than until a jobs process that has ended is started again


@pytest.fixture
def where(database):
    """Return a function that says where scheduled work is done at the moment."""
    return lambda: where_jobs_run(Store(database))


@pytest.fixture
def environment(mongod_uri):
    return {"CALENDAR_MONGODB_URI": mongod_uri, "CALENDAR_PUBLISH_INTERVAL": "1"}


@pytest.fixture
def publishes(make_event, database):
    """Return a function that makes an overdue event, and waits until it is published."""

    def publish():
        due = datetime.now(UTC).replace(tzinfo=None, microsecond=0) - timedelta(hours=1)
        event = make_event(date_utc="2030-01-15 13:00:00")["id"]
        database["events"].update_one({"_id": event}, {"$set": {"published": due}})
        published = {"_id": event, "status": "publish"}
        return bool(wait_for(lambda: database["events"].find_one(published)))

    return publish


def jobs_of(service):
    """Return the jobs process of a service, 0 where it has none."""
    children = children_of(service.process.pid)
    lines = {child: read(f"/proc/{child}/cmdline").split("\0") for child in children}
    return next((child for child, line in lines.items() if "jobs" in line), 0)


@contextmanager
def jobs_process(environment):
    """Run ``calendar-app jobs`` during the block."""
    command = [sys.executable, "-m", "calendar_app", "jobs"]
    with subprocess.Popen(
        command,
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.terminate()


def test_service_does_scheduled_work_in_a_process_of_its_own(
    environment, publishes, where, tmp_path
):
    with serving(tmp_path / "data", jobs=True, **environment) as service:
        wait_for(lambda: where() == "process")
        assert publishes()
        jobs = jobs_of(service)
        assert jobs
    assert not runs(jobs)
    # A worker may have stood in before it ended too, which its lease shows for a while.
    wait_for(lambda: not where())


def test_worker_stands_in_until_a_killed_jobs_process_is_back(
    environment, publishes, where, tmp_path
):
    with serving(tmp_path / "data", jobs=True, **environment) as service:
        wait_for(lambda: where() == "process")
        killed = jobs_of(service)
        os.kill(killed, signal.SIGKILL)
        assert "was killed" in service.complaint("jobs process")
        wait_for(lambda: where() == "process" and jobs_of(service) not in {0, killed})
        assert publishes()


def test_reload_replaces_the_jobs_process(environment, where, tmp_path):
    with serving(tmp_path / "data", jobs=True, **environment) as service:
        former = wait_for(lambda: jobs_of(service))
        service.process.send_signal(signal.SIGHUP)
        service.complaint("has been reloaded")
        wait_for(lambda: where() == "process" and jobs_of(service) not in {0, former})
        assert not runs(former)


def test_reload_that_schedules_nothing_ends_the_jobs_process(mongod_uri, where, tmp_path):
    config, work = tmp_path / "site.toml", "publish_interval = 1\n"
    config.write_text(work + CONFIG.read_text())
    uri = {"CALENDAR_MONGODB_URI": mongod_uri}
    with serving(tmp_path / "data", jobs=True, config=config, **uri) as service:
        former = wait_for(lambda: where() == "process" and jobs_of(service))
        config.write_text(work.replace("1", "0") + CONFIG.read_text())
        service.process.send_signal(signal.SIGHUP)
        service.complaint("has been reloaded")
        wait_for(lambda: not runs(former))
        time.sleep(_RESTART)
        assert not any("another one starts" in line for line in service.stderr)
        config.write_text(work + CONFIG.read_text())
        service.process.send_signal(signal.SIGHUP)
        wait_for(lambda: where() == "process")


def test_jobs_process_ends_with_a_killed_master(environment, tmp_path):
    with serving(tmp_path / "data", jobs=True, **environment) as service:
        jobs = wait_for(lambda: jobs_of(service))
        service.process.kill()
        wait_for(lambda: not runs(jobs))


def test_one_worker_does_scheduled_work_without_jobs_process(
    environment, publishes, where, tmp_path
):
    with serving(tmp_path / "data", "--workers", "2", **environment) as service:
        wait_for(lambda: where() == "worker")
        assert publishes()
        assert not jobs_of(service)


def test_workers_of_gunicorn_give_way_to_calendar_app_jobs(environment, publishes, where, tmp_path):
    gunicorn = ("-m", "gunicorn", "-c", "config/gunicorn.conf.py", "wsgi:app")
    with (
        (tmp_path / "output").open("w") as output,
        launched(gunicorn, tmp_path / "data", output, **environment),
    ):
        wait_for(lambda: where() == "worker")
        with jobs_process(environment):
            wait_for(lambda: where() == "process")
            assert publishes()
        wait_for(lambda: where() == "worker")


def test_jobs_leave_the_directory_of_an_own_mongod_to_the_service(tmp_path):
    answer = CliRunner().invoke(main, ["jobs"], env={"CALENDAR_DATA": str(tmp_path)})
    assert answer.exit_code == 1
    assert "set mongodb_uri" in answer.output
    assert not list(tmp_path.iterdir())


def test_second_jobs_process_waits_and_takes_over(environment, where):
    with jobs_process(environment) as first:
        wait_for(lambda: where() == "process")
        with jobs_process(environment) as second:
            lines = [second.stdout.readline() for _ in range(2)]
            assert "takes over" in lines[1]
            first.kill()
            first.wait()
            wait_for(lambda: where() == "process")
        assert second.wait() == 0


def test_workers_leave_the_work_to_a_process_where_settings_say_so(
    environment, publishes, where, tmp_path
):
    only = environment | {"CALENDAR_JOBS": "process"}
    with serving(tmp_path / "data", **only):
        check = CliRunner().invoke(main, ["check"], env=only)
        assert "Nobody does the scheduled work at the moment" in check.output
        assert not where()
        with jobs_process(environment):
            assert publishes()
            check = CliRunner().invoke(main, ["check"], env=only)
            assert "done by calendar-app jobs" in check.output


def test_jobs_are_refused_where_none_are_scheduled(environment):
    idle = environment | {"CALENDAR_PUBLISH_INTERVAL": "0"}
    answer = CliRunner().invoke(main, ["jobs"], env=idle)
    assert answer.exit_code == 1
    assert "publish_interval" in answer.output

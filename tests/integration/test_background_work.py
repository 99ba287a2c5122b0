"""A loop of scheduled work that fails leaves the others alone, and goes on."""

import threading
import time
from contextlib import suppress
from types import SimpleNamespace

import pytest
from structlog.testing import capture_logs

from calendar_app.assembly import background
from calendar_app.assembly.background import PROCESS, BackgroundWork, where_jobs_run
from calendar_app.storage.mongo.leases import Leases
from calendar_app.storage.mongo.store import Store


@pytest.fixture
def store(database):
    return Store(database)


def test_loop_that_fails_begins_again(store, monkeypatch):
    monkeypatch.setattr(background, "_PAUSE", 0.1)
    end, again, other = threading.Event(), threading.Event(), threading.Event()
    ends = []

    def fails(ending):
        ends.append(ending)
        if len(ends) == 1:
            raise KeyError("a field of a later version")
        again.set()
        ending.wait()

    def lasts(ending):
        ending.wait()
        other.set()

    work = BackgroundWork(store, (fails, lasts))
    thread = threading.Thread(target=work.run, args=[end, lambda: None])
    with capture_logs() as lines:
        thread.start()
        assert again.wait(10)
        assert where_jobs_run(store) == "process"
        assert not other.is_set()
        end.set()
        thread.join(15)
    assert other.is_set()
    assert [line["event"] for line in lines] == ["jobs"]


@pytest.fixture
def stands_in(monkeypatch):
    """Return a function that lets work stand in until the end of the test."""
    over = threading.Event()

    def sleep(seconds):
        if over.wait(seconds):
            raise SystemExit

    monkeypatch.setattr(background, "time", SimpleNamespace(sleep=sleep, monotonic=time.monotonic))
    threads = []

    def run(work):
        with suppress(SystemExit):
            work.stand_in(0.1)

    def start(work):
        threads.append(threading.Thread(target=run, args=[work], daemon=True))
        threads[0].start()

    yield start
    over.set()
    threads[0].join(15)


def test_worker_without_room_for_threads_stands_in_later(store, stands_in, monkeypatch):
    is_full, endings, worked = [True], [], threading.Event()

    class Crowded(threading.Thread):
        def start(self):
            if self.name == "jobs" and self._args[0] is second and is_full and is_full.pop():
                raise RuntimeError("can't start new thread")
            super().start()

    def first(ending):
        endings.append(ending)
        ending.wait()

    def second(ending):
        worked.set()
        ending.wait()

    monkeypatch.setattr(threading, "Thread", Crowded)
    with capture_logs() as lines:
        stands_in(BackgroundWork(store, (first, second)))
        assert worked.wait(10)
    assert [each.is_set() for each in endings] == [True, False]
    assert [line["event"] for line in lines] == ["jobs"]
    with Leases(store.database).held_if_free(PROCESS):
        assert all(each.wait(10) for each in endings)

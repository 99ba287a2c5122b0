"""The jobs process is started again where it has ended: at once, then ever later."""

import os
import sys
import time

import pytest

from calendar_app.server import jobs_process
from calendar_app.server.jobs_process import IDLE, JobsProcess

LONGEST = 0.4  # seconds, in place of a minute


@pytest.fixture
def run(monkeypatch, capsys):
    """Return a function that looks after a process for some seconds, and returns the lines."""
    monkeypatch.setattr(jobs_process, "_RESTART_DELAY", 0.1)
    monkeypatch.setattr(jobs_process, "_LONGEST_DELAY", LONGEST)

    def running(seconds, *command, meanwhile=lambda: None):
        monkeypatch.setattr(jobs_process, "_COMMAND", command)
        jobs = JobsProcess()
        jobs.start()
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            jobs.proceed()
            meanwhile()
            time.sleep(0.02)
        jobs.end()
        jobs.wait(5)
        return capsys.readouterr().err.splitlines()

    return running


def ending_with(code):
    return sys.executable, "-S", "-c", f"import os; os._exit({code})", ""


def test_one_that_never_lasts_is_not_started_too_often(run):
    # After 0.1, 0.2 and 0.4 seconds, and then every 0.4 seconds.
    lines = run(2.0, *ending_with(1))
    assert 3 <= len(lines) <= 6
    assert all("another one starts" in line for line in lines)


def test_one_that_cannot_be_started_is_tried_again(run, tmp_path):
    program = tmp_path / "program"

    def make():
        if not program.exists():
            program.write_text(f"#!/bin/sh\necho > {tmp_path / 'ran'}\n")
            program.chmod(0o700)

    lines = run(1.0, str(program), meanwhile=make)
    assert lines[0] == "No jobs process can be started: No such file or directory."
    assert (tmp_path / "ran").exists()


def test_one_with_nothing_to_do_is_left_alone(run):
    assert IDLE != os.EX_OK
    assert run(0.5, *ending_with(IDLE)) == []

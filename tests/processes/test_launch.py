"""The program that becomes mongod lives no longer than the process that started it."""

import os
import subprocess
import sys

from calendar_app.storage.embedded import launch


def told_by(parent, *command):
    """Let ``launch`` assume that ``parent`` started it; return its output."""
    return subprocess.run(
        [sys.executable, launch.__file__, str(parent), *command],
        capture_output=True,
        text=True,
        check=False,
    ).stdout


def test_launch_replaces_itself_with_the_program():
    assert told_by(os.getpid(), "/bin/echo", "one", "two words") == "one two words\n"


def test_it_starts_nothing_when_the_parent_has_ended_meanwhile():
    ended = subprocess.Popen(["true"])
    ended.wait()
    assert told_by(ended.pid, "/bin/echo", "one") == ""

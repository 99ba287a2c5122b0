"""The program that becomes mongod lives no longer than the process that started it."""

import os
import subprocess
import sys

from calendar_app.embedded import launch


def told_by(parent, *command):
    """Let ``launch`` assume that ``parent`` started it; return what the command says."""
    return subprocess.run(
        [sys.executable, launch.__file__, str(parent), *command],
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_it_becomes_the_program_with_its_arguments():
    assert told_by(os.getpid(), "/bin/echo", "one", "two words") == "one two words\n"


def test_it_starts_nothing_when_the_parent_has_ended_meanwhile():
    gone = subprocess.Popen(["true"])
    gone.wait()
    assert told_by(gone.pid, "/bin/echo", "one") == ""

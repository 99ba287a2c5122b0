"""A service ends when it is asked to, also where its workers have just been started."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = [pytest.mark.needs_mongodb, pytest.mark.timeout(120)]

ROOT = Path(__file__).parents[2]
PATIENCE = 20  # seconds
# The project's own configuration, with workers that take their time before they begin.
SLOW = f"""
import time
from pathlib import Path

exec(Path({str(ROOT / "config" / "gunicorn.conf.py")!r}).read_text())
graceful_timeout = 60
bind = "127.0.0.1:0"

def post_fork(server, worker):
    Path(__file__).with_name("forked").touch()
    time.sleep(2)
"""


def started(directory):
    """Start a service; return as soon as it has a worker that has not yet begun."""
    (directory / "slow.conf.py").write_text(SLOW)
    command = [sys.executable, "-m", "gunicorn", "-c", str(directory / "slow.conf.py")]
    process = subprocess.Popen(
        [*command, "wsgi:app"],
        env=os.environ | {"CALENDAR_DATA": str(directory / "data")},
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    while process.poll() is None and not (directory / "forked").exists():
        time.sleep(0.01)
    return process


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGQUIT, signal.SIGTERM])
def test_who_is_ended_at_the_very_start_does_not_wait_for_workers_in_vain(tmp_path, number):
    with started(tmp_path) as process:
        try:
            process.send_signal(number)
            assert process.wait(PATIENCE) == 0
            assert process.stderr.read() == ""
        finally:
            process.kill()

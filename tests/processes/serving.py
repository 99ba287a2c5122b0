"""The service in a process of its own, and its children."""

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import httpx

ROOT = Path(__file__).parents[2]
PATIENCE = 60  # seconds, on a busy machine
OURS = ("-m", "calendar_app", "serve", "--no-jobs")
GUNICORN = ("-m", "gunicorn", "-c", "config/gunicorn.conf.py", "wsgi:app")
CONFIG = ROOT / "config" / "de-rm.toml"
# What systemd does before it starts a service that has a socket: sd_listen_fds(3).
PASSED_ON = """
import os, sys
os.dup2(int(os.environ["SOCKET"]), 3)
os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""


class Service:
    """A service in a process of its own; ``output`` has its lines until it was ready."""

    def __init__(self, process, stderr):
        self.process = process
        self.stderr = stderr
        self.output = []
        for line in process.stdout:
            self.output.append(line.rstrip("\n"))
            if line.startswith("  curl -u"):
                break

    @property
    def events(self):
        return re.search(r"Events: +(\S+)", "\n".join(self.output))[1]

    def get(self, client=httpx, **parameters):
        return client.get(self.events, params=parameters, timeout=PATIENCE)

    def complaint(self, words="", patience=PATIENCE):
        """Wait for the next line on standard error with these words."""
        return wait_for(lambda: next((line for line in self.stderr if words in line), ""), patience)

    def end(self, number=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(PATIENCE)


@contextmanager
def serving(data, *options, config=CONFIG, listener=None, jobs=False, **environment):
    """Start the service with its data in ``data`` and end it at the end of the block.

    With a ``listener`` that socket is passed on, as systemd does it. Without ``jobs`` a worker does
    the scheduled work, so that one process less has to start.
    """
    command = [sys.executable, "-m", "calendar_app", "--config", str(config), "serve"]
    command += [] if jobs else ["--no-jobs"]
    if listener is not None:
        command[1:1] = ["-c", PASSED_ON]
    with (
        # A file, since who reads a pipe waits for as long as nothing is told.
        tempfile.NamedTemporaryFile("r") as read,
        Path(read.name).open("w") as stderr_file,
        subprocess.Popen(
            [*command, "--bind", "127.0.0.1:0", "--workers", "1", *options],
            env=os.environ
            | {"CALENDAR_DATA": str(data), "SOCKET": str(listener.fileno() if listener else 0)}
            | environment,
            stdout=subprocess.PIPE,
            stderr=stderr_file,
            text=True,
            cwd=data.parent,
            pass_fds=[listener.fileno()] if listener else [],
        ) as process,
    ):
        service = Service(process, read)
        try:
            yield service
        finally:
            service.end()


@contextmanager
def launched(command, data, output, **environment):
    """Start a server, ours or gunicorn, with one worker; yield its process and a client.

    Nothing is waited for: it may never come to serve.
    """
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    settings = {"CALENDAR_DATA": str(data), "CALENDAR_CONFIG": str(CONFIG), "WEB_CONCURRENCY": "1"}
    with (
        httpx.Client(base_url=f"http://{address}", timeout=PATIENCE) as client,
        subprocess.Popen(
            [sys.executable, *command, "--bind", address],
            env=os.environ | settings | environment,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=ROOT,
        ) as process,
    ):
        try:
            yield process, client
        finally:
            process.terminate()
            process.wait(PATIENCE)


def status_of(client, path="/readyz", **options):
    """Return the status of an answer, 0 where there is none."""
    try:
        return client.get(path, **options).status_code
    except httpx.HTTPError:
        return 0


def mongod_on(data):
    return int((data / "mongod.lock").read_text() or 0)


def runs(process):
    """Tell whether a process, or a thread of it, may still hold its sockets open."""
    # A process that ends loses its program first and its sockets then; after both it is a zombie.
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return "\nState:\tZ" not in status or "\nThreads:\t1\n" not in status


def reload(service):
    """Let the service replace its workers, and wait until it has nothing more to prepare."""
    service.process.send_signal(signal.SIGHUP)
    wait_for_reload(service)


def wait_for_reload(service):
    service.complaint("has been reloaded", 3 * PATIENCE)


def lasting_children_of(service):
    """Return its workers and its mongod, but no command and no ended process."""
    commands = {
        child: read(f"/proc/{child}/cmdline").split("\0")
        for child in children_of(service.process.pid)
    }
    return {
        child
        for child, words in commands.items()
        if words != [""] and not {"indexes", "jobs"} & set(words)
    }


def children_of(process):
    return {
        int(child)
        for task in Path(f"/proc/{process}/task").glob("*")
        for child in read(task / "children").split()
    }


def read(path):
    try:
        return Path(path).read_text()
    except OSError:
        return ""


def wait_for(condition, patience=PATIENCE):
    """Wait for a true value of ``condition`` and return it."""
    until = time.monotonic() + patience
    while not (value := condition()):
        assert time.monotonic() < until
        time.sleep(0.05)
    return value

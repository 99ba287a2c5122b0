"""The service that reads the feeds, in a process of its own, with a clock that its orders set.

An order is a line of JSON on standard input, and so is its answer. Alone in its process, it tells
what the readings take.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path

from calling import Client

from calendar_app.accounts.callers import Caller
from calendar_app.api.http.request.state import get_services
from calendar_app.app import create_app
from calendar_app.settings import Settings
from calendar_app.storage.mongo.connection import open_database

EDITOR = Caller(2, "editor", "editor")
_TICKS = os.sysconf("SC_CLK_TCK")
_MEGABYTE = 1 << 10  # kilobytes
_COMMAND = (sys.executable, "-m", "region.service")


class Service:
    """The process, as those see it who give it orders."""

    def __init__(self, process):
        self._process = process

    def read(self, now, source, accept=""):
        """Read a source; return the state of the reading, its reason and its numbers."""
        return self._ask(op="read", now=now.isoformat(), source=source, accept=accept)

    def push(self, now, source, lines):
        """Send the whole file of a source; return the state, the reason and the numbers."""
        return self._ask(op="push", now=now.isoformat(), source=source, lines=lines)

    def usage(self):
        """Return the seconds of computing so far, and the most memory in megabytes."""
        return self._ask(op="usage")

    def _ask(self, **order):
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("The service has ended.")
        return json.loads(line)


@contextmanager
def begun(uri: str, log: Path, **settings: object) -> Iterator[Service]:
    """Start the service on a database, with a log; it ends with the block."""
    folder = str(Path(__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": folder}
    with (
        log.open("w") as errors,
        subprocess.Popen(
            (*_COMMAND, uri, json.dumps(settings)),
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        ) as process,
    ):
        yield Service(process)
        process.stdin.close()


def main() -> None:
    """Carry out orders until none comes any more."""
    uri, settings_text = sys.argv[1:]
    settings = Settings.load(environment={}, mongodb_uri=uri, **json.loads(settings_text))
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    database = open_database(uri)
    now = datetime.now().astimezone()
    with closing(database.client), answers:
        app = create_app(settings, database, lambda: now)
        client = Client(app, "editor", EDITOR.id)
        for line in sys.stdin:
            order = json.loads(line)
            if "now" in order:
                now = datetime.fromisoformat(order["now"])
            answers.write(json.dumps(_carry_out(app, client, order)) + "\n")
            answers.flush()


def _carry_out(app, client, order):
    match order["op"]:
        case "read":
            sources = get_services(app).sources
            reading = sources.readings.read(order["source"], EDITOR, accept=order["accept"])
            return _result(reading.state, reading.reason, reading.numbers, reading.id)
        case "push":
            return _push(client, order)
        case _:
            return {"cpu": _seconds(), "memory": _memory()}


def _push(client, order):
    answer = client.send(
        "POST",
        "/bulk",
        query_string={"source": order["source"], "complete": "true"},
        data="\n".join(order["lines"]),
        content_type="application/x-ndjson",
    )
    if answer.status_code == 409:
        return _result("waiting", answer.json["message"], {}, "")
    if answer.status_code != 200:
        return _result("failed", str(answer.json), {}, "")
    lines = [json.loads(line) for line in answer.get_data().splitlines()]
    numbers = {}
    for each in lines:
        outcome = each.get("outcome") or f"refused {each.get('error')}"
        numbers[outcome] = numbers.get(outcome, 0) + 1
    return _result("done", "", numbers, "")


def _result(state, reason, numbers, reading):
    return {"state": state, "reason": str(reason), "numbers": numbers, "reading": reading}


def _children() -> Iterator[int]:
    """Yield the processes that this one has begun."""
    own = os.getpid()
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # It has ended meanwhile.
        if int(words[1]) == own:
            yield int(path.parent.name)


def _seconds() -> float:
    """Return the CPU seconds of this process and of its reading processes."""
    own = os.times()
    total = own.user + own.system + own.children_user + own.children_system
    for child in _children():
        words = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
        total += (int(words[11]) + int(words[12])) / _TICKS
    return total


def _memory() -> dict[str, int]:
    """Return the peak memory of this process and of its reading process, in megabytes."""
    readers = [_peak(child) for child in _children()]
    return {"service": _peak(os.getpid()), "reader": max(readers, default=0)}


def _peak(process: int) -> int:
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) // _MEGABYTE
    return 0


if __name__ == "__main__":
    main()

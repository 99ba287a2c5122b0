"""Keep a copy of a calendar in SQLite.

python mirror.py BASE FILE [--once] [NAME=VALUE ...]

BASE is the address of the interface, such as http://127.0.0.1:8000/calendar/events/v1, and
NAME=VALUE a filter of the list of events, such as categories=musik. The copy has each event as the
interface shows it: SELECT record FROM events. Started again, it goes on where it was; let systemd
or the like start it again where the calendar is away.
"""

import json
import sys
import time
from contextlib import closing
from sqlite3 import Connection, connect
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import urlopen

START = "start"
USUAL_PAUSE = 5  # seconds
TABLES = """
CREATE TABLE IF NOT EXISTS events (id INTEGER PRIMARY KEY, record TEXT NOT NULL, round INTEGER);
CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""


def main(base: str, file: str, *options: str) -> None:
    filters = dict(option.split("=", 1) for option in options if option != "--once")
    with closing(connect(file)) as copy:
        copy.executescript(TABLES)
        while not (pause := step(copy, base.rstrip("/"), filters)) or "--once" not in options:
            time.sleep(pause)


def step(copy: Connection, base: str, filters: dict[str, str]) -> int:
    """Take over one page of changes; return how long to wait before the next one, in seconds."""
    token = state(copy, "token", START)
    try:
        with urlopen(f"{base}/changes?{urlencode({**filters, 'since': token})}") as answer:
            page, pause = json.load(answer), int(answer.headers.get("Retry-After", 0))
    except HTTPError as error:
        if error.code not in (400, 410) or token == START:
            raise SystemExit(f"{error}: {error.read().decode(errors='replace')}") from error
        begin_again(copy)
        return 0
    # One transaction: the copy and its token are always in step.
    with copy:
        number = state(copy, "round", "0")
        for change in page["changes"]:
            copy.execute("DELETE FROM events WHERE id = ?", (change["id"],))
            if change["change"] == "upsert":
                row = (change["id"], json.dumps(change["record"]), number)
                copy.execute("INSERT INTO events VALUES (?, ?, ?)", row)
        if not page["more"]:
            # What a new beginning has not brought again was removed meanwhile.
            copy.execute("DELETE FROM events WHERE round < ?", (number,))
        remember(copy, "token", page["next"])
    return 0 if page["more"] else pause or USUAL_PAUSE


def begin_again(copy: Connection) -> None:
    with copy:
        remember(copy, "token", START)
        remember(copy, "round", str(int(state(copy, "round", "0")) + 1))


def state(copy: Connection, name: str, otherwise: str) -> str:
    row = copy.execute("SELECT value FROM state WHERE name = ?", (name,)).fetchone()
    return row[0] if row else otherwise


def remember(copy: Connection, name: str, value: str) -> None:
    copy.execute("INSERT OR REPLACE INTO state VALUES (?, ?)", (name, value))


if __name__ == "__main__":
    if not sys.argv[2:]:
        raise SystemExit(__doc__)
    main(*sys.argv[1:])

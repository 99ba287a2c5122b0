"""``make bench-import``: the rate of an import from a recorded site.

Generates the pages of a site, imports them into an empty calendar with its own mongod by the
command of operators, then once more without changes. Prints a table.
"""

import argparse
import resource
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from import_table import ImportCost, table
from processes import child_named, memory, seconds
from recorded_site import record
from service import environment, scratch

from calendar_app.settings import Settings
from calendar_app.storage.embedded.supervisor import open_own_mongod
from calendar_app.storage.mongo.connection import Database, open_database

_RECORDS, _FEW = 20_000, 200
_POLL = 0.1  # seconds


def main() -> None:
    """Generate, import twice, and print the table."""
    parser = argparse.ArgumentParser(description="Measure the rate of an import.")
    parser.add_argument("--records", type=int, default=_RECORDS, help="events of the site")
    parser.add_argument(
        "--quick", action="store_true", help="only test that it works: the figures mean nothing"
    )
    options = parser.parse_args()
    with scratch() as directory:
        pages = directory / "pages.jsonl"
        records = record(pages, _FEW if options.quick else options.records)
        settings = Settings.load(environment=environment(directory))
        with open_own_mongod(settings.data, settings.mongod) as mongod:
            once, again = (Import(directory, mongod.uri, pages).run() for _ in range(2))
        print(table(records, once, again))


@dataclass(frozen=True, slots=True)
class Import:
    """One run of the command, with its measurements."""

    directory: Path
    uri: str
    pages: Path

    def run(self) -> ImportCost:
        """Import and return the cost."""
        database, mongod = open_database(self.uri), child_named("mongod")
        start, spent = time.monotonic(), seconds(mongod)
        ours = _spent_by_children()
        process = subprocess.Popen(
            [sys.executable, "-m", "calendar_app", "import", "tec", self.pages],
            env=environment(self.directory) | {"CALENDAR_MONGODB_URI": self.uri},
            stdout=subprocess.DEVNULL,
        )
        peak, stored, calendar, filling = 0, -1, start, spent
        while process.poll() is None:
            peak = max(peak, memory(process.pid))
            if (count := _events(database)) != stored:
                stored, calendar, filling = count, time.monotonic(), seconds(mongod)
            time.sleep(_POLL)
        if process.returncode:
            raise RuntimeError(f"The import ended with status {process.returncode}.")
        return ImportCost(
            wall=time.monotonic() - start,
            calendar=calendar - start,
            python=_spent_by_children() - ours,
            mongod=seconds(mongod) - spent,
            mongod_filling=filling - spent,
            memory=peak,
        )


def _events(database: Database) -> int:
    return database["events"].estimated_document_count()


def _spent_by_children() -> float:
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


if __name__ == "__main__":
    main()

"""Run the service and the programs it is compared with, like ``calendar-app serve``."""

import os
import sys
from contextlib import ExitStack
from pathlib import Path

from calendar_app.server.jobs_process import JobsProcess
from calendar_app.server.master import Master
from calendar_app.server.preparation import open_listener, own_mongod, prepare_database
from calendar_app.settings import Settings


def main() -> None:
    """Serve on the port, with the number of workers, that the arguments name."""
    port, workers = sys.argv[1:]
    os.environ["PYTHONPATH"] = os.pathsep.join(
        filter(None, (str(Path(__file__).parent), os.environ.get("PYTHONPATH")))
    )
    with ExitStack() as stack:
        listener = open_listener(f"127.0.0.1:{port}")
        settings = Settings.load()
        mongod = own_mongod(settings)
        if mongod:
            stack.callback(mongod.stop)
        prepare_database(mongod.uri if mongod else settings.mongodb_uri)
        master = Master(listener, int(workers), factory="application:create", jobs=JobsProcess())
        if master.start():
            master.run()


if __name__ == "__main__":
    main()

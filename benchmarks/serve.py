"""Run the service and the programs it is compared with, like ``calendar-app serve``."""

import os
import sys
from contextlib import ExitStack
from pathlib import Path

from calendar_app.server.listener import open_listener
from calendar_app.server.master import Master
from calendar_app.server.preparation import INDEXES, own_mongod, run_command
from calendar_app.settings import Settings


def main() -> None:
    """Serve on the port, with the number of workers, that the arguments name."""
    port, workers = sys.argv[1:]
    os.environ["PYTHONPATH"] = os.pathsep.join(
        filter(None, (str(Path(__file__).parent), os.environ.get("PYTHONPATH")))
    )
    with ExitStack() as stack:
        listener = open_listener(f"127.0.0.1:{port}")
        if mongod := own_mongod(Settings.load()):
            stack.callback(mongod.stop)
        run_command(INDEXES)
        master = Master(listener, int(workers), factory="application:create")
        if master.start():
            master.run()


if __name__ == "__main__":
    main()

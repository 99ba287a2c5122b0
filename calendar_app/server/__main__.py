"""Becomes a worker, which from its first moment ends with its master."""

import gc
import sys
from importlib import import_module

from calendar_app.server.log_stream import detach_log
from calendar_app.storage.embedded.launch import end_with_parent

if __name__ == "__main__":
    end_with_parent(int(sys.argv[3]))
    detach_log()
    # The application takes a second to be imported, and the collector would take a fifth more.
    gc.disable()
    import_module("calendar_app.server.worker").main()

"""The environment in which a reader's commands run, and the address they reach."""

import os
import socket
from pathlib import Path

DOCUMENTED_ADDRESS = "127.0.0.1:8000"
# What the make that started the check hands down, and what would steer the service.
_FOREIGN = ("CALENDAR_", "MAKE", "MFLAGS", "PYTHONPATH", "VIRTUAL_ENV", "PORT", "CONFIG", "DATA")


def free_address() -> str:
    """Return an address of this machine at which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        host, port = probe.getsockname()
    return f"{host}:{port}"


def reader_environment(clone: Path, address: str) -> dict[str, str]:
    """Return the environment in which services that name no address listen at ``address``."""
    (clone.parent / ".curlrc").write_text("silent\nshow-error\n", encoding="utf-8")
    inherited = {name: text for name, text in os.environ.items() if not name.startswith(_FOREIGN)}
    return inherited | {
        "CURL_HOME": str(clone.parent),
        "PORT": address.rpartition(":")[2],
        "GUNICORN_CMD_ARGS": f"--bind {address}",
    }

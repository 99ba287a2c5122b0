"""The socket on which the service listens: opened here, or inherited from systemd."""

import errno
import os
import socket
import time
from pathlib import Path

from calendar_app.errors import ConfigurationError

BACKLOG = 1024
_UNIX = "unix:"
_PATIENCE = 3.0  # seconds; the workers of a master that was killed end within one
_POLL = 0.1  # seconds
_LAST_PORT = 65535
_FIRST_INHERITED = 3  # SD_LISTEN_FDS_START of sd_listen_fds(3)


def open_listener(bind: str) -> socket.socket:
    """Return the socket that systemd has passed on, else one on ``HOST:PORT`` or ``unix:PATH``.

    Raises ``ConfigurationError`` where it cannot be had.
    """
    if os.environ.get("LISTEN_PID") == str(os.getpid()):
        return socket.socket(fileno=_FIRST_INHERITED)
    if bind.startswith(_UNIX):
        return _open_unix(Path(bind.removeprefix(_UNIX)))
    host, port = _split(bind)
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            return _open(host, port)
        except OSError as error:
            if error.errno != errno.EADDRINUSE or time.monotonic() > until:
                raise ConfigurationError(_refusal(host, port, error)) from error
        time.sleep(_POLL)


def origin_of(listener: socket.socket) -> str:
    """Return the address under which a browser on this machine reaches the service."""
    if listener.family == socket.AF_UNIX:
        return f"{_UNIX}{listener.getsockname()}"
    host, port = listener.getsockname()[:2]
    local = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - compared, not bound
    return f"http://[{local}]:{port}" if ":" in local else f"http://{local}:{port}"


def _split(bind: str) -> tuple[str, int]:
    host, separator, port = bind.rpartition(":")
    if not separator or not port.removeprefix("-").isdecimal():
        raise ConfigurationError(f"{bind} is no address; write HOST:PORT, as in 127.0.0.1:8000.")
    if not 0 <= int(port) <= _LAST_PORT:
        raise ConfigurationError(
            f"{port} is no port: they go from 0 to {_LAST_PORT}; choose one with --bind or PORT=."
        )
    return host.strip("[]"), int(port)


def _open(host: str, port: int) -> socket.socket:
    family, *_, address = socket.getaddrinfo(
        host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listener = socket.create_server(address[:2], family=family, backlog=BACKLOG)
    # Accepted sockets inherit it; else the last piece of a long body waits for a delayed ACK.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def _open_unix(path: Path) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX)
    try:
        path.unlink(missing_ok=True)
        listener.bind(str(path))
        listener.listen(BACKLOG)
    except OSError as error:
        raise ConfigurationError(
            f"The service cannot listen on {path} ({error.strerror}); choose another with --bind."
        ) from error
    return listener


def _refusal(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} of {host} is in use; choose another one with --bind or PORT=."
    return (
        f"The service cannot listen on {host}:{port} ({error.strerror}); "
        "choose another address with --bind."
    )

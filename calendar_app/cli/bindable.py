"""Sees before anything is started that the service can have its address."""

import errno
import socket
import time
from collections.abc import Iterable
from typing import Any

from calendar_app.errors import ConfigurationError

_PATIENCE = 3.0  # seconds; workers of a master that was killed notice it within one
_POLL = 0.1  # seconds
_LAST_PORT = 65535


def require_bindable(addresses: Iterable[Any]) -> None:
    """Raise ``ConfigurationError`` where one of gunicorn's addresses cannot be had.

    Only pairs of host and port are tried; unix sockets and inherited ones are gunicorn's affair.
    """
    for address in addresses:
        if isinstance(address, tuple):
            _try(*address)


def _try(host: str, port: int) -> None:
    if not 0 <= port <= _LAST_PORT:
        raise ConfigurationError(
            f"{port} is no port: they go from 0 to {_LAST_PORT}; choose one with --bind or PORT=."
        )
    until = time.monotonic() + _PATIENCE
    while error := _failure(host, port):
        if error.errno != errno.EADDRINUSE or time.monotonic() > until:
            raise ConfigurationError(_refusal(host, port, error)) from error
        time.sleep(_POLL)


def _failure(host: str, port: int) -> OSError | None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except OSError as error:
        return error
    return None


def _refusal(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} of {host} is in use; choose another one with --bind or PORT=."
    return (
        f"The service cannot listen on {host}:{port} ({error.strerror}); "
        "choose another address with --bind."
    )

"""A connection to the service that is kept, and carries one request at a time."""

import socket
import time
from collections.abc import Mapping
from http import HTTPStatus
from typing import Self

_PATIENCE = 30  # seconds
_CHUNK = 1 << 18  # bytes
_END_OF_HEAD = b"\r\n\r\n"
_LENGTH = b"content-length:"
_BODILESS = (HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED)


class Connection:
    """As little of HTTP as a load generator needs, so that it leaves the machine to the service."""

    def __init__(self, port: int) -> None:
        self._host = f"127.0.0.1:{port}"
        self._socket = socket.create_connection(("127.0.0.1", port), _PATIENCE)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._received = bytearray()
        self._expected = 0
        self._begun = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Hang up; once is enough."""
        self._socket.close()

    def fileno(self) -> int:
        """Return the descriptor of the socket, for a selector."""
        return self._socket.fileno()

    def request(self, method: str, path: str, headers: Mapping[str, str], body: str = "") -> bytes:
        """Return the bytes of a request."""
        data = body.encode()
        length = {"Content-Length": str(len(data))} if data else {}
        fields = {"Host": self._host, **length, **headers}
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        return f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + data

    def send(self, request: bytes) -> None:
        """Send a request; the one before must have been answered."""
        self._received.clear()
        self._expected = 0
        self._begun = time.perf_counter()
        self._socket.sendall(request)

    def answer(self, request: bytes) -> None:
        """Send a request, and wait until the answer is whole."""
        self.send(request)
        while not self.receive():
            pass

    def receive(self) -> bool:
        """Receive a chunk; return whether the response is complete.

        Raises ``ConnectionError`` where the service has hung up.
        """
        chunk = self._socket.recv(_CHUNK)
        if not chunk:
            raise ConnectionError("The service has hung up.")
        self._received += chunk
        if not self._expected:
            self._expected = self._whole()
        return 0 < self._expected <= len(self._received)

    def _whole(self) -> int:
        """Return how many bytes the answer has; 0 where its head is not there yet."""
        end = self._received.find(_END_OF_HEAD)
        if end < 0:
            return 0
        whole = end + len(_END_OF_HEAD)
        if self.status in _BODILESS:
            return whole
        head = bytes(self._received[:end]).lower()
        return whole + int(head.partition(_LENGTH)[2].split(b"\r\n", 1)[0])

    def header(self, name: str) -> str:
        """Return the value of a header; ``name`` is in lower case."""
        head = bytes(self._received.partition(_END_OF_HEAD)[0]).decode("latin-1")
        fields = (line.partition(":") for line in head.split("\r\n")[1:])
        return next(value.strip() for field_name, _, value in fields if field_name.lower() == name)

    @property
    def took(self) -> float:
        """The seconds since the request was sent."""
        return time.perf_counter() - self._begun

    @property
    def status(self) -> int:
        return int(self._received.split(b" ", 2)[1])

    @property
    def body(self) -> bytes:
        return bytes(self._received.partition(_END_OF_HEAD)[2])

"""The terminal in which the service runs until Ctrl-C."""

import os
import re
import signal
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Self

import httpx

from docs_check.surroundings import free_address, reader_environment

START = "make run\n"
_SHELL = ("bash", "-c")
_PASSWORD = re.compile(r"shown only once: (.+)")
_START_PATIENCE = 240  # seconds; the first start installs everything
_STOP_PATIENCE = 60  # seconds
_PASSWORD_PATIENCE = 5  # seconds
_POLL = 0.2  # seconds


class Foreground:
    """Runs one command at a time; all of them serve at ``address``.

    ``password`` is the one of the administrator.
    """

    def __init__(self, clone: Path) -> None:
        self._clone = clone
        self._log = clone.parent / "service.log"
        self._running: subprocess.Popen[bytes] | None = None
        self._started: tuple[str, dict[str, str]] | None = None
        self.address = free_address()
        self.environment = reader_environment(clone, self.address)
        self._password = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    @property
    def password(self) -> str:
        """Return the first password that was printed; the service is ready before it prints."""
        until = time.monotonic() + _PASSWORD_PATIENCE
        while not self._password and self._alive() and time.monotonic() < until:
            self._note_password()
            time.sleep(_POLL)
        return self._password

    def _note_password(self) -> None:
        printed = _PASSWORD.search(self.output)
        self._password = self._password or (printed[1] if printed else "")

    @property
    def output(self) -> str:
        """The output of the running service."""
        return self._log.read_text(encoding="utf-8") if self._log.exists() else ""

    def start(self, commands: str, environment: dict[str, str]) -> str:
        """Start the commands unless they run already; return the fault of the start."""
        own = {name: text for name, text in environment.items() if name.startswith("CALENDAR_")}
        if self._started == (commands, own) and self._alive():
            return ""
        self.stop()
        with self._log.open("wb") as log:
            self._running = subprocess.Popen(  # noqa: S603 - what the documentation says
                (*_SHELL, commands),
                cwd=self._clone,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._started = commands, own
        return self._awaited()

    def stop(self) -> None:
        """Press Ctrl-C, and see that everything ends."""
        if self._running is None:
            return
        self._note_password()
        if self._alive():
            os.killpg(self._running.pid, signal.SIGINT)
        try:
            self._running.wait(_STOP_PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(self._running.pid, signal.SIGKILL)
            self._running.wait()
        self._running = None

    def _alive(self) -> bool:
        return self._running is not None and self._running.poll() is None

    def _awaited(self) -> str:
        until = time.monotonic() + _START_PATIENCE
        while self._alive() and time.monotonic() < until:
            if self._ready():
                self._note_password()
                return ""
            time.sleep(_POLL)
        return f"the service does not come up: {self.output[-400:].strip()}"

    def _ready(self) -> bool:
        try:
            answer = httpx.get(f"http://{self.address}/readyz", trust_env=False)
        except httpx.TransportError:
            return False
        return answer.status_code == httpx.codes.OK

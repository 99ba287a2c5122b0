"""A process of ours that a master keeps: a worker, or the one for scheduled work."""

import os
import signal
import subprocess
from collections.abc import Sequence

from calendar_app.storage.embedded.mongod import how_it_ended

# For glibc's allocator (mallopt(3)). Threads take turns anyway, and each arena keeps what its
# largest response took. Blocks of a megabyte and more go back to the system at once: left to
# itself, glibc puts them between small ones that stay, as soon as one has been freed.
_ALLOCATION = {"MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_THRESHOLD_": str(1 << 20)}


class ChildProcess:
    """A running command; its first act is to end with the thread that started it."""

    def __init__(self, command: Sequence[str], pass_fds: Sequence[int] = ()) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - the program is our own
            command,
            pass_fds=pass_fds,
            env=_ALLOCATION | os.environ,
            start_new_session=True,  # Ctrl-C is for the master
        )

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def status(self) -> int | None:
        """The exit status, that of a signal below zero; ``None`` while it runs."""
        return self._process.poll()

    def has_ended(self) -> bool:
        return self.status is not None

    def obituary(self) -> str:
        """Return how it has ended, in a few words."""
        return f"{self.pid} {how_it_ended(self._process.returncode)}"

    def end(self, number: signal.Signals = signal.SIGTERM) -> None:
        """Ask it to end."""
        if not self.has_ended():
            self._process.send_signal(number)

    def wait(self, seconds: float = 0) -> None:
        """Wait until it has ended; kill it after ``seconds``."""
        try:
            self._process.wait(max(0, seconds))
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

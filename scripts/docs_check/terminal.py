"""A reader's terminal: one shell for all blocks of a page, so that its variables stay."""

import os
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from types import TracebackType
from typing import Self

_PATIENCE = 600.0  # seconds; some commands make an environment of their own
_SHELL = ("bash", "--noprofile", "--norc", "-s")


@dataclass(frozen=True, slots=True)
class Outcome:
    """The output of a block of commands, and whether all succeeded."""

    succeeded: bool
    output: str
    errors: str


class Terminal:
    """A shell in ``place`` that ends with the first command that fails."""

    def __init__(self, place: Path, environment: dict[str, str]) -> None:
        self._notes = place.parent
        self._shell = subprocess.Popen(  # noqa: S603 - the command is fixed
            _SHELL,
            cwd=place,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # With the shell ends what a command has left running.
        os.killpg(self._shell.pid, signal.SIGKILL)
        self._shell.communicate()

    def run(self, commands: str) -> Outcome:
        """Run a block of commands; it may take ``_PATIENCE``."""
        block, output, errors = (self._notes / name for name in ("block", "output", "errors"))
        block.write_text(f"set -euo pipefail\n{commands}", encoding="utf-8")
        reply = self._send(f". '{block}' >'{output}' 2>'{errors}' </dev/null; echo done\n")
        texts = (file.read_text(encoding="utf-8") for file in (output, errors))
        return Outcome(reply == "done\n", *texts)

    def environment(self) -> dict[str, str]:
        """Return the environment that the commands have exported."""
        pairs = self.run("env -0").output.split("\0")
        return dict(pair.split("=", 1) for pair in pairs if pair)

    def _send(self, line: str) -> str:
        if self._shell.stdin is None or self._shell.stdout is None:
            return ""
        patience = Timer(_PATIENCE, os.killpg, (self._shell.pid, signal.SIGKILL))
        patience.start()
        try:
            self._shell.stdin.write(line)
            self._shell.stdin.flush()
            return self._shell.stdout.readline()
        finally:
            patience.cancel()

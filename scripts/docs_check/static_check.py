"""Check commands that cannot run here by the names of files, options and services."""

import ast
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import dropwhile
from pathlib import Path
from types import MappingProxyType

from ruamel.yaml import YAML

from docs_check.pages import Step

_COMPOSE = "docker-compose.yml"
_COMPOSE_COMMANDS = (
    "build",
    "config",
    "cp",
    "down",
    "exec",
    "kill",
    "logs",
    "ps",
    "pull",
    "restart",
    "run",
    "start",
    "stop",
    "up",
)
_FILE = re.compile(r"(?!/|\w+://)[\w./-]+\.(toml|ya?ml|py|md|env|json)")


def static_fault(step: Step, clone: Path) -> str:
    """Return the first absent name of the commands, empty if all exist."""
    if step.program:
        return _syntax_fault(step)
    for line in step.commands.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        written = [
            words[number] for number, word in enumerate(words[:-1], 1) if word.startswith(">")
        ]
        files = [word for word in words if _FILE.fullmatch(word) and word not in written]
        absent = [file for file in files if not (clone / file).exists()]
        if absent:
            return f"there is no file {absent[0]}"
        if words and (fault := _command_fault(words, clone)):
            return fault
    return ""


def _syntax_fault(step: Step) -> str:
    if step.program == "python":
        try:
            ast.parse(step.commands)
        except SyntaxError as error:
            return f"no Python: {error.msg}, line {error.lineno} of the block"
    return ""


def _command_fault(words: Sequence[str], clone: Path) -> str:
    judge = _JUDGES.get(Path(words[0]).name)
    return judge(words[1:], clone) if judge else ""


def _calendar_app_fault(words: Sequence[str], clone: Path) -> str:
    """With ``--help`` behind them, commands and options are looked at and nothing is done."""
    command = [sys.executable, "-m", "calendar_app", *_until_redirected(words), "--help"]
    return _fault_of(command, clone)


def _make_fault(words: Sequence[str], clone: Path) -> str:
    return _fault_of(["make", "--dry-run", *words], clone)


def _docker_fault(words: Sequence[str], clone: Path) -> str:
    if not words or words[0] != "compose":
        return ""
    command, *rest = _without_options(words[1:]) or [""]
    if command not in _COMPOSE_COMMANDS:
        return f"docker compose has no command {command}"
    schema = ["--builtin-schema", "vendor.compose-spec", _COMPOSE]
    check = [sys.executable, "-m", "check_jsonschema", *schema]
    return _fault_of(check, clone) or _service_fault(command, rest, clone)


def _service_fault(command: str, rest: Sequence[str], clone: Path) -> str:
    """Return the fault of service names, and of a command after ``exec`` or ``run``."""
    services = YAML(typ="safe").load(clone / _COMPOSE)["services"]
    service_names = _without_options(_until_redirected(rest))
    if command == "cp":
        places = [word.partition(":") for word in service_names]
        service_names = [service for service, colon, _ in places if colon]
    within = service_names[1:] if command in ("exec", "run") else []
    if unknown := [
        name for name in service_names[: len(service_names) - len(within)] if name not in services
    ]:
        return f"{_COMPOSE} has no service {unknown[0]}"
    return _command_fault(within, clone) if within else ""


def _without_options(words: Sequence[str]) -> list[str]:
    """Return the words from the first on that is no option."""
    return list(dropwhile(lambda word: word.startswith("-"), words))


def _until_redirected(words: Sequence[str]) -> list[str]:
    ends = [number for number, word in enumerate(words) if word in (">", "<", "|")]
    return list(words[: ends[0]] if ends else words)


def _fault_of(command: Sequence[str], place: Path) -> str:
    process = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)  # noqa: S603 - it looks and does nothing
    return "" if process.returncode == 0 else (process.stderr or process.stdout).strip()[-400:]


_JUDGES: Mapping[str, Callable[[Sequence[str], Path], str]] = MappingProxyType(
    {"calendar-app": _calendar_app_fault, "make": _make_fault, "docker": _docker_fault}
)
